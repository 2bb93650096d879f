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

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

import java.util.ArrayList;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// A field whose statistics a tracking file may hold, and the columns that hold them: a struct whose ID is `10_000 + 200 *
/// field-id`, with one member per statistic at a fixed offset from that ID.
///
/// @param name the name of the struct, of no meaning to readers
/// @param inKey whether the field is in the ordering key
record TrackedField(int fieldId, String name, Type.PrimitiveType type, boolean isOptional, boolean inKey)
{
    /// Field IDs from here on cannot have statistics.
    static final int FIELD_ID_LIMIT = 999_950;

    static final int LOWER_BOUND = 1;
    static final int UPPER_BOUND = 2;
    static final int TIGHT_BOUNDS = 3;
    static final int VALUE_COUNT = 4;
    static final int NULL_VALUE_COUNT = 5;
    static final int NAN_VALUE_COUNT = 6;
    static final int AVERAGE_VALUE_SIZE = 7;
    static final int GROUP_MAX_VALUE = 8;

    private static final int FIRST_BASE_ID = 10_000;
    private static final int IDS_PER_FIELD = 200;

    TrackedField
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        checkArgument(canHaveStats(fieldId), "field ID is not between 0 and %s: %s", FIELD_ID_LIMIT - 1, fieldId);
    }

    static boolean canHaveStats(int fieldId)
    {
        return 0 <= fieldId && fieldId < FIELD_ID_LIMIT;
    }

    static int baseId(int fieldId)
    {
        return FIRST_BASE_ID + IDS_PER_FIELD * fieldId;
    }

    /// The ID of the struct.
    int baseId()
    {
        return baseId(fieldId);
    }

    /// The ID of a member of the struct.
    int memberId(int offset)
    {
        return baseId() + offset;
    }

    boolean hasNanCount()
    {
        return type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE;
    }

    boolean hasVariableLength()
    {
        return type.typeId() == Type.TypeID.STRING || type.typeId() == Type.TypeID.BINARY;
    }

    NestedField struct()
    {
        List<NestedField> members = new ArrayList<>();
        members.add(member(LOWER_BOUND, "lower_bound", type));
        members.add(member(UPPER_BOUND, "upper_bound", type));
        members.add(member(TIGHT_BOUNDS, "tight_bounds", Types.BooleanType.get()));
        members.add(member(VALUE_COUNT, "value_count", Types.LongType.get()));
        if (isOptional) {
            members.add(member(NULL_VALUE_COUNT, "null_value_count", Types.LongType.get()));
        }
        if (hasNanCount()) {
            members.add(member(NAN_VALUE_COUNT, "nan_value_count", Types.LongType.get()));
        }
        if (hasVariableLength()) {
            members.add(member(AVERAGE_VALUE_SIZE, "avg_value_size_in_bytes", Types.IntegerType.get()));
        }
        if (inKey) {
            members.add(member(GROUP_MAX_VALUE, "group_max_value", type));
        }
        return NestedField.required(baseId(), name, Types.StructType.of(members));
    }

    private NestedField member(int offset, String memberName, Type memberType)
    {
        return NestedField.optional(memberId(offset), memberName, memberType);
    }
}
