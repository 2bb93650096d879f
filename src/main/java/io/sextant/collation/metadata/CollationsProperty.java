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
package io.sextant.collation.metadata;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Streams;
import io.trino.spi.TrinoException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static io.sextant.table.PropertyJson.MAPPER;
import static io.sextant.table.PropertyJson.isInt;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;

/// The table property that carries collations: `sextant.collations` =
/// `{"2": {"collation": "icu.en_US-ci", "collation-metrics": [{"id": 7, "collation": "icu.en_US-ci", "version": "153.136.0.0"}]}}`,
/// by field ID. Each field has the draft's attributes (Appendix C). Without the property, a table has no collations.
///
/// This class is the only one that knows the JSON.
public final class CollationsProperty
{
    public static final String NAME = "sextant.collations";

    private static final String COLLATION = "collation";
    private static final String METRICS = "collation-metrics";
    private static final String METRIC_ID = "id";
    private static final String VERSION = "version";

    private CollationsProperty() {}

    /// Reads the collations out of all properties of a table, for one who changes them.
    ///
    /// @throws TrinoException if the property is malformed
    public static TableCollations read(Map<String, String> tableProperties)
    {
        String value = tableProperties.get(NAME);
        if (value == null) {
            return TableCollations.NONE;
        }
        try {
            return fromJson(MAPPER.readTree(value));
        }
        catch (JsonProcessingException | IllegalArgumentException e) {
            throw new TrinoException(INVALID_TABLE_PROPERTY, "Table property %s is malformed; repair or remove it: %s".formatted(NAME, e.getMessage()), e);
        }
    }

    /// Reads the collations out of all properties of a table, for one who reads or writes rows: a malformed property says
    /// nothing of any bounds, so there are none to use or to write.
    public static TableCollations readIfWellFormed(Map<String, String> tableProperties)
    {
        try {
            return read(tableProperties);
        }
        catch (TrinoException _) {
            return TableCollations.NONE;
        }
    }

    /// The value of the property. What is not understood of a field or a metric is kept.
    public static String toValue(TableCollations collations)
    {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        collations.fields().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(field -> {
                    String fieldId = Integer.toString(field.getKey());
                    json.set(fieldId, toJson(field.getValue(), collations.original().path(fieldId)));
                });
        return json.toString();
    }

    private static ObjectNode toJson(FieldCollation field, JsonNode original)
    {
        ObjectNode json = original.isObject() ? original.deepCopy() : JsonNodeFactory.instance.objectNode();
        json.put(COLLATION, field.collation());
        json.remove(METRICS);
        if (!field.metrics().isEmpty()) {
            ArrayNode metrics = json.putArray(METRICS);
            for (CollationMetric metric : field.metrics()) {
                metrics.add(toJson(metric, original.path(METRICS)));
            }
        }
        return json;
    }

    private static ObjectNode toJson(CollationMetric metric, JsonNode originals)
    {
        // IDs are unique
        ObjectNode json = Streams.stream(originals)
                .filter(original -> original.path(METRIC_ID).intValue() == metric.id())
                .map(original -> (ObjectNode) original.deepCopy())
                .findFirst()
                .orElseGet(JsonNodeFactory.instance::objectNode);
        return json
                .put(METRIC_ID, metric.id())
                .put(COLLATION, metric.collation())
                .put(VERSION, metric.version());
    }

    private static TableCollations fromJson(JsonNode json)
    {
        checkArgument(json.isObject(), "not a JSON object");
        Map<Integer, FieldCollation> fields = new HashMap<>();
        json.properties().forEach(field -> fields.put(fieldId(field.getKey()), fieldFromJson(field.getValue())));
        return new TableCollations(ImmutableMap.copyOf(fields), (ObjectNode) json);
    }

    private static int fieldId(String name)
    {
        try {
            return Integer.parseInt(name);
        }
        catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a field ID: " + name, e);
        }
    }

    private static FieldCollation fieldFromJson(JsonNode json)
    {
        JsonNode metrics = json.path(METRICS);
        checkArgument(metrics.isArray() || !json.hasNonNull(METRICS), "%s is not a list", METRICS);
        ImmutableList.Builder<CollationMetric> builder = ImmutableList.builder();
        metrics.forEach(metric -> builder.add(metricFromJson(metric)));
        List<CollationMetric> list = builder.build();
        return new FieldCollation(text(json, COLLATION), list);
    }

    private static CollationMetric metricFromJson(JsonNode json)
    {
        JsonNode id = json.path(METRIC_ID);
        checkArgument(isInt(id), "%s of a metric is not an int: %s", METRIC_ID, id);
        return new CollationMetric(id.intValue(), text(json, COLLATION), text(json, VERSION));
    }

    private static String text(JsonNode json, String name)
    {
        JsonNode value = json.path(name);
        checkArgument(value.isTextual(), "%s is not a string: %s", name, value);
        return value.textValue();
    }
}
