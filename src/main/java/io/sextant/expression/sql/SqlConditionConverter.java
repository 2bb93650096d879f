/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.sextant.expression.sql;

import com.google.common.collect.ImmutableList;
import io.sextant.expression.Predicate;
import io.sextant.expression.Predicate.And;
import io.sextant.expression.Predicate.Comparison;
import io.sextant.expression.Predicate.ComparisonOperator;
import io.sextant.expression.Predicate.Membership;
import io.sextant.expression.Predicate.MembershipOperator;
import io.sextant.expression.Predicate.Or;
import io.sextant.expression.Predicate.Test;
import io.sextant.expression.Predicate.TestOperator;
import io.sextant.expression.ValueExpression;
import io.sextant.expression.sql.SqlValue.Computed;
import io.sextant.expression.sql.SqlValue.Constant;
import io.trino.spi.TrinoException;
import io.trino.sql.tree.BetweenPredicate;
import io.trino.sql.tree.BooleanLiteral;
import io.trino.sql.tree.BooleanTestPredicate;
import io.trino.sql.tree.CoalesceExpression;
import io.trino.sql.tree.ComparisonPredicate;
import io.trino.sql.tree.DistinctFromPredicate;
import io.trino.sql.tree.Expression;
import io.trino.sql.tree.FunctionCall;
import io.trino.sql.tree.IfExpression;
import io.trino.sql.tree.InListExpression;
import io.trino.sql.tree.InPredicate;
import io.trino.sql.tree.IsNullPredicate;
import io.trino.sql.tree.LikePredicate;
import io.trino.sql.tree.LogicalExpression;
import io.trino.sql.tree.NotExpression;
import io.trino.sql.tree.NullLiteral;
import io.trino.sql.tree.Predicated;
import io.trino.sql.tree.SearchedCaseExpression;
import io.trino.sql.tree.StringLiteral;
import io.trino.sql.tree.WhenClause;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type.TypeID;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.expression.sql.SqlErrors.notSupported;
import static io.sextant.expression.sql.SqlErrors.unsupported;
import static io.trino.spi.StandardErrorCode.TYPE_MISMATCH;
import static io.trino.sql.ExpressionFormatter.formatExpression;
import static java.util.Locale.ENGLISH;

/// Converts SQL expressions that are true, false or unknown for each row.
final class SqlConditionConverter
{
    private final SqlValueConverter values;

    SqlConditionConverter(Schema schema)
    {
        values = new SqlValueConverter(schema, this);
    }

    Condition convert(Expression expression)
    {
        return switch (expression) {
            case BooleanLiteral literal -> Condition.constant(literal.getValue());
            case NullLiteral _ -> Condition.UNKNOWN;
            case NotExpression not -> convert(not.getValue()).not();
            case LogicalExpression logical -> switch (logical.getOperator()) {
                case AND -> Condition.and(convertAll(logical.getTerms()));
                case OR -> Condition.or(convertAll(logical.getTerms()));
            };
            case Predicated predicated -> predicate(predicated);
            case IfExpression choice -> convert(choice.getCondition()).choose(convert(choice.getTrueValue()), choice.getFalseValue().map(this::convert).orElse(Condition.UNKNOWN));
            case SearchedCaseExpression choice -> searchedCase(choice);
            case CoalesceExpression coalesce when coalesce.getOperands().size() == 2 && coalesce.getOperands().getLast() instanceof BooleanLiteral literal -> withoutUnknown(convert(coalesce.getOperands().getFirst()), literal.getValue());
            case FunctionCall call when isCallOf("is_nan", 1, call) -> isNan(values.compute(call.argumentValues().getFirst()));
            case FunctionCall call when isCallOf("starts_with", 2, call) && call.argumentValues().getLast() instanceof StringLiteral prefix -> startsWith(values.compute(call.argumentValues().getFirst()), prefix.getValue());
            default -> flag(expression);
        };
    }

    private List<Condition> convertAll(List<Expression> expressions)
    {
        return expressions.stream().map(this::convert).collect(toImmutableList());
    }

