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
package io.sextant.collation;

import com.google.common.collect.ImmutableList;
import io.sextant.collation.metadata.CollationsProperty;
import org.apache.iceberg.MetadataColumns;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Trino's own system tables of tables whose files have bounds under metric IDs.
final class TestCollatedSystemTables
        extends AbstractTestCollations
{
    private static final String CI = "icu.en_US-ci";

    @Test
    void testEntries()
    {
        for (String partitioning : ImmutableList.of("", ", partitioning = ARRAY['id']")) {
            for (int version = 1; version <= 3; version++) {
                String table = createTable("id integer, name varchar, person row(name varchar)", "format_version = %s%s".formatted(version, partitioning));
                assertUpdate("INSERT INTO " + table + " VALUES (1, 'b', ROW('b')), (1, 'A', ROW('A')), (1, 'C', ROW(NULL))", 3);
                setCollation(table, "name", CI);
                setCollation(table, "person.name", "icu.sv");
                collectBounds(table);
                int name = metrics(table, "name").getFirst().id();
                int personName = metrics(table, "person.name").getFirst().id();
                if (version > 1) {
                    assertUpdate("DELETE FROM " + table + " WHERE name = 'b'", 1);
                    deleteByEquality(icebergTable(table), "name", "c");
                }
                for (String system : ImmutableList.of("entries", "all_entries")) {
                    assertQuery(
                            "SELECT status, data_file.lower_bounds[%1$s], data_file.upper_bounds[%1$s], data_file.value_counts[%1$s], data_file.lower_bounds[%2$s], data_file.upper_bounds[%2$s], data_file.null_value_counts[%2$s] FROM \"%3$s$%4$s\" WHERE data_file.content = 0 AND element_at(data_file.value_counts, %1$s) IS NOT NULL"
                                    .formatted(name, personName, table, system),
                            "VALUES (0, 'A', 'C', 3, 'A', 'b', 1)");
                    assertThat((String) computeScalar("SELECT json_format(json_extract(readable_metrics, '$[\"name %s 153.136.0.0\"]')) FROM \"%s$%s\" WHERE data_file.content = 0 AND element_at(data_file.value_counts, %s) IS NOT NULL".formatted(CI, table, system, name)))
                            .contains("\"lower_bound\":\"A\"", "\"upper_bound\":\"C\"", "\"value_count\":3");
                    assertThat((String) computeScalar("SELECT json_format(json_extract(readable_metrics, '$.name')) FROM \"%s$%s\" WHERE data_file.content = 0 AND element_at(data_file.value_counts, %s) IS NOT NULL".formatted(table, system, name)))
                            .contains("\"lower_bound\":\"A\"", "\"upper_bound\":\"b\"");
                }
                assertOthers(table);
            }
        }
    }

    private void assertOthers(String table)
    {
        for (String system : ImmutableList.of("files", "manifests", "all_manifests", "partitions", "snapshots", "history", "refs", "properties", "metadata_log_entries")) {
            assertThat(query("SELECT * FROM \"%s$%s\"".formatted(table, system))).as(system).matches("SELECT * FROM plain.tpch.\"%s$%s\"".formatted(table, system));
            assertThat(computeActual("SELECT * FROM \"%s$%s\"".formatted(table, system)).getRowCount()).as(system).isPositive();
        }
        assertQuery("SELECT json_extract_scalar(readable_metrics, '$.name.lower_bound') FROM \"%s$files\" WHERE content = 0".formatted(table), "VALUES 'A'");
    }

    /// The bounds stay in the files.
    @Test
    void testDroppedCollation()
    {
        String table = createTable("id integer, name varchar");
        setCollation(table, "name", CI);
        int metricId = metrics(table, "name").getFirst().id();
        assertUpdate("INSERT INTO " + table + " VALUES (1, 'b'), (2, 'A')", 2);
        dropCollation(table, "name");
        assertQuery("SELECT data_file.lower_bounds[%s], json_extract_scalar(readable_metrics, '$.sextant_collation_metric_%1$s.upper_bound') FROM \"%s$entries\"".formatted(metricId, table), "VALUES ('A', 'b')");
        setCollation(table, "name", "icu.da");
        assertQuery("SELECT data_file.lower_bounds[%s] FROM \"%s$all_entries\"".formatted(metricId, table), "VALUES 'A'");
    }

    /// Metrics with the names of columns or of each other, as another engine may leave them.
    @Test
    void testNamesOfMetrics()
    {
        String table = createTable("name varchar, \"name %s 153.136.0.0\" varchar".formatted(CI));
        setCollation(table, "name", CI);
        assertUpdate("INSERT INTO " + table + " VALUES ('b', 'x'), ('A', 'y')", 2);
        int metricId = metrics(table, "name").getFirst().id();
        assertQuery("SELECT data_file.lower_bounds[%s], data_file.lower_bounds[2] FROM \"%s$entries\"".formatted(metricId, table), "VALUES ('A', 'x')");
        String metric = "{\"id\": %s, \"collation\": \"icu.da\", \"version\": \"153.136.48.0\"}";
        icebergTable(table).updateProperties()
                .set(CollationsProperty.NAME, "{\"1\": {\"collation\": \"icu.da\", \"collation-metrics\": [%s, %s, %s]}, \"77\": {\"collation\": \"icu.da\", \"collation-metrics\": [%s]}}"
                        .formatted(metric.formatted(1001), metric.formatted(1002), metric.formatted(MetadataColumns.ROW_ID.fieldId()), metric.formatted(1003)))
                .commit();
        assertUpdate("INSERT INTO " + table + " VALUES ('C', 'z')", 1);
        assertThat(computeActual("SELECT * FROM \"" + table + "$entries\"").getRowCount()).isEqualTo(2);
    }

    @Test
    void testTablesWithoutCollations()
    {
        String table = createTable("id integer, name varchar");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 'b'), (2, 'A')", 2);
        assertThat(query("SELECT * FROM \"" + table + "$entries\"")).matches("SELECT * FROM plain.tpch.\"" + table + "$entries\"");
        assertQueryFails("SELECT * FROM \"no_such_table$entries\"", ".*'sextant.tpch.\"no_such_table\\$entries\"' does not exist");
    }

    /// As it is known so far: the tables of entries of Trino itself fail.
    @Test
    void testPlainCatalog()
    {
        String table = createTable("id integer, name varchar");
        setCollation(table, "name", CI);
        assertUpdate("INSERT INTO " + table + " VALUES (1, 'b'), (2, 'A')", 2);
        assertPlainEntriesFail(table);
        // And so they do after a column was dropped
        String other = createTable("id integer, name varchar");
        assertUpdate("INSERT INTO " + other + " VALUES (1, 'b'), (2, 'A')", 2);
        assertUpdate("ALTER TABLE " + other + " DROP COLUMN name");
        assertPlainEntriesFail(other);
    }

    private void assertPlainEntriesFail(String table)
    {
        assertThatThrownBy(() -> getQueryRunner().execute("SELECT * FROM plain.tpch.\"" + table + "$entries\""))
                .hasMessageContaining("because \"type\" is null");
    }
}
