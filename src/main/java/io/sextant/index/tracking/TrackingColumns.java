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

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.index.key.KeyEncoding;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.index.tracking.TrackedField.AVERAGE_VALUE_SIZE;
import static io.sextant.index.tracking.TrackedField.GROUP_MAX_VALUE;
import static io.sextant.index.tracking.TrackedField.LOWER_BOUND;
import static io.sextant.index.tracking.TrackedField.NAN_VALUE_COUNT;
import static io.sextant.index.tracking.TrackedField.NULL_VALUE_COUNT;
import static io.sextant.index.tracking.TrackedField.TIGHT_BOUNDS;
import static io.sextant.index.tracking.TrackedField.UPPER_BOUND;
import static io.sextant.index.tracking.TrackedField.VALUE_COUNT;
import static io.sextant.index.tracking.TrackingFileReader.corrupt;
import static java.util.Objects.requireNonNull;

/// Which columns of a tracking file are read, after a check that those it must have are there with the right types. A column
/// that is not in the file must not be taken for one of nulls: a null in `group_max_value` is a null in the key.
///
/// @param projection the columns to read, with the types of the file
/// @param types the types of the leaves to read, by ID, as the file has them
/// @param fields the fields that have statistics in the file: all key fields, and those others that have both bounds
record TrackingColumns(Schema projection, Map<Integer, Type> types, TrackingSchema schema, List<TrackedField> fields)
{
    TrackingColumns
    {
        requireNonNull(projection, "projection is null");
        types = ImmutableMap.copyOf(requireNonNull(types, "types is null"));
        requireNonNull(schema, "schema is null");
        requireNonNull(fields, "fields is null");
    }

    static TrackingColumns of(String location, TrackingSchema schema, Schema file)
    {
        Resolver resolver = new Resolver(location, file);
        TrackingSchema.REQUIRED_FIELDS.values().forEach(resolver::require);
        resolver.requireStruct(NestedField.required(TrackingSchema.CONTENT_STATS, "content_stats", Types.StructType.of()), Set.of());
        resolver.take(TrackingSchema.KEY_METADATA_FIELD);
        List<TrackedField> fields = schema.fields().values().stream()
                .filter(resolver::resolve)
                .collect(toImmutableList());
        return new TrackingColumns(TypeUtil.select(file, ImmutableSet.copyOf(resolver.types.keySet())), resolver.types, schema, fields);
    }

    boolean has(int fieldId)
    {
        return types.containsKey(fieldId);
    }

    private static final class Resolver
    {
        private final String location;
        private final Schema file;
        private final Map<Integer, Type> types = new LinkedHashMap<>();

        private Resolver(String location, Schema file)
        {
            this.location = requireNonNull(location, "location is null");
            this.file = requireNonNull(file, "file is null");
        }

        /// Returns whether the file has statistics of the field that can be used.
        boolean resolve(TrackedField field)
        {
            Types.StructType expected = field.struct().type().asStructType();
            boolean usable = field.inKey() || hasBounds(field);
            if (!usable) {
                return false;
            }
            requireStruct(field.struct(), Set.of(TrackingSchema.CONTENT_STATS));
            require(expected.field(field.memberId(LOWER_BOUND)));
            require(expected.field(field.memberId(UPPER_BOUND)));
            if (field.inKey()) {
                require(expected.field(field.memberId(GROUP_MAX_VALUE)));
            }
            for (int offset : List.of(TIGHT_BOUNDS, VALUE_COUNT, NULL_VALUE_COUNT, NAN_VALUE_COUNT, AVERAGE_VALUE_SIZE)) {
                NestedField member = expected.field(field.memberId(offset));
                if (member != null) {
                    take(member);
                }
            }
            return true;
        }

        private boolean hasBounds(TrackedField field)
        {
            return file.findField(field.memberId(LOWER_BOUND)) != null && file.findField(field.memberId(UPPER_BOUND)) != null;
        }

        void require(NestedField expected)
        {
            if (!take(expected)) {
                throw corrupt(location, "field %s (%s) is missing".formatted(expected.fieldId(), expected.name()));
            }
        }

        boolean take(NestedField expected)
        {
            NestedField actual = file.findField(expected.fieldId());
            if (actual == null) {
                return false;
            }
            if (!isReadable(actual.type(), expected.type())) {
                throw corrupt(location, "field %s (%s) is of type %s, not %s".formatted(expected.fieldId(), expected.name(), actual.type(), expected.type()));
            }
            types.put(expected.fieldId(), actual.type());
            return true;
        }

        private static boolean isReadable(Type actual, Type expected)
        {
            // Iceberg writes a UUID into Parquet without its logical type; the bytes are the same
            boolean plainUuid = expected.typeId() == TypeID.UUID && actual.equals(Types.FixedType.ofLength(16));
            return plainUuid || KeyEncoding.keepsBytes(actual, expected);
        }

        void requireStruct(NestedField expected, Set<Integer> parents)
        {
            NestedField actual = file.findField(expected.fieldId());
            if (actual == null) {
                throw corrupt(location, "field %s (%s) is missing".formatted(expected.fieldId(), expected.name()));
            }
            if (!actual.type().isStructType()) {
                throw corrupt(location, "field %s (%s) is of type %s, not a struct".formatted(expected.fieldId(), expected.name(), actual.type()));
            }
            Set<Integer> members = new HashSet<>();
            for (int parent : parents) {
                file.findField(parent).type().asStructType().fields().forEach(member -> members.add(member.fieldId()));
            }
            if (!parents.isEmpty() && !members.contains(expected.fieldId())) {
                throw corrupt(location, "field %s (%s) is not in field %s".formatted(expected.fieldId(), expected.name(), parents));
            }
        }
    }
}
