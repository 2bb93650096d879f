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
import com.google.common.collect.ImmutableSet;
import org.apache.iceberg.types.Type;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/// An expression that yields a value for a row: a literal, a field, or a function of expressions.
public sealed interface ValueExpression
        extends Expression
{
    @Override
    default Set<Integer> referencedFieldIds()
    {
        return switch (this) {
            case Literal _ -> ImmutableSet.of();
            case Reference reference -> ImmutableSet.of(reference.fieldId());
            case Apply apply -> apply.arguments().stream()
                    .flatMap(argument -> argument.referencedFieldIds().stream())
                    .collect(toImmutableSet());
            case Unrecognized(JsonNode json) -> ExpressionJson.referencedFieldIds(json);
        };
    }

    /// A constant in the single-value JSON of the Iceberg table specification. Without a data type, the JSON value implies the type.
    record Literal(JsonNode value, Optional<Type> dataType)
            implements ValueExpression
    {
        public Literal
        {
            requireNonNull(value, "value is null");
            requireNonNull(dataType, "dataType is null");
        }
    }

    /// The value of a field, named by its ID.
    record Reference(int fieldId)
            implements ValueExpression {}

    /// A function applied to arguments.
    record Apply(FunctionName function, List<Expression> arguments)
            implements ValueExpression
    {
        public Apply
        {
            requireNonNull(function, "function is null");
            arguments = ImmutableList.copyOf(requireNonNull(arguments, "arguments is null"));
        }
    }

    /// An expression whose JSON is not understood. It is kept as it was, and cannot be evaluated.
    record Unrecognized(JsonNode json)
            implements ValueExpression
    {
        public Unrecognized
        {
            requireNonNull(json, "json is null");
        }
    }
}
