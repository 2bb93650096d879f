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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import io.sextant.index.metadata.IndexMetadataParser;
import io.sextant.index.scan.IndexOracle;
import io.sextant.index.scan.TestingIndexes;
import io.sextant.testing.TableFiles;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SELECT_COLUMN;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SET_TABLE_PROPERTIES;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static io.trino.testing.assertions.Assert.assertEventually;
import static java.util.Collections.nCopies;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/// The life of an index through SQL: created, built, refreshed, changed, damaged, dropped; and what bad input gets.
@TestInstance(PER_CLASS)
final class TestIndexProcedures
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
    void testDropLeavesWhatOthersPutInside()
    {
        String table = twoFiles();
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'outer', key => ARRAY['k'], location => 'local:///nest/outer')".formatted(table));
        assertQueryFails(
                "CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'inner', key => ARRAY['v'], location => 'local:///nest/outer/data/inner')".formatted(twoFiles()),
                "Index location local:///nest/outer/data/inner is not allowed: it lies in local:///nest/outer, which is the place of another index or of a table; .*");
        // Nobody can keep a table from being created there
        assertUpdate("CREATE TABLE in_index WITH (location = 'local:///nest/outer/data/t') AS SELECT 1 x", 1);
        assertUpdate("CALL system.drop_index('tpch', '" + table + "', 'outer')");
        assertQuery("SELECT * FROM in_index", "VALUES 1");
        assertThat(computeActual("SELECT * FROM \"" + table + "$indexes\"").getRowCount()).isZero();
        assertUpdate("DROP TABLE in_index");
    }

    @Test
    void testReplacedTable()
    {
        String table = twoFiles();
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("CREATE OR REPLACE TABLE " + table + " AS SELECT 'another' k", 1);
        assertThat(computeActual("SELECT * FROM \"" + table + "$indexes\"").getRowCount()).isZero();
        assertThat(filesOf(table)).isNotEmpty().noneMatch(file -> file.toString().contains(".indexes"));
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("CREATE OR REPLACE TABLE " + table + " (n integer)");
        assertThat(filesOf(table)).noneMatch(file -> file.toString().contains(".indexes"));
    }

    @Test
    void testDropOfDamagedIndex()
            throws IOException
    {
        String table = twoFiles();
        indexes.createIndex(table, "by_k", "k");
        for (Path file : indexFiles(table, "metadata.json")) {
            Files.delete(file);
        }
        assertUpdate("CALL system.drop_index('tpch', '" + table + "', 'by_k')");
        assertThat(filesOf(table)).noneMatch(file -> file.toString().contains(".indexes"));
    }

    @Test
    @Tag("IX-01")
    void testIndexLeavesTheTableAlone()
    {
        String table = twoFiles();
        Set<Path> files = filesOf(table);
        long snapshots = (long) computeScalar("SELECT count(*) FROM \"" + table + "$snapshots\"");
        indexes.createIndex(table, "by_k", "k");
        indexes.refreshIndex(table, "by_k");
        assertUpdate("CALL system.drop_index('tpch', '" + table + "', 'by_k')");
        assertThat(computeScalar("SELECT count(*) FROM \"" + table + "$snapshots\"")).isEqualTo(snapshots);
        assertThat(filesOf(table).stream().filter(file -> file.toString().contains("/data/")).toList())
                .isEqualTo(files.stream().filter(file -> file.toString().contains("/data/")).toList());
    }

    @Test
    @Tag("IX-03")
    void testLifeCycle()
    {
        String table = twoFiles();
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'by_k', key => ARRAY['k'], build => false)".formatted(table));
        indexes.createIndex(table, "by_v", "v", "k");
        assertQuery(
                "SELECT index_name, state, array_join(key, ','), array_join(include, ','), lag, entries, regions FROM \"" + table + "$indexes\"",
                "VALUES ('by_k', 'unbuilt', 'k', '', NULL, NULL, NULL), ('by_v', 'current', 'v,k', '', 0, 44, 1)");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).isNotUsed("by_k", "it is not built");

        indexes.refreshIndex(table, "by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
        assertUpdate("INSERT INTO " + table + " VALUES (5, 'new')", 1);
        assertQuery("SELECT state, lag FROM \"" + table + "$indexes\" WHERE index_name = 'by_k'", "VALUES ('lagging', 1)");
        assertThat((double) computeScalar("SELECT coverage FROM \"" + table + "$indexes\" WHERE index_name = 'by_k'")).isBetween(0.97, 0.98);

        assertUpdate("CALL system.set_index_properties('tpch', '%s', 'by_k', MAP(ARRAY['write.region.target-size-bytes'], ARRAY['65536']))".formatted(table));
        assertUpdate("CALL system.drop_index('tpch', '%s', 'by_v')".formatted(table));
        assertQuery("SELECT index_name FROM \"" + table + "$indexes\"", "VALUES 'by_k'");
        assertUpdate("DROP TABLE " + table);
        assertThat(filesOf(table)).isEmpty();
    }

    @Test
    @Tag("IX-41")
    @Tag("case-24")
    void testRefreshDeletesFilesOfOldExtracts()
    {
        String table = twoFiles();
        indexes.createIndex(table, "by_k", "k");
        for (int refresh = 0; refresh < 4; refresh++) {
            assertUpdate("INSERT INTO " + table + " VALUES (5, 'again')", 1);
            indexes.refreshIndex(table, "by_k");
        }
        assertThat(indexFiles(table, "region-")).hasSize(2);
        assertThat(indexFiles(table, "tracking-")).hasSize(2);
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(5).usesIndex("by_k");
    }

    @Test
    void testFullRefreshReplacesTheCurrentExtract()
    {
        String table = manyRegions();
        Set<Path> before = indexFiles(table, ".parquet");
        assertThat(indexFiles(table, "region-")).hasSizeGreaterThan(1);
        indexes.refreshIndex(table, "by_k");
        assertUpdate("CALL system.set_index_properties('tpch', '%s', 'by_k', MAP(ARRAY['write.region.target-size-bytes'], ARRAY['8388608']))".formatted(table));
        indexes.refreshIndex(table, "by_k");
        assertThat(indexFiles(table, ".parquet")).isEqualTo(before);

        indexes.rebuildIndex(table, "by_k");
        assertThat(indexFiles(table, ".parquet")).hasSize(2).doesNotContainAnyElementsOf(before);
        assertQuery("SELECT state, entries, regions FROM \"" + table + "$indexes\"", "VALUES ('current', 10000, 1)");
        oracle.run("SELECT * FROM " + table + " WHERE k IN (7919, 15838, 0, 99)").returnsRows(3).prunesBy("by_k");
    }

    @Test
    void testFullRefreshKeepsTheExtractBefore()
    {
        String table = twoFiles();
        long before = indexes.currentSnapshot(table);
        indexes.createIndex(table, "by_k", "k");
        Set<Path> first = indexFiles(table, ".parquet");
        assertUpdate("INSERT INTO " + table + " VALUES (5, 'again')", 1);
        for (int refresh = 0; refresh < 3; refresh++) {
            indexes.rebuildIndex(table, "by_k");
            assertThat(indexFiles(table, ".parquet")).hasSize(4).containsAll(first);
        }
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
        oracle.run("SELECT * FROM %s FOR VERSION AS OF %s WHERE k = 5".formatted(table, before)).returnsRows(1).prunesBy("by_k");
    }

    @Test
    void testQueryThatKnowsTheReplacedExtract()
            throws IOException
    {
        getQueryRunner().createCatalog("reader", "sextant", ImmutableMap.of(
                "iceberg.catalog.type", "TESTING_FILE_METASTORE",
                "hive.metastore.catalog.dir", "local:///",
                "fs.local.enabled", "true",
                "local.location", lake.toString()));
        Session session = Session.builder(getSession()).setCatalog("reader").build();
        IndexOracle reader = new IndexOracle(getDistributedQueryRunner(), session);
        for (boolean knowsTrackingFile : new boolean[] {true, false}) {
            String table = manyRegions();
            if (knowsTrackingFile) {
                reader.run("SELECT * FROM " + table + " WHERE k IN (7919, 99)").returnsRows(1).prunesBy("by_k");
            }
            Set<Path> before = indexFiles(table, "metadata.json");
            indexes.rebuildIndex(table, "by_k");
            oracle.run("SELECT * FROM " + table + " WHERE k IN (7919, 15838, 0, 99)").returnsRows(3).prunesBy("by_k");
            // Keeps the reader where it is, however long the rebuild took
            for (Path file : Sets.difference(indexFiles(table, "metadata.json"), before)) {
                Files.delete(file);
            }
            Files.delete(indexFiles(table, "version-hint.text").stream().collect(onlyElement()));
            reader.run("SELECT * FROM " + table + " WHERE k IN (95028, 99)").returnsRows(1).isNotUsed("by_k", "cannot be read: ");
            // Regions that are in the cache are as good as ever
            reader.run("SELECT * FROM " + table + " WHERE k IN (7919, 99)").returnsRows(1);
        }
    }

    @Test
    void testFullRefreshesAtOnce()
            throws Exception
    {
        String table = twoFiles();
        indexes.createIndex(table, "by_k", "k");
        int writers = 4;
        ExecutorService executor = Executors.newFixedThreadPool(writers);
        try {
            Callable<Void> rebuild = () -> {
                indexes.rebuildIndex(table, "by_k");
                return null;
            };
            for (Future<Void> result : executor.invokeAll(nCopies(writers, rebuild))) {
                result.get();
            }
        }
        finally {
            executor.shutdownNow();
        }
        // One version for the creation, one for the first build, and one for each refresh
        Path metadata = indexFiles(table, "v%s.metadata.json".formatted(2 + writers)).stream().collect(onlyElement());
        assertThat(IndexMetadataParser.fromJson(metadata.toString(), Files.readAllBytes(metadata)).extracts()).hasSize(1);
        assertQuery("SELECT state, entries FROM \"" + table + "$indexes\"", "VALUES ('current', 44)");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
    }

    @Test
    @Tag("case-24")
    void testIndexSurvivesTableMaintenance()
            throws IOException
    {
        String table = twoFiles();
        indexes.createIndex(table, "by_k", "k");
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty("sextant", "expire_snapshots_min_retention", "0s")
                .setCatalogSessionProperty("sextant", "remove_orphan_files_min_retention", "0s")
                .build();
        Set<Path> before = indexFiles(table, "");
        // Why no index may lie under its table
        Path inTable = Files.createDirectories(lake.resolve(locationOf(table).replaceFirst("local:/+", "")).resolve("data/by_k/data")).resolve("region-1.parquet");
        Files.write(inTable, new byte[1]);
        getQueryRunner().execute(session, "ALTER TABLE " + table + " EXECUTE expire_snapshots(retention_threshold => '0s')");
        getQueryRunner().execute(session, "ALTER TABLE " + table + " EXECUTE remove_orphan_files(retention_threshold => '0s')");
        assertThat(indexFiles(table, "")).isEqualTo(before);
        assertThat(inTable).doesNotExist();
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
        assertUpdate("ALTER TABLE " + table + " RENAME TO " + table + "_renamed");
        oracle.run("SELECT * FROM " + table + "_renamed WHERE k = 5").returnsRows(1).prunesBy("by_k");
    }

    @Test
    @Tag("case-5")
    void testDamagedFilesNeverShortenAnAnswer()
            throws IOException
    {
        for (String file : ImmutableList.of("region-", "tracking-", "metadata.json")) {
            for (Damage damage : Damage.values()) {
                String table = manyRegions();
                for (Path path : indexFiles(table, file)) {
                    damage.apply(path);
                }
                oracle.run("SELECT * FROM " + table + " WHERE k IN (7919, 15838, 0, 99)")
                        .returnsRows(3)
                        .isNotUsed("by_k", "cannot be read: ");
                assertThat(computeActual("SELECT state FROM \"" + table + "$indexes\"").getRowCount()).isEqualTo(1);
                assertUpdate("DROP TABLE " + table);
            }
        }
    }

    @Test
    @Tag("case-5")
    void testOneDamagedRegionOfManyNeverShortensAnAnswer()
            throws IOException
    {
        for (Damage damage : Damage.values()) {
            String table = manyRegions();
            Set<Path> regions = indexFiles(table, "region-");
            assertThat(regions).hasSizeGreaterThan(1);
            damage.apply(regions.iterator().next());
            // Finds entries in the other regions
            oracle.run("SELECT * FROM " + table + " WHERE k >= 0")
                    .returnsRows(10_000)
                    .isNotUsed("by_k", "cannot be read: ");
            assertUpdate("DROP TABLE " + table);
        }
    }

    private String manyRegions()
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        for (int part = 0; part < 2; part++) {
            getQueryRunner().execute("INSERT INTO %s SELECT (n * 7919) %% 100003, 'v' FROM TABLE(sequence(%s, %s)) AS s(n)".formatted(table, part * 5000, part * 5000 + 4999));
        }
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'by_k', key => ARRAY['k'], properties => MAP(ARRAY['write.region.target-size-bytes'], ARRAY['16384']))".formatted(table));
        return table;
    }

    private enum Damage
    {
        DELETED, TRUNCATED, EMPTY, FOREIGN;

        void apply(Path path)
                throws IOException
        {
            byte[] bytes = Files.readAllBytes(path);
            switch (this) {
                case DELETED -> Files.delete(path);
                case TRUNCATED -> Files.write(path, Arrays.copyOf(bytes, bytes.length - 10));
                case EMPTY -> Files.write(path, new byte[0]);
                case FOREIGN -> Files.writeString(path, "{\"format-version\": 7, \"of\": \"something else\"}");
            }
        }
    }

    @Test
    void testBadInput()
    {
        String table = twoFiles();
        indexes.createIndex(table, "by_k", "k");
        String create = "CALL system.create_index(schema_name => 'tpch', table_name => '" + table + "', index_name => '%s', key => ARRAY[%s])";
        assertQueryFails(create.formatted("by_k", "'k'"), "Table .* has an index by_k already; .*");
        assertQueryFails(create.formatted("By K", "'k'"), "Index name 'By K' is not allowed; .*");
        assertQueryFails(create.formatted("other", "'missing'"), ".*missing.*");
        assertQueryFails(create.formatted("other", "'k', 'k'"), ".*k.*");
        assertQueryFails(create.formatted("other", ""), "key cannot be null or empty");
        assertQueryFails("CALL system.create_index('tpch', 'no_such_table', 'x', ARRAY['k'])", "Table 'tpch.no_such_table' not found");
        assertQueryFails("CALL system.drop_index('tpch', '" + table + "', 'none')", "Table .* has no index none.*");
        assertQueryFails("CALL system.refresh_index('tpch', '" + table + "', 'none')", "Table .* has no index none; its indexes are: by_k");
        assertQueryFails("CALL system.refresh_index('tpch', '" + table + "', 'by_k', 'sometimes')", "mode must be 'incremental' or 'full': sometimes");
        assertQueryFails(
                "CALL system.set_index_properties('tpch', '" + table + "', 'by_k', MAP(ARRAY['write.region.target-size-bytes'], ARRAY['many']))",
                "Index property write.region.target-size-bytes is not a number of bytes .*: 'many'");
        assertQueryFails(
                "CALL system.set_index_properties('tpch', '" + table + "', 'by_k', MAP(ARRAY['write.region.size'], ARRAY['65536']))",
                "There is no index property write.region.size; known are write.region.target-size-bytes, .*");
        String tableLocation = locationOf(table);
        for (String location : ImmutableList.of("", "/", "/indexes", "/data", "/data/indexes/by_k", "/metadata/by_k")) {
            assertQueryFails(
                    "CALL system.create_index(schema_name => 'tpch', table_name => '" + table + "', index_name => 'other', key => ARRAY['k'], location => '" + tableLocation + location + "')",
                    "Index location '%s' is not allowed: it lies in the table's location %s, where table maintenance would delete it; .*".formatted(tableLocation + location, tableLocation));
        }
        assertQueryFails(
                "CALL system.create_index(schema_name => 'tpch', table_name => '" + table + "', index_name => 'other', key => ARRAY['k'], location => '" + tableLocation + "/../x')",
                "Index location .* is not allowed: it has an empty, '.' or '..' path element; .*");
        assertQuery("SELECT index_name FROM \"" + table + "$indexes\"", "VALUES 'by_k'");
    }

    @Test
    void testCopiedAndNonsensicalRegistrations()
    {
        String owner = twoFiles();
        indexes.createIndex(owner, "by_k", "k");
        String borrower = twoFiles();
        String registration = (String) computeScalar("SELECT value FROM \"" + owner + "$properties\" WHERE key = 'sextant.index.by_k'");
        indexes.icebergTable(borrower).updateProperties()
                .set("sextant.index.by_k", registration)
                .set("sextant.index.elsewhere", registration.replaceFirst("\"location\":\"[^\"]*\"", "\"location\":\"foo://x/y\""))
                .commit();

        oracle.run("SELECT * FROM " + borrower + " WHERE k = 5")
                .returnsRows(1)
                .isNotUsed("by_k", "indexes another table")
                .isNotUsed("elsewhere", "cannot be read: ");
        assertThat(computeActual("SELECT * FROM \"" + borrower + "$indexes\" WHERE state = 'unusable' AND index_name = 'elsewhere'").getRowCount()).isEqualTo(1);
        assertQueryFails("CALL system.refresh_index('tpch', '" + borrower + "', 'by_k')", "The files at .* belong to another table; .*");
        assertQueryFails("CALL system.drop_index('tpch', '" + borrower + "', 'by_k')", "The files at .* are not deleted, for they cannot be told to be those of index by_k; .*");
        assertUpdate("DROP TABLE " + borrower);
        oracle.run("SELECT * FROM " + owner + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
    }

    @Test
    void testRegistrationOfAnotherIndex()
    {
        String table = twoFiles();
        indexes.createIndex(table, "by_k", "k");
        String registration = (String) computeScalar("SELECT value FROM \"" + table + "$properties\" WHERE key = 'sextant.index.by_k'");
        String uuid = UUID.randomUUID().toString();
        indexes.icebergTable(table).updateProperties()
                .set("sextant.index.by_k", registration.replaceFirst("[0-9a-f]{8}-[0-9a-f-]{27}", uuid))
                .commit();
        assertThat((String) computeScalar("SELECT value FROM \"" + table + "$properties\" WHERE key = 'sextant.index.by_k'")).contains(uuid);
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).isNotUsed("by_k", "not to index by_k (" + uuid + ")");
        assertQueryFails("CALL system.refresh_index('tpch', '" + table + "', 'by_k')", "Index metadata file .* belongs to index .*, not to index by_k \\(" + uuid + "\\); .*");
    }

    @Test
    @Tag("IX-08")
    void testIndexOfUnknownTypeIsSkipped()
            throws IOException
    {
        String table = twoFiles();
        indexes.createIndex(table, "by_k", "k");
        for (Path path : indexFiles(table, "metadata.json")) {
            Files.writeString(path, Files.readString(path).replaceFirst("\"index-type\" *: *\"[^\"]*\"", "\"index-type\":\"vector\""));
        }
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).isNotUsed("by_k", "index type vector is not supported");
    }

    @Test
    void testPrivileges()
    {
        String table = twoFiles();
        String create = "CALL system.create_index('tpch', '" + table + "', 'by_k', ARRAY['k'])";
        assertAccessDenied(create, "Cannot set table properties to .*", privilege(table, SET_TABLE_PROPERTIES));
        assertAccessDenied(create, "Cannot select from columns .*", privilege(table + ".k", SELECT_COLUMN));
        assertThat(indexFiles(table, "")).isEmpty();
        indexes.createIndex(table, "by_k", "k");
        for (String call : ImmutableList.of("refresh_index", "drop_index")) {
            assertAccessDenied("CALL system." + call + "('tpch', '" + table + "', 'by_k')", "Cannot set table properties to .*", privilege(table, SET_TABLE_PROPERTIES));
        }
    }

    @Test
    void testOneOfEqualNamesWins()
            throws Exception
    {
        String table = twoFiles();
        int writers = 4;
        ExecutorService executor = Executors.newFixedThreadPool(writers);
        try {
            Callable<Boolean> create = () -> {
                try {
                    indexes.createIndex(table, "by_k", "k");
                    return true;
                }
                catch (RuntimeException _) {
                    return false;
                }
            };
            int created = 0;
            for (Future<Boolean> result : executor.invokeAll(nCopies(writers, create))) {
                created += result.get() ? 1 : 0;
            }
            assertThat(created).isEqualTo(1);
        }
        finally {
            executor.shutdownNow();
        }
        assertThat(indexFiles(table, "region-")).hasSize(1);
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
    }

    @Test
    void testCanceledBuildLeavesNothing()
            throws Exception
    {
        String table = indexes.createTable("k bigint, v varchar", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " SELECT n * 7919 % 1000003, CAST(n AS varchar) FROM TABLE(sequence(0, 999999)) AS s(n)", 1_000_000);
        assertUpdate("INSERT INTO " + table + " SELECT k, v FROM " + table, 1_000_000);
        assertUpdate("INSERT INTO " + table + " SELECT k, v FROM " + table, 2_000_000);
        CompletableFuture<MaterializedResult> build = CompletableFuture.supplyAsync(() -> getQueryRunner().execute("CALL system.create_index('tpch', '" + table + "', 'by_k', ARRAY['k'], ARRAY['v'])"));
        String progress = assertEventuallyBuilding(table);
        assertThat(progress).isNotEmpty();
        QueryId query = getDistributedQueryRunner().getCoordinator().getQueryManager().getQueries().stream()
                .filter(info -> info.getQuery().contains("'" + table + "'") && info.getQuery().startsWith("CALL") && !info.getState().isDone())
                .findFirst()
                .orElseThrow()
                .getQueryId();
        getDistributedQueryRunner().getCoordinator().getQueryManager().cancelQuery(query);
        assertThat(build.handle((_, failure) -> failure).get(60, SECONDS)).isNotNull();
        assertEventuallyNoFiles(table);
        assertThat(computeActual("SELECT * FROM \"" + table + "$indexes\"").getRowCount()).isZero();
        assertThat(computeActual("SELECT * FROM \"" + table + "$properties\" WHERE key LIKE 'sextant.%'").getRowCount()).isZero();
    }

    private String assertEventuallyBuilding(String table)
    {
        long deadline = System.nanoTime() + SECONDS.toNanos(30);
        while (System.nanoTime() < deadline) {
            MaterializedResult building = getQueryRunner().execute("SELECT progress FROM \"" + table + "$indexes\" WHERE index_name = 'by_k' AND state = 'building'");
            if (building.getRowCount() == 1) {
                return (String) building.getOnlyValue();
            }
        }
        throw new AssertionError("The build does not show");
    }

    private void assertEventuallyNoFiles(String table)
    {
        assertEventually(() -> assertThat(indexFiles(table, "")).isEmpty());
    }

    private String locationOf(String table)
    {
        return indexes.icebergTable(table).location();
    }

    private String twoFiles()
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        indexes.insert(table, "(5, 'a')", "(-1000, ''), (1000, '')");
        indexes.insert(table, "(6, 'b')", "(-1000, ''), (1000, '')");
        assertThat(computeScalar("SELECT count(*) FROM " + table)).isEqualTo(42L);
        assertUpdate("INSERT INTO " + table + " VALUES (7, 'c'), (8, 'd')", 2);
        return table;
    }

    /// The files of an index of a table whose names contain a text.
    private Set<Path> indexFiles(String table, String name)
    {
        return filesOf(table).stream()
                .filter(path -> path.toString().contains(".indexes/") && path.getFileName().toString().contains(name))
                .collect(toImmutableSet());
    }

    private Set<Path> filesOf(String table)
    {
        return TableFiles.of(lake, table);
    }
}
