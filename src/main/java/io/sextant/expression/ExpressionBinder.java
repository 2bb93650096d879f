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
package io.sextant.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.sextant.expression.BoundValue.Computed;
import io.sextant.expression.Predicate.And;
import io.sextant.expression.Predicate.Comparison;
import io.sextant.expression.Predicate.ComparisonOperator;
import io.sextant.expression.Predicate.Membership;
import io.sextant.expression.Predicate.MembershipOperator;
import io.sextant.expression.Predicate.Not;
import io.sextant.expression.Predicate.Or;
import io.sextant.expression.Predicate.Test;
import io.sextant.expression.Predicate.TestOperator;
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import io.sextant.expression.vector.DoubleVector;
import io.sextant.expression.vector.FieldPath;
import io.sextant.expression.vector.IcebergValues;
import io.sextant.expression.vector.PageRows.Field;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.BooleanType;
import org.apache.iceberg.types.Types.DoubleType;
import org.apache.iceberg.types.Types.IntegerType;
import org.apache.iceberg.types.Types.LongType;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StringType;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.Slices.utf8Slice;
import static java.util.Objects.requireNonNull;

/// Binds expressions to the fields of a schema.
final class ExpressionBinder
{
    private final Schema schema;

    ExpressionBinder(Schema schema)
    {
        this.schema = requireNonNull(schema, "schema is null");
    }

    /// @throws UnboundException if the predicate cannot be evaluated
    BoundPredicate bind(Predicate predicate)
    {
        return switch (predicate) {
            case Predicate.Constant constant -> always(constant == Predicate.Constant.TRUE);
            case Not(Predicate child) -> not(bind(child));
            case And(Predicate left, Predicate right) -> and(bind(left), bind(right));
            case Or(Predicate left, Predicate right) -> or(bind(left), bind(right));
            case Test(TestOperator operator, ValueExpression child) -> bindTest(operator, child);
            case Comparison comparison -> bindComparison(comparison);
            case Membership membership -> bindMembership(membership);
            case Predicate.Unrecognized(JsonNode json) -> throw notUnderstood(json);
        };
    }

    /// @throws UnboundException if the expression cannot be evaluated
    BoundValue bind(ValueExpression expression)
    {
        return switch (expression) {
            case Literal literal -> bindLiteral(literal, Optional.empty());
            case Reference(int fieldId) -> bindReference(fieldId);
            case Apply apply -> Functions.bind(apply, this);
            case ValueExpression.Unrecognized(JsonNode json) -> throw notUnderstood(json);
        };
    }

    /// Binds two expressions that shall have one type, which a literal without a type takes from the other.
    List<BoundValue> bindPair(ValueExpression left, ValueExpression right)
    {
        if (left instanceof Literal literal && !(right instanceof Literal)) {
            BoundValue other = bind(right);
            return ImmutableList.of(bindLiteral(literal, Optional.of(other.type())), other);
        }
        BoundValue first = bind(left);
        BoundValue second = right instanceof Literal literal ? bindLiteral(literal, Optional.of(first.type())) : bind(right);
        return ImmutableList.of(first, second);
    }

    private BoundPredicate bindTest(TestOperator operator, ValueExpression child)
    {
        BoundValue value = bind(child);
        return switch (operator) {
            case IS_NULL -> isNull(value);
            case NOT_NULL -> not(isNull(value));
            case IS_NAN -> isNan(value);
            case NOT_NAN -> not(isNan(value));
        };
    }

    private BoundPredicate bindComparison(Comparison comparison)
    {
        ComparisonOperator operator = comparison.operator();
        if (operator == ComparisonOperator.STARTS_WITH || operator == ComparisonOperator.NOT_STARTS_WITH) {
            BoundPredicate startsWith = bindStartsWith(comparison);
            return operator == ComparisonOperator.STARTS_WITH ? startsWith : not(startsWith);
        }
        refuseNullLiteral(comparison.left());
        refuseNullLiteral(comparison.right());
        List<BoundValue> sides = bindPair(comparison.left(), comparison.right());
        sides.forEach(ExpressionBinder::refuseNan);
        return Comparisons.compare(operator, sides.getFirst(), sides.getLast());
    }

    private BoundPredicate bindStartsWith(Comparison comparison)
    {
        if (!(comparison.right() instanceof Literal)) {
            throw new UnboundException("the prefix of starts-with is not a literal");
        }
        refuseNullLiteral(comparison.right());
        List<BoundValue> sides = bindPair(comparison.left(), comparison.right());
        for (BoundValue side : sides) {
            if (side.type().typeId() != Type.TypeID.STRING) {
                throw new UnboundException("starts-with takes strings, not a value of type %s", side.type());
            }
        }
        Slice prefix = utf8Slice(((BoundValue.Constant) sides.getLast()).value().orElseThrow().toString());
        return Comparisons.startsWith(sides.getFirst(), prefix);
    }

