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
package io.sextant.procedure;

import com.google.common.collect.ImmutableMap;
import io.sextant.index.catalog.IndexLocations;
import io.sextant.index.scan.IndexOracle;
import io.sextant.index.scan.TestingIndexes;
import io.sextant.testing.TableFiles;
import io.trino.Session;
import io.trino.filesystem.Location;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/// What becomes of the files of indexes when their tables are changed, maintained and dropped: nothing in use is deleted, and
/// nothing is left over.
@TestInstance(PER_CLASS)
final class TestIndexLifecycle
        extends AbstractTestQueryFramework
{
    private Path lake;
    private TestingIndexes indexes;
    private IndexOracle oracle;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        lake = Files.createTempDirectory("lake");
        return TestingIndexes.queryRunner()
                .addCatalogProperty("local.location", lake.toString())
                .addCatalogProperty("iceberg.register-table-procedure.enabled", "true")
                .addCatalogProperty("sextant.index.metadata-cache-ttl", "0ms")
                .build();
    }

    @BeforeAll
    void createOracle()
    {
        indexes = new TestingIndexes(getDistributedQueryRunner());
        oracle = new IndexOracle(getDistributedQueryRunner(), getSession());
    }

    @Test
    void testDropTable()
    {
        String table = table();
        indexes.createIndex(table, "by_v", "v");
        String elsewhere = "local:///elsewhere/" + table;
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '" + table + "', index_name => 'elsewhere', key => ARRAY['k'], location => '" + elsewhere + "')");
        assertThat(lake.resolve("elsewhere").resolve(table)).isNotEmptyDirectory();
        assertUpdate("DROP TABLE " + table);
        assertThat(TableFiles.of(lake, table)).isEmpty();
        assertThat(lake.resolve("elsewhere").resolve(table)).doesNotExist();
    }

    @Test
    void testDropSchema()
    {
        assertUpdate("CREATE SCHEMA doomed WITH (location = 'local:///doomed')");
        for (String table : new String[] {"first", "second"}) {
            assertUpdate("CREATE TABLE doomed." + table + " AS SELECT 1 k, 'v' v", 1);
            assertUpdate("CALL system.create_index('doomed', '" + table + "', 'by_k', ARRAY['k'])");
        }
        assertQueryFails("DROP SCHEMA doomed", ".*Cannot drop non-empty schema 'doomed'");
        assertQuery("SELECT state FROM doomed.\"first$indexes\"", "VALUES 'current'");
        assertUpdate("DROP SCHEMA doomed CASCADE");
        assertThat(TableFiles.of(lake, "first")).isEmpty();
        assertThat(TableFiles.of(lake, ".indexes").stream().filter(path -> path.toString().contains("doomed"))).isEmpty();
    }

    @Test
    void testRenameTable()
    {
        String table = table();
        Set<Path> before = indexFiles(table);
        String renamed = table + "_renamed";
        assertUpdate("ALTER TABLE " + table + " RENAME TO " + renamed);
        assertThat(indexFiles(table)).isEqualTo(before);
        oracle.run("SELECT * FROM " + renamed + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
        assertUpdate("INSERT INTO " + renamed + " VALUES (5, 'again')", 1);
        indexes.refreshIndex(renamed, "by_k");
        oracle.run("SELECT * FROM " + renamed + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
        assertUpdate("CALL system.verify_index('tpch', '" + renamed + "', 'by_k')");
        // A table of the old name has nothing to do with the index
        assertUpdate("CREATE TABLE " + table + " AS SELECT 5 k", 1);
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + table + "$indexes\"");
        assertUpdate("DROP TABLE " + table);
        oracle.run("SELECT * FROM " + renamed + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
        assertUpdate("DROP TABLE " + renamed);
        assertThat(TableFiles.of(lake, table)).isEmpty();
    }

    @Test
    void testFailedReplacementKeepsTheIndex()
    {
        String table = table();
        Set<Path> before = indexFiles(table);
        assertQueryFails("CREATE OR REPLACE TABLE " + table + " AS SELECT 1 / (k - k) k FROM " + table, ".*Division by zero.*");
        assertThat(indexFiles(table)).isEqualTo(before);
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
        assertUpdate("CREATE OR REPLACE TABLE " + table + " AS SELECT * FROM " + table, 42);
        assertThat(indexFiles(table)).isEmpty();
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1);
    }

    @Test
    @Tag("case-24")
    void testMaintenanceOfTheTable()
    {
        String table = table();
        for (int round = 0; round < 3; round++) {
            assertUpdate("MERGE INTO " + table + " t USING (VALUES 5) s(k) ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = 'merged'", 1);
            maintain(table);
            // Files of the extract are in use as long as the snapshot is there, and of no use afterwards
            assertQuery("SELECT state FROM \"" + table + "$indexes\"", "VALUES 'stale'");
            oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).isNotUsed("by_k", "no extract is of snapshot");
            indexes.refreshIndex(table, "by_k");
            Set<Path> inUse = indexFiles(table);
            maintain(table);
            assertThat(indexFiles(table)).isEqualTo(inUse);
            oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
            assertUpdate("CALL system.expire_extracts('tpch', '" + table + "', 'by_k')");
            assertThat(indexFiles(table).stream().filter(path -> path.toString().endsWith(".parquet"))).hasSize(2);
            oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
            assertUpdate("CALL system.verify_index('tpch', '" + table + "', 'by_k')");
        }
    }

    @Test
    void testUnregisterAndRegister()
    {
        String table = table();
        Set<Path> before = indexFiles(table);
        String location = indexes.icebergTable(table).location();
        assertUpdate("CALL system.unregister_table('tpch', '" + table + "')");
        assertThat(indexFiles(table)).isEqualTo(before);
        String registered = table + "_again";
        assertUpdate("CALL system.register_table('tpch', '" + registered + "', '" + location + "')");
        assertThat(indexFiles(table)).isEqualTo(before);
        assertQuery("SELECT index_name, state FROM \"" + registered + "$indexes\"", "VALUES ('by_k', 'current')");
        oracle.run("SELECT * FROM " + registered + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
        assertUpdate("INSERT INTO " + registered + " VALUES (5, 'again')", 1);
        indexes.refreshIndex(registered, "by_k");
        assertUpdate("CALL system.verify_index('tpch', '" + registered + "', 'by_k')");
        assertUpdate("DROP TABLE " + registered);
        assertThat(TableFiles.of(lake, table)).isEmpty();
    }

    @Test
    @Tag("IX-29")
    void testMetadataLogProperties()
    {
        String table = table();
        for (int i = 0; i < 3; i++) {
            indexes.rebuildIndex(table, "by_k");
        }
        assertThat(metadataFiles(table)).isEqualTo(5);
        assertUpdate("CALL system.set_index_properties('tpch', '" + table + "', 'by_k', MAP(ARRAY['write.metadata.previous-versions-max'], ARRAY['2']))");
        indexes.rebuildIndex(table, "by_k");
        assertThat(metadataFiles(table)).isEqualTo(7);
        assertThat(indexes.metadata(table, "by_k").metadataLog()).hasSize(2);
        assertUpdate("CALL system.set_index_properties('tpch', '" + table + "', 'by_k', MAP(ARRAY['write.metadata.delete-after-commit.enabled'], ARRAY['true']))");
        // Files that had left the log before stay, as those of a table do
        assertThat(metadataFiles(table)).isEqualTo(7);
        for (int i = 0; i < 3; i++) {
            indexes.rebuildIndex(table, "by_k");
        }
        assertThat(metadataFiles(table)).isEqualTo(7);
        getQueryRunner().execute(noRetention(), "CALL system.expire_extracts(schema_name => 'tpch', table_name => '" + table + "', index_name => 'by_k', older_than => CAST(current_timestamp AS varchar))");
        assertThat(metadataFiles(table)).isEqualTo(3);
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
        indexes.rebuildIndex(table, "by_k");
        assertThat(metadataFiles(table)).isEqualTo(3);
    }

    @Test
    @Tag("IX-41")
    void testFilesThatACrashLeft()
            throws IOException
    {
        String table = table();
        IndexLocations locations = new IndexLocations(indexes.metadata(table, "by_k").location());
        Path old = write(locations.newRegionFile(), Duration.ofDays(8));
        Path oldTracking = write(locations.newTrackingFile(), Duration.ofDays(8));
        Path young = write(locations.newRegionFile(), Duration.ofDays(6));
        Path foreign = write(locations.dataDirectory().appendPath("readme-" + UUID.randomUUID()).toString(), Duration.ofDays(8));
        Set<Path> before = indexFiles(table);
        assertUpdate("CALL system.expire_extracts(schema_name => 'tpch', table_name => '" + table + "', index_name => 'by_k', dry_run => true)");
        indexes.refreshIndex(table, "by_k");
        assertThat(indexFiles(table)).isEqualTo(before);
        assertUpdate("CALL system.expire_extracts('tpch', '" + table + "', 'by_k')");
        assertThat(old).doesNotExist();
        assertThat(oldTracking).doesNotExist();
        assertThat(young).exists();
        assertThat(foreign).exists();
        assertThat(indexFiles(table)).hasSize(before.size() - 2);
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
        // Whoever drops the index need not wait
        assertUpdate("CALL system.drop_index('tpch', '" + table + "', 'by_k')");
        assertThat(indexFiles(table)).containsExactly(foreign);
    }

    private Path write(String location, Duration age)
            throws IOException
    {
        Path file = lake.resolve(Location.of(location).path());
        Files.write(file, new byte[] {1});
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
        return file;
    }

    private void maintain(String table)
    {
        getQueryRunner().execute(noRetention(), "ALTER TABLE " + table + " EXECUTE optimize");
        getQueryRunner().execute(noRetention(), "ALTER TABLE " + table + " EXECUTE expire_snapshots(retention_threshold => '0s')");
        getQueryRunner().execute(noRetention(), "ALTER TABLE " + table + " EXECUTE remove_orphan_files(retention_threshold => '0s')");
    }

    private Session noRetention()
    {
        ImmutableMap<String, String> properties = ImmutableMap.of(
                "expire_snapshots_min_retention", "0s",
                "remove_orphan_files_min_retention", "0s",
                "expire_extracts_min_retention", "0s");
        Session.SessionBuilder session = Session.builder(getSession());
        properties.forEach((name, value) -> session.setCatalogSessionProperty("sextant", name, value));
        return session.build();
    }

    /// Two files of 21 rows, and an index.
    private String table()
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        indexes.insert(table, "(5, 'a')", "(-1000, ''), (1000, '')");
        indexes.insert(table, "(6, 'b')", "(-1000, ''), (1000, '')");
        indexes.createIndex(table, "by_k", "k");
        return table;
    }

    private long metadataFiles(String table)
    {
        return indexFiles(table).stream()
                .filter(path -> path.toString().endsWith(".metadata.json"))
                .count();
    }

    private Set<Path> indexFiles(String table)
    {
        return TableFiles.of(lake, table).stream()
                .filter(path -> path.toString().contains(".indexes/"))
                .collect(toImmutableSet());
    }
}