    private Condition predicate(Predicated predicated)
    {
        Expression value = predicated.getValue();
        return switch (predicated.getPredicate()) {
            case ComparisonPredicate comparison -> compare(operator(comparison.getOperator()), value, comparison.getRight());
            case BetweenPredicate between when !between.isSymmetric() -> negate(between.isNegated(), Condition.and(ImmutableList.of(
                    compare(ComparisonOperator.GT_EQ, value, between.getMin()),
                    compare(ComparisonOperator.LT_EQ, value, between.getMax()))));
            case InPredicate in when in.getValueList() instanceof InListExpression list -> negate(in.isNegated(), in(values.compute(value), list));
            case InPredicate in -> throw unsupported(in.getValueList());
            case IsNullPredicate isNull -> negate(isNull.isNegated(), isNull(value));
            case DistinctFromPredicate distinct -> negate(distinct.isNegated(), isDistinct(value, distinct.getRight()));
            case LikePredicate like -> negate(like.isNegated(), startsWith(values.compute(value), prefix(like, predicated)));
            case BooleanTestPredicate test -> negate(test.isNegated(), switch (test.getTruthValue()) {
                case TRUE -> convert(value).isTrueTest();
                case FALSE -> convert(value).not().isTrueTest();
                case UNKNOWN -> convert(value).isUnknownTest();
            });
            case io.trino.sql.tree.Predicate other -> throw unsupported(other);
        };
    }

    private static Condition negate(boolean negated, Condition condition)
    {
        return negated ? condition.not() : condition;
    }

    private static Condition withoutUnknown(Condition condition, boolean unknown)
    {
        return unknown ? condition.not().isTrueTest().not() : condition.isTrueTest();
    }

    private Condition searchedCase(SearchedCaseExpression choice)
    {
        Condition result = choice.getDefaultValue().map(this::convert).orElse(Condition.UNKNOWN);
        for (WhenClause clause : choice.getWhenClauses().reversed()) {
            if (!(clause.getMatch() instanceof WhenClause.Operand(Expression condition))) {
                throw unsupported(choice);
            }
            result = convert(condition).choose(convert(clause.getResult()), result);
        }
        return result;
    }

    private Condition flag(Expression expression)
    {
        if (SqlConstants.constant(expression).isPresent()) {
            throw new TrinoException(TYPE_MISMATCH, "Condition must be a boolean: " + formatExpression(expression));
        }
        Computed value = values.compute(expression);
        if (value.type().typeId() != TypeID.BOOLEAN) {
            throw new TrinoException(TYPE_MISMATCH, "Condition must be a boolean, but is of type %s: %s".formatted(value.type(), formatExpression(expression)));
        }
        return compare(ComparisonOperator.EQ, value, new SqlConstant(Optional.of(true), "true"));
    }

    private Condition compare(ComparisonOperator operator, Expression left, Expression right)
    {
        SqlValue leftValue = values.convert(left);
        SqlValue rightValue = values.convert(right);
        if (leftValue instanceof Computed leftComputed) {
            return switch (rightValue) {
                case Computed computed -> compare(operator, leftComputed, computed);
                case Constant(SqlConstant constant) -> compare(operator, leftComputed, constant);
            };
        }
        SqlConstant leftConstant = ((Constant) leftValue).constant();
        return switch (rightValue) {
            case Computed computed -> compare(exchanged(operator), computed, leftConstant);
            case Constant(SqlConstant constant) when constant.value().isPresent() && leftConstant.value().isPresent() -> throw notSupported("Comparison of two literals is not supported", left);
            case Constant _ -> Condition.UNKNOWN;
        };
    }

    private static Condition compare(ComparisonOperator operator, Computed left, SqlConstant right)
    {
        if (right.value().isEmpty()) {
            return Condition.UNKNOWN;
        }
        Predicate holds = new Comparison(operator, left.expression(), SqlComparability.constant(right, left).toLiteral());
        return compared(operator, holds, left, nullables(left));
    }

    private static Condition compare(ComparisonOperator operator, Computed left, Computed right)
    {
        SqlComparability.check(left, right);
        Predicate comparison = new Comparison(operator, left.expression(), right.expression());
        List<ValueExpression> nullables = nullables(left, right);
        if (!isFloating(left) || !isFloating(right)) {
            return compared(operator, comparison, isFloating(left) ? left : right, nullables);
        }
        // To SQL, NaN is not equal to itself
        Predicate holds = switch (operator) {
            case EQ, LT_EQ, GT_EQ -> new And(comparison, new Test(TestOperator.NOT_NAN, left.expression()));
            case NOT_EQ -> new Or(comparison, new Test(TestOperator.IS_NAN, left.expression()));
            default -> comparison;
        };
        return compared(operator, holds, left, nullables);
    }

