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
package io.sextant.enforcement;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.SextantQueryRunner;
import io.sextant.catalog.CommitGuard;
import io.sextant.enforcement.Clients.Outcome;
import io.sextant.testing.TableFiles;
import io.sextant.testing.TestingPostgreSql;
import io.trino.spi.connector.SchemaTableName;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.sextant.SextantQueryRunner.SCHEMA;
import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

/// Two instances of the connector over one catalog, as two clusters have them.
final class TestSecondCoordinator
        extends AbstractTestConstraints
{
    private static final String OTHER = "other." + SCHEMA + ".";

    private final StatementHooks hooks = new StatementHooks();
    private Path lake;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        lake = Files.createTempDirectory("lake");
        closeAfterClass(() -> deleteRecursively(lake, ALLOW_INSECURE));
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .putAll(closeAfterClass(new TestingPostgreSql()).catalogProperties())
                .put("iceberg.jdbc-catalog.default-warehouse-dir", "local:///warehouse")
                .put("iceberg.allowed-extra-properties", "*")
                .put("fs.local.enabled", "true")
                .put("local.location", lake.toString())
                .buildOrThrow();
        DistributedQueryRunner queryRunner = SextantQueryRunner.builder()
                .setCatalogProperties(properties)
                .withoutPlainCatalog()
                .setExtension(binder -> newSetBinder(binder, CommitGuard.class).addBinding().toInstance(hooks))
                .build();
        queryRunner.createCatalog("other", "sextant", properties);
        return queryRunner;
    }

    @Test
    @Tag("CN-08")
    void testConstraintsOfOneAreKeptByBoth()
    {
        String table = createTable("k integer, x integer");
        addCheck(table, "c", "x > 0");
        addUnique(table, "u", "k");
        assertQuery("SELECT name, definition, status FROM other.tpch.\"%s$constraints\"".formatted(table), "VALUES ('c', 'x > 0', 'validated'), ('u', 'UNIQUE (k)', 'validated')");
        assertViolation(table, "INSERT INTO " + OTHER + table + " VALUES (1, 0)", "Check constraint violation: c");
        assertUpdate("INSERT INTO " + OTHER + table + " VALUES (1, 1)", 1);
        assertViolation(table, "INSERT INTO " + table + " VALUES (1, 2)", "Unique constraint violation: u: k = 1 is in the table already");

        assertUpdate("CALL other.system.alter_constraint('tpch', '" + table + "', 'c', NULL, false)");
        assertUpdate("INSERT INTO " + table + " VALUES (2, 0)", 1);
        assertThat(status(table, "c")).isEqualTo("unvalidated");
        assertUpdate("CALL other.system.drop_constraint('tpch', '" + table + "', 'u')");
        assertUpdate("INSERT INTO " + table + " VALUES (2, 2)", 1);
        assertRefused(
                "ALTER TABLE " + OTHER + table + " SET PROPERTIES extra_properties = MAP(ARRAY['sextant.constraints'], ARRAY['{}'])",
                NOT_SUPPORTED,
                "Table property sextant.constraints cannot be set; define constraints by CALL system.add_constraint");
    }

    @Test
    @Tag("CN-10")
    void testOneKeyFromBoth()
            throws Exception
    {
        Clients clients = new Clients(sql -> getQueryRunner().execute(sql));
        String table = createTable("k integer, writer varchar", "max_commit_retry = 20");
        addUnique(table, "u", "k");
        for (int key = 0; key < 5; key++) {
            List<Outcome> outcomes = clients.run(ImmutableList.of(
                    "INSERT INTO %s VALUES (%s, 'this')".formatted(table, key),
                    "INSERT INTO %s%s VALUES (%s, 'other')".formatted(OTHER, table, key)));
            assertThat(outcomes.stream().filter(Outcome::succeeded)).hasSize(1);
            assertThat(outcomes.stream().filter(outcome -> !outcome.succeeded())).singleElement()
                    .satisfies(outcome -> assertThat(outcome.error()).isEqualTo("CONSTRAINT_VIOLATION"));
        }
        assertQuery("SELECT count(*), count(DISTINCT k) FROM " + table, "VALUES (5, 5)");
    }

    @Test
    @Tag("CN-10")
    void testRetriesAreThoseOfTheTable()
    {
        for (int retries : new int[] {0, 3}) {
            String table = createTable("k integer, x integer", "max_commit_retry = " + retries);
            addUnique(table, "u", "k");
            assertUpdate("INSERT INTO " + table + " VALUES (0, 0)", 1);

            AtomicInteger attempts = new AtomicInteger();
            loseRaces(table, attempts, retries + 1);
            Outcome failure = outcome("INSERT INTO " + table + " VALUES (1000, 0)");
            assertThat(attempts).hasValue(retries + 1);
            assertThat(failure.succeeded()).isFalse();
            assertThat(failure.error()).isEqualTo("ICEBERG_COMMIT_ERROR");
            assertQuery("SELECT max(k), count(*) FROM " + table, "VALUES (0, %s)".formatted(retries + 2));
            assertThat(snapshots(table)).isEqualTo(3 + retries + 1);

            attempts.set(0);
            loseRaces(table, attempts, retries);
            assertUpdate("INSERT INTO " + table + " VALUES (2000, 0)", 1);
            assertThat(attempts).hasValue(retries);
            assertThat(status(table, "u")).isEqualTo("valid");
            new TableHistory(getQueryRunner(), table).assertNoLeftovers(lake);
        }
    }

    /// Lets the other coordinator commit first, at each attempt for some times.
    private void loseRaces(String table, AtomicInteger attempts, int times)
    {
        if (attempts.get() < times) {
            hooks.onCommit(new SchemaTableName(SCHEMA, table), 1, () -> {
                attempts.incrementAndGet();
                assertUpdate("INSERT INTO %s%s VALUES (NULL, 1)".formatted(OTHER, table), 1);
                loseRaces(table, attempts, times);
            });
        }
    }

    /// What a scan has found is outdated if somebody commits before it is recorded.
    @Test
    @Tag("CN-24")
    void testRowsComeWhileTheyAreValidated()
    {
        String table = createTable("k integer, x integer");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 1)", 1);
        beforeNextCommit(table, "INSERT INTO %s VALUES (2, 0)", 1);
        assertRefused(addCheckSql(table, "c", "x > 0", ""), CONSTRAINT_VIOLATION, "Constraint c cannot be added: 1 rows break it, among them (x = 0)");
        assertUpdate("DELETE FROM " + table + " WHERE x = 0", 1);

        beforeNextCommit(table, "INSERT INTO %s VALUES (3, 3)", 1);
        addCheck(table, "c", "x > 0");
        assertThat(status(table, "c")).isEqualTo("validated");

        assertUpdate("INSERT INTO " + table + " VALUES (4, 4)", 1);
        assertUpdate("CALL system.alter_constraint('tpch', '" + table + "', 'c', NULL, false)");
        assertThat(status(table, "c")).isEqualTo("valid");
        beforeNextCommit(table, "INSERT INTO %s VALUES (5, 0)", 1);
        validate(table);
        assertThat(status(table, "c")).isEqualTo("invalid");
        assertUpdate("DELETE FROM " + table + " WHERE k = 1", 1);
        assertThat(status(table, "c")).isEqualTo("unvalidated");
        beforeNextCommit(table, "DELETE FROM %s WHERE x = 0", 1);
        validate(table);
        assertThat(status(table, "c")).isEqualTo("validated");
    }

    private void beforeNextCommit(String table, String sql, long rows)
    {
        hooks.onCommit(new SchemaTableName(SCHEMA, table), 1, () -> assertUpdate(sql.formatted(OTHER + table), rows));
    }

    @Test
    @Tag("CN-08")
    void testRefusedStatementsLeaveNothing()
    {
        for (int version = 2; version <= 3; version++) {
            String table = createTable("k integer, x integer", "format_version = " + version);
            addCheck(table, "c", "x > 0");
            addUnique(table, "u", "k");
            assertUpdate("INSERT INTO " + table + " VALUES (1, 1), (2, 2)", 2);
            Set<String> files = files(table);
            // Refused by the page sinks
            for (String statement : ImmutableList.of("INSERT INTO %s VALUES (3, 3), (4, 0)", "UPDATE %s SET x = 0 WHERE k = 1")) {
                assertThat(outcome(statement.formatted(table)).error()).as(statement).isEqualTo("CONSTRAINT_VIOLATION");
                assertThat(files(table)).as(statement).isEqualTo(files);
            }
            // Refused at commit, when data files are complete; Trino leaves those of a failed commit to remove_orphan_files
            Set<String> metadata = metadata(files);
            for (String statement : ImmutableList.of(
                    "INSERT INTO %s VALUES (2, 3)",
                    "INSERT INTO %s VALUES (3, 3), (3, 3)",
                    "UPDATE %s SET k = 1",
                    "MERGE INTO %s t USING (VALUES 1) s(k) ON t.k = s.k WHEN MATCHED THEN UPDATE SET k = 2",
                    "MERGE INTO %s t USING (VALUES 9) s(k) ON t.k = s.k WHEN NOT MATCHED THEN INSERT VALUES (1, 1)")) {
                assertThat(outcome(statement.formatted(table)).error()).as(statement).isEqualTo("CONSTRAINT_VIOLATION");
                assertThat(metadata(files(table))).as(statement).isEqualTo(metadata);
            }
        }
    }

    private static Set<String> metadata(Set<String> files)
    {
        return files.stream()
                .filter(file -> file.endsWith(".avro") || file.endsWith(".metadata.json"))
                .collect(toImmutableSet());
    }

    private Outcome outcome(String sql)
    {
        return new Clients(statement -> getQueryRunner().execute(statement)).outcome(sql);
    }

    private Set<String> files(String table)
    {
        return TableFiles.of(lake, table).stream()
                .map(file -> lake.relativize(file).toString())
                .collect(toImmutableSet());
    }
}
