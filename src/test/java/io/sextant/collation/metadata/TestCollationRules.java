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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.constraint.ConstraintsProperty;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types.IntegerType;
import org.apache.iceberg.types.Types.ListType;
import org.apache.iceberg.types.Types.MapType;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StringType;
import org.apache.iceberg.types.Types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

final class TestCollationRules
{
    private static final Schema SCHEMA = new Schema(
            ImmutableList.of(
                    required(1, "key", StringType.get()),
                    optional(2, "name", StringType.get()),
                    optional(3, "number", IntegerType.get()),
                    optional(4, "person", StructType.of(optional(5, "name", StringType.get()), optional(6, "parts", StructType.of(optional(7, "first", StringType.get()))))),
                    optional(8, "tags", ListType.ofOptional(9, StringType.get())),
                    optional(10, "names", MapType.ofOptional(11, 12, StructType.of(optional(13, "locale", StringType.get())), StringType.get())),
                    optional(14, "people", ListType.ofOptional(15, StructType.of(optional(16, "name", StringType.get()))))),
            ImmutableSet.of(1));

    @Test
    @Tag("CO-01")
    void testFieldsThatMayHaveCollations()
    {
        TableMetadata table = table(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        for (String column : ImmutableList.of("name", "person.name", "person.parts.first", "tags.element", "names.value", "people.element.name")) {
            assertThat(CollationRules.findProblem(table, fieldId(table, column))).as(column).isEmpty();
        }
        assertProblem(table, "number", "column number has type int, and only strings have a collation");
        assertProblem(table, "person", "only strings have a collation");
        assertProblem(table, "tags", "only strings have a collation");
        assertProblem(table, "names", "only strings have a collation");
        assertProblem(table, "names.key.locale", "column names.key.locale is the key of a map, and keys are compared by bytes");
        assertProblem(table, "key", "column key is an identifier field, which is compared by bytes");
        assertThat(CollationRules.findProblem(table, 99)).contains("there is no field 99");
    }

    @Test
    @Tag("CO-03")
    void testColumnsThatAreComparedByBytes()
    {
        assertProblem(table(PartitionSpec.builderFor(SCHEMA).identity("name").build(), SortOrder.unsorted(), ImmutableMap.of()), "name", "column name is the source of a partition field, and partitions are made by bytes");
        assertProblem(table(PartitionSpec.builderFor(SCHEMA).bucket("person.name", 4).build(), SortOrder.unsorted(), ImmutableMap.of()), "person.name", "is the source of a partition field");
        assertProblem(table(PartitionSpec.unpartitioned(), SortOrder.builderFor(SCHEMA).asc("name").build(), ImmutableMap.of()), "name", "column name is the source of a sort field, and rows are sorted by bytes");
        TableMetadata keyed = table(
                PartitionSpec.unpartitioned(),
                SortOrder.unsorted(),
                ImmutableMap.of(ConstraintsProperty.NAME, "{\"last-constraint-id\": 1, \"constraints\": [{\"constraint-id\": 1, \"name\": \"pk\", \"enforced\": false, \"timestamp-ms\": 1, \"type\": \"primary-key\", \"field-ids\": [%s]}]}".formatted(SCHEMA.findField("name").fieldId())));
        assertThat(ConstraintsProperty.read(keyed.properties()).constraints()).hasSize(1);
        assertProblem(keyed, "name", "column name is in the primary key, which is compared by bytes");
        assertThat(CollationRules.findProblem(keyed, fieldId(keyed, "person.name"))).isEmpty();
        // What was a partition field before, in tables of the first format version
        assertThat(CollationRules.findProblem(table(PartitionSpec.builderFor(SCHEMA).alwaysNull("name").build(), SortOrder.unsorted(), ImmutableMap.of()), 2)).isEmpty();
    }

    @Test
    void testBounds()
    {
        for (String column : ImmutableList.of("name", "key", "person.name", "person.parts.first")) {
            assertThat(CollationRules.hasBounds(SCHEMA, SCHEMA.findField(column).fieldId())).as(column).isTrue();
        }
        for (String column : ImmutableList.of("tags.element", "names.key.locale", "names.value", "people.element.name")) {
            assertThat(CollationRules.hasBounds(SCHEMA, SCHEMA.findField(column).fieldId())).as(column).isFalse();
        }
        assertThat(CollationRules.hasBounds(SCHEMA, 99)).isFalse();
    }

    @Test
    @Tag("CO-09")
    void testReservedIds()
    {
        TableMetadata table = table(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        assertThat(table.lastColumnId()).isEqualTo(16);
        assertThat(CollationRules.isReserved(table, 2)).isFalse();
        assertThat(CollationRules.isReserved(table, 16)).isFalse();
        // The next column would get it
        assertThat(CollationRules.isReserved(table, 17)).isFalse();

        String placeholder = CollationRules.placeholderName(table);
        assertThat(placeholder).isEqualTo("sextant_collation_metric_17").isEqualTo(CollationRules.placeholderName(17));
        TableMetadata reserving = with(table, optional(17, placeholder, StringType.get()));
        TableMetadata reserved = TableMetadata.buildFrom(reserving).setCurrentSchema(SCHEMA, 17).build();
        assertThat(CollationRules.isReserved(reserved, 17)).isTrue();
        assertThat(CollationRules.isReserved(reserved, 18)).isFalse();
        assertThat(CollationRules.isPlaceholder(reserving.schema().findField(17))).isTrue();
        assertThat(CollationRules.isPlaceholder(reserving.schema().findField(2))).isFalse();

        // A column that was dropped has left bounds of its own
        TableMetadata dropped = TableMetadata.buildFrom(with(reserved, optional(18, "column", StringType.get()))).setCurrentSchema(SCHEMA, 18).build();
        assertThat(CollationRules.isReserved(dropped, 17)).isTrue();
        assertThat(CollationRules.isReserved(dropped, 18)).isFalse();
        // Schemas that nothing needs any more may be gone, but IDs are not given twice
        assertThat(CollationRules.isReserved(table(dropped.lastColumnId()), 17)).isTrue();
    }

    private static TableMetadata with(TableMetadata table, NestedField column)
    {
        Schema schema = new Schema(ImmutableList.<NestedField>builder().addAll(SCHEMA.columns()).add(column).build(), SCHEMA.identifierFieldIds());
        return TableMetadata.buildFrom(table).setCurrentSchema(schema, column.fieldId()).build();
    }

    private static TableMetadata table(int lastColumnId)
    {
        return TableMetadata.buildFrom(table(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of()))
                .setCurrentSchema(new Schema(SCHEMA.columns().subList(1, 3)), lastColumnId)
                .build();
    }

    private static TableMetadata table(PartitionSpec spec, SortOrder sortOrder, Map<String, String> properties)
    {
        return TableMetadata.buildFromEmpty(2)
                .setLocation("memory:///table")
                .setCurrentSchema(SCHEMA, 16)
                .setDefaultPartitionSpec(spec)
                .setDefaultSortOrder(sortOrder)
                .setProperties(properties)
                .build();
    }

    private static int fieldId(TableMetadata table, String column)
    {
        return table.schema().findField(column).fieldId();
    }

    private static void assertProblem(TableMetadata table, String column, String problem)
    {
        assertThat(CollationRules.findProblem(table, fieldId(table, column)).orElse("none")).as(column).contains(problem);
    }
}