    /// @param holds the comparison, which is true exactly if SQL's is, if no operand is null
    /// @param operand the one that may be NaN, if any may
    private static Condition compared(ComparisonOperator operator, Predicate holds, Computed operand, List<ValueExpression> nullables)
    {
        GuardedPredicate guarded = guard(operator, holds, nullables);
        // With NaN, the opposite of an order is not its negation
        return Condition.of(guarded, isFloating(operand) ? guarded.not() : guardedOpposite((Comparison) holds, nullables));
    }

    private static GuardedPredicate guardedOpposite(Comparison comparison, List<ValueExpression> nullables)
    {
        ComparisonOperator opposite = opposite(comparison.operator());
        return guard(opposite, new Comparison(opposite, comparison.left(), comparison.right()), nullables);
    }

    private static GuardedPredicate guard(ComparisonOperator operator, Predicate comparison, List<ValueExpression> nullables)
    {
        // Two nulls are equal, a null and another value are not
        List<ValueExpression> ofTwo = nullables.size() < 2 ? ImmutableList.of() : nullables.subList(0, 1);
        return switch (operator) {
            case LT, GT, STARTS_WITH -> GuardedPredicate.falseOfNull(comparison, nullables);
            case EQ, LT_EQ, GT_EQ -> new GuardedPredicate(comparison, ofTwo, nullables);
            case NOT_EQ -> new GuardedPredicate(comparison, nullables, ofTwo);
            case NOT_STARTS_WITH -> GuardedPredicate.trueOfNull(comparison, nullables);
        };
    }

    private static List<ValueExpression> nullables(Computed... operands)
    {
        return Stream.of(operands)
                .map(Computed::nullable)
                .flatMap(Optional::stream)
                .collect(toImmutableList());
    }

    private Condition isDistinct(Expression left, Expression right)
    {
        SqlValue rightValue = values.convert(right);
        if (!(values.convert(left) instanceof Computed leftValue)) {
            if (rightValue instanceof Constant) {
                throw notSupported("Comparison of two literals is not supported", left);
            }
            return isDistinct(right, left);
        }
        ValueExpression other = switch (rightValue) {
            case Constant(SqlConstant constant) when constant.value().isEmpty() -> null;
            case Constant(SqlConstant constant) -> SqlComparability.constant(constant, leftValue).toLiteral();
            case Computed computed -> {
                SqlComparability.check(leftValue, computed);
                yield computed.expression();
            }
        };
        return other == null ? isNull(leftValue).not() : Condition.known(
                new Comparison(ComparisonOperator.NOT_EQ, leftValue.expression(), other),
                new Comparison(ComparisonOperator.EQ, leftValue.expression(), other));
    }

    private Condition isNull(Expression expression)
    {
        if (isCondition(expression)) {
            return convert(expression).isUnknownTest();
        }
        return switch (values.convert(expression)) {
            case Constant(SqlConstant constant) -> Condition.constant(constant.value().isEmpty());
            case Computed computed -> isNull(computed);
        };
    }

    static Condition isNull(Computed value)
    {
        ValueExpression nullable = value.nullable().orElse(value.expression());
        return Condition.known(new Test(TestOperator.IS_NULL, nullable), new Test(TestOperator.NOT_NULL, nullable));
    }

    private Condition in(Computed value, InListExpression list)
    {
        List<SqlConstant> constants = list.getValues().stream()
                .map(element -> SqlConstants.constant(element)
                        .filter(constant -> constant.value().isPresent())
                        .orElseThrow(() -> notSupported("Elements of an IN list must be literals that are not NULL", element)))
                .collect(toImmutableList());
        List<ValueExpression.Literal> literals = SqlComparability.constants(constants, value).stream()
                .map(TypedConstant::toLiteral)
                .collect(toImmutableList());
        return Condition.of(
                GuardedPredicate.falseOfNull(new Membership(MembershipOperator.IN, value.expression(), literals), nullables(value)),
                GuardedPredicate.trueOfNull(new Membership(MembershipOperator.NOT_IN, value.expression(), literals), nullables(value)));
    }

    private static Condition isNan(Computed value)
    {
        if (!isFloating(value)) {
            throw new TrinoException(TYPE_MISMATCH, "is_nan takes a double or real, not a value of type %s: %s".formatted(value.type(), value.text()));
        }
        return Condition.of(
                GuardedPredicate.falseOfNull(new Test(TestOperator.IS_NAN, value.expression()), nullables(value)),
                GuardedPredicate.trueOfNull(new Test(TestOperator.NOT_NAN, value.expression()), nullables(value)));
    }

