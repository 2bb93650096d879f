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

import com.google.common.collect.ImmutableSet;
import io.sextant.index.metadata.IndexMetadata;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.sextant.index.tracking.TestingTrackingFiles.BY_BUCKET;
import static io.sextant.index.tracking.TestingTrackingFiles.metadata;
import static io.sextant.index.tracking.TestingTrackingFiles.schema;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

final class TestTrackingSchema
{
    @Test
    @Tag("IX-37")
    @Tag("IX-38")
    void testWorkedExample()
    {
        assertThat(schema(BY_BUCKET).columns(ImmutableSet.of()).asStruct()).isEqualTo(Types.StructType.of(
                required(100, "location", Types.StringType.get()),
                required(101, "file_format", Types.StringType.get()),
                required(103, "record_count", Types.LongType.get()),
                required(104, "file_size_in_bytes", Types.LongType.get()),
                required(146, "content_stats", Types.StructType.of(
                        required(30_800, "stats_only_104", Types.StructType.of(
                                optional(30_801, "lower_bound", Types.IntegerType.get()),
                                optional(30_802, "upper_bound", Types.IntegerType.get()),
                                optional(30_803, "tight_bounds", Types.BooleanType.get()),
                                optional(30_804, "value_count", Types.LongType.get()),
                                optional(30_805, "null_value_count", Types.LongType.get()),
                                optional(30_808, "group_max_value", Types.IntegerType.get()))),
                        required(10_200, "user_id", Types.StructType.of(
                                optional(10_201, "lower_bound", Types.LongType.get()),
                                optional(10_202, "upper_bound", Types.LongType.get()),
                                optional(10_203, "tight_bounds", Types.BooleanType.get()),
                                optional(10_204, "value_count", Types.LongType.get()),
                                optional(10_208, "group_max_value", Types.LongType.get()))))),
                optional(131, "key_metadata", Types.BinaryType.get())));
    }

    @Test
    @Tag("IX-38")
    void testMembersByType()
    {
        IndexMetadata metadata = metadata(
                """
                {"id": 1, "name": "a", "required": false, "type": "double"},
                {"id": 2, "name": "b", "required": true, "type": "string"}
                """,
                "",
                "1");
        Types.StructType stats = schema(metadata).columns(ImmutableSet.of(1, 2)).findType(146).asStructType();
        assertThat(stats).isEqualTo(Types.StructType.of(
                required(10_200, "a", Types.StructType.of(
                        optional(10_201, "lower_bound", Types.DoubleType.get()),
                        optional(10_202, "upper_bound", Types.DoubleType.get()),
                        optional(10_203, "tight_bounds", Types.BooleanType.get()),
                        optional(10_204, "value_count", Types.LongType.get()),
                        optional(10_205, "null_value_count", Types.LongType.get()),
                        optional(10_206, "nan_value_count", Types.LongType.get()),
                        optional(10_208, "group_max_value", Types.DoubleType.get()))),
                required(10_400, "b", Types.StructType.of(
                        optional(10_401, "lower_bound", Types.StringType.get()),
                        optional(10_402, "upper_bound", Types.StringType.get()),
                        optional(10_403, "tight_bounds", Types.BooleanType.get()),
                        optional(10_404, "value_count", Types.LongType.get()),
                        optional(10_407, "avg_value_size_in_bytes", Types.IntegerType.get())))));
    }

    @Test
    @Tag("IX-38")
    void testFieldIdLimit()
    {
        assertThat(TrackedField.baseId(0)).isEqualTo(10_000);
        assertThat(TrackedField.baseId(999_949)).isEqualTo(199_999_800);
        assertThat(TrackedField.canHaveStats(999_949)).isTrue();
        assertThat(TrackedField.canHaveStats(999_950)).isFalse();
        assertThat(TrackedField.canHaveStats(-1)).isFalse();
        IndexMetadata metadata = metadata(
                """
                {"id": 1, "name": "a", "required": false, "type": "long"},
                {"id": 999949, "name": "b", "required": false, "type": "long"},
                {"id": 999950, "name": "c", "required": false, "type": "long"},
                {"id": 2147483646, "name": "_file", "required": true, "type": "string"}
                """,
                "",
                "1");
        assertThat(schema(metadata).fields().keySet()).containsExactlyInAnyOrder(1, 999_949);
    }
}
