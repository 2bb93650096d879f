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
package io.sextant.function;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.index.scan.IndexOracle;
import io.sextant.index.scan.TestingIndexes;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.Map;

import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SELECT_COLUMN;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/// `TABLE(system.explain_index(..))`. The oracle is a query with the same predicate.
@TestInstance(PER_CLASS)
final class TestExplainIndex
        extends AbstractTestQueryFramework
{
    private TestingIndexes indexes;
    private IndexOracle oracle;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return TestingIndexes.queryRunner()
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
    void testNumbers()
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        for (int file = 0; file < 3; file++) {
            assertUpdate("INSERT INTO %s SELECT (n * 7919) %% 100003, 'v' FROM TABLE(sequence(%s, %s)) AS s(n)".formatted(table, file * 5000, file * 5000 + 4999), 5000);
        }
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'by_k', key => ARRAY['k'], properties => MAP(ARRAY['write.region.target-size-bytes'], ARRAY['16384']))".formatted(table));
        long snapshot = indexes.currentSnapshot(table);
        long regions = (long) computeScalar("SELECT regions FROM \"" + table + "$indexes\"");
        assertThat(regions).isGreaterThan(2);
        assertUpdate("INSERT INTO " + table + " VALUES (7919, 'new')", 1);

        String where = "k IN (0, 7919, 15838)";
        assertThat(query("SELECT index_name, used, reason, snapshot_id, entries, regions, regions_read < regions, files_matched, files_covered, files_uncovered FROM " + explain(table, where)))
                .matches("VALUES (VARCHAR 'by_k', true, CAST(NULL AS varchar), BIGINT '%s', BIGINT '3', BIGINT '%s', true, BIGINT '1', BIGINT '3', BIGINT '1')".formatted(snapshot, regions));
        assertThat((long) computeScalar("SELECT estimated_entries FROM " + explain(table, where))).isBetween(1L, 15_000L);
        oracle.run("SELECT * FROM " + table + " WHERE " + where).returnsRows(4).prunesBy("by_k");

        assertThat(query("SELECT used, entries, files_matched FROM " + explain(table, "k = -5"))).matches("VALUES (true, BIGINT '0', BIGINT '0')");
        // Beyond the limits a look-up is not tried
        Session limited = Session.builder(getSession()).setCatalogSessionProperty("sextant", "index_max_entries", "100").build();
        assertThat(query(limited, "SELECT used, reason LIKE 'about % entries match, above the limit of 100', entries, regions, files_covered FROM " + explain(table, "k >= 0")))
                .matches("VALUES (false, true, CAST(NULL AS bigint), BIGINT '%s', BIGINT '3')".formatted(regions));
    }

    @Test
    void testPredicates()
    {
        String table = indexes.createTable("i integer, l bigint, r real, d double, n decimal(10, 2), dt date, ts timestamp(6), s varchar, u uuid, b boolean, st ROW(f integer)", "format_version = 2");
        for (int i = 0; i < 3; i++) {
            assertUpdate("INSERT INTO " + table + " VALUES (%1$s, %1$s, %1$s, %1$s, %1$s, date_add('day', %1$s, DATE '2026-01-01'), date_add('day', %1$s, TIMESTAMP '2026-01-01 00:00:00'), 'text%1$s', UUID '00000000-0000-0000-0000-00000000000%1$s', %1$s = 1, ROW(%1$s))".formatted(i), 1);
        }
        assertUpdate("INSERT INTO " + table + " (d) VALUES nan()", 1);
        Map<String, Integer> rows = ImmutableMap.<String, Integer>builder()
                .put("i = 1", 1)
                .put("1 = i", 1)
                .put("i > 1", 1)
                .put("i >= 1", 2)
                .put("i < 1", 1)
                .put("i <= 1", 2)
                .put("i BETWEEN 1 AND 2", 2)
                .put("i IN (0, 2, 7)", 2)
                .put("i <> 1", 2)
                .put("NOT (i = 1)", 2)
                .put("i NOT IN (1, 2)", 1)
                .put("NOT (i > 0)", 1)
                .put("i IS NULL", 1)
                .put("i IS NOT NULL", 3)
                .put("i = 1 OR i = 2", 2)
                .put("i > 0 AND i < 2 AND s = 'text1'", 1)
                .put("l = 1", 1)
                .put("r = REAL '1.0'", 1)
                .put("d > 1e0", 2)
                .put("is_nan(d)", 1)
                .put("n = 1.00", 1)
                .put("n < 1", 1)
                .put("dt = DATE '2026-01-02'", 1)
                .put("ts > TIMESTAMP '2026-01-01 12:00:00'", 2)
                .put("s = 'text1'", 1)
                .put("s LIKE 'text%'", 3)
                .put("s LIKE 'text2%'", 1)
                .put("u = UUID '00000000-0000-0000-0000-000000000001'", 1)
                .put("b", 1)
                .put("b = false", 2)
                .put("st.f = 1", 1)
                .buildOrThrow();
        for (String key : ImmutableList.of("i", "l", "r", "d", "n", "dt", "ts", "s", "u", "b", "st.f")) {
            indexes.createIndex(table, "by_" + key.replace('.', '_'), key);
        }
        rows.forEach((predicate, entries) -> {
            MaterializedRow used = computeActual("SELECT index_name, entries FROM " + explain(table, predicate) + " WHERE used").getMaterializedRows().getFirst();
            // NaN lies beside the values that are looked up, and is filtered later
            assertThat(used.getField(1)).as(predicate).isEqualTo(entries.longValue());
            assertThat(computeActual("SELECT * FROM " + explain(table, predicate)).getRowCount()).isEqualTo(11);
            oracle.run("SELECT * FROM " + table + " WHERE " + predicate).usesIndex((String) used.getField(0));
        });
        for (String predicate : ImmutableList.of("i = 1 OR s = 'text1'", "true")) {
            assertThat(query("SELECT used, reason FROM " + explain(table, predicate) + " WHERE index_name = 'by_i'"))
                    .as(predicate)
                    .matches("VALUES (false, VARCHAR 'the predicate does not bind its leading key column i')");
        }
    }

    @Test
    void testBestOfSeveral()
    {
        String table = indexes.createTable("k integer, v integer", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " SELECT n, n % 2 FROM TABLE(sequence(1, 1000)) AS s(n)", 1000);
        indexes.createIndex(table, "by_k", "k");
        indexes.createIndex(table, "by_k_v", "k", "v");
        indexes.createIndex(table, "by_v", "v");
        assertThat(query("SELECT index_name, used, reason, entries FROM " + explain(table, "k = 5 AND v = 1")))
                .matches(
                        """
                        VALUES
                            (VARCHAR 'by_k', true, CAST(NULL AS varchar), BIGINT '1'),
                            (VARCHAR 'by_k_v', false, VARCHAR 'another index has fewer entries to read', BIGINT '1'),
                            (VARCHAR 'by_v', false, VARCHAR 'another index has fewer entries to read', BIGINT '500')
                        """);
    }

    @Test
    void testReasons()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '" + table + "', index_name => 'unbuilt', key => ARRAY['k'], build => false)");
        indexes.icebergTable(table).updateProperties().set("sextant.index.malformed", "{").commit();
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        assertThat(query("SELECT index_name, used, substr(reason, 1, 15), snapshot_id FROM " + explain(table, "k = 1")))
                .matches("VALUES (VARCHAR 'unbuilt', false, VARCHAR 'it is not built', CAST(NULL AS bigint)), ('malformed', false, 'Table property ', NULL)");
        Session disabled = Session.builder(getSession()).setCatalogSessionProperty("sextant", "index_enabled", "false").build();
        assertThat(query(disabled, "SELECT index_name, reason FROM " + explain(table, "k = 1")))
                .matches("VALUES (VARCHAR 'unbuilt', VARCHAR 'the session property index_enabled is false'), ('malformed', 'the session property index_enabled is false')");
        String plain = indexes.createTable("k integer", "format_version = 2");
        assertQueryReturnsEmptyResult("SELECT * FROM " + explain(plain, "k = 1"));
    }

    @Test
    void testBadInput()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        assertQueryFails("SELECT * FROM " + explain(table, "k ="), "Not a SQL expression: .*");
        assertQueryFails("SELECT * FROM " + explain(table, "missing = 1"), ".*missing.*");
        assertQueryFails("SELECT * FROM " + explain(table, "k = 'one'"), ".*cannot be compared with.*");
        assertQueryFails("SELECT * FROM " + explain("no_such_table", "k = 1"), "Table 'tpch.no_such_table' not found");
        assertQueryFails("SELECT * FROM TABLE(system.explain_index('tpch', '" + table + "', NULL))", "predicate cannot be null");
    }

    @Test
    void testPrivileges()
    {
        String table = indexes.createTable("k integer, v integer", "format_version = 2");
        assertAccessDenied("SELECT * FROM " + explain(table, "k = 1"), "Cannot select from columns .*", privilege(table + ".k", SELECT_COLUMN));
        assertQueryReturnsEmptyResult("SELECT * FROM " + explain(table, "v = 1"));
    }

    private static String explain(String table, String predicate)
    {
        return "TABLE(system.explain_index(schema_name => 'tpch', table_name => '%s', predicate => '%s'))".formatted(table, predicate.replace("'", "''"));
    }
}
