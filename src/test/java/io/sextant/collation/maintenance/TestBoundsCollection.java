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
package io.sextant.collation.maintenance;

import com.google.common.collect.ImmutableList;
import io.sextant.collation.AbstractTestCollations;
import io.sextant.collation.CollationBounds;
import io.sextant.collation.maintenance.TestingManifests.Entry;
import io.sextant.collation.metadata.CollationsProperty;
import io.sextant.collation.metadata.FileBounds;
import io.sextant.testing.TableFiles;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import org.apache.iceberg.DataFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.trino.filesystem.tracing.FileSystemAttributes.FILE_LOCATION;
import static io.trino.filesystem.tracing.FileSystemAttributes.FILE_READ_SIZE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// Bounds for files that were written without, and all that must stay as it was.
@Execution(SAME_THREAD)
final class TestBoundsCollection
        extends AbstractTestCollations
{
    private static final String CI = "icu.en_US-ci";

    private Path lake;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        lake = Files.createTempDirectory("lake");
        closeAfterClass(() -> deleteRecursively(lake, ALLOW_INSECURE));
        return builder()
                .addCatalogProperty("local.location", lake.toString())
                .build();
    }

    @Test
    @Tag("CO-03")
    @Tag("CO-10")
    void testEntriesStay()
    {
        for (String format : ImmutableList.of("PARQUET", "ORC", "AVRO")) {
            for (int version = 1; version <= 3; version++) {
                String description = "%s %s".formatted(format, version);
                String table = createTable("id integer, name varchar", "format = '%s', format_version = %s".formatted(format, version));
                assertUpdate("INSERT INTO " + table + " VALUES (1, 'Banana'), (2, 'apple'), (3, NULL), (4, 'Apple')", 4);
                assertUpdate("INSERT INTO " + table + " VALUES (5, NULL)", 1);
                if (version > 1) {
                    // In version 2 a file of positions, in version 3 a deletion vector; the row counts for the bounds
                    assertUpdate("DELETE FROM " + table + " WHERE id = 1", 1);
                    deleteByEquality(icebergTable(table), "id", 2, 6);
                }
                assertUpdate("INSERT INTO " + table + " VALUES (6, 'x'), (7, 'Y')", 2);
                setCollation(table, "name", CI);
                assertUpdate("INSERT INTO " + table + " VALUES (8, 'z')", 1);
                Map<String, Entry> before = entries(table);
                String query = "SELECT id, name%s FROM %s".formatted(version == 3 ? ", \"$row_id\", \"$last_updated_sequence_number\"" : "", table);
                MaterializedResult rows = computeActual(query);

                collectBounds(table);
                assertThat(bounds(table, "name")).as(description).containsExactly("?..?", "Apple..Banana", "x..Y", "z..z");
                assertThat(entries(table)).as(description).isEqualTo(before);
                assertThat(computeActual(query).getMaterializedRows()).as(description).containsExactlyInAnyOrderElementsOf(rows.getMaterializedRows());
                assertThat(computeActual(query.replace(table, "plain.tpch." + table)).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(rows.getMaterializedRows());
                assertNoOtherFiles(table);

                // Deletes go on to find the rows
                if (version > 1) {
                    assertUpdate("DELETE FROM " + table + " WHERE name = 'x'", 1);
                    deleteByEquality(icebergTable(table), "id", 7);
                    assertQuery("SELECT id FROM " + table, "VALUES 3, 4, 5, 8");
                    collectBounds(table);
                    assertThat(bounds(table, "name")).as(description).containsExactly("?..?", "Apple..Banana", "x..Y", "z..z");
                }
            }
        }
    }

    /// Manifests of an older format version get the current one with the bounds.
    @Test
    void testUpgradedTable()
    {
        String table = createTable("id integer, name varchar", "format_version = 1");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 'b'), (2, 'A')", 2);
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES (3, 'd'), (4, 'C')", 2);
        assertUpdate("DELETE FROM " + table + " WHERE id = 3", 1);
        setCollation(table, "name", CI);
        Map<String, Entry> before = entries(table);
        collectBounds(table);
        assertThat(entries(table)).isEqualTo(before);
        assertThat(bounds(table, "name")).containsExactly("A..b", "C..d");

        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES format_version = 3");
        setCollation(table, "name", "icu.da");
        collectBounds(table);
        Map<Object, Object> rowIds = rowIds(table);
        assertThat(rowIds.keySet()).containsExactlyInAnyOrder(1, 2, 4);
        assertThat(rowIds.values()).doesNotContainNull().doesNotHaveDuplicates();
        assertUpdate("INSERT INTO " + table + " VALUES (5, 'e')", 1);
        setCollation(table, "name", "icu.sv");
        collectBounds(table);
        assertThat(rowIds(table)).containsAllEntriesOf(rowIds);
        assertThat(rowIds(table).values()).doesNotContainNull().doesNotHaveDuplicates();
        assertQuery("SELECT files_with_bounds, files_without_bounds FROM \"" + table + "$collations\"", "VALUES (3, 0)");
    }

    @Test
    void testSeveralSpecs()
    {
        String table = createTable("id integer, part varchar, name varchar, day date", "partitioning = ARRAY['part']");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 'p', 'b', DATE '2026-01-01'), (2, 'q', 'C', DATE '2026-01-02'), (3, NULL, 'd', NULL)", 3);
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES partitioning = ARRAY['bucket(id, 2)', 'day']");
        assertUpdate("INSERT INTO " + table + " VALUES (4, 'p', 'E', DATE '2026-01-01'), (5, 'p', 'f', NULL)", 2);
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES partitioning = ARRAY['part', 'truncate(name, 1)']");
        assertUpdate("INSERT INTO " + table + " VALUES (6, 'r', 'g', NULL)", 1);
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES partitioning = ARRAY[]");
        assertUpdate("INSERT INTO " + table + " VALUES (7, 'r', 'H', NULL)", 1);
        setCollation(table, "name", CI);
        Map<String, Entry> before = entries(table);
        assertThat(before.values().stream().map(Entry::specId).distinct()).hasSize(4);
        collectBounds(table);
        assertThat(entries(table)).isEqualTo(before);
        assertThat(bounds(table, "name")).containsExactlyInAnyOrder("b..b", "C..C", "d..d", "E..E", "f..f", "g..g", "H..H");
        assertQuery("SELECT id FROM " + table + " WHERE part = 'p' AND collation_key(name, '%1$s') >= collation_key('e', '%1$s')".formatted(CI), "VALUES 4, 5");
        assertUpdate("DELETE FROM " + table + " WHERE part = 'p'", 3);
        assertQuery("SELECT id FROM " + table, "VALUES 2, 3, 6, 7");
    }

    @Test
    @Tag("CO-01")
    void testFieldsOfStructs()
    {
        for (String format : ImmutableList.of("PARQUET", "ORC", "AVRO")) {
            String table = createTable("id integer, person row(id integer, name row(first varchar, last varchar))", "format = '" + format + "'");
            assertUpdate("INSERT INTO " + table + " VALUES (1, ROW(1, ROW('x', 'b'))), (2, NULL), (3, ROW(2, NULL)), (4, ROW(3, ROW('a', 'C'))), (5, ROW(4, ROW('z', NULL)))", 5);
            assertUpdate("ALTER TABLE " + table + " ADD COLUMN person.title varchar");
            setCollation(table, "person.name.last", CI);
            setCollation(table, "person.name.first", CI);
            setCollation(table, "person.title", CI);
            collectBounds(table);
            assertThat(bounds(table, "person.name.last")).as(format).containsExactly("b..C");
            assertThat(bounds(table, "person.name.first")).as(format).containsExactly("a..z");
            assertThat(bounds(table, "person.title")).as(format).containsExactly("?..?");
            DataFile file = dataFiles(table).stream().collect(onlyElement());
            CollationBounds last = FileBounds.read(file, metrics(table, "person.name.last").getFirst().id()).orElseThrow();
            assertThat(last.valueCount()).isEqualTo(5);
            assertThat(last.nullCount()).isEqualTo(3);
        }
    }

    /// A column that is younger than its files has its default or null in them.
    @Test
    void testRenamedAndAddedColumns()
    {
        String table = createTable("id integer, old varchar");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 'b'), (2, 'A')", 2);
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN old TO name");
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN old varchar");
        assertUpdate("INSERT INTO " + table + " VALUES (3, 'd', 'Y'), (4, 'C', 'z')", 2);
        setCollation(table, "name", CI);
        setCollation(table, "old", CI);
        collectBounds(table);
        assertThat(bounds(table, "name")).containsExactly("A..b", "C..d");
        assertThat(bounds(table, "old")).containsExactly("?..?", "Y..z");
    }

    @Test
    void testOnlyFilesWithoutBoundsAreRead()
    {
        String table = createTable("name varchar, id integer");
        assertUpdate("INSERT INTO " + table + " VALUES ('b', 1)", 1);
        assertUpdate("INSERT INTO " + table + " VALUES (NULL, 1)", 1);
        setCollation(table, "name", CI);
        assertUpdate("INSERT INTO " + table + " VALUES ('d', 1)", 1);
        assertUpdate("INSERT INTO " + table + " VALUES ('e', 1)", 1);
        Set<String> lacking = dataFiles(table).stream()
                .filter(file -> !FileBounds.isCollected(file, metrics(table, "name").getFirst().id()))
                .map(DataFile::location)
                .collect(toImmutableSet());
        assertThat(lacking).hasSize(2);
        collectBounds(table);
        assertThat(dataBytesRead().keySet()).isEqualTo(lacking);

        long snapshot = icebergTable(table).currentSnapshot().snapshotId();
        collectBounds(table);
        assertThat(dataBytesRead()).isEmpty();
        assertThat(icebergTable(table).currentSnapshot().snapshotId()).isEqualTo(snapshot);

        assertUpdate("INSERT INTO plain.tpch." + table + " VALUES ('F', 1)", 1);
        collectBounds(table);
        assertThat(dataBytesRead()).hasSize(1).doesNotContainKeys(lacking.toArray(new String[0]));
        assertThat(bounds(table, "name")).containsExactly("?..?", "F..F", "b..b", "d..d", "e..e");

        // With another collation, all files lack bounds
        setCollation(table, "name", "icu.da");
        collectBounds(table);
        assertThat(dataBytesRead()).hasSize(5);
        collectBounds(table);
        assertThat(dataBytesRead()).isEmpty();
    }

    @Test
    void testOnlyTheColumnIsRead()
    {
        String table = createTable("name varchar, a varchar, b varchar, c varchar, d varchar");
        assertUpdate("INSERT INTO " + table + " SELECT chr(97 + CAST(n % 26 AS integer)), a, reverse(a), a || 'x', reverse(a) || 'x' FROM (SELECT n, lpad(CAST(rand() AS varchar), 40, CAST(rand() AS varchar)) AS a FROM TABLE(sequence(1, 60000)) AS s(n))", 60_000);
        setCollation(table, "name", CI);
        collectBounds(table);
        long size = dataFiles(table).stream().mapToLong(DataFile::fileSizeInBytes).sum();
        assertThat(size).isGreaterThan(4_000_000);
        assertThat(dataBytesRead().values().stream().mapToLong(bytes -> bytes).sum()).isPositive().isLessThan(size / 10);
        assertThat(bounds(table, "name")).allMatch("a..z"::equals);
    }

    @Test
    void testHistory()
    {
        String table = createTable("name varchar");
        assertUpdate("INSERT INTO " + table + " VALUES 'b', 'A'", 2);
        setCollation(table, "name", CI);
        long before = icebergTable(table).currentSnapshot().snapshotId();
        assertUpdate("DELETE FROM " + table + " WHERE name = 'A'", 1);
        long deleted = icebergTable(table).currentSnapshot().snapshotId();
        collectBounds(table);
        long collected = icebergTable(table).currentSnapshot().snapshotId();
        assertQuery("SELECT operation FROM \"" + table + "$snapshots\" ORDER BY committed_at DESC LIMIT 1", "VALUES 'replace'");
        assertThat(icebergTable(table).currentSnapshot().parentId()).isEqualTo(deleted);
        assertUpdate("INSERT INTO " + table + " VALUES 'c'", 1);

        assertQuery("SELECT name FROM %s FOR VERSION AS OF %s".formatted(table, before), "VALUES 'A', 'b'");
        assertQuery("SELECT name FROM %s FOR VERSION AS OF %s".formatted(table, deleted), "VALUES 'b'");
        assertQuery("SELECT name FROM %s FOR VERSION AS OF %s".formatted(table, collected), "VALUES 'b'");

        assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(table, before));
        assertThat(bounds(table, "name")).containsExactly("");
        assertQuery("SELECT name FROM " + table, "VALUES 'A', 'b'");
        collectBounds(table);
        // The deleted row was among them before
        assertThat(bounds(table, "name")).containsExactly("A..b");
        assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(table, collected));
        assertThat(bounds(table, "name")).containsExactly("A..b");
        assertQuery("SELECT name FROM " + table, "VALUES 'b'");
    }

    @Test
    void testChanges()
    {
        String table = createTable("name varchar");
        assertUpdate("INSERT INTO " + table + " VALUES 'b', 'A'", 2);
        long before = icebergTable(table).currentSnapshot().snapshotId();
        setCollation(table, "name", CI);
        collectBounds(table);
        assertUpdate("INSERT INTO " + table + " VALUES 'c'", 1);
        long after = icebergTable(table).currentSnapshot().snapshotId();
        assertQuery("SELECT name, _change_type FROM TABLE(system.table_changes('tpch', '%s', %s, %s))".formatted(table, before, after), "VALUES ('c', 'insert')");
    }

    /// The property as another engine may write it, with metrics for what has no bounds of strings.
    @Test
    void testMetricsOfOtherFields()
    {
        String table = createTable("name varchar, id integer, tags array(varchar)");
        assertUpdate("INSERT INTO " + table + " VALUES ('b', 1, ARRAY['x', 'y'])", 1);
        for (String column : ImmutableList.of("id", "tags", "tags.element")) {
            setCollation(table, "name", CI);
            String annotation = icebergTable(table).properties().get(CollationsProperty.NAME);
            icebergTable(table).updateProperties()
                    .set(CollationsProperty.NAME, annotation.replace("{\"1\":", "{\"%s\":".formatted(icebergTable(table).schema().findField(column).fieldId())))
                    .commit();
            collectBounds(table);
            int metricId = metrics(table, column).getFirst().id();
            assertThat(dataFiles(table)).as(column).noneMatch(file -> FileBounds.isCollected(file, metricId));
            assertThat(query("SELECT * FROM \"" + table + "$collations\"")).succeeds();
            assertQuery("SELECT count(*) FROM %s WHERE name = 'b' AND id = 1".formatted(table), "VALUES 1");
            icebergTable(table).updateProperties().remove(CollationsProperty.NAME).commit();
        }
    }

    /// What cannot be read leaves the table as it was, and nothing behind.
    @Test
    void testUnreadableFile()
            throws Exception
    {
        String table = createTable("name varchar");
        assertUpdate("INSERT INTO " + table + " VALUES 'b'", 1);
        assertUpdate("INSERT INTO " + table + " VALUES 'c'", 1);
        setCollation(table, "name", CI);
        Path file = TableFiles.of(lake, table).stream().filter(path -> path.toString().endsWith(".parquet")).findFirst().orElseThrow();
        byte[] content = Files.readAllBytes(file);
        Files.write(file, new byte[content.length]);
        Set<Path> files = TableFiles.of(lake, table);
        long snapshot = icebergTable(table).currentSnapshot().snapshotId();
        assertThat(query("CALL system.collect_collation_bounds('tpch', '%s')".formatted(table))).failure().hasMessageContaining("parquet");
        assertThat(TableFiles.of(lake, table)).isEqualTo(files);
        assertThat(icebergTable(table).currentSnapshot().snapshotId()).isEqualTo(snapshot);
        Files.write(file, content);
        collectBounds(table);
        assertThat(bounds(table, "name")).containsExactly("b..b", "c..c");
        assertNoOtherFiles(table);
    }

    private Map<Object, Object> rowIds(String table)
    {
        return computeActual("SELECT id, \"$row_id\" FROM " + table).getMaterializedRows().stream()
                .collect(toImmutableMap(row -> row.getField(0), row -> row.getField(1)));
    }

    /// The bytes of each data file that the last statement has read.
    private Map<String, Long> dataBytesRead()
    {
        return getQueryRunner().getSpans().stream()
                .filter(span -> span.getAttributes().get(FILE_READ_SIZE) != null)
                .filter(span -> span.getAttributes().get(FILE_LOCATION).contains("/data/"))
                .collect(toImmutableMap(span -> span.getAttributes().get(FILE_LOCATION), span -> span.getAttributes().get(FILE_READ_SIZE), Long::sum));
    }

    private Map<String, Entry> entries(String table)
    {
        return TestingManifests.entries(icebergTable(table));
    }

    /// The metadata are those that snapshots refer to.
    private void assertNoOtherFiles(String table)
    {
        TestingManifests.assertNoOthers(icebergTable(table), lake);
    }
}
