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
import io.sextant.index.scan.TestingIndexes;
import io.sextant.testing.TableFiles;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.naturalOrder;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;

/// Indexes that follow their table: their extract is of the current snapshot after each statement.
final class TestOnCommitRefresh
        extends AbstractTestQueryFramework
{
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
    void findIndexes()
    {
        indexes = new TestingIndexes(getDistributedQueryRunner());
    }

    @Test
    void testStatements()
    {
        String table = createTable("on-commit");
        assertThat(state(table)).isEqualTo("current");
        for (String statement : ImmutableList.of(
                "INSERT INTO %s VALUES (100, 'x'), (101, 'y')",
                "UPDATE %s SET v = 'u' WHERE k = 100",
                "DELETE FROM %s WHERE k = 101",
                "MERGE INTO %s t USING (VALUES 1, 200) s(k) ON t.k = s.k WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.k, 'm')",
                "ALTER TABLE %s EXECUTE optimize",
                "DELETE FROM %s WHERE v = 'm'")) {
            long before = indexes.currentSnapshot(table);
            getQueryRunner().execute(statement.formatted(table));
            assertThat(indexes.currentSnapshot(table)).as(statement).isNotEqualTo(before);
            assertThat(state(table)).as(statement).isEqualTo("current");
        }
        assertQuery("SELECT k, v FROM %s WHERE k = 100".formatted(table), "VALUES (100, 'u')");
        assertUpdate("TRUNCATE TABLE " + table);
        assertThat(state(table)).isEqualTo("current");
        assertThat(computeScalar("SELECT entries FROM \"%s$indexes\"".formatted(table))).isEqualTo(0L);
    }

    @Test
    void testManualIsTheDefault()
    {
        String table = createTable("manual");
        assertUpdate("INSERT INTO %s VALUES (100, 'x')".formatted(table), 1);
        assertThat(state(table)).isEqualTo("lagging");
        setMode(table, "on-commit");
        assertThat(state(table)).isEqualTo("lagging");
        assertUpdate("INSERT INTO %s VALUES (101, 'x')".formatted(table), 1);
        assertThat(state(table)).isEqualTo("current");
        setMode(table, "MANUAL");
        assertUpdate("INSERT INTO %s VALUES (102, 'x')".formatted(table), 1);
        assertThat(state(table)).isEqualTo("lagging");
        assertQueryFails(setModeSql(table, "sometimes"), "Index property maintenance.mode is neither manual nor on-commit: 'sometimes'");
    }

    @Test
    void testWhatGoesWrongLeavesTheCommit()
            throws IOException
    {
        String table = createTable("on-commit");
        Path metadata = TableFiles.of(lake, table).stream()
                .filter(file -> file.toString().endsWith(".metadata.json") && file.toString().contains(".indexes/"))
                .max(naturalOrder())
                .orElseThrow();
        byte[] content = Files.readAllBytes(metadata);
        Files.write(metadata, "{}".getBytes(UTF_8));
        assertUpdate("INSERT INTO %s VALUES (100, 'x')".formatted(table), 1);
        assertQuery("SELECT v FROM %s WHERE k = 100".formatted(table), "VALUES 'x'");
        Files.write(metadata, content);
        assertThat(state(table)).isEqualTo("lagging");
        assertThat((String) computeScalar("SELECT last_error FROM \"%s$indexes\"".formatted(table))).contains(metadata.getFileName().toString());
        assertUpdate("INSERT INTO %s VALUES (101, 'x')".formatted(table), 1);
        assertThat(state(table)).isEqualTo("current");
        assertThat(computeScalar("SELECT last_error FROM \"%s$indexes\"".formatted(table))).isNull();
    }

    @Test
    void testConcurrentStatements()
            throws Exception
    {
        String table = createTable("on-commit");
        assertUpdate("ALTER TABLE %s SET PROPERTIES max_commit_retry = 50".formatted(table));
        try (ExecutorService executor = newFixedThreadPool(4)) {
            List<Callable<Void>> writers = IntStream.range(0, 4)
                    .<Callable<Void>>mapToObj(writer -> () -> {
                        for (int i = 0; i < 4; i++) {
                            getQueryRunner().execute("INSERT INTO %s VALUES (%s, 'w')".formatted(table, 1000 + 10 * writer + i));
                        }
                        return null;
                    })
                    .toList();
            for (Future<Void> result : executor.invokeAll(writers)) {
                result.get();
            }
        }
        assertUpdate("INSERT INTO %s VALUES (5000, 'w')".formatted(table), 1);
        assertThat(state(table)).isEqualTo("current");
        assertThat(computeScalar("SELECT entries FROM \"%s$indexes\"".formatted(table))).isEqualTo(computeScalar("SELECT count(*) FROM " + table));
        assertQuery("SELECT count(*) FROM %s WHERE k >= 1000".formatted(table), "VALUES 17");
        // Nothing but what the last two extracts refer to
        assertThat(TableFiles.of(lake, table).stream().filter(file -> file.getFileName().toString().startsWith("tracking-"))).hasSize(2);
    }

    private String createTable(String mode)
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        assertUpdate("INSERT INTO %s SELECT x, 'v' || cast(x AS varchar) FROM UNNEST(sequence(1, 50)) t(x)".formatted(table), 50);
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'by_k', key => ARRAY['k'], properties => MAP(ARRAY['maintenance.mode'], ARRAY['%s']))".formatted(table, mode));
        return table;
    }

    private void setMode(String table, String mode)
    {
        assertUpdate(setModeSql(table, mode));
    }

    private static String setModeSql(String table, String mode)
    {
        return "CALL system.set_index_properties('tpch', '%s', 'by_k', MAP(ARRAY['maintenance.mode'], ARRAY['%s']))".formatted(table, mode);
    }

    private Object state(String table)
    {
        return computeScalar("SELECT state FROM \"%s$indexes\"".formatted(table));
    }
}