    private static Condition startsWith(Computed value, String prefix)
    {
        if (value.type().typeId() != TypeID.STRING) {
            throw new TrinoException(TYPE_MISMATCH, "A prefix can be looked for in a varchar, not in a value of type %s: %s".formatted(value.type(), value.text()));
        }
        ValueExpression literal = SqlComparability.constant(new SqlConstant(Optional.of(prefix), prefix), value).toLiteral();
        Comparison holds = new Comparison(ComparisonOperator.STARTS_WITH, value.expression(), literal);
        return Condition.of(guard(holds.operator(), holds, nullables(value)), guardedOpposite(holds, nullables(value)));
    }

    private static String prefix(LikePredicate like, Expression text)
    {
        if (like.getEscape().isEmpty() && like.getPattern() instanceof StringLiteral pattern && pattern.getValue().endsWith("%")) {
            String prefix = pattern.getValue().substring(0, pattern.getValue().length() - 1);
            if (!prefix.contains("%") && !prefix.contains("_")) {
                return prefix;
            }
        }
        throw notSupported("Pattern must be a prefix followed by one %, without other wildcards and ESCAPE", text);
    }

    // Whether an expression has a truth value that no column holds
    private static boolean isCondition(Expression expression)
    {
        return switch (expression) {
            case Predicated _, LogicalExpression _, NotExpression _ -> true;
            case FunctionCall call -> isCallOf("is_nan", 1, call) || isCallOf("starts_with", 2, call);
            case IfExpression choice -> isCondition(choice.getTrueValue()) || choice.getFalseValue().stream().anyMatch(SqlConditionConverter::isCondition);
            case SearchedCaseExpression choice -> choice.getWhenClauses().stream().map(WhenClause::getResult).anyMatch(SqlConditionConverter::isCondition) ||
                    choice.getDefaultValue().stream().anyMatch(SqlConditionConverter::isCondition);
            case CoalesceExpression coalesce -> coalesce.getOperands().stream().anyMatch(SqlConditionConverter::isCondition);
            default -> false;
        };
    }

    private static boolean isCallOf(String name, int arguments, FunctionCall call)
    {
        return call.getName().toString().toLowerCase(ENGLISH).equals(name) && call.getArguments().size() == arguments &&
                call.getWindow().isEmpty() && call.getFilter().isEmpty() && call.getOrderBy().isEmpty() && !call.isDistinct();
    }

    private static boolean isFloating(Computed value)
    {
        return value.type().typeId() == TypeID.FLOAT || value.type().typeId() == TypeID.DOUBLE;
    }

    private static ComparisonOperator operator(ComparisonPredicate.Operator operator)
    {
        return switch (operator) {
            case EQUAL -> ComparisonOperator.EQ;
            case NOT_EQUAL -> ComparisonOperator.NOT_EQ;
            case LESS_THAN -> ComparisonOperator.LT;
            case LESS_THAN_OR_EQUAL -> ComparisonOperator.LT_EQ;
            case GREATER_THAN -> ComparisonOperator.GT;
            case GREATER_THAN_OR_EQUAL -> ComparisonOperator.GT_EQ;
        };
    }

    private static ComparisonOperator exchanged(ComparisonOperator operator)
    {
        return switch (operator) {
            case LT -> ComparisonOperator.GT;
            case LT_EQ -> ComparisonOperator.GT_EQ;
            case GT -> ComparisonOperator.LT;
            case GT_EQ -> ComparisonOperator.LT_EQ;
            default -> operator;
        };
    }

    private static ComparisonOperator opposite(ComparisonOperator operator)
    {
        return switch (operator) {
            case EQ -> ComparisonOperator.NOT_EQ;
            case NOT_EQ -> ComparisonOperator.EQ;
            case LT -> ComparisonOperator.GT_EQ;
            case LT_EQ -> ComparisonOperator.GT;
            case GT -> ComparisonOperator.LT_EQ;
            case GT_EQ -> ComparisonOperator.LT;
            case STARTS_WITH -> ComparisonOperator.NOT_STARTS_WITH;
            case NOT_STARTS_WITH -> ComparisonOperator.STARTS_WITH;
        };
    }
}
