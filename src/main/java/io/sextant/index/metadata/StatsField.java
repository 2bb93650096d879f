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
package io.sextant.index.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import io.sextant.expression.ValueExpression;
import org.apache.iceberg.types.Type;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// A derived value that region files do not store, but whose statistics the tracking file holds.
///
/// @param fieldId unique among the extract schema fields and the stats-only fields of the index
/// @param type `expr-value`; a field of another type is kept, and its statistics are ignored
/// @param dataType the type of the values; absent if the file does not state it or names a type that is not known here
/// @param expression computes the value from identity columns; present whenever the type is `expr-value`
public record StatsField(int fieldId, String type, Optional<Type> dataType, Optional<ValueExpression> expression, UnknownFields unknownFields)
{
    public static final String EXPR_VALUE = "expr-value";

    public StatsField
    {
        requireNonNull(type, "type is null");
        requireNonNull(dataType, "dataType is null");
        requireNonNull(expression, "expression is null");
        requireNonNull(unknownFields, "unknownFields is null");
        checkArgument(expression.isPresent() || !type.equals(EXPR_VALUE), "stats-only field %s has no expr", fieldId);
    }

    public StatsField(int fieldId, Type dataType, ValueExpression expression)
    {
        this(fieldId, EXPR_VALUE, Optional.of(dataType), Optional.of(expression), UnknownFields.NONE);
    }

    public boolean isExpressionValue()
    {
        return type.equals(EXPR_VALUE);
    }

    /// The data type as the file has it, be it known here or not.
    Optional<String> statedDataType()
    {
        return dataType.map(Type::toString)
                .or(() -> Optional.ofNullable(unknownFields.values().get(StatsFieldParser.DATA_TYPE)).map(JsonNode::toString));
    }

    /// This field once an extract schema has promoted the result of its expression.
    ///
    /// @throws IllegalArgumentException if the change is no promotion
    StatsField widenedTo(Optional<Type> promoted)
    {
        findWideningProblem(promoted).ifPresent(problem -> {
            throw new IllegalArgumentException("the new extract schema " + problem);
        });
        return dataType.isEmpty() || promoted.isEmpty() ? this : new StatsField(fieldId, type, promoted, expression, unknownFields);
    }

    Optional<String> findWideningProblem(Optional<Type> promoted)
    {
        if (dataType.isEmpty() || promoted.isEmpty() || SchemaEvolution.isPromotion(dataType.orElseThrow(), promoted.orElseThrow())) {
            return Optional.empty();
        }
        return Optional.of("changes the data-type of stats-only field %s from %s to %s, which is no valid promotion".formatted(fieldId, dataType.orElseThrow(), promoted.orElseThrow()));
    }
}
