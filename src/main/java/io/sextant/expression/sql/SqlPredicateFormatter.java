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

import com.fasterxml.jackson.databind.JsonNode;
import io.sextant.expression.Predicate;
import io.sextant.expression.Predicate.And;
import io.sextant.expression.Predicate.Comparison;
import io.sextant.expression.Predicate.ComparisonOperator;
import io.sextant.expression.Predicate.Constant;
import io.sextant.expression.Predicate.Membership;
import io.sextant.expression.Predicate.MembershipOperator;
import io.sextant.expression.Predicate.Not;
import io.sextant.expression.Predicate.Or;
import io.sextant.expression.Predicate.Test;
import io.sextant.expression.Predicate.TestOperator;
import io.sextant.expression.Predicate.Unrecognized;
import io.sextant.expression.ValueExpression;
import io.sextant.expression.ValueExpression.Literal;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;

import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/// Writes predicates as conditions in Trino's SQL, with the current names of the columns.
public final class SqlPredicateFormatter
{
    private final Schema schema;
    private final SqlValueFormatter values;

    public SqlPredicateFormatter(Schema schema)
    {
        this.schema = requireNonNull(schema, "schema is null");
        values = new SqlValueFormatter(schema, this);
    }

    /// A condition that is true where the predicate holds, and false elsewhere.
    public String format(Predicate predicate)
    {
        return format(predicate, Style.EXACT);
    }

    /// A check that accepts the rows for which the predicate holds. It may be unknown where it accepts a row, and so is as plain as its author wrote it.
    public String formatCheck(Predicate predicate)
    {
        String plain = format(predicate, Style.PLAIN);
        return isCheck(plain, predicate) ? plain : format(predicate);
    }

    private boolean isCheck(String sql, Predicate predicate)
    {
        try {
            return new SqlPredicateParser(schema).parseCheck(sql).equals(predicate);
        }
        catch (TrinoException _) {
            return false;
        }
    }

    private enum Style
    {
        EXACT,
        /// As if neither nulls nor NaN existed
        PLAIN,
    }

    private String format(Predicate predicate, Style style)
    {
        return switch (predicate) {
            case Constant constant -> constant == Constant.TRUE ? "true" : "false";
            case Not(Predicate child) -> "NOT (%s)".formatted(format(child, style));
            case And _ -> terms(predicate, style).stream().map(term -> operand(term, style)).collect(joining(" AND "));
            case Or _ -> terms(predicate, style).stream().map(term -> operand(term, style)).collect(joining(" OR "));
            case Test test -> format(test, style);
            case Comparison comparison -> format(comparison, style);
            case Membership(MembershipOperator operator, ValueExpression child, List<Literal> literals) -> {
                String in = literals.isEmpty() ? "false" : total("%s IN (%s)".formatted(
                        values.format(child),
                        literals.stream().map(literal -> SqlLiterals.format(literal, values.type(child))).collect(joining(", "))), style);
                yield operator == MembershipOperator.IN ? in : "NOT (%s)".formatted(in);
            }
            case Unrecognized(JsonNode json) -> json.toString();
        };
    }

    private String operand(Predicate predicate, Style style)
    {
        String text = format(predicate, style);
        boolean compound = (predicate instanceof And || predicate instanceof Or) && terms(predicate, style).size() > 1;
        return compound ? "(%s)".formatted(text) : text;
    }

    private static List<Predicate> terms(Predicate predicate, Style style)
    {
        List<Predicate> terms = terms(predicate).collect(toImmutableList());
        List<Predicate> others = terms.stream().filter(term -> !isNullTest(term)).collect(toImmutableList());
        // The tests for null that a check adds to its comparisons
        return style == Style.PLAIN && predicate instanceof Or && !others.isEmpty() ? others : terms;
    }

    // The operands of nested predicates of the same kind
    private static Stream<Predicate> terms(Predicate predicate)
    {
        return switch (predicate) {
            case And(Predicate left, Predicate right) -> Stream.of(left, right).flatMap(term -> term instanceof And ? terms(term) : Stream.of(term));
            case Or(Predicate left, Predicate right) -> Stream.of(left, right).flatMap(term -> term instanceof Or ? terms(term) : Stream.of(term));
            default -> Stream.of(predicate);
        };
    }

    private static boolean isNullTest(Predicate predicate)
    {
        return predicate instanceof Test(TestOperator operator, _) && operator == TestOperator.IS_NULL;
    }

    private String format(Test test, Style style)
    {
        String child = values.format(test.child());
        return switch (test.operator()) {
            case IS_NULL -> "%s IS NULL".formatted(child);
            case NOT_NULL -> "%s IS NOT NULL".formatted(child);
            case IS_NAN -> total("is_nan(%s)".formatted(child), style);
            case NOT_NAN -> "NOT (%s)".formatted(total("is_nan(%s)".formatted(child), style));
        };
    }

    private String format(Comparison comparison, Style style)
    {
        List<String> sides = values.formatPair(comparison.left(), comparison.right());
        String left = sides.getFirst();
        String right = sides.getLast();
        String operator = symbol(comparison.operator());
        return switch (comparison.operator()) {
            case STARTS_WITH -> total("starts_with(%s, %s)".formatted(left, right), style);
            case NOT_STARTS_WITH -> "NOT (%s)".formatted(total("starts_with(%s, %s)".formatted(left, right), style));
            case EQ, NOT_EQ -> style == Style.PLAIN ? "%s %s %s".formatted(left, operator, right) :
                    "%s IS %sDISTINCT FROM %s".formatted(left, comparison.operator() == ComparisonOperator.EQ ? "NOT " : "", right);
            case LT, GT -> total("%s %s %s".formatted(left, operator, right), style);
            case LT_EQ, GT_EQ -> {
                String ordered = total("%s %s %s".formatted(left, operator, right), style);
                boolean canBeEqualNulls = !(comparison.left() instanceof Literal) && !(comparison.right() instanceof Literal);
                yield style == Style.EXACT && canBeEqualNulls ? "(%s OR %s IS NOT DISTINCT FROM %s)".formatted(ordered, left, right) : ordered;
            }
        };
    }

    // SQL's unknown is false
    private static String total(String condition, Style style)
    {
        return style == Style.EXACT ? "COALESCE(%s, false)".formatted(condition) : condition;
    }

    private static String symbol(ComparisonOperator operator)
    {
        return switch (operator) {
            case EQ -> "=";
            case NOT_EQ -> "<>";
            case LT -> "<";
            case LT_EQ -> "<=";
            case GT -> ">";
            case GT_EQ -> ">=";
            case STARTS_WITH, NOT_STARTS_WITH -> "";
        };
    }
}