    private BoundPredicate bindMembership(Membership membership)
    {
        BoundValue child = bind(membership.child());
        if (membership.values().stream().map(Literal::dataType).flatMap(Optional::stream).distinct().count() > 1) {
            throw new UnboundException("the values of %s are not of one type", membership.operator() == MembershipOperator.IN ? "in" : "not-in");
        }
        List<BoundValue.Constant> constants = membership.values().stream()
                .map(literal -> {
                    refuseNullLiteral(literal);
                    BoundValue.Constant constant = bindLiteral(literal, Optional.of(child.type()));
                    refuseNan(constant);
                    return constant;
                })
                .collect(toImmutableList());
        BoundPredicate in = Memberships.in(child, constants);
        return membership.operator() == MembershipOperator.IN ? in : not(in);
    }

    private BoundValue.Constant bindLiteral(Literal literal, Optional<Type> expected)
    {
        JsonNode value = literal.value();
        if (literal.dataType().isPresent()) {
            Type type = literal.dataType().orElseThrow();
            return parse(type, value).orElseThrow(() -> new UnboundException("literal %s is not of type %s", value, type));
        }
        return expected.flatMap(type -> parse(type, value))
                .or(() -> naturalType(value).flatMap(type -> parse(type, value)))
                .orElseThrow(() -> new UnboundException("literal %s has no data-type", value));
    }

    private static Optional<BoundValue.Constant> parse(Type type, JsonNode json)
    {
        Object value;
        try {
            // Fails if the value is not one of the type
            value = SingleValueParser.fromJson(type, json);
        }
        catch (RuntimeException _) {
            return Optional.empty();
        }
        if (value instanceof Float number && number.isInfinite()) {
            return Optional.empty();
        }
        return Optional.of(new BoundValue.Constant(type, Optional.ofNullable(value)));
    }

    private static Optional<Type> naturalType(JsonNode json)
    {
        if (json.isBoolean()) {
            return Optional.of(BooleanType.get());
        }
        if (json.isIntegralNumber()) {
            return Optional.of(json.canConvertToInt() ? IntegerType.get() : LongType.get());
        }
        if (json.isNumber()) {
            return Optional.of(DoubleType.get());
        }
        return json.isTextual() ? Optional.of(StringType.get()) : Optional.empty();
    }

    private BoundValue bindReference(int fieldId)
    {
        NestedField field = schema.findField(fieldId);
        if (field == null) {
            throw new UnboundException("field %s does not exist", fieldId);
        }
        FieldPath path = FieldPath.find(schema.asStruct(), fieldId)
                .orElseThrow(() -> new UnboundException("field %s has a value for each element of a list or map, not one for the row", schema.findColumnName(fieldId)));
        Field read = new Field(field.type(), path);
        return new Computed(field.type(), rows -> rows.read(read));
    }

    private static void refuseNullLiteral(ValueExpression expression)
    {
        if (expression instanceof Literal literal && literal.value().isNull()) {
            throw new UnboundException("a value cannot be compared with a null literal; use is-null");
        }
    }

    private static void refuseNan(BoundValue value)
    {
        if (value instanceof BoundValue.Constant constant && constant.value().orElseThrow() instanceof Number number && Double.isNaN(number.doubleValue())) {
            throw new UnboundException("a value cannot be compared with a NaN literal; use is-nan");
        }
    }

    private static UnboundException notUnderstood(JsonNode json)
    {
        return new UnboundException("expression is not understood: %s", json);
    }

    private static BoundPredicate always(boolean value)
    {
        return rows -> {
            boolean[] result = new boolean[rows.count()];
            Arrays.fill(result, value);
            return result;
        };
    }

    static BoundPredicate not(BoundPredicate predicate)
    {
        return rows -> {
            boolean[] result = predicate.evaluate(rows);
            for (int i = 0; i < result.length; i++) {
                result[i] = !result[i];
            }
            return result;
        };
    }

    private static BoundPredicate and(BoundPredicate left, BoundPredicate right)
    {
        return rows -> {
            boolean[] result = left.evaluate(rows);
            boolean[] other = right.evaluate(rows);
            for (int i = 0; i < result.length; i++) {
                result[i] &= other[i];
            }
            return result;
        };
    }

    private static BoundPredicate or(BoundPredicate left, BoundPredicate right)
    {
        return rows -> {
            boolean[] result = left.evaluate(rows);
            boolean[] other = right.evaluate(rows);
            for (int i = 0; i < result.length; i++) {
                result[i] |= other[i];
            }
            return result;
        };
    }

    private static BoundPredicate isNull(BoundValue value)
    {
        return rows -> value.evaluate(rows).nullFlags();
    }

    private static BoundPredicate isNan(BoundValue value)
    {
        if (!IcebergValues.isDouble(value.type())) {
            throw new UnboundException("is-nan takes a float or double, not a value of type %s", value.type());
        }
        return rows -> ((DoubleVector) value.evaluate(rows)).nanFlags();
    }
}
