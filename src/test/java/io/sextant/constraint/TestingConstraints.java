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
package io.sextant.constraint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableSet;
import com.google.common.io.Resources;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.PrimaryKey;
import io.sextant.constraint.ConstraintCondition.Unique;
import io.sextant.expression.PredicateParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.types.Types;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

import static com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS;
import static com.fasterxml.jackson.databind.cfg.JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;

/// A schema with a field for every rule, and conditions over it.
final class TestingConstraints
{
    static final long NOW = 1_790_000_000_000L;

    static final int ID = 1;
    static final int PRICE = 2;
    static final int CODE = 3;
    static final int PLACE = 4;
    static final int TOWN = 5;
    static final int OPTIONAL_PLACE = 6;
    static final int OPTIONAL_TOWN = 7;
    static final int LABEL = 8;
    static final int TAGS = 9;
    static final int TAG = 10;
    static final int SIZES = 11;
    static final int SIZE_NAME = 12;
    static final int SIZE = 13;
    static final int WEIGHT = 14;
    static final int HEIGHT = 15;
    static final int GEOMETRY = 16;
    static final int GEOGRAPHY = 17;
    static final int VARIANT = 18;
    static final int UNKNOWN = 19;
    static final int STREET = 20;

    static final Schema SCHEMA = new Schema(
            required(ID, "id", Types.IntegerType.get()),
            optional(PRICE, "price", Types.LongType.get()),
            optional(CODE, "code", Types.StringType.get()),
            required(PLACE, "place", Types.StructType.of(
                    required(TOWN, "town", Types.StringType.get()),
                    optional(STREET, "street", Types.IntegerType.get()))),
            optional(OPTIONAL_PLACE, "branch", Types.StructType.of(
                    required(OPTIONAL_TOWN, "town", Types.StringType.get()))),
            required(LABEL, "label", Types.DecimalType.of(10, 2)),
            required(TAGS, "tags", Types.ListType.ofRequired(TAG, Types.IntegerType.get())),
            required(SIZES, "sizes", Types.MapType.ofRequired(SIZE_NAME, SIZE, Types.StringType.get(), Types.IntegerType.get())),
            required(WEIGHT, "weight", Types.FloatType.get()),
            required(HEIGHT, "height", Types.DoubleType.get()),
            required(GEOMETRY, "geometry", Types.GeometryType.crs84()),
            required(GEOGRAPHY, "geography", Types.GeographyType.crs84()),
            required(VARIANT, "variant", Types.VariantType.get()),
            optional(UNKNOWN, "unknown", Types.UnknownType.get()));

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private TestingConstraints() {}

    static JsonNode json(String text)
    {
        try {
            return MAPPER.readTree(text);
        }
        catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /// The text of a resource without the white space between its tokens.
    static String compactResource(String name)
    {
        try {
            return json(Resources.toString(Resources.getResource(TestingConstraints.class, "v1/" + name), UTF_8)).toString();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Check check(String expression)
    {
        return new Check(PredicateParser.fromJson(json(expression.replace('\'', '"'))));
    }

    static Check notNull(int fieldId)
    {
        return check("{'type': 'not-null', 'child': {'type': 'reference', 'id': %s}}".formatted(fieldId));
    }

    static Check userDefined()
    {
        return check("{'type': 'eq', 'left': {'type': 'apply', 'function': 'is_ean', 'arguments': [{'type': 'reference', 'id': 3}]}, 'right': true}");
    }

    static Unique unique(Integer... fieldIds)
    {
        return new Unique(ImmutableSet.copyOf(fieldIds));
    }

    static PrimaryKey primaryKey(Integer... fieldIds)
    {
        return new PrimaryKey(ImmutableSet.copyOf(fieldIds));
    }

    /// A snapshot of some other writer, with the given operation, if any, and summary.
    static Snapshot snapshot(String operation, Map<String, String> summary)
    {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("snapshot-id", 1).put("timestamp-ms", NOW).put("manifest-list", "memory:/list.avro");
        if (operation != null) {
            ObjectNode summaryJson = json.putObject("summary").put("operation", operation);
            summary.forEach(summaryJson::put);
        }
        return SnapshotParser.fromJson(json.toString());
    }
}
