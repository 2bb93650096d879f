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

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import io.sextant.expression.ValueExpression;
import io.sextant.expression.ValueExpressionParser;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.io.IOException;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.sextant.index.metadata.IndexMetadataParser.FIELD_ID;
import static io.sextant.index.metadata.IndexMetadataParser.writeUnknownFields;

/// The JSON form of a [StatsField].
final class StatsFieldParser
{
    static final String DATA_TYPE = "data-type";
    static final String EXPR = "expr";

    private static final String TYPE = "type";

    private StatsFieldParser() {}

    static StatsField fromJson(JsonNode json, String path)
    {
        JsonFields fields = new JsonFields(json, path);
        int fieldId = fields.requiredInt(FIELD_ID);
        String type = fields.requiredString(TYPE);
        Optional<Type> dataType = fields.optional(DATA_TYPE).isPresent() ? dataType(json.get(DATA_TYPE), fields.pathOf(DATA_TYPE)) : Optional.empty();
        Optional<ValueExpression> expression = Optional.empty();
        if (type.equals(StatsField.EXPR_VALUE)) {
            expression = Optional.of(ValueExpressionParser.fromJson(fields.required(EXPR)));
        }
        UnknownFields unknownFields = fields.unknownFields();
        if (json.hasNonNull(DATA_TYPE) && dataType.isEmpty()) {
            unknownFields = new UnknownFields(ImmutableMap.<String, JsonNode>builder()
                    .putAll(unknownFields.values())
                    .put(DATA_TYPE, json.get(DATA_TYPE))
                    .buildOrThrow());
        }
        return new StatsField(fieldId, type, dataType, expression, unknownFields);
    }

    /// Empty for a type that is not known here: only the statistics of the field are lost by that.
    private static Optional<Type> dataType(JsonNode json, String path)
    {
        checkArgument(json.isTextual() || json.isObject(), "%s is not a type", path);
        if (json.isObject()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Types.fromTypeName(json.textValue()));
        }
        catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// For JSON that has been parsed as a stats-only field before.
    static boolean hasExpression(JsonNode json)
    {
        return json.get(TYPE).textValue().equals(StatsField.EXPR_VALUE);
    }

    static void toJson(StatsField field, OriginalJson original, JsonGenerator generator)
            throws IOException
    {
        generator.writeStartObject();
        generator.writeNumberField(FIELD_ID, field.fieldId());
        generator.writeStringField(TYPE, field.type());
        if (field.dataType().isPresent()) {
            generator.writeStringField(DATA_TYPE, field.dataType().orElseThrow().toString());
        }
        if (field.expression().isPresent()) {
            generator.writeFieldName(EXPR);
            JsonNode json = original.expressions().get(field.fieldId());
            generator.writeTree(json == null ? ValueExpressionParser.toJson(field.expression().orElseThrow()) : json);
        }
        writeUnknownFields(field.unknownFields(), generator);
        generator.writeEndObject();
    }
}
