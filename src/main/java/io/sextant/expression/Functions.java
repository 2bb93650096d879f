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

import io.sextant.expression.BoundValue.Computed;
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.vector.IcebergValues;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.PrimitiveType;
import org.apache.iceberg.util.SerializableFunction;

import java.util.List;

import static org.apache.iceberg.types.TypeUtil.isPromotionAllowed;

/// The functions that can be evaluated: those that the Iceberg specification defines, and some of Trino's.
/// All are deterministic, and none can fail.
final class Functions
{
    private Functions() {}

    static BoundValue bind(Apply apply, ExpressionBinder binder)
    {
        FunctionName function = apply.function();
        if (function.identifier().size() != 1) {
            throw unknown(function);
        }
        return switch (function.catalog().orElse("")) {
            case FunctionName.ICEBERG_FUNCTIONS -> bindIcebergFunction(function.identifier().getFirst(), apply, binder);
            case FunctionName.TRINO -> TrinoFunctions.bind(function.identifier().getFirst(), binder.bind(valueArgument(apply, 0, 1)))
                    .orElseThrow(() -> unknown(function));
            default -> throw unknown(function);
        };
    }

    private static BoundValue bindIcebergFunction(String name, Apply apply, ExpressionBinder binder)
    {
        return switch (name) {
            case "identity" -> transform(apply, Transforms.identity(), binder.bind(valueArgument(apply, 0, 1)));
            case "year" -> transform(apply, Transforms.year(), binder.bind(valueArgument(apply, 0, 1)));
            case "month" -> transform(apply, Transforms.month(), binder.bind(valueArgument(apply, 0, 1)));
            case "day" -> transform(apply, Transforms.day(), binder.bind(valueArgument(apply, 0, 1)));
            case "hour" -> transform(apply, Transforms.hour(), binder.bind(valueArgument(apply, 0, 1)));
            case "bucket" -> transform(apply, Transforms.bucket(parameter(apply)), binder.bind(valueArgument(apply, 1, 2)));
            case "truncate" -> transform(apply, Transforms.truncate(parameter(apply)), binder.bind(valueArgument(apply, 1, 2)));
            case "if_else" -> ifElse(apply, binder);
            default -> throw unknown(apply.function());
        };
    }

    private static BoundValue transform(Apply apply, Transform<?, ?> transform, BoundValue value)
    {
        Type type = value.type();
        if (!transform.canTransform(type)) {
            throw new UnboundException("function %s does not take a value of type %s", apply.function(), type);
        }
        if (transform.isIdentity()) {
            return value;
        }
        @SuppressWarnings("unchecked")
        SerializableFunction<Object, Object> bound = ((Transform<Object, Object>) transform).bind(type);
        Type resultType = transform.getResultType(type);
        return new Computed(resultType, rows -> IcebergValues.map(type, value.evaluate(rows), resultType, bound::apply));
    }

    private static BoundValue ifElse(Apply apply, ExpressionBinder binder)
    {
        checkArgumentCount(apply, 3);
        BoundPredicate condition = switch (apply.arguments().getFirst()) {
            case Predicate predicate -> binder.bind(predicate);
            // A bare constant, which has the form of a value
            case Literal literal when literal.dataType().isEmpty() && literal.value().isBoolean() -> binder.bind(PredicateParser.parse(literal.value()));
            case ValueExpression _ -> throw new UnboundException("first argument of function %s is not a predicate", apply.function());
        };
        List<BoundValue> branches = binder.bindPair(valueArgument(apply, 1, 3), valueArgument(apply, 2, 3));
        Type type = commonType(branches.getFirst().type(), branches.getLast().type());
        BoundValue whenTrue = TypeAlignment.promote(branches.getFirst(), type);
        BoundValue whenFalse = TypeAlignment.promote(branches.getLast(), type);
        return new Computed(type, rows -> whenTrue.evaluate(rows).orElse(condition.evaluate(rows), whenFalse.evaluate(rows)));
    }

    private static Type commonType(Type left, Type right)
    {
        if (right instanceof PrimitiveType primitive && isPromotionAllowed(left, primitive)) {
            return right;
        }
        if (left.equals(right) || (left instanceof PrimitiveType primitive && isPromotionAllowed(right, primitive))) {
            return left;
        }
        throw new UnboundException("types %s and %s have no common type", left, right);
    }

    private static ValueExpression valueArgument(Apply apply, int index, int count)
    {
        checkArgumentCount(apply, count);
        if (apply.arguments().get(index) instanceof ValueExpression value) {
            return value;
        }
        throw new UnboundException("function %s takes a value, not a predicate", apply.function());
    }

    private static void checkArgumentCount(Apply apply, int count)
    {
        if (apply.arguments().size() != count) {
            throw new UnboundException("function %s takes %s argument(s), not %s", apply.function(), count, apply.arguments().size());
        }
    }

    private static int parameter(Apply apply)
    {
        if (!apply.arguments().isEmpty() && apply.arguments().getFirst() instanceof Literal literal &&
                ExpressionJson.isInt(literal.value()) && literal.value().intValue() > 0) {
            return literal.value().intValue();
        }
        throw new UnboundException("first argument of function %s is not a positive int literal", apply.function());
    }

    private static UnboundException unknown(FunctionName function)
    {
        return new UnboundException("function %s is not known", function);
    }
}
