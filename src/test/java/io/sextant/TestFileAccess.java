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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.sextant.testing.FileAccess;
import io.sextant.testing.FileAccess.FileKind;
import io.sextant.testing.FileAccess.FileOperation;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

import static io.sextant.SextantQueryRunner.CATALOG;
import static io.sextant.SextantQueryRunner.PLAIN_CATALOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// A table without indexes and constraints costs what it costs in Trino's own connector: the plans are the same, and so
/// are the operations on files.
@Execution(SAME_THREAD)
final class TestFileAccess
        extends AbstractTestQueryFramework
{
    private FileAccess fileAccess;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder()
                // A cache would hide what the second catalog reads
                .addCatalogProperty("iceberg.metadata-cache.enabled", "false")
                .build();
    }

    @BeforeAll
    void createTable()
    {
        fileAccess = new FileAccess(getQueryRunner());
        assertUpdate("CREATE TABLE read (id bigint, name varchar) WITH (partitioning = ARRAY['bucket(id, 4)'])");
        assertUpdate("INSERT INTO read SELECT x, 'name ' || CAST(x AS varchar) FROM UNNEST(sequence(1, 100)) t(x)", 100);
        assertUpdate("INSERT INTO read SELECT x, 'name ' || CAST(x AS varchar) FROM UNNEST(sequence(101, 200)) t(x)", 100);
        assertUpdate("DELETE FROM read WHERE id = 7", 1);
    }

    @Test
    void testSelect()
    {
        assertSameAccess("SELECT * FROM read");
        assertSameAccess("SELECT name FROM read WHERE id = 42");
        assertSameAccess("SELECT name FROM read WHERE id BETWEEN 90 AND 110 AND name LIKE 'name 1%'");
        assertSameAccess("SELECT count(*) FROM read");
        assertSameAccess("SELECT a.name FROM read a JOIN read b ON a.id = b.id WHERE b.name = 'name 12'");
        assertSameAccess("SELECT * FROM \"read$files\"");
    }

    @Test
    void testSelectReadsFiles()
    {
        Multiset<FileOperation> operations = fileAccess.of(session(CATALOG), "SELECT * FROM read");
        assertThat(FileAccess.on(FileKind.DATA, operations)).isNotEmpty();
        assertThat(FileAccess.on(FileKind.MANIFEST, operations)).isNotEmpty();
        assertThat(FileAccess.on(FileKind.TABLE_METADATA, operations)).isNotEmpty();
        assertThat(FileAccess.on(FileKind.INDEX_METADATA, operations)).isEmpty();
    }

    @Test
    void testWrites()
    {
        for (int formatVersion = 2; formatVersion <= 3; formatVersion++) {
            for (String statement : ImmutableList.of(
                    "CREATE TABLE %s (id bigint, name varchar) WITH (format_version = " + formatVersion + ")",
                    "INSERT INTO %s VALUES (1, 'a'), (2, 'b')",
                    "INSERT INTO %s VALUES (3, 'c')",
                    "UPDATE %s SET name = 'x' WHERE id = 1",
                    "MERGE INTO %s t USING (VALUES 1) s(id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = 'y'",
                    "MERGE INTO %s t USING (VALUES 4) s(id) ON t.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (s.id, 'd')",
                    "MERGE INTO %s t USING (VALUES 2) s(id) ON t.id = s.id WHEN MATCHED THEN DELETE",
                    "DELETE FROM %s WHERE id = 3",
                    "DELETE FROM %s",
                    "DROP TABLE %s")) {
                assertThat(fileAccess.of(session(CATALOG), statement.formatted("written_by_sextant"))).as(statement)
                        .isEqualTo(fileAccess.of(session(PLAIN_CATALOG), statement.formatted("written_by_plain")));
            }
        }
    }

    @Test
    void testPlans()
    {
        for (String statement : ImmutableList.of(
                "SELECT name FROM read WHERE id BETWEEN 90 AND 110 AND name LIKE 'name 1%'",
                "SELECT a.name, count(*) FROM read a JOIN read b ON a.id = b.id WHERE b.name = 'name 12' GROUP BY 1",
                "INSERT INTO read SELECT id + 1000, name FROM read",
                "UPDATE read SET id = id + 1 WHERE name LIKE 'name 1%'",
                "MERGE INTO read t USING (VALUES (1, 'x')) s(id, name) ON t.id = s.id WHEN MATCHED AND t.id > 5 THEN DELETE WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.name)",
                "DELETE FROM read WHERE name = 'name 1'",
                "DELETE FROM read")) {
            String sql = "EXPLAIN " + statement;
            String plan = (String) computeScalar(session(CATALOG), sql);
            String plainPlan = (String) computeScalar(session(PLAIN_CATALOG), sql);
            assertThat(plainPlan).as(sql).contains(PLAIN_CATALOG);
            assertThat(plan.replace("sextant_theta_stat", "iceberg_theta_stat").replace(CATALOG, PLAIN_CATALOG)).as(sql).isEqualTo(plainPlan);
        }
    }

    @Test
    void testOptimize()
    {
        for (String table : ImmutableList.of("sextant.tpch.optimized_by_sextant", "plain.tpch.optimized_by_plain")) {
            assertUpdate("CREATE TABLE " + table + " (id bigint)");
            assertUpdate("INSERT INTO " + table + " VALUES 1, 2", 2);
            assertUpdate("INSERT INTO " + table + " VALUES 3", 1);
        }
        // Into how many files the rows go depends on the scheduling of writers
        assertThat(reads(fileAccess.of(session(CATALOG), "ALTER TABLE optimized_by_sextant EXECUTE optimize")))
                .isEqualTo(reads(fileAccess.of(session(PLAIN_CATALOG), "ALTER TABLE optimized_by_plain EXECUTE optimize")));
    }

    private static Multiset<FileOperation> reads(Multiset<FileOperation> operations)
    {
        return Multisets.filter(operations, operation -> operation.operation().startsWith("InputFile"));
    }

    private void assertSameAccess(String sql)
    {
        assertThat(fileAccess.of(session(CATALOG), sql)).as(sql).isEqualTo(fileAccess.of(session(PLAIN_CATALOG), sql));
    }

    private Session session(String catalog)
    {
        return Session.builder(getSession()).setCatalog(catalog).build();
    }
}
