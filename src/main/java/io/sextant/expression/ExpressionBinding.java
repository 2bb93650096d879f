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
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import io.sextant.expression.ValueExpression.Unrecognized;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// What an expression yields over the fields of a schema, or why it cannot be evaluated there.
///
/// Only functions that are known here are bound, and all of them are deterministic, so every bound expression is.
public sealed interface ExpressionBinding
{
    /// The expression can be evaluated.
    ///
    /// @param type the type of the expression's values
    record Bound(Type type)
            implements ExpressionBinding
    {
        public Bound
        {
            requireNonNull(type, "type is null");
        }
    }

    /// The expression cannot be evaluated.
    ///
    /// @param reason in words for a user
    record Unbound(String reason)
            implements ExpressionBinding
    {
        public Unbound
        {
            requireNonNull(reason, "reason is null");
        }
    }

    static ExpressionBinding bind(ValueExpression expression, Schema schema)
    {
        return switch (expression) {
            case Literal literal -> bindLiteral(literal);
            case Reference reference -> {
                Type type = schema.findType(reference.fieldId());
                yield type == null ? new Unbound("field %s does not exist".formatted(reference.fieldId())) : new Bound(type);
            }
            case Apply apply -> bindFunction(apply, schema);
            case Unrecognized unrecognized -> new Unbound("expression is not understood: " + unrecognized.json());
        };
    }

    private static ExpressionBinding bindLiteral(Literal literal)
    {
        JsonNode value = literal.value();
        if (literal.dataType().isPresent()) {
            Type type = literal.dataType().orElseThrow();
            try {
                // Fails if the value is not one of the type
                SingleValueParser.fromJson(type, value);
                return new Bound(type);
            }
            catch (RuntimeException _) {
                return new Unbound("literal %s is not of type %s".formatted(value, type));
            }
        }
        if (value.isBoolean()) {
            return new Bound(Types.BooleanType.get());
        }
        if (value.isIntegralNumber() && value.canConvertToInt()) {
            return new Bound(Types.IntegerType.get());
        }
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return new Bound(Types.LongType.get());
        }
        if (value.isTextual()) {
            return new Bound(Types.StringType.get());
        }
        return new Unbound("literal %s has no data-type".formatted(value));
    }

    private static ExpressionBinding bindFunction(Apply apply, Schema schema)
    {
        FunctionName function = apply.function();
        if (!function.catalog().equals(Optional.of(FunctionName.ICEBERG_FUNCTIONS)) || function.identifier().size() != 1) {
            return new Unbound("function %s is not known".formatted(function));
        }
        return switch (function.identifier().getFirst()) {
            case "identity" -> bindTransform(apply, Transforms.identity(), 0, schema);
            case "year" -> bindTransform(apply, Transforms.year(), 0, schema);
            case "month" -> bindTransform(apply, Transforms.month(), 0, schema);
            case "day" -> bindTransform(apply, Transforms.day(), 0, schema);
            case "hour" -> bindTransform(apply, Transforms.hour(), 0, schema);
            case "bucket" -> isPositiveInt(apply.arguments()) ? bindTransform(apply, Transforms.bucket(firstInt(apply)), 1, schema) : noParameter(function);
            case "truncate" -> isPositiveInt(apply.arguments()) ? bindTransform(apply, Transforms.truncate(firstInt(apply)), 1, schema) : noParameter(function);
            default -> new Unbound("function %s is not known".formatted(function));
        };
    }

    private static ExpressionBinding bindTransform(Apply apply, Transform<?, ?> transform, int valueArgument, Schema schema)
    {
        if (apply.arguments().size() != valueArgument + 1) {
            return new Unbound("function %s takes %s argument(s), not %s".formatted(apply.function(), valueArgument + 1, apply.arguments().size()));
        }
        if (!(apply.arguments().get(valueArgument) instanceof ValueExpression value)) {
            return new Unbound("function %s takes a value, not a predicate".formatted(apply.function()));
        }
        return switch (bind(value, schema)) {
            case Unbound unbound -> unbound;
            case Bound(Type type) when transform.canTransform(type) -> new Bound(transform.getResultType(type));
            case Bound(Type type) -> new Unbound("function %s does not take a value of type %s".formatted(apply.function(), type));
        };
    }

    private static boolean isPositiveInt(List<Expression> arguments)
    {
        return !arguments.isEmpty() && arguments.getFirst() instanceof Literal literal &&
                literal.value().isIntegralNumber() && literal.value().canConvertToInt() && literal.value().intValue() > 0;
    }

    private static int firstInt(Apply apply)
    {
        return ((Literal) apply.arguments().getFirst()).value().intValue();
    }

    private static ExpressionBinding noParameter(FunctionName function)
    {
        return new Unbound("first argument of function %s is not a positive int literal".formatted(function));
    }
}
