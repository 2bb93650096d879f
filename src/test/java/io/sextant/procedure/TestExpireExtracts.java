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
import io.sextant.index.maintenance.ExpiryPolicy;
import io.sextant.index.maintenance.ExtractExpiry;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.index.scan.IndexOracle;
import io.sextant.index.scan.TestingIndexes;
import io.sextant.testing.TableFiles;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SET_TABLE_PROPERTIES;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/// `CALL system.expire_extracts`: what goes, what stays, and what queries notice of it.
@TestInstance(PER_CLASS)
final class TestExpireExtracts
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
    @Tag("IX-41")
    void testFilesOfExpiredExtractsAreDeleted()
    {
        String table = twoExtracts();
        Set<Path> before = indexFiles(table, "");
        expire(table, "older_than => CAST(current_timestamp AS varchar), dry_run => true");
        assertThat(indexFiles(table, "")).isEqualTo(before);
        expire(table, "older_than => CAST(current_timestamp AS varchar), retain_last => 2");
        assertThat(indexFiles(table, "")).isEqualTo(before);

        Extract last = indexes.metadata(table, "by_k").extracts().getLast();
        expire(table, "older_than => CAST(current_timestamp AS varchar)");
        assertThat(indexes.metadata(table, "by_k").extracts()).containsExactly(last);
        assertThat(indexFiles(table, ".parquet")).hasSize(2);
        assertThat(before).containsAll(indexFiles(table, ".parquet"));
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
        expire(table, "older_than => CAST(current_timestamp AS varchar)");
        assertThat(indexes.metadata(table, "by_k").extracts()).containsExactly(last);
    }

    @Test
    void testNothingIsWrittenIfNothingExpires()
    {
        String table = twoExtracts();
        Set<Path> before = indexFiles(table, "");
        assertUpdate("CALL system.expire_extracts('tpch', '" + table + "', 'by_k')");
        assertThat(indexFiles(table, "")).isEqualTo(before);
    }

    @Test
    void testDefaultsKeepSevenDays()
    {
        String table = twoExtracts();
        Extract last = indexes.metadata(table, "by_k").extracts().getLast();
        age(table, Duration.ofDays(8));
        assertQuery("SELECT is_serving, is_expirable FROM \"" + table + "$extracts\"", "VALUES (false, true), (true, false)");
        assertUpdate("CALL system.expire_extracts('tpch', '" + table + "', 'by_k')");
        assertThat(indexes.metadata(table, "by_k").extracts()).singleElement()
                .extracting(Extract::extractId).isEqualTo(last.extractId());
        assertQuery("SELECT is_serving, is_expirable FROM \"" + table + "$extracts\"", "VALUES (true, false)");
    }

    @Test
    void testServingExtractAndSharedFilesStay()
    {
        String table = twoExtracts();
        IndexMetadata metadata = indexes.metadata(table, "by_k");
        Extract first = metadata.extracts().getFirst();
        Extract last = metadata.extracts().getLast();
        // As another writer may leave them: one that shares its files with the first, and is older
        Extract copy = with(first, 1, first.timestampMillis() - 1);
        indexes.changeMetadata(table, "by_k", current -> current.withExtract(copy));
        Set<Path> files = indexFiles(table, ".parquet");
        assertUpdate("ALTER TABLE " + table + " EXECUTE rollback_to_snapshot(" + first.sourceTableSnapshotId() + ")");
        assertQuery("SELECT extract_id FROM \"" + table + "$extracts\" WHERE is_serving", "VALUES " + first.extractId());

        expire(table, "older_than => CAST(current_timestamp AS varchar)");
        assertThat(indexes.metadata(table, "by_k").extracts()).containsExactly(first, last);
        assertThat(indexFiles(table, ".parquet")).isEqualTo(files).hasSize(4);
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
    }

    @Test
    @Tag("case-24")
    void testExtractsOfLostSnapshotsGoWhateverTheirAge()
    {
        String table = twoExtracts();
        Extract last = indexes.metadata(table, "by_k").extracts().getLast();
        getQueryRunner().execute(noRetention(), "ALTER TABLE " + table + " EXECUTE expire_snapshots(retention_threshold => '0s')");
        assertQuery(
                "SELECT is_serving, is_snapshot_expired, is_expirable FROM \"" + table + "$extracts\"",
                "VALUES (false, true, true), (true, false, false)");
        assertUpdate("CALL system.expire_extracts(schema_name => 'tpch', table_name => '" + table + "', index_name => 'by_k', retain_last => 5)");
        assertThat(indexes.metadata(table, "by_k").extracts()).containsExactly(last);
        assertThat(indexFiles(table, ".parquet")).hasSize(2);
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
    }

    @Test
    void testSnapshotThatIsNotKnownYetIsNotLost()
    {
        String table = oneExtract();
        IndexedTable stale = indexes.indexedTable(table);
        assertUpdate("INSERT INTO " + table + " VALUES (5, 'again')", 1);
        indexes.refreshIndex(table, "by_k");
        IndexMetadata metadata = indexes.metadata(table, "by_k");
        assertThat(metadata.extracts()).hasSize(2);
        assertThat(ExtractExpiry.expired(stale, metadata, new ExpiryPolicy(1, Instant.EPOCH))).isEmpty();
    }

    @Test
    void testExtractsOfAnotherTableStay()
    {
        String owner = twoExtracts();
        String borrower = indexes.createTable("k integer, v varchar", "format_version = 2");
        indexes.icebergTable(borrower).updateProperties()
                .set("sextant.index.by_k", (String) computeScalar("SELECT value FROM \"" + owner + "$properties\" WHERE key = 'sextant.index.by_k'"))
                .commit();
        Set<Path> before = indexFiles(owner, "");
        assertQuery("SELECT is_expirable FROM \"" + borrower + "$extracts\"", "VALUES false, false");
        assertQueryFails(
                noRetention(),
                "CALL system.expire_extracts(schema_name => 'tpch', table_name => '" + borrower + "', index_name => 'by_k', older_than => CAST(current_timestamp AS varchar))",
                "The files at .* belong to another table; they are left as they are");
        assertThat(indexFiles(owner, "")).isEqualTo(before);
    }

    @Test
    @Tag("case-5")
    void testQueryThatHasChosenAnExpiredExtract()
            throws IOException
    {
        getQueryRunner().createCatalog("expiring_reader", "sextant", ImmutableMap.of(
                "iceberg.catalog.type", "TESTING_FILE_METASTORE",
                "hive.metastore.catalog.dir", "local:///",
                "fs.local.enabled", "true",
                "local.location", lake.toString()));
        IndexOracle reader = new IndexOracle(getDistributedQueryRunner(), Session.builder(getSession()).setCatalog("expiring_reader").build());
        for (boolean knowsTrackingFile : new boolean[] {true, false}) {
            String table = indexes.createTable("k integer, v varchar", "format_version = 2");
            getQueryRunner().execute("INSERT INTO %s SELECT (n * 7919) %% 100003, 'v' FROM TABLE(sequence(0, 9999)) AS s(n)".formatted(table));
            assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'by_k', key => ARRAY['k'], properties => MAP(ARRAY['write.region.target-size-bytes'], ARRAY['16384']))".formatted(table));
            long snapshot = indexes.currentSnapshot(table);
            String query = "SELECT * FROM " + table + " FOR VERSION AS OF " + snapshot + " WHERE k IN (%s)";
            if (knowsTrackingFile) {
                reader.run(query.formatted("7919, 99")).returnsRows(1).prunesBy("by_k");
            }
            Set<Path> before = indexFiles(table, "metadata.json");
            assertUpdate("INSERT INTO " + table + " VALUES (99, 'new')", 1);
            indexes.refreshIndex(table, "by_k");
            expire(table, "older_than => CAST(current_timestamp AS varchar)");
            assertThat(indexes.metadata(table, "by_k").extracts()).singleElement()
                    .extracting(Extract::sourceTableSnapshotId).isNotEqualTo(snapshot);
            // Keeps the reader where it is, however long all this took
            for (Path file : Sets.difference(indexFiles(table, "metadata.json"), before)) {
                Files.delete(file);
            }
            Files.delete(indexFiles(table, "version-hint.text").stream().collect(onlyElement()));
            reader.run(query.formatted("95028, 99")).returnsRows(1).isNotUsed("by_k", "cannot be read: ");
        }
    }

    @Test
    void testBadInput()
    {
        String table = oneExtract();
        String call = "CALL system.expire_extracts(schema_name => 'tpch', table_name => '" + table + "', index_name => '%s'%s)";
        assertQueryFails(call.formatted("none", ""), "Table .* has no index none; its indexes are: by_k");
        assertQueryFails(call.formatted("by_k", ", retain_last => 0"), "retain_last must be at least 1: 0");
        assertQueryFails(call.formatted("by_k", ", retain_last => NULL"), "retain_last must be at least 1: null");
        assertQueryFails(call.formatted("by_k", ", dry_run => NULL"), "dry_run cannot be null");
        assertQueryFails(
                call.formatted("by_k", ", older_than => CAST(current_timestamp - INTERVAL '1' DAY AS varchar)"),
                "older_than is .*, which is less than the minimum retention of PT168H before the query; set the session property expire_extracts_min_retention, or sextant.index.expire-extracts.min-retention in the catalog");
        assertUpdate(call.formatted("by_k", ", older_than => CAST(current_timestamp - INTERVAL '7' DAY AS varchar)"));
        assertUpdate(call.formatted("by_k", ", older_than => '2020-01-01 00:00:00.123456'"));
        assertQueryFails(call.formatted("by_k", ", older_than => '7d'"), "older_than must be a timestamp such as '2026-01-31 12:00:00 UTC': '7d'");
        assertAccessDenied(call.formatted("by_k", ""), "Cannot set table properties to .*", privilege(table, SET_TABLE_PROPERTIES));
        for (String dryRun : ImmutableList.of("true", "false")) {
            assertQueryFails(call.replace(table, "no_such_table").formatted("by_k", ", dry_run => " + dryRun), "Table 'tpch.no_such_table' not found");
        }
    }

    private void expire(String table, String arguments)
    {
        getQueryRunner().execute(noRetention(), "CALL system.expire_extracts(schema_name => 'tpch', table_name => '" + table + "', index_name => 'by_k', " + arguments + ")");
    }

    private Session noRetention()
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty("sextant", "expire_extracts_min_retention", "0s")
                .setCatalogSessionProperty("sextant", "expire_snapshots_min_retention", "0s")
                .build();
    }

    private String oneExtract()
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        indexes.insert(table, "(5, 'a')", "(-1000, ''), (1000, '')");
        indexes.insert(table, "(6, 'b')", "(-1000, ''), (1000, '')");
        indexes.createIndex(table, "by_k", "k");
        return table;
    }

    private String twoExtracts()
    {
        String table = oneExtract();
        assertUpdate("INSERT INTO " + table + " VALUES (5, 'again')", 1);
        indexes.refreshIndex(table, "by_k");
        assertThat(indexes.metadata(table, "by_k").extracts()).hasSize(2);
        return table;
    }

    /// Makes all extracts look older.
    private void age(String table, Duration age)
    {
        indexes.changeMetadata(table, "by_k", current -> {
            IndexMetadata changed = current.withoutExtracts(current.extracts().stream().map(Extract::extractId).collect(toImmutableSet()));
            for (Extract extract : current.extracts()) {
                changed = changed.withExtract(with(extract, extract.extractId(), extract.timestampMillis() - age.toMillis()));
            }
            return changed;
        });
    }

    private static Extract with(Extract extract, long extractId, long timestampMillis)
    {
        return new Extract(
                extractId,
                extract.sourceTableSnapshotId(),
                extract.extractSchemaId(),
                timestampMillis,
                extract.trackingFile(),
                extract.trackingFileSizeInBytes(),
                extract.properties(),
                extract.keyId());
    }

    private Set<Path> indexFiles(String table, String name)
    {
        return TableFiles.of(lake, table).stream()
                .filter(path -> path.toString().contains(".indexes/") && path.getFileName().toString().contains(name))
                .collect(toImmutableSet());
    }
}
