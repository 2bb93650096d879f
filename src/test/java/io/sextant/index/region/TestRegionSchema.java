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
package io.sextant.index.region;

import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.OptionalInt;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestRegionSchema
{
    private static final Schema SCHEMA = new Schema(
            optional(7, "amount", Types.DecimalType.of(12, 2)),
            required(105, "file", Types.StringType.get()),
            optional(1, "user_id", Types.LongType.get()),
            required(106, "pos", Types.LongType.get()));

    @Test
    void testEntryColumns()
    {
        RegionSchema schema = new RegionSchema(SCHEMA, List.of(1), OptionalInt.of(105), OptionalInt.of(106));
        assertThat(schema.entryColumns()).extracting(NestedField::fieldId).containsExactly(1, 105, 106, 7);
        assertThat(schema.entryEncoding().fieldCount()).isEqualTo(4);
        assertThat(schema.entryEncoding().type(1)).isEqualTo(Types.IntegerType.get());
        assertThat(schema.entryIndex(7)).isEqualTo(3);
        assertThatThrownBy(() -> schema.entryIndex(8)).hasMessageContaining("no field with ID 8");
    }

    @Test
    void testStatsOnlyFieldsTakeTheirPlaceInTheKey()
    {
        NestedField bucket = optional(104, "bucket", Types.IntegerType.get());
        NestedField day = optional(107, "day", Types.DateType.get());
        RegionSchema schema = new RegionSchema(SCHEMA, List.of(bucket, day), List.of(104, 1), OptionalInt.of(105), OptionalInt.of(106));
        assertThat(schema.entryColumns()).extracting(NestedField::fieldId).containsExactly(104, 1, 105, 106, 7, 107);
        assertThat(RegionFileReader.storedColumns(schema)).extracting(NestedField::fieldId).containsExactly(1, 105, 106, 7);
    }

    @Test
    void testFileMayBeTheKey()
    {
        RegionSchema schema = new RegionSchema(SCHEMA, List.of(105), OptionalInt.of(105), OptionalInt.empty());
        assertThat(schema.entryColumns()).extracting(NestedField::fieldId).containsExactly(105, 7, 1, 106);
        assertThat(schema.entryEncoding().type(0)).isEqualTo(Types.IntegerType.get());
    }

    @Test
    void testInvalid()
    {
        assertThatThrownBy(() -> new RegionSchema(SCHEMA, List.of(), OptionalInt.empty(), OptionalInt.empty())).hasMessage("ordering key is empty");
        assertThatThrownBy(() -> new RegionSchema(SCHEMA, List.of(1, 1), OptionalInt.empty(), OptionalInt.empty())).hasMessageContaining("a field twice");
        assertThatThrownBy(() -> new RegionSchema(SCHEMA, List.of(2), OptionalInt.empty(), OptionalInt.empty())).hasMessage("no field has ID 2 of the ordering key");
        assertThatThrownBy(() -> new RegionSchema(SCHEMA, List.of(1), OptionalInt.of(106), OptionalInt.empty())).hasMessageContaining("not a column of type string");
        assertThatThrownBy(() -> new RegionSchema(SCHEMA, List.of(1), OptionalInt.empty(), OptionalInt.of(105))).hasMessageContaining("not a column of type long");
        assertThatThrownBy(() -> new RegionSchema(SCHEMA, List.of(optional(1, "x", Types.LongType.get())), List.of(1), OptionalInt.empty(), OptionalInt.empty())).hasMessageContaining("both stored and stats-only");
    }
}
