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
package io.sextant.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.sextant.SextantQueryRunner;
import io.sextant.catalog.TestingCommitGuard.Attempt;
import io.sextant.testing.TableFiles;
import io.trino.Session;
import io.trino.spi.connector.SchemaTableName;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.apache.iceberg.MetadataUpdate.RemoveProperties;
import org.apache.iceberg.MetadataUpdate.SetProperties;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.sextant.SextantQueryRunner.CATALOG;
import static io.sextant.SextantQueryRunner.PLAIN_CATALOG;
import static io.sextant.catalog.TestingCommitGuard.NUMBER;
import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Every commit of every statement passes the guards, which see it as it is, may change it, and may refuse it.
abstract class AbstractTestCommitGuard
        extends AbstractTestQueryFramework
{
    static final String SCHEMA = "guarded";

    final TestingCommitGuard guard = new TestingCommitGuard();
    private Path lake;
    private Session session;

    /// @param properties of the catalog
    /// @param lake the directory of the tables
    record Lake(Map<String, String> properties, Path lake)
    {
        Lake
        {
            properties = ImmutableMap.copyOf(properties);
            requireNonNull(lake, "lake is null");
        }
    }

    /// Starts what the catalog needs and registers it to be closed.
    abstract Lake startLake()
            throws Exception;

    String createSchema()
    {
        return "CREATE SCHEMA " + SCHEMA;
    }

    @Override
    protected final QueryRunner createQueryRunner()
            throws Exception
    {
        Lake started = startLake();
        lake = started.lake();
        return SextantQueryRunner.builder()
                .setCatalogProperties(started.properties())
                .addCatalogProperty("iceberg.add-files-procedure.enabled", "true")
                .addCatalogProperty("iceberg.allowed-extra-properties", "*")
                .setExtension(binder -> newSetBinder(binder, CommitGuard.class).addBinding().toInstance(guard))
                .build();
    }

    @BeforeAll
    void createLake()
    {
        getQueryRunner().execute(createSchema());
        session = Session.builder(getSession())
                .setSchema(SCHEMA)
                .setCatalogSessionProperty(CATALOG, "expire_snapshots_min_retention", "0s")
                .build();
    }

    @AfterEach
    void testReplaysAreExact()
    {
        assertThat(guard.failedReplays()).isEmpty();
    }

    @Test
    void testStatements()
    {
        String table = randomTable();
        List<String> statements = ImmutableList.of(
                "CREATE TABLE %s (id bigint NOT NULL, p integer, v varchar, n integer, r row(a integer, b bigint)) WITH (format_version = 2, partitioning = ARRAY['p'])",
                "INSERT INTO %s VALUES (1, 1, 'a', 1, row(1, 1)), (2, 1, 'b', 2, row(2, 2)), (3, 2, 'c', 3, row(3, 3))",
                "INSERT INTO %s SELECT id + 10, p, v, n, r FROM %1$s",
                "INSERT INTO %s (id, p) VALUES (30, 1)",
                "UPDATE %s SET v = 'x' WHERE id = 1",
                "MERGE INTO %s t USING (VALUES (1, 'y'), (40, 'z')) s (id, v) ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)",
                "DELETE FROM %s WHERE id = 12",
                "DELETE FROM %s WHERE p = 2",
                "ANALYZE %s",
                "ALTER TABLE %s EXECUTE drop_extended_stats",
                "ALTER TABLE %s EXECUTE optimize",
                "INSERT INTO %s (id, p) VALUES (50, 1)",
                "ALTER TABLE %s EXECUTE optimize_manifests",
                "ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s')",
                "ALTER TABLE %s ADD COLUMN w varchar",
                "ALTER TABLE %s ADD COLUMN r.c integer",
                "ALTER TABLE %s RENAME COLUMN w TO x",
                "ALTER TABLE %s RENAME COLUMN r.c TO d",
                "ALTER TABLE %s ALTER COLUMN n SET DATA TYPE bigint",
                "ALTER TABLE %s ALTER COLUMN r.a SET DATA TYPE bigint",
                "ALTER TABLE %s ALTER COLUMN id DROP NOT NULL",
                "ALTER TABLE %s DROP COLUMN r.d",
                "ALTER TABLE %s DROP COLUMN x",
                "ALTER TABLE %s SET PROPERTIES max_commit_retry = 7",
                "ALTER TABLE %s SET PROPERTIES partitioning = ARRAY['p', 'bucket(id, 4)'], sorted_by = ARRAY['v']",
                "ALTER TABLE %s SET PROPERTIES extra_properties = MAP(ARRAY['owner.team'], ARRAY['lake'])",
                "COMMENT ON TABLE %s IS 'about the table'",
                "COMMENT ON TABLE %s IS NULL",
                "COMMENT ON COLUMN %s.v IS 'about the column'",
                "ALTER TABLE %s SET PROPERTIES format_version = 3",
                "INSERT INTO %s (id, p) VALUES (60, 1), (61, 1)",
                "ALTER TABLE %s ALTER COLUMN v SET DEFAULT 'none'",
                "ALTER TABLE %s ALTER COLUMN v DROP DEFAULT",
                "UPDATE %s SET v = 'w' WHERE id = 60",
                "DELETE FROM %s WHERE id = 61",
                "ALTER TABLE %s EXECUTE optimize",
                "TRUNCATE TABLE %s",
                "CREATE OR REPLACE TABLE %s WITH (format_version = 3) AS SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t (id, v)",
                "CREATE OR REPLACE TABLE %s (k integer, v varchar) WITH (format_version = 3)",
                "CALL system.create_index('" + SCHEMA + "', '%s', 'by_k', ARRAY['k'])",
                "CALL system.drop_index('" + SCHEMA + "', '%s', 'by_k')");
        for (String statement : statements) {
            assertGuarded(table, statement.formatted(table));
        }
        assertThat(numbers(table)).doesNotContainNull();
    }

    @Test
    void testStatementsThatCreateTables()
    {
        for (int formatVersion = 1; formatVersion <= 3; formatVersion++) {
            String table = randomTable();
            assertGuarded(table, "CREATE TABLE %s WITH (format_version = %s) AS SELECT 1 AS id, 'a' AS v".formatted(table, formatVersion));
            assertGuarded(table, "INSERT INTO " + table + " VALUES (2, 'b')");
            assertThat(numbers(table)).containsExactly(1, 2);
            String replaced = randomTable();
            assertGuarded(replaced, "CREATE OR REPLACE TABLE %s WITH (format_version = %s) AS SELECT 1 AS id".formatted(replaced, formatVersion));
            assertThat(numbers(replaced)).containsExactly(1);
        }
    }

    @Test
    void testRollback()
    {
        String table = createTable("id bigint", "format_version = 2");
        execute("INSERT INTO " + table + " VALUES 1");
        long snapshot = (long) computeScalar(session, "SELECT snapshot_id FROM \"" + table + "$snapshots\" ORDER BY committed_at DESC LIMIT 1");
        execute("INSERT INTO " + table + " VALUES 2");
        assertGuarded(table, "ALTER TABLE %s EXECUTE rollback_to_snapshot(snapshot_id => %s)".formatted(table, snapshot));
        assertRows(table, 1);
        execute("INSERT INTO " + table + " VALUES 3");
        assertGuarded(table, "CALL system.rollback_to_snapshot('%s', '%s', %s)".formatted(SCHEMA, table, snapshot));
        assertRows(table, 1);
    }

    @Test
    void testAddFiles()
    {
        String source = createTable("id bigint", "format_version = 2");
        execute("INSERT INTO " + source + " VALUES 1");
        String location = ((String) computeScalar(session, "SELECT \"$path\" FROM " + source)).replaceFirst("/[^/]*$", "");
        // Trino lists local files under its own scheme
        location = location.replaceFirst("^file:", "local:");
        String table = createTable("id bigint", "format_version = 2");
        assertGuarded(table, "ALTER TABLE %s EXECUTE add_files(location => '%s', format => 'PARQUET')".formatted(table, location));
        assertRows(table, 1);
        assertThat(numbers(table)).containsExactly(1, 2);
    }

    @Test
    void testStatementsThatChangeNothing()
    {
        String table = createTable("id bigint", "format_version = 2");
        int attempts = guard.attempts(name(table)).size();
        Set<Path> files = filesOf(table, ".metadata.json");
        execute("INSERT INTO " + table + " SELECT 1 WHERE false");
        execute("ALTER TABLE " + table + " EXECUTE optimize");
        execute("SELECT * FROM " + table);
        assertThat(guard.attempts(name(table))).hasSize(attempts);
        assertThat(filesOf(table, ".metadata.json")).isEqualTo(files);
    }

    @Test
    void testPropertiesOfACommit()
    {
        String table = randomTable();
        SchemaTableName name = name(table);
        guard.addChange(name, new SetProperties(ImmutableMap.of("guard.note", "first")));
        execute("CREATE TABLE " + table + " AS SELECT 1 AS id");
        assertThat(property(table, "guard.note")).isEqualTo("first");
        guard.addChange(name, new SetProperties(ImmutableMap.of("guard.note", "second")));
        execute("INSERT INTO " + table + " VALUES 2");
        assertThat(property(table, "guard.note")).isEqualTo("second");
        guard.addChange(name, new RemoveProperties(ImmutableSet.of("guard.note")));
        execute("ALTER TABLE " + table + " ADD COLUMN v varchar");
        assertThat(property(table, "guard.note")).isNull();
        guard.addChange(name, new SetProperties(ImmutableMap.of("guard.note", "third")));
        execute("CREATE OR REPLACE TABLE " + table + " AS SELECT 1 AS k");
        assertThat(property(table, "guard.note")).isEqualTo("third");
        assertThat(numbers(table)).doesNotContainNull();
    }

    @Test
    void testAttemptDescribesTheCommit()
    {
        String table = randomTable();
        execute("CREATE TABLE " + table + " AS SELECT 1 AS id");
        CommitAttempt create = lastAttempt(table);
        assertThat(create.base()).isEmpty();
        assertThat(create.replacesTable()).isFalse();
        assertThat(create.origin().currentSnapshot()).isNull();
        execute("INSERT INTO " + table + " VALUES 2");
        CommitAttempt insert = lastAttempt(table);
        assertThat(insert.base()).containsSame(insert.origin());
        assertThat(insert.replacesTable()).isFalse();
        assertThat(insert.candidate().currentSnapshot().parentId()).isEqualTo(insert.origin().currentSnapshot().snapshotId());
        execute("CREATE OR REPLACE TABLE " + table + " AS SELECT 1 AS k");
        CommitAttempt replace = lastAttempt(table);
        assertThat(replace.replacesTable()).isTrue();
        assertThat(replace.base().orElseThrow().schema().findField("id")).isNotNull();
        assertThat(replace.origin().schema().findField("k")).isNotNull();
    }

    @Test
    void testLostRaceAsksAgain()
    {
        String table = createTable("id bigint", "format_version = 2");
        for (String statement : ImmutableList.of("INSERT INTO %s VALUES 1", "UPDATE %s SET id = 10 WHERE id = 1", "DELETE FROM %s WHERE id = 10", "TRUNCATE TABLE %s")) {
            int before = guard.attempts(name(table)).size();
            guard.beforeNextAttempt(name(table), () -> execute("INSERT INTO %s.%s VALUES -1".formatted(PLAIN_CATALOG, qualified(table))));
            execute(statement.formatted(table));
            List<Attempt> attempts = guard.attempts(name(table)).subList(before, before + 2);
            Attempt lost = attempts.getFirst();
            Attempt won = attempts.getLast();
            assertThat(won.guard()).as(statement).isSameAs(lost.guard());
            TableMetadata newBase = won.attempt().base().orElseThrow();
            assertThat(newBase.currentSnapshot().parentId()).as(statement).isEqualTo(lost.attempt().base().orElseThrow().currentSnapshot().snapshotId());
            assertThat(won.attempt().candidate().currentSnapshot().parentId()).as(statement).isEqualTo(newBase.currentSnapshot().snapshotId());
            // The competitor numbers nothing, so that counting starts anew
            assertThat(numbers(table).getLast()).as(statement).isEqualTo(1);
        }
    }

    @Test
    void testGuardMayAskForAnotherAttempt()
    {
        String table = createTable("id bigint", "format_version = 2");
        int before = guard.attempts(name(table)).size();
        guard.beforeNextAttempt(name(table), () -> {
            throw new CommitFailedException("Try again");
        });
        execute("INSERT INTO " + table + " VALUES 1");
        assertThat(guard.attempts(name(table))).hasSize(before + 2);
        assertRows(table, 1);
    }

    @Test
    void testLostRaceWhenReplacing()
    {
        for (int formatVersion = 2; formatVersion <= 3; formatVersion++) {
            String table = createTable("id bigint", "format_version = " + formatVersion);
            guard.afterLoad(name(table), () -> execute("INSERT INTO %s.%s VALUES -1".formatted(PLAIN_CATALOG, qualified(table))));
            try {
                execute("CREATE OR REPLACE TABLE %s WITH (format_version = %s) AS SELECT 1 AS id".formatted(table, formatVersion));
                assertRows(table, 1);
            }
            catch (RuntimeException e) {
                // What Iceberg decides; exact replays are checked after the test
                assertThat(e).hasMessageStartingWith("Failed to commit the transaction");
            }
            guard.relent(name(table));
            assertThat(guard.attempts(name(table)).getLast().attempt().replacesTable()).isTrue();
        }
    }

    @Test
    void testConcurrentInserts()
            throws Exception
    {
        int threads = 4;
        int insertsOfThread = 10;
        int inserts = threads * insertsOfThread;
        String table = createTable("id bigint", "format_version = 2, max_commit_retry = 100");
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            CompletableFuture.allOf(IntStream.range(0, threads)
                            .mapToObj(thread -> CompletableFuture.runAsync(
                                    () -> {
                                        for (int insert = 0; insert < insertsOfThread; insert++) {
                                            execute("INSERT INTO %s VALUES %s".formatted(table, thread * insertsOfThread + insert));
                                        }
                                    },
                                    executor))
                            .toArray(CompletableFuture[]::new))
                    .get();
        }
        assertRows(table, inserts);
        assertThat(numbers(table)).containsExactlyElementsOf(IntStream.rangeClosed(1, inserts + 1).boxed().collect(toImmutableList()));
        assertThat(filesOf(table, "-m0.avro")).hasSize(inserts);
    }

    /// Refused, a statement ends with the refusal and leaves no metadata; allowed, it commits nothing but what was seen.
    void assertGuarded(String table, String sql)
    {
        assertGuarded(name(table), table, sql);
    }

    /// @param name under which the connector loads the table
    /// @param table which names the files
    void assertGuarded(SchemaTableName name, String table, String sql)
    {
        Set<Path> before = metadataOf(table);
        guard.refuse(name);
        assertThat(query(session, sql)).as(sql).failure().hasErrorCode(CONSTRAINT_VIOLATION).hasMessage("Refused: " + name);
        guard.relent(name);
        assertThat(Sets.difference(metadataOf(table), before)).as(sql).isEmpty();

        int attempts = guard.attempts(name).size();
        Set<Path> files = filesOf(table, ".metadata.json");
        execute(sql);
        long commits = guard.attempts(name).stream()
                .skip(attempts)
                // Trino commits the refresh of a materialized view twice, but has nothing to commit the second time
                .filter(attempt -> !attempt.attempt().changes().isEmpty())
                .count();
        assertThat(commits).as(sql).isPositive();
        assertThat(Sets.difference(filesOf(table, ".metadata.json"), files)).as(sql).hasSize(toIntExact(commits));
    }

    private Set<Path> metadataOf(String table)
    {
        return ImmutableSet.<Path>builder().addAll(filesOf(table, ".metadata.json")).addAll(filesOf(table, ".avro")).build();
    }

    /// Without the files of indexes, which lie beside the table.
    private Set<Path> filesOf(String table, String suffix)
    {
        return TableFiles.of(lake, table).stream()
                .filter(file -> file.toString().endsWith(suffix) && !file.toString().contains(".indexes/"))
                .collect(toImmutableSet());
    }

    private CommitAttempt lastAttempt(String table)
    {
        return guard.attempts(name(table)).getLast().attempt();
    }

    /// The numbers of the snapshots, in the order of commits; null where there is none.
    private List<Integer> numbers(String table)
    {
        return computeActual(session, "SELECT CAST(element_at(summary, '%s') AS integer) FROM \"%s$snapshots\" ORDER BY committed_at".formatted(NUMBER, table))
                .getOnlyColumn()
                .map(Integer.class::cast)
                .toList();
    }

    private Object property(String table, String key)
    {
        return computeScalar(session, "SELECT max(value) FROM \"%s$properties\" WHERE key = '%s'".formatted(table, key));
    }

    private void assertRows(String table, long rows)
    {
        assertThat(computeScalar(session, "SELECT count(*) FROM " + table)).isEqualTo(rows);
    }

    private String createTable(String columns, String properties)
    {
        String table = randomTable();
        execute("CREATE TABLE %s (%s) WITH (%s)".formatted(table, columns, properties));
        return table;
    }

    static String randomTable()
    {
        return "test_" + randomNameSuffix();
    }

    static SchemaTableName name(String table)
    {
        return new SchemaTableName(SCHEMA, table);
    }

    private static String qualified(String table)
    {
        return SCHEMA + "." + table;
    }

    void execute(String sql)
    {
        getQueryRunner().execute(session, sql);
    }
}
