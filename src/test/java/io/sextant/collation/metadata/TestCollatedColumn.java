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
import io.sextant.collation.Collation;
import io.sextant.collation.Collations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types.IntegerType;
import org.apache.iceberg.types.Types.ListType;
import org.apache.iceberg.types.Types.StringType;
import org.apache.iceberg.types.Types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.assertj.core.api.Assertions.assertThat;

final class TestCollatedColumn
{
    private static final Collation ENGLISH = Collations.get("icu.en_US-ci");
    private static final Collation DANISH = Collations.get("icu.da");
    private static final TableMetadata TABLE = TableMetadata.buildFromEmpty(2)
            .setLocation("memory:///table")
            .setCurrentSchema(
                    new Schema(
                            optional(1, "name", StringType.get()),
                            optional(2, "number", IntegerType.get()),
                            optional(3, "tags", ListType.ofOptional(4, StringType.get())),
                            optional(5, "person", StructType.of(optional(6, "name", StringType.get())))),
                    20)
            .setDefaultPartitionSpec(PartitionSpec.unpartitioned())
            .setDefaultSortOrder(SortOrder.unsorted())
            .build();

    @Test
    @Tag("CO-08")
    @Tag("CO-15")
    void testMetricOfTheSameOrder()
    {
        FieldCollation field = field(
                metric(10, "icu.en_US-ci", "153.128.0.0"),
                metric(11, "icu.en_US", ENGLISH.version()),
                metric(12, "icu.en_US-ci", ENGLISH.version()),
                metric(13, "icu.da", DANISH.version()));
        assertThat(CollatedColumn.of(TABLE, 1, field, ENGLISH)).contains(new CollatedColumn(1, ENGLISH, 12));
        assertThat(CollatedColumn.of(TABLE, 1, field, DANISH)).contains(new CollatedColumn(1, DANISH, 13));
        assertThat(CollatedColumn.of(TABLE, 6, field, ENGLISH)).contains(new CollatedColumn(6, ENGLISH, 12));
        assertThat(CollatedColumn.of(TABLE, 1, field, Collations.get("icu.sv"))).isEmpty();
        assertThat(CollatedColumn.of(TABLE, 1, field(metric(10, "icu.en_US-ci", "153.128.0.0")), ENGLISH)).isEmpty();
        assertThat(CollatedColumn.of(TABLE, 1, field(), ENGLISH)).isEmpty();
    }

    @Test
    @Tag("CO-06")
    void testOtherSpelling()
    {
        FieldCollation field = field(metric(10, "icu.en_USA-as-ci", "153.136"));
        assertThat(CollatedColumn.of(TABLE, 1, field, ENGLISH)).map(CollatedColumn::metricId).contains(10);
    }

    @Test
    @Tag("CO-09")
    @Tag("case-36")
    void testIdsOfColumns()
    {
        for (int metricId : new int[] {1, 2, 4, 5, 6, 21, Integer.MAX_VALUE}) {
            assertThat(CollatedColumn.of(TABLE, 1, field(metric(metricId, "icu.en_US-ci", ENGLISH.version())), ENGLISH)).as("%s", metricId).isEmpty();
        }
        // Files still have the bounds of a column that is gone
        TableMetadata without = TABLE.updateSchema(new Schema(optional(1, "name", StringType.get())));
        assertThat(CollatedColumn.of(without, 1, field(metric(2, "icu.en_US-ci", ENGLISH.version())), ENGLISH)).isEmpty();
    }

    @Test
    @Tag("CO-01")
    void testFieldsWithoutBounds()
    {
        FieldCollation field = field(metric(10, "icu.en_US-ci", ENGLISH.version()));
        for (int fieldId : new int[] {2, 3, 4, 5, 7, 99}) {
            assertThat(CollatedColumn.of(TABLE, fieldId, field, ENGLISH)).as("%s", fieldId).isEmpty();
            assertThat(CollatedColumn.allOf(TABLE, fieldId, field)).as("%s", fieldId).isEmpty();
        }
    }

    @Test
    @Tag("CO-15")
    @Tag("case-36")
    void testAll()
    {
        FieldCollation field = field(
                metric(10, "icu.en_US-ci", "153.128.0.0"),
                metric(11, "icu.en_US-ci", ENGLISH.version()),
                metric(12, "icu.da", DANISH.version()),
                metric(13, "spark.UTF8_LCASE", "1"),
                metric(14, "icu.en_US-cs-bogus", "1"),
                metric(16, "icu.zz", "1"),
                metric(17, "ICU.en_US-ci", ENGLISH.version()),
                metric(18, "utf8", ENGLISH.version()),
                metric(15, "icu.de", "153.128.0.0"),
                metric(2, "icu.sv", Collations.get("icu.sv").version()));
        assertThat(CollatedColumn.allOf(TABLE, 1, field)).extracting(CollatedColumn::metricId).containsExactly(11, 12);
    }

    private static FieldCollation field(CollationMetric... metrics)
    {
        return new FieldCollation("icu.en_US-ci", ImmutableList.copyOf(metrics));
    }

    private static CollationMetric metric(int id, String collation, String version)
    {
        return new CollationMetric(id, collation, version);
    }
}
