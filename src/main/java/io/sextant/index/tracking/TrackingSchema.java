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
package io.sextant.index.tracking;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.metadata.StatsField;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static java.util.Objects.requireNonNull;

/// The schema of the tracking files of one extract schema. Fields are told by their IDs:
///
/// | Field | Type | |
/// |---|---|---|
/// | 100 `location` | string | of the region file |
/// | 101 `file_format` | string | `parquet`, `avro` or `orc` |
/// | 103 `record_count` | long | entries in the region file |
/// | 104 `file_size_in_bytes` | long | of the region file |
/// | 146 `content_stats` | struct | a struct per field that has statistics, at `10_000 + 200 * field-id` |
/// | 131 `key_metadata` | optional binary | encryption key metadata of the region file |
///
/// A struct of statistics has, at its own ID plus 1 to 8: `lower_bound`, `upper_bound`, `tight_bounds`, `value_count`,
/// `null_value_count` (optional fields), `nan_value_count` (float and double), `avg_value_size_in_bytes` (string and binary),
/// `group_max_value` (fields of the ordering key).
public final class TrackingSchema
{
    static final int LOCATION = 100;
    static final int FILE_FORMAT = 101;
    static final int RECORD_COUNT = 103;
    static final int FILE_SIZE = 104;
    static final int KEY_METADATA = 131;
    static final int CONTENT_STATS = 146;

    static final Map<Integer, NestedField> REQUIRED_FIELDS = ImmutableMap.of(
            LOCATION, NestedField.required(LOCATION, "location", Types.StringType.get()),
            FILE_FORMAT, NestedField.required(FILE_FORMAT, "file_format", Types.StringType.get()),
            RECORD_COUNT, NestedField.required(RECORD_COUNT, "record_count", Types.LongType.get()),
            FILE_SIZE, NestedField.required(FILE_SIZE, "file_size_in_bytes", Types.LongType.get()));
    static final NestedField KEY_METADATA_FIELD = NestedField.optional(KEY_METADATA, "key_metadata", Types.BinaryType.get());

    private final Map<Integer, TrackedField> fields;
    private final List<TrackedField> keyFields;
    private final KeyEncoding keyEncoding;

    private TrackingSchema(Map<Integer, TrackedField> fields, List<Integer> orderingKey)
    {
        this.fields = ImmutableMap.copyOf(fields);
        keyFields = orderingKey.stream()
                .map(fields::get)
                .collect(toImmutableList());
        keyEncoding = KeyEncoding.of(keyFields.stream()
                .map(TrackedField::type)
                .collect(toImmutableList()));
    }

    /// The schema of the tracking files of extracts that have one extract schema.
    ///
    /// @throws TrinoException with `INDEX_UNSUPPORTED` if the type of a key field is not known
    public static TrackingSchema of(IndexMetadata metadata, Schema extractSchema)
    {
        requireNonNull(extractSchema, "extractSchema is null");
        Map<Integer, TrackedField> fields = new LinkedHashMap<>();
        for (int fieldId : metadata.orderingKey()) {
            fields.put(fieldId, keyField(metadata, extractSchema, fieldId));
        }
        for (NestedField column : extractSchema.columns()) {
            if (isTracked(column.fieldId(), column.type())) {
                fields.putIfAbsent(column.fieldId(), identityField(column, false));
            }
        }
        for (StatsField statsField : metadata.statsFields()) {
            int fieldId = statsField.fieldId();
            metadata.typeOf(fieldId, extractSchema)
                    .filter(type -> isTracked(fieldId, type))
                    .ifPresent(type -> fields.putIfAbsent(fieldId, statsOnlyField(fieldId, type, false)));
        }
        return new TrackingSchema(fields, metadata.orderingKey());
    }

    /// All fields that may have statistics, by ID.
    Map<Integer, TrackedField> fields()
    {
        return fields;
    }

    /// The fields of the ordering key, in its order.
    List<TrackedField> keyFields()
    {
        return keyFields;
    }

    /// The encoding of ordering keys.
    KeyEncoding keyEncoding()
    {
        return keyEncoding;
    }

    /// The columns of a file that has statistics of some fields, in the order of their IDs, and always of the key fields.
    Schema columns(Set<Integer> fieldIds)
    {
        List<NestedField> structs = fields.values().stream()
                .filter(field -> field.inKey() || fieldIds.contains(field.fieldId()))
                .map(TrackedField::struct)
                .collect(toImmutableList());
        return new Schema(ImmutableList.<NestedField>builder()
                .addAll(REQUIRED_FIELDS.values())
                .add(NestedField.required(CONTENT_STATS, "content_stats", Types.StructType.of(structs)))
                .add(KEY_METADATA_FIELD)
                .build());
    }

    private static TrackedField keyField(IndexMetadata metadata, Schema extractSchema, int fieldId)
    {
        NestedField column = extractSchema.findField(fieldId);
        if (column != null) {
            return identityField(column, true);
        }
        Type type = metadata.typeOf(fieldId, extractSchema)
                .orElseThrow(() -> new TrinoException(INDEX_UNSUPPORTED, "The values of key field %s of the index at %s cannot be computed".formatted(fieldId, metadata.location())));
        return statsOnlyField(fieldId, type, true);
    }

    private static TrackedField identityField(NestedField column, boolean inKey)
    {
        return new TrackedField(column.fieldId(), column.name(), column.type().asPrimitiveType(), column.isOptional(), inKey);
    }

    private static TrackedField statsOnlyField(int fieldId, Type type, boolean inKey)
    {
        // It has no name, and the result of an expression may always be null
        return new TrackedField(fieldId, "stats_only_" + fieldId, type.asPrimitiveType(), true, inKey);
    }

    private static boolean isTracked(int fieldId, Type type)
    {
        if (!TrackedField.canHaveStats(fieldId)) {
            return false;
        }
        return switch (type.typeId()) {
            case BOOLEAN, INTEGER, LONG, FLOAT, DOUBLE, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO, STRING, UUID, FIXED, BINARY, DECIMAL -> true;
            case GEOMETRY, GEOGRAPHY, UNKNOWN, VARIANT, STRUCT, LIST, MAP -> false;
        };
    }
}
