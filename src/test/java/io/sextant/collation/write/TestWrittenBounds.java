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
package io.sextant.collation.write;

import io.sextant.collation.AbstractTestCollations;
import io.sextant.collation.metadata.FileBounds;
import org.apache.iceberg.DataFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Map;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// The bounds that files get as they are written, by all statements and in all formats.
final class TestWrittenBounds
        extends AbstractTestCollations
{
    @Test
    @Tag("CO-02")
    @Tag("CO-03")
    @Tag("CO-10")
    @Tag("CO-12")
    @Tag("case-1")
    void testFormats()
    {
        for (String format : new String[] {"PARQUET", "ORC", "AVRO"}) {
            for (int version = 1; version <= 3; version++) {
                String table = createTable("id integer, name varchar", "format = '%s', format_version = %s".formatted(format, version));
                setCollation(table, "name", "icu.en_US-ci");
                assertUpdate("INSERT INTO " + table + " VALUES (1, 'Banana'), (2, 'apple'), (3, NULL), (4, 'Apple')", 4);
                assertThat(bounds(table, "name")).as(format).containsExactly("Apple..Banana");
                DataFile file = dataFiles(table).stream().collect(onlyElement());
                int metricId = metrics(table, "name").getFirst().id();
                assertThat(file.valueCounts()).containsEntry(metricId, 4L);
                assertThat(file.nullValueCounts()).containsEntry(metricId, 1L);
                int fieldId = icebergTable(table).schema().findField("name").fieldId();
                if (!format.equals("AVRO")) {
                    assertThat(string(file.lowerBounds(), fieldId)).isEqualTo("Apple");
                    assertThat(string(file.upperBounds(), fieldId)).isEqualTo("apple");
                }
                assertQuery("SELECT name FROM " + table, "VALUES 'Banana', 'apple', NULL, 'Apple'");
                assertQuery("SELECT name FROM plain.tpch." + table, "VALUES 'Banana', 'apple', NULL, 'Apple'");
            }
        }
    }

    @Test
    void testStatements()
    {
        String table = createTable("id integer, name varchar");
        setCollation(table, "name", "icu.en_US-ci");
        assertUpdate("INSERT INTO " + table + " SELECT * FROM (VALUES (1, 'b'), (2, 'C'))", 2);
        assertThat(bounds(table, "name")).containsExactly("b..C");
        assertUpdate("UPDATE " + table + " SET name = 'D' WHERE id = 1", 1);
        assertThat(bounds(table, "name")).containsExactly("D..D", "b..C");
        assertUpdate("MERGE INTO " + table + " t USING (VALUES (1, 'E'), (3, 'f')) s(id, name) ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.name)", 2);
        assertThat(bounds(table, "name")).contains("D..D", "b..C").isSubsetOf("D..D", "b..C", "E..f", "E..E", "f..f");
        assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
        assertThat(bounds(table, "name")).isSubsetOf("C..f", "C..E", "C..C", "E..f", "E..E", "f..f");
        assertUpdate("CREATE OR REPLACE TABLE " + table + " AS SELECT 7 AS id, name FROM (VALUES VARCHAR 'x', 'Y') t(name)", 2);
        assertThat(bounds(table, "name")).containsExactly("x..Y");
        assertQuery("SELECT name FROM " + table, "VALUES 'x', 'Y'");
    }

    @Test
    void testSortedAndPartitionedWrites()
    {
        String table = createTable("part integer, id integer, name varchar", "partitioning = ARRAY['part'], sorted_by = ARRAY['id']");
        setCollation(table, "name", "icu.en_US-ci");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 3, 'a'), (2, 2, 'c'), (1, 1, 'B'), (2, 4, 'D')", 4);
        assertThat(bounds(table, "name")).containsExactly("a..B", "c..D");
    }

    @Test
    @Tag("CO-01")
    void testStructFields()
    {
        for (String format : new String[] {"PARQUET", "ORC", "AVRO"}) {
            String table = createTable("person row(id integer, name row(first varchar, last varchar))", "format = '" + format + "'");
            setCollation(table, "person.name.last", "icu.en_US-ci");
            assertUpdate("INSERT INTO " + table + " VALUES ROW(ROW(1, ROW('x', 'b'))), ROW(NULL), ROW(ROW(2, NULL)), ROW(ROW(3, ROW('a', 'C'))), ROW(ROW(4, ROW('z', NULL)))", 5);
            assertThat(bounds(table, "person.name.last")).as(format).containsExactly("b..C");
            DataFile file = dataFiles(table).stream().collect(onlyElement());
            assertThat(FileBounds.read(file, metrics(table, "person.name.last").getFirst().id()).orElseThrow().nullCount()).isEqualTo(3);
        }
    }

    @Test
    @Tag("CO-10")
    @Tag("case-38")
    void testWhatCannotBeStoredExactly()
    {
        String table = createTable("name varchar");
        setCollation(table, "name", "icu.en_US-ci");
        assertUpdate("INSERT INTO " + table + " VALUES 'a', rpad('z', 5000, 'z')", 2);
        assertThat(bounds(table, "name")).containsExactly("a..?");
        assertUpdate("CREATE OR REPLACE TABLE " + table + " (name varchar)");
        assertUpdate("INSERT INTO " + table + " VALUES 'a', rpad('z', 4096, 'z')", 2);
        assertThat(bounds(table, "name")).containsExactly("a.." + "z".repeat(4096));
        assertUpdate("CREATE OR REPLACE TABLE " + table + " (name varchar)");
        assertUpdate("INSERT INTO " + table + " VALUES NULL, NULL", 2);
        assertThat(bounds(table, "name")).containsExactly("?..?");
    }

    @Test
    @Tag("CO-09")
    @Tag("CO-11")
    @Tag("CO-15")
    void testSeveralMetrics()
    {
        String table = createTable("name varchar, title varchar");
        setCollation(table, "name", "icu.en_US-ci");
        setCollation(table, "name", "icu.da");
        int english = metrics(table, "name").getFirst().id();
        int danish = metrics(table, "name").getLast().id();
        assertThat(danish).isGreaterThan(english);
        assertUpdate("INSERT INTO " + table + " VALUES ('a', 'x'), ('A', 'y'), ('B', 'z')", 3);
        DataFile file = dataFiles(table).stream().collect(onlyElement());
        assertThat(string(file.lowerBounds(), english)).isEqualTo("A");
        assertThat(string(file.upperBounds(), english)).isEqualTo("B");
        assertThat(string(file.lowerBounds(), danish)).isEqualTo("A");

        // Metrics that this server cannot collect, and one under the ID of a column
        icebergTable(table).updateProperties()
                .set("sextant.collations", "{\"1\": {\"collation\": \"icu.da\", \"collation-metrics\": [" +
                        "{\"id\": 1001, \"collation\": \"icu.da\", \"version\": \"153.128.0.0\"}, " +
                        "{\"id\": 1002, \"collation\": \"spark.UTF8_LCASE\", \"version\": \"1\"}, " +
                        "{\"id\": 2, \"collation\": \"icu.da\", \"version\": \"153.136.48.0\"}]}}")
                .commit();
        assertUpdate("INSERT INTO " + table + " VALUES ('a', 'w')", 1);
        assertThat(dataFiles(table)).hasSize(2).allSatisfy(written -> {
            assertThat(written.valueCounts()).doesNotContainKeys(1001, 1002);
            assertThat(string(written.lowerBounds(), 2)).isIn("w", "x");
        });
    }

    private static String string(Map<Integer, ByteBuffer> bounds, int fieldId)
    {
        return UTF_8.decode(bounds.get(fieldId).duplicate()).toString();
    }
}
