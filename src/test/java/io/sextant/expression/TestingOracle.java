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

import com.google.common.primitives.UnsignedBytes;
import io.sextant.expression.Predicate.And;
import io.sextant.expression.Predicate.Comparison;
import io.sextant.expression.Predicate.ComparisonOperator;
import io.sextant.expression.Predicate.Constant;
import io.sextant.expression.Predicate.Membership;
import io.sextant.expression.Predicate.MembershipOperator;
import io.sextant.expression.Predicate.Not;
import io.sextant.expression.Predicate.Or;
import io.sextant.expression.Predicate.TestOperator;
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.util.ByteBuffers;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Evaluates a predicate for one row after the letter of the specification, as slowly as that takes.
final class TestingOracle
{
    private TestingOracle() {}

    static boolean holds(Predicate predicate, Map<Integer, Object> row)
    {
        return switch (predicate) {
            case Constant constant -> constant == Constant.TRUE;
            case Not(Predicate child) -> !holds(child, row);
            case And(Predicate left, Predicate right) -> holds(left, row) && holds(right, row);
            case Or(Predicate left, Predicate right) -> holds(left, row) || holds(right, row);
            case Predicate.Test(TestOperator operator, ValueExpression child) -> {
                Object value = value(child, row);
                yield switch (operator) {
                    case IS_NULL -> value == null;
                    case NOT_NULL -> value != null;
                    case IS_NAN -> isNan(value);
                    case NOT_NAN -> !isNan(value);
                };
            }
            case Comparison(ComparisonOperator operator, ValueExpression leftExpression, ValueExpression rightExpression) -> {
                Object left = value(leftExpression, row);
                Object right = value(rightExpression, row);
                yield switch (operator) {
                    case EQ -> equal(left, right);
                    case NOT_EQ -> !equal(left, right);
                    case LT -> less(left, right);
                    case GT -> less(right, left);
                    case LT_EQ -> equal(left, right) || less(left, right);
                    case GT_EQ -> equal(left, right) || less(right, left);
                    case STARTS_WITH -> left != null && left.toString().startsWith(right.toString());
                    case NOT_STARTS_WITH -> left == null || !left.toString().startsWith(right.toString());
                };
            }
            case Membership(MembershipOperator operator, ValueExpression child, List<Literal> values) -> {
                Object value = value(child, row);
                boolean in = values.stream().anyMatch(literal -> equal(value, value(literal, row)));
                yield in == (operator == MembershipOperator.IN);
            }
            case Predicate.Unrecognized _ -> throw new IllegalArgumentException();
        };
    }

    private static Object value(ValueExpression expression, Map<Integer, Object> row)
    {
        return switch (expression) {
            case Literal literal -> SingleValueParser.fromJson(literal.dataType().orElseThrow(), literal.value());
            case Reference(int fieldId) -> row.get(fieldId);
            case Apply apply -> apply(apply, row);
            case ValueExpression.Unrecognized _ -> throw new IllegalArgumentException();
        };
    }

    private static Object apply(Apply apply, Map<Integer, Object> row)
    {
        String name = apply.function().identifier().getFirst();
        if (name.equals("if_else")) {
            return value((ValueExpression) apply.arguments().get(holds((Predicate) apply.arguments().getFirst(), row) ? 1 : 2), row);
        }
        ValueExpression argument = (ValueExpression) apply.arguments().getLast();
        Object value = value(argument, row);
        Type type = TestingRows.SCHEMA.findType(((Reference) argument).fieldId());
        int parameter = apply.arguments().getFirst() instanceof Literal literal ? literal.value().intValue() : 0;
        return switch (name) {
            case "identity" -> value;
            case "year" -> Transforms.year().bind(type).apply(value);
            case "month" -> Transforms.month().bind(type).apply(value);
            case "day" -> Transforms.day().bind(type).apply(value);
            case "hour" -> Transforms.hour().bind(type).apply(value);
            case "bucket" -> Transforms.bucket(parameter).bind(type).apply(value);
            case "truncate" -> Transforms.truncate(parameter).bind(type).apply(value);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static boolean equal(Object left, Object right)
    {
        if (left == null || right == null) {
            return left == null && right == null;
        }
        if (isNan(left) || isNan(right)) {
            return isNan(left) && isNan(right);
        }
        return order(left, right) == 0;
    }

    private static boolean less(Object left, Object right)
    {
        return left != null && right != null && !isNan(left) && !isNan(right) && order(left, right) < 0;
    }

    private static boolean isNan(Object value)
    {
        return value instanceof Number number && Double.isNaN(number.doubleValue());
    }

    private static int order(Object left, Object right)
    {
        if (left instanceof Boolean a && right instanceof Boolean b) {
            return a.compareTo(b);
        }
        if (left instanceof Number a && right instanceof Number b) {
            if (isInfinite(a) || isInfinite(b)) {
                return Double.compare(isInfinite(a) ? a.doubleValue() : 0, isInfinite(b) ? b.doubleValue() : 0);
            }
            return exact(a).compareTo(exact(b));
        }
        return UnsignedBytes.lexicographicalComparator().compare(bytes(left), bytes(right));
    }

    private static boolean isInfinite(Number number)
    {
        return (number instanceof Float || number instanceof Double) && Double.isInfinite(number.doubleValue());
    }

    private static BigDecimal exact(Number number)
    {
        return number instanceof Float || number instanceof Double ? new BigDecimal(number.doubleValue()) : new BigDecimal(number.toString());
    }

    private static byte[] bytes(Object value)
    {
        return switch (value) {
            case CharSequence text -> text.toString().getBytes(UTF_8);
            case ByteBuffer buffer -> ByteBuffers.toByteArray(buffer);
            case UUID uuid -> ByteBuffer.allocate(16).putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits()).array();
            default -> throw new IllegalArgumentException(value.toString());
        };
    }
}
