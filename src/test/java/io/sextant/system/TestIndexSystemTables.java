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
package io.sextant.system;

import com.google.common.collect.ImmutableList;
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
import java.util.List;

import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SELECT_COLUMN;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/// `"t$indexes"`, `"t$extracts"` and `"t$regions"`: what they show of indexes in every state.
@TestInstance(PER_CLASS)
final class TestIndexSystemTables
        extends AbstractTestQueryFramework
{
    private static final List<String> SUFFIXES = ImmutableList.of("$indexes", "$extracts", "$regions");

    private Path lake;
    private TestingIndexes indexes;

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
    void createIndexes()
    {
        indexes = new TestingIndexes(getDistributedQueryRunner());
    }

    @Test
    void testReach()
    {
        String table = table();
        indexes.createIndex(table, "by_k", "k");
        String reach = "SELECT state, lag, lag_rows, coverage, file_coverage FROM \"" + table + "$indexes\"";
        assertQuery(reach, "VALUES ('current', 0, 0, 1.0, 1.0)");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 'x', NULL), (2, 'y', NULL)", 2);
        assertQuery(reach, "VALUES ('lagging', 1, 2, 0.75, 0.6666666666666666)");
        assertUpdate("INSERT INTO " + table + " VALUES (3, 'z', NULL), (4, 'z', NULL)", 2);
        assertQuery(reach, "VALUES ('lagging', 2, 4, 0.6, 0.5)");
        assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
        assertQuery(reach, "VALUES ('lagging', 3, 10, 0.0, 0.0)");
        indexes.refreshIndex(table, "by_k");
        assertQuery(reach, "VALUES ('current', 0, 0, 1.0, 1.0)");
    }

    @Test
    void testExtracts()
    {
        String table = table();
        long first = indexes.currentSnapshot(table);
        indexes.createIndex(table, "by_k", "k");
        indexes.createIndex(table, "by_v", "v");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 'x', NULL)", 1);
        long second = indexes.currentSnapshot(table);
        indexes.refreshIndex(table, "by_k");
        assertQuery(
                "SELECT index_name, snapshot_id, is_serving, is_snapshot_expired, extract_schema_id, regions, entries, error FROM \"" + table + "$extracts\"",
                """
                VALUES
                    ('by_k', %1$s, false, false, 0, 1, 6, NULL),
                    ('by_k', %2$s, true, false, 0, 1, 7, NULL),
                    ('by_v', %1$s, true, false, 0, 1, 6, NULL)
                """.formatted(first, second));
        assertQuery(
                """
                SELECT count(DISTINCT extract_id), count(DISTINCT tracking_file), bool_and(tracking_file LIKE 'local:///%%.indexes/%%'),
                    bool_and(properties['sextant.table-location'] = '%s'),
                    bool_and(created BETWEEN current_timestamp - INTERVAL '10' MINUTE AND current_timestamp)
                FROM "%s$extracts"
                """.formatted(indexes.icebergTable(table).location(), table),
                "VALUES (3, 3, true, true, true)");
        // Both tables take the size of an extract from its tracking file
        assertQuery(
                """
                SELECT index_name FROM "%1$s$extracts" JOIN "%1$s$indexes" USING (index_name)
                WHERE is_serving AND tracking_file_size_in_bytes + regions_size_in_bytes = size_in_bytes
                """.formatted(table),
                "VALUES 'by_k', 'by_v'");

        expireSnapshots(table);
        assertQuery(
                "SELECT index_name, snapshot_id, is_serving, is_snapshot_expired FROM \"" + table + "$extracts\"",
                "VALUES ('by_k', %1$s, false, true), ('by_k', %2$s, true, false), ('by_v', %1$s, false, true)".formatted(first, second));
        assertQuery("SELECT index_name, state FROM \"" + table + "$indexes\"", "VALUES ('by_k', 'current'), ('by_v', 'stale')");
        assertQuery("SELECT DISTINCT index_name FROM \"" + table + "$regions\"", "VALUES 'by_k'");
    }

    @Test
    void testExtractsOfUnbuiltIndex()
    {
        String table = table();
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'by_k', key => ARRAY['k'], build => false)".formatted(table));
        assertQuery("SELECT state FROM \"" + table + "$indexes\"", "VALUES 'unbuilt'");
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + table + "$extracts\"");
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + table + "$regions\"");
    }

    @Test
    void testRegionsInIndexOrder()
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " SELECT n, 'v' FROM TABLE(sequence(1, 10000)) AS s(n)", 10_000);
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'by_k', key => ARRAY['k'], properties => MAP(ARRAY['write.region.target-size-bytes'], ARRAY['16384']))".formatted(table));
        long regions = (long) computeScalar("SELECT regions FROM \"" + table + "$indexes\"");
        assertThat(regions).isGreaterThan(1);
        assertQuery(
                """
                SELECT count(*), sum(entries), min(CAST(lower_bounds['k'] AS integer)), max(CAST(group_max['k'] AS integer)),
                    bool_and(CAST(upper_bounds['k'] AS integer) - CAST(lower_bounds['k'] AS integer) + 1 = entries),
                    bool_and(file_format = 'parquet' AND error IS NULL)
                FROM "%s$regions"
                """.formatted(table),
                "VALUES (%s, 10000, 1, 10000, true, true)".formatted(regions));
        assertThat(computeActual("SELECT CAST(group_max['k'] AS integer) FROM \"" + table + "$regions\"").getMaterializedRows())
                .extracting(row -> (Integer) row.getField(0))
                .hasSize((int) regions)
                .isSorted();
        assertQuery(
                "SELECT sum(size_in_bytes) FROM \"" + table + "$regions\" WHERE extract_id = (SELECT extract_id FROM \"" + table + "$extracts\")",
                "VALUES " + computeScalar("SELECT regions_size_in_bytes FROM \"" + table + "$extracts\""));
    }

    @Test
    void testKeysOfRegionsAsText()
    {
        String table = indexes.createTable("d date, t timestamp(6), n decimal(10, 2), b varbinary, u uuid, nothing integer, r ROW(f varchar)", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES (DATE '2026-12-07', TIMESTAMP '2026-12-07 11:48:00.123456', 1.50, X'01ff', UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59', NULL, ROW('é'))", 1);
        indexes.createIndex(table, "all_types", "d", "t", "n", "b", "u", "nothing", "r.f");
        String expected =
                """
                VALUES
                    ('d', '2026-12-07'),
                    ('t', '2026-12-07T11:48:00.123456'),
                    ('n', '1.50'),
                    ('b', 'Af8='),
                    ('u', '12151fd2-7586-11e9-8f9e-2a86e4085a59'),
                    ('nothing', NULL),
                    ('r.f', 'é')
                """;
        for (String column : ImmutableList.of("lower_bounds", "upper_bounds", "group_max")) {
            assertQuery("SELECT key, value FROM \"%s$regions\" CROSS JOIN UNNEST(%s) AS u(key, value)".formatted(table, column), expected);
        }
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN d TO day");
        assertQuery("SELECT group_max['day'] FROM \"" + table + "$regions\"", "VALUES '2026-12-07'");
    }

    @Test
    @Tag("case-5")
    void testDamagedIndexDoesNotHideTheOthers()
            throws IOException
    {
        String table = table();
        indexes.createIndex(table, "whole", "k");
        indexes.createIndex(table, "no_metadata", "k");
        indexes.createIndex(table, "no_tracking", "k");
        indexes.icebergTable(table).updateProperties().set("sextant.index.malformed", "{").commit();
        delete(table, "no_metadata", "metadata.json");
        delete(table, "no_tracking", "tracking-");
        assertQuery(
                "SELECT index_name, extract_id IS NOT NULL, is_serving, entries, substr(error, 1, 13) FROM \"" + table + "$extracts\"",
                """
                VALUES
                    ('whole', true, true, 6, NULL),
                    ('no_metadata', false, NULL, NULL, 'Index no_meta'),
                    ('no_tracking', true, true, NULL, 'Tracking file'),
                    ('malformed', false, NULL, NULL, 'Table propert')
                """);
        assertQuery(
                "SELECT index_name, entries, substr(error, 1, 13) FROM \"" + table + "$regions\"",
                """
                VALUES
                    ('whole', 6, NULL),
                    ('no_metadata', NULL, 'Index no_meta'),
                    ('no_tracking', NULL, 'Tracking file'),
                    ('malformed', NULL, 'Table propert')
                """);
        assertQuery(
                "SELECT index_name, state, substr(last_error, 1, 13) FROM \"" + table + "$indexes\"",
                """
                VALUES
                    ('whole', 'current', NULL),
                    ('no_metadata', 'unusable', 'Index no_meta'),
                    ('no_tracking', 'unusable', 'Tracking file'),
                    ('malformed', 'unusable', 'Table propert')
                """);
    }

    @Test
    void testIndexOfAnotherTable()
    {
        String owner = table();
        indexes.createIndex(owner, "by_k", "k");
        String borrower = table();
        indexes.icebergTable(borrower).updateProperties()
                .set("sextant.index.by_k", (String) computeScalar("SELECT value FROM \"" + owner + "$properties\" WHERE key = 'sextant.index.by_k'"))
                .commit();
        assertQuery("SELECT state, substr(last_error, 1, 24) FROM \"" + borrower + "$indexes\"", "VALUES ('unusable', 'it indexes another table')");
        assertQuery("SELECT is_serving FROM \"" + borrower + "$extracts\"", "VALUES false");
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + borrower + "$regions\"");
    }

    @Test
    void testMissingTable()
    {
        for (String suffix : SUFFIXES) {
            assertQueryFails("SELECT * FROM \"no_such_table" + suffix + "\"", ".*Table 'sextant.tpch.\"no_such_table\\" + suffix + "\"' does not exist");
        }
    }

    @Test
    void testPrivileges()
    {
        String table = table();
        indexes.createIndex(table, "by_k", "k");
        for (String suffix : SUFFIXES) {
            String query = "SELECT index_name FROM \"" + table + suffix + "\"";
            assertAccessDenied(query, "Cannot select from columns .*", privilege(table + suffix + ".index_name", SELECT_COLUMN));
            assertQuery(query, "VALUES 'by_k'");
        }
    }

    /// Six rows in two files.
    private String table()
    {
        String table = indexes.createTable("k integer, v varchar, n bigint", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES (5, 'a', 1), (6, 'b', NULL), (7, 'c', 3)", 3);
        assertUpdate("INSERT INTO " + table + " VALUES (5, 'd', 1), (NULL, 'e', NULL), (9, NULL, 3)", 3);
        return table;
    }

    private void delete(String table, String index, String name)
            throws IOException
    {
        List<Path> files = TableFiles.of(lake, table).stream()
                .filter(path -> path.toString().contains(".indexes/" + index) && path.getFileName().toString().contains(name))
                .toList();
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            Files.delete(file);
        }
    }

    private void expireSnapshots(String table)
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty("sextant", "expire_snapshots_min_retention", "0s")
                .build();
        getQueryRunner().execute(session, "ALTER TABLE " + table + " EXECUTE expire_snapshots(retention_threshold => '0s')");
    }
}
