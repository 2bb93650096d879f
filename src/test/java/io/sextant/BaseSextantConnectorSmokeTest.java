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
package io.sextant;

import com.google.common.collect.ImmutableMap;
import io.sextant.index.scan.IndexOracle;
import io.sextant.testing.SwitchOracle;
import io.trino.testing.BaseConnectorSmokeTest;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorBehavior;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/// Trino's short contract for a connector, for the catalogs that keep their state in a database or behind a service.
abstract class BaseSextantConnectorSmokeTest
        extends BaseConnectorSmokeTest
{
    /// Starts what the catalog needs, registers it to be closed, and returns the properties of the catalog.
    protected abstract Map<String, String> startCatalog()
            throws Exception;

    protected static Map<String, String> sqliteCatalog(Path directory)
    {
        return ImmutableMap.of(
                "iceberg.catalog.type", "jdbc",
                "iceberg.jdbc-catalog.catalog-name", "lake",
                "iceberg.jdbc-catalog.driver-class", "org.sqlite.JDBC",
                "iceberg.jdbc-catalog.connection-url", "jdbc:sqlite:" + directory.resolve("catalog.db"));
    }

    @Override
    protected final QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder()
                .setCatalogProperties(startCatalog())
                .setInitialTables(REQUIRED_TPCH_TABLES)
                .setWorkerCount(2)
                .build();
    }

    @Override
    protected boolean hasBehavior(TestingConnectorBehavior behavior)
    {
        return switch (behavior) {
            case SUPPORTS_CREATE_OR_REPLACE_TABLE -> true;
            // Trino does not support these for JDBC and REST catalogs of Iceberg
            case SUPPORTS_CREATE_MATERIALIZED_VIEW, SUPPORTS_RENAME_SCHEMA -> false;
            default -> super.hasBehavior(behavior);
        };
    }

    @Test
    void testIndex()
    {
        assertUpdate("CREATE TABLE numbers (k bigint, v varchar)");
        for (int file = 0; file < 3; file++) {
            assertUpdate("INSERT INTO numbers SELECT (n * 7919) %% 10007, CAST(n AS varchar) FROM TABLE(sequence(%s, %s)) AS s(n)".formatted(file * 1000, file * 1000 + 999), 1000);
        }
        assertUpdate("CALL system.create_index('tpch', 'numbers', 'by_k', ARRAY['k'])");
        IndexOracle oracle = new IndexOracle(getDistributedQueryRunner(), getSession());
        oracle.run("SELECT * FROM numbers WHERE k = 7919").returnsRows(1).prunesBy("by_k");
        assertUpdate("INSERT INTO numbers VALUES (7919, 'new')", 1);
        oracle.run("SELECT * FROM numbers WHERE k = 7919").returnsRows(2).prunesBy("by_k");
        assertUpdate("CALL system.refresh_index('tpch', 'numbers', 'by_k')");
        oracle.run("SELECT * FROM numbers WHERE k BETWEEN 7919 AND 7925").prunesBy("by_k");
        assertQuery("SELECT index_name, state FROM \"numbers$indexes\"", "VALUES ('by_k', 'current')");
        assertUpdate("CALL system.drop_index('tpch', 'numbers', 'by_k')");
        assertUpdate("DROP TABLE numbers");
    }

    @Test
    void testCollations()
    {
        assertUpdate("CREATE TABLE words (id bigint, word varchar)");
        assertUpdate("INSERT INTO words VALUES (1, 'Banana'), (2, 'apple')", 2);
        assertUpdate("CALL system.set_collation('tpch', 'words', 'word', 'icu.en_US-ci')");
        assertUpdate("INSERT INTO words VALUES (3, 'elder'), (4, 'Damson')", 2);
        SwitchOracle oracle = new SwitchOracle(getDistributedQueryRunner(), getSession(), "collation_pruning_enabled");
        String sql = "SELECT * FROM words WHERE collation_key(word, 'icu.en_US-ci') = collation_key('%s', 'icu.en_US-ci')";
        assertThat(oracle.run(sql.formatted("APPLE")).metrics()).containsEntry("collation bounds: files pruned", 1L);
        assertQuery("SELECT column_name, collation, files_with_bounds, files_without_bounds FROM \"words$collations\"", "VALUES ('word', 'icu.en_US-ci', 1, 1)");
        assertUpdate("CALL system.collect_collation_bounds('tpch', 'words')");
        assertQuery("SELECT files_with_bounds, files_without_bounds FROM \"words$collations\"", "VALUES (2, 0)");
        assertThat(oracle.run(sql.formatted("BANANA")).rows()).isEqualTo(1);
        assertThat(oracle.run(sql.formatted("DAMSON")).metrics()).containsEntry("collation bounds: files pruned", 1L);
        assertUpdate("ALTER TABLE words RENAME COLUMN word TO name");
        assertQuery("SELECT column_name FROM \"words$collations\"", "VALUES 'name'");
        assertUpdate("CALL system.drop_collation('tpch', 'words', 'name')");
        assertQueryReturnsEmptyResult("SELECT * FROM \"words$collations\"");
        assertQuery("SELECT id, name FROM words", "VALUES (1, 'Banana'), (2, 'apple'), (3, 'elder'), (4, 'Damson')");
        assertUpdate("DROP TABLE words");
    }

    @Test
    @Override
    public void testMaterializedView()
    {
        assertQueryFails("CREATE MATERIALIZED VIEW nation_mv AS SELECT * FROM nation", "createMaterializedView is not supported for Iceberg (JDBC catalogs|REST catalog)");
    }

    @Test
    @Override
    public void testRenameSchema()
    {
        assertQueryFails("ALTER SCHEMA tpch RENAME TO other", "renameNamespace is not supported for Iceberg (JDBC catalogs|REST catalog)");
    }

    // A table has a location, and Iceberg has one string type
    @Test
    @Override
    public void testShowCreateTable()
    {
        assertThat((String) computeScalar("SHOW CREATE TABLE region"))
                .matches(
                        """
                        \\QCREATE TABLE sextant.tpch.region (
                           regionkey bigint,
                           name varchar,
                           comment varchar
                        )
                        WITH (
                           format = 'PARQUET',
                           format_version = 2,
                           location = '\\E(local|file|s3)://.*/tpch/region-[0-9a-f]{32}\\Q'
                        )\\E""");
    }
}
