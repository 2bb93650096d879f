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
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.sextant.catalog.CommitGuard;
import io.sextant.collation.AbstractTestCollations;
import io.sextant.collation.CollationBounds;
import io.sextant.collation.CollationOrder;
import io.sextant.collation.Collations;
import io.sextant.collation.metadata.FileBounds;
import io.sextant.testing.TableFiles;
import io.trino.client.FailureException;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.SchemaTableName;
import io.trino.testing.QueryFailedException;
import io.trino.testing.QueryRunner;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static org.apache.iceberg.DataOperations.REPLACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Bounds are collected while others change the table, and while files cannot be written.
final class TestConcurrentBoundsCollection
        extends AbstractTestCollations
{
    private static final String CI = "icu.en_US-ci";

    private final Map<SchemaTableName, Runnable> beforeReplacements = new ConcurrentHashMap<>();
    private Path lake;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        lake = Files.createTempDirectory("lake");
        closeAfterClass(() -> deleteRecursively(lake, ALLOW_INSECURE));
        CommitGuard guard = (_, table) -> attempt -> {
            if (attempt.candidate().currentSnapshot() != null && attempt.candidate().currentSnapshot().operation().equals(REPLACE)) {
                beforeReplacements.getOrDefault(table, () -> {}).run();
            }
            return attempt.candidate();
        };
        return builder()
                .addCatalogProperty("local.location", lake.toString())
                .setExtension(binder -> newSetBinder(binder, CommitGuard.class).addBinding().toInstance(guard))
                .build();
    }

    @Test
    void testStatementsOfOthers()
            throws Exception
    {
        for (int version = 2; version <= 3; version++) {
            String table = createTable("id integer, name varchar", "format_version = %s, max_commit_retry = 20".formatted(version));
            for (int file = 0; file < 4; file++) {
                assertUpdate("INSERT INTO %s SELECT n, chr(CAST(IF(n %% 2 = 0, 65, 97) + n / 4 AS integer)) FROM TABLE(sequence(%s, %s)) AS s(n)".formatted(table, file * 10, file * 10 + 9), 10);
            }
            setCollation(table, "name", CI);
            List<List<String>> clients = ImmutableList.of(
                    Collections.nCopies(4, "CALL system.collect_collation_bounds('tpch', '%s')".formatted(table)),
                    Collections.nCopies(4, "CALL system.collect_collation_bounds('tpch', '%s')".formatted(table)),
                    // Now the files lack bounds in other orders, and so do those that are being written
                    ImmutableList.of(setCollationSql(table, "name", "icu.da"), setCollationSql(table, "name", "icu.sv"), setCollationSql(table, "name", CI)),
                    ImmutableList.of("INSERT INTO %s VALUES (100, 'x')".formatted(table), "INSERT INTO %s VALUES (101, 'Y')".formatted(table), "INSERT INTO %s VALUES (102, 'Z')".formatted(table)),
                    ImmutableList.of("DELETE FROM %s WHERE id = 0".formatted(table), "DELETE FROM %s WHERE id = 1".formatted(table), "DELETE FROM %s WHERE id = 11".formatted(table)),
                    ImmutableList.of(
                            "MERGE INTO %s t USING (VALUES (20, 'M'), (200, 'n')) s(id, name) ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.name)".formatted(table),
                            "MERGE INTO %s t USING (VALUES (30, 'P')) s(id, name) ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = s.name".formatted(table)),
                    ImmutableList.of("ALTER TABLE %s EXECUTE optimize".formatted(table), "ALTER TABLE %s EXECUTE optimize".formatted(table)));
            try (ExecutorService executor = Executors.newFixedThreadPool(clients.size())) {
                List<Future<?>> futures = new ArrayList<>();
                clients.forEach(statements -> futures.add(executor.submit(() -> statements.forEach(this::executeAgainAndAgain))));
                for (Future<?> future : futures) {
                    future.get();
                }
            }

            collectBounds(table);
            assertThat(metrics(table, "name")).hasSize(3).allSatisfy(metric ->
                    assertThat(dataFiles(table)).isNotEmpty().allMatch(file -> FileBounds.isCollected(file, metric.id())));
            assertThat(query("SELECT id, name FROM " + table)).matches(
                    "SELECT CAST(n AS integer), CAST(CASE n WHEN 20 THEN 'M' WHEN 30 THEN 'P' ELSE chr(IF(n % 2 = 0, 65, 97) + n / 4) END AS varchar) FROM TABLE(sequence(0, 39)) AS s(n) WHERE n NOT IN (0, 1, 11)" +
                            " UNION ALL VALUES (100, VARCHAR 'x'), (101, 'Y'), (102, 'Z'), (200, 'n')");
            assertBoundsHold(table);
            TestingManifests.assertNoOthers(icebergTable(table), lake);
        }
    }

    /// As a client does that loses against others.
    private void executeAgainAndAgain(String sql)
    {
        for (int attempt = 1; ; attempt++) {
            try {
                getQueryRunner().execute(sql);
                return;
            }
            catch (QueryFailedException e) {
                assertThat(((FailureException) e.getCause()).getFailureInfo().getErrorInfo().getName()).as("%s: %s", sql, e.getMessage()).isIn("ICEBERG_COMMIT_ERROR", "TRANSACTION_CONFLICT");
                assertThat(attempt).as("%s: %s", sql, e.getMessage()).isLessThan(30);
            }
        }
    }

    /// Each live row is within the bounds of its file.
    private void assertBoundsHold(String table)
    {
        metrics(table, "name").forEach(metric -> assertBoundsHold(table, metric.id(), Collations.get(metric.collation()).order()));
    }

    private void assertBoundsHold(String table, int metricId, CollationOrder order)
    {
        Map<String, CollationBounds> bounds = dataFiles(table).stream()
                .collect(toImmutableMap(DataFile::location, file -> FileBounds.read(file, metricId).orElseThrow()));
        assertThat(computeActual("SELECT \"$path\", name FROM " + table).getMaterializedRows()).isNotEmpty().allSatisfy(row -> {
            CollationBounds file = bounds.get((String) row.getField(0));
            Slice key = order.key(utf8Slice((String) row.getField(1)));
            assertThat(order.key(file.lower().orElseThrow())).isLessThanOrEqualTo(key);
            assertThat(order.key(file.upper().orElseThrow())).isGreaterThanOrEqualTo(key);
        });
    }

    @Test
    void testManifestsAreReplacedMeanwhile()
    {
        for (int version = 1; version <= 3; version++) {
            String table = createTable("id integer, name varchar, other varchar", "format_version = " + version);
            assertUpdate("INSERT INTO " + table + " VALUES (1, 'b', 'o')", 1);
            assertUpdate("INSERT INTO " + table + " VALUES (2, 'A', 'p')", 1);
            setCollation(table, "name", CI);
            setCollation(table, "other", CI);
            int name = metrics(table, "name").getFirst().id();
            AtomicInteger attempts = new AtomicInteger();
            beforeReplacements.put(new SchemaTableName("tpch", table), () -> {
                if (attempts.incrementAndGet() == 1) {
                    icebergTable(table).rewriteManifests().clusterBy(_ -> "all").commit();
                    assertUpdate("INSERT INTO plain.tpch." + table + " VALUES (3, 'C', 'q')", 1);
                    // And the column is not there any more
                    icebergTable(table).updateSchema().deleteColumn("other").commit();
                }
            });
            collectBounds(table);
            beforeReplacements.remove(new SchemaTableName("tpch", table));
            // Overtaken; with the files of before and the new one
            assertThat(attempts.get()).isEqualTo(2);
            assertThat(dataFiles(table)).hasSize(3).allMatch(file -> FileBounds.isCollected(file, name));
            assertQuery("SELECT id, name FROM " + table, "VALUES (1, 'b'), (2, 'A'), (3, 'C')");
            TestingManifests.assertNoOthers(icebergTable(table), lake);
        }
    }

    @Test
    void testManifestsAreReplacedAgainAndAgain()
    {
        String table = createTable("name varchar");
        assertUpdate("INSERT INTO " + table + " VALUES 'b'", 1);
        setCollation(table, "name", CI);
        AtomicInteger attempts = new AtomicInteger();
        beforeReplacements.put(new SchemaTableName("tpch", table), () -> {
            attempts.incrementAndGet();
            icebergTable(table).rewriteManifests().clusterBy(_ -> "all").commit();
        });
        assertRefused("CALL system.collect_collation_bounds('tpch', '%s')".formatted(table), TRANSACTION_CONFLICT, "Manifests of table tpch.%s were replaced by somebody else".formatted(table));
        assertThat(attempts.get()).isEqualTo(10);
        assertThat(bounds(table, "name")).containsExactly("");
        TestingManifests.assertNoOthers(icebergTable(table), lake);
        beforeReplacements.remove(new SchemaTableName("tpch", table));
        collectBounds(table);
        assertThat(bounds(table, "name")).containsExactly("b..b");
    }

    @Test
    void testRefusedCommit()
    {
        String table = createTable("name varchar");
        assertUpdate("INSERT INTO " + table + " VALUES 'b'", 1);
        setCollation(table, "name", CI);
        beforeReplacements.put(new SchemaTableName("tpch", table), () -> {
            throw new TrinoException(NOT_SUPPORTED, "not now");
        });
        assertRefused("CALL system.collect_collation_bounds('tpch', '%s')".formatted(table), NOT_SUPPORTED, "not now");
        assertThat(bounds(table, "name")).containsExactly("");
        TestingManifests.assertNoOthers(icebergTable(table), lake);
        beforeReplacements.remove(new SchemaTableName("tpch", table));
    }

    @Test
    void testManifestCannotBeWritten()
    {
        for (int version = 1; version <= 3; version++) {
            String table = createTable("name varchar", "format_version = " + version);
            assertUpdate("INSERT INTO " + table + " VALUES 'b'", 1);
            assertUpdate("INSERT INTO " + table + " VALUES 'A'", 1);
            setCollation(table, "name", CI);
            int metricId = metrics(table, "name").getFirst().id();
            BaseTable icebergTable = icebergTable(table);
            long snapshot = icebergTable.currentSnapshot().snapshotId();
            Map<String, Map<Integer, CollationBounds>> bounds = dataFiles(table).stream()
                    .collect(toImmutableMap(DataFile::location, _ -> ImmutableMap.of(metricId, new CollationBounds(Optional.of(utf8Slice("A")), Optional.of(utf8Slice("b")), 1, 0))));
            List<ManifestFile> manifests = icebergTable.currentSnapshot().dataManifests(icebergTable.io());
            assertThat(manifests).hasSize(2);
            Set<Path> files = TableFiles.of(lake, table);
            for (String call : ImmutableList.of("create", "write", "close")) {
                for (int succeeding = 0; succeeding < 2; succeeding++) {
                    BaseTable faulty = new BaseTable(FaultyWrites.of(icebergTable.operations(), call, succeeding), table);
                    assertThatThrownBy(() -> new ManifestReplacement(faulty, bounds).commit(manifests))
                            .as("%s %s %s", version, call, succeeding)
                            .hasStackTraceContaining(FaultyWrites.MESSAGE);
                    assertThat(TableFiles.of(lake, table)).as("%s %s %s", version, call, succeeding).isEqualTo(files);
                    assertThat(icebergTable(table).currentSnapshot().snapshotId()).isEqualTo(snapshot);
                }
            }
            assertThat(new ManifestReplacement(icebergTable, bounds).commit(manifests)).isTrue();
            assertThat(bounds(table, "name")).containsExactly("A..b", "A..b");
            TestingManifests.assertNoOthers(icebergTable(table), lake);
        }
    }
}
