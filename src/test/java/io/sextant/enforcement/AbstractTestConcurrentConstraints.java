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
import io.trino.spi.connector.SchemaTableName;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

/// Constraints hold whoever writes at the same time, and snapshots say nothing of them that is not so.
abstract class AbstractTestConcurrentConstraints
        extends AbstractTestQueryFramework
{
    // 2,000 for a long run
    private static final int COMMITS = Integer.getInteger("sextant.test.commits", 40);
    private static final String SCHEMA = "tpch";
    static final String INSERT = "INSERT INTO %s VALUES %s";
    private static final String VIOLATION = "CONSTRAINT_VIOLATION";
    private static final Set<String> LOST_RACES = Set.of("TRANSACTION_CONFLICT", "ICEBERG_COMMIT_ERROR");

    final StatementHooks hooks = new StatementHooks();
    private Path lake;
    private Clients clients;

    /// @param properties of the catalog
    /// @param directory of its tables
    record Lake(Map<String, String> properties, Path directory)
    {
        Lake
        {
            properties = ImmutableMap.copyOf(properties);
            requireNonNull(directory, "directory is null");
        }
    }

    /// Starts what the catalog needs and registers it to be closed.
    abstract Lake startLake()
            throws Exception;

    @Override
    protected final QueryRunner createQueryRunner()
            throws Exception
    {
        Lake started = startLake();
        lake = started.directory();
        return SextantQueryRunner.builder()
                .setCatalogProperties(started.properties())
                .addCatalogProperty("iceberg.allowed-extra-properties", "*")
                .withoutPlainCatalog()
                .setExtension(binder -> newSetBinder(binder, CommitGuard.class).addBinding().toInstance(hooks))
                .build();
    }

    @BeforeAll
    void createClients()
    {
        clients = new Clients(this::execute);
    }

    @Test
    @Tag("CN-08")
    @Tag("CN-10")
    void testOverlappingKeys()
            throws Exception
    {
        String table = createTable("k integer NOT NULL, writer varchar");
        execute(addKey(table, "pk", "primary-key"));
        int threads = 8;
        Collection<String> accepted = new ConcurrentLinkedQueue<>();
        Collection<Outcome> refused = new ConcurrentLinkedQueue<>();
        AtomicInteger commits = new AtomicInteger();
        clients.run(threads, client -> {
            Random random = new Random(client);
            for (int commit = 0; commit < COMMITS / threads; commit++) {
                String writer = client + "-" + commit;
                List<Integer> keys = random.ints(0, COMMITS).distinct().limit(1 + random.nextInt(3)).boxed().toList();
                Outcome outcome = clients.outcome("INSERT INTO %s VALUES %s".formatted(table, keys.stream().map(key -> "(%s, '%s')".formatted(key, writer)).collect(joining(", "))));
                if (outcome.succeeded()) {
                    keys.forEach(key -> accepted.add(key + " by " + writer));
                    commits.incrementAndGet();
                }
                else {
                    refused.add(outcome);
                }
            }
        });
        assertThat(computeActual("SELECT CAST(k AS varchar) || ' by ' || writer FROM " + table).getOnlyColumnAsSet()).isEqualTo(new HashSet<>(accepted));
        assertThat(count("SELECT count(*) FROM " + table)).isEqualTo(accepted.size());
        Set<String> keys = accepted.stream().map(row -> row.substring(0, row.indexOf(' '))).collect(toSet());
        assertThat(keys).hasSize(accepted.size());
        assertThat(refused).isNotEmpty().allSatisfy(outcome -> {
            assertThat(outcome.error()).as(outcome.toString()).isEqualTo(VIOLATION);
            assertThat(outcome.message()).matches("Primary key violation: pk: k = \\d+ is in the table already");
            String key = outcome.message().replaceAll("\\D", "");
            assertThat(keys).contains(key);
            assertThat(outcome.sql()).contains("(%s, ".formatted(key));
        });
        TableHistory history = history(table);
        assertThat(history.statuses()).hasSize(2 + commits.get());
        history.assertListedToTheEnd(1);
        history.assertNoLeftovers(lake);
        assertThat(history.statuses().values().stream().skip(2)).containsOnly(Map.of(1, "valid"));
    }

    @Test
    @Tag("CN-10")
    void testOneKey()
            throws Exception
    {
        String table = createTable("k integer, writer varchar");
        execute(addKey(table, "u", "unique"));
        for (int round = 0; round < 5; round++) {
            int key = round;
            List<Outcome> outcomes = clients.run(IntStream.range(0, 4)
                    .mapToObj(client -> "INSERT INTO %s VALUES (%s, '%s')".formatted(table, key, client))
                    .toList());
            assertThat(outcomes.stream().filter(Outcome::succeeded)).hasSize(1);
            assertThat(outcomes.stream().filter(outcome -> !outcome.succeeded())).allSatisfy(outcome -> {
                assertThat(outcome.error()).isEqualTo(VIOLATION);
                assertThat(outcome.message()).isEqualTo("Unique constraint violation: u: k = %s is in the table already".formatted(key));
            });
            assertThat(count("SELECT count(*) FROM %s WHERE k = %s".formatted(table, key))).isEqualTo(1);
        }
        history(table).assertNoLeftovers(lake);
    }

    @Test
    @Tag("CN-10")
    void testDisjointKeys()
            throws Exception
    {
        String table = createTable("k integer, writer varchar");
        execute(addKey(table, "u", "unique"));
        int threads = 4;
        int insertsOfThread = 5;
        clients.run(threads, client -> {
            for (int insert = 0; insert < insertsOfThread; insert++) {
                execute("INSERT INTO %s VALUES (%s, 'x'), (NULL, 'x')".formatted(table, client + threads * insert));
            }
        });
        assertQuery("SELECT count(*), count(k), count(DISTINCT k) FROM " + table, "VALUES (40, 20, 20)");
        history(table).assertNoLeftovers(lake);
    }

    @Test
    @Tag("CN-10")
    void testInsertOfKeyThatIsDeleted()
            throws Exception
    {
        String table = createTable("k integer NOT NULL, writer varchar");
        execute(addKey(table, "pk", "primary-key"));
        for (int round = 0; round < 5; round++) {
            execute("INSERT INTO %s VALUES (%s, 'old'), (%s, 'other')".formatted(table, round, 1000 + round));
            List<Outcome> outcomes = clients.run(ImmutableList.of(
                    "DELETE FROM %s WHERE k = %s".formatted(table, round),
                    "INSERT INTO %s VALUES (%s, 'new')".formatted(table, round)));
            Outcome delete = outcomes.getFirst();
            Outcome insert = outcomes.getLast();
            if (!delete.succeeded()) {
                assertThat(delete.error()).isIn(LOST_RACES);
            }
            if (!insert.succeeded()) {
                assertThat(insert.error()).isEqualTo(VIOLATION);
            }
            assertThat(computeActual("SELECT writer FROM %s WHERE k = %s".formatted(table, round)).getOnlyColumnAsSet())
                    .isEqualTo(insert.succeeded() ? Set.of("new") : delete.succeeded() ? Set.of() : Set.of("old"));
        }
        history(table).assertStatusesAreTrue(Map.of(1, TableHistory.breakUnique("k")));
        history(table).assertNoLeftovers(lake);
    }

    /// The key is there when the statement looks first, and not when it commits, or the other way round.
    @Test
    @Tag("CN-10")
    void testKeyComesAndGoesBetweenAttempts()
    {
        String table = createTable("k integer NOT NULL, writer varchar");
        execute(addKey(table, "pk", "primary-key"));
        execute("INSERT INTO %s VALUES (1, 'a'), (2, 'a'), (3, 'a')".formatted(table));
        hooks.onCommit(name(table), 1, () -> execute("INSERT INTO %s VALUES (10, 'b')".formatted(table)));
        assertViolation(clients.outcome("INSERT INTO %s VALUES (10, 'c')".formatted(table)), "k = 10");
        hooks.onCommit(name(table), 1, () -> execute("UPDATE %s SET k = 11 WHERE k = 10".formatted(table)));
        assertViolation(clients.outcome("INSERT INTO %s VALUES (11, 'c')".formatted(table)), "k = 11");
        hooks.onCommit(name(table), 1, () -> {
            execute("DELETE FROM %s WHERE k = 1".formatted(table));
            execute("INSERT INTO %s VALUES (1, 'd')".formatted(table));
            execute("ALTER TABLE %s EXECUTE optimize".formatted(table));
        });
        execute("INSERT INTO %s VALUES (20, 'c')".formatted(table));
        hooks.onCommit(name(table), 1, () -> execute("ALTER TABLE %s EXECUTE optimize".formatted(table)));
        execute("INSERT INTO %s VALUES (21, 'c')".formatted(table));
        hooks.onCommit(name(table), 1, () -> execute("INSERT INTO %s VALUES (22, 'd')".formatted(table)));
        hooks.onLoad(name(table), 1, () -> execute("DELETE FROM %s WHERE k = 20".formatted(table)));
        execute("INSERT INTO %s VALUES (20, 'e')".formatted(table));
        assertQuery("SELECT * FROM " + table, "VALUES (1, 'd'), (2, 'a'), (3, 'a'), (11, 'b'), (20, 'e'), (21, 'c'), (22, 'd')");
        history(table).assertStatusesAreTrue(Map.of(1, TableHistory.breakUnique("k")));
    }

    @Test
    @Tag("CN-10")
    void testAllStatements()
            throws Exception
    {
        String table = createTable("k integer NOT NULL, writer varchar");
        execute(addKey(table, "pk", "primary-key"));
        execute("INSERT INTO %s SELECT x, 'start' FROM UNNEST(sequence(0, 9)) AS t(x)".formatted(table));
        Collection<Outcome> outcomes = new ConcurrentLinkedQueue<>();
        clients.run(6, client -> {
            Random random = new Random(client);
            for (int statement = 0; statement < 8; statement++) {
                int key = random.nextInt(20);
                int other = random.nextInt(20);
                String sql = switch (random.nextInt(5)) {
                    case 0 -> "UPDATE %s SET k = %s WHERE k = %s".formatted(table, key, other);
                    case 1 -> "UPDATE %1$s SET k = %2$s - k WHERE k IN (%3$s, %4$s)".formatted(table, key + other, key, other);
                    case 2 -> """
                              MERGE INTO %s t USING (VALUES %s, %s) s(k) ON t.k = s.k
                              WHEN MATCHED THEN UPDATE SET writer = 'merge' WHEN NOT MATCHED THEN INSERT VALUES (s.k, 'merge')\
                              """.formatted(table, key, key + 1);
                    case 3 -> "DELETE FROM %s WHERE k = %s".formatted(table, key);
                    default -> "INSERT INTO %s VALUES (%s, 'insert')".formatted(table, key);
                };
                outcomes.add(clients.outcome(sql));
            }
        });
        assertThat(outcomes).anyMatch(Outcome::succeeded).anyMatch(outcome -> !outcome.succeeded());
        assertThat(outcomes.stream().filter(outcome -> !outcome.succeeded())).allSatisfy(outcome ->
                assertThat(outcome.error()).as(outcome.toString()).isIn(VIOLATION, "TRANSACTION_CONFLICT", "ICEBERG_COMMIT_ERROR"));
        assertThat(count(TableHistory.breakUnique("k").formatted(table))).isZero();
        TableHistory history = history(table);
        history.assertStatusesAreTrue(Map.of(1, TableHistory.breakUnique("k")));
        assertThat(history.statuses().values().stream().skip(1).flatMap(statuses -> statuses.values().stream())).isSubsetOf("validated", "valid");
        history.assertNoLeftovers(lake);
    }

    /// The first attempt to commit verifies too little, and then loses the race against whoever adds or enforces a constraint.
    @Test
    @Tag("CN-11")
    @Tag("CN-22")
    void testConstraintComesBeforeCommit()
    {
        assertCheckKept(INSERT, false, hooks::onCommit, 1);
        assertCheckKept(INSERT, true, hooks::onCommit, 1);
        assertKeyKept(INSERT, false, hooks::onCommit, 1);
    }

    /// Another session adds or enforces a check at some moment of a statement, which must keep it.
    ///
    /// @param enforce whether it is there already and enforced meanwhile
    final void assertCheckKept(String statement, boolean enforce, Moment moment, int number)
    {
        assertKept(statement, "(1, 0)", "(1, 1)", table -> addCheck(table, "c", "x > 0"), enforce, moment, number, TableHistory.breakCheck("x > 0"));
    }

    /// The same for a key.
    final void assertKeyKept(String statement, boolean enforce, Moment moment, int number)
    {
        assertKept(statement, "(7, 0)", "(8, 0)", table -> addKey(table, "c", "unique"), enforce, moment, number, TableHistory.breakUnique("k"));
    }

    @FunctionalInterface
    private interface Definition
    {
        String call(String table);
    }

    @FunctionalInterface
    interface Moment
    {
        void act(SchemaTableName table, int number, Runnable action);
    }

    private void assertKept(String statement, String violating, String keeping, Definition add, boolean enforce, Moment moment, int number, String violations)
    {
        String table = createTable("k integer, x integer");
        execute("INSERT INTO %s VALUES (7, 5), (100, 5)".formatted(table));
        if (enforce) {
            execute(add.call(table));
            execute(alter(table, "c", "enforced => false"));
        }
        AtomicBoolean acted = new AtomicBoolean();
        String change = enforce ? alter(table, "c", "enforced => true") : add.call(table);
        moment.act(name(table), number, () -> {
            acted.set(true);
            execute(change);
        });
        Outcome violation = clients.outcome(statement.formatted(table, violating));
        String context = "%s, enforce: %s, number %s: %s".formatted(statement, enforce, number, violation);
        assertThat(acted.get()).as(context).isTrue();
        assertThat(violation.succeeded()).as(context).isFalse();
        assertThat(violation.error()).as(context).isEqualTo(VIOLATION);

        execute("CALL system.drop_constraint('%s', '%s', 'c')".formatted(SCHEMA, table));
        if (enforce) {
            execute(add.call(table));
            execute(alter(table, "c", "enforced => false"));
        }
        moment.act(name(table), number, () -> execute(change));
        Outcome outcome = clients.outcome(statement.formatted(table, keeping));
        assertThat(outcome.succeeded()).as("%s %s", context, outcome).isTrue();
        TableHistory history = history(table);
        assertThat(List.copyOf(history.statuses().values()).getLast()).as(context).isEqualTo(Map.of(2, "valid"));
        history.assertStatusesAreTrue(Map.of(1, violations, 2, violations));
        history.assertListedToTheEnd(2);
        history.assertNoLeftovers(lake);
    }

    @Test
    @Tag("CN-11")
    @Tag("CN-22")
    void testConstraintsComeAndGoWhileRowsAreWritten()
            throws Exception
    {
        String table = createTable("k integer, x integer");
        Map<Integer, String> violations = new ConcurrentHashMap<>();
        Collection<Outcome> unexpected = new ConcurrentLinkedQueue<>();
        AtomicInteger definers = new AtomicInteger(2);
        AtomicInteger writers = new AtomicInteger(3);
        AtomicInteger added = new AtomicInteger();
        clients.run(5, client -> {
            Random random = new Random(client);
            if (client < 2) {
                // Writers may win race after race, so this ends with them
                for (int round = 0; round == 0 || (round < 4 && writers.get() > 0); round++) {
                    String constraint = client == 0 ? "c" : "u";
                    Outcome add = clients.outcome(client == 0 ? addCheck(table, "c", "x > 0") : addKey(table, "u", "unique"));
                    if (!add.succeeded()) {
                        if (!add.error().equals(VIOLATION) && !add.error().equals("TRANSACTION_CONFLICT")) {
                            unexpected.add(add);
                        }
                        clients.outcome(client == 0 ? "DELETE FROM %s WHERE x <= 0".formatted(table) : "TRUNCATE TABLE " + table);
                        continue;
                    }
                    added.incrementAndGet();
                    int id = (int) computeScalar("SELECT id FROM \"%s$constraints\" WHERE name = '%s'".formatted(table, constraint));
                    assertThat(violations.put(id, client == 0 ? TableHistory.breakCheck("x > 0") : TableHistory.breakUnique("k"))).isNull();
                    for (String change : ImmutableList.of(alter(table, constraint, "enforced => false"), alter(table, constraint, "enforced => true"), "CALL system.validate_constraint('%s', '%s', '%s')".formatted(SCHEMA, table, constraint))) {
                        Outcome changed = clients.outcome(change);
                        if (!changed.succeeded() && !changed.error().equals("TRANSACTION_CONFLICT")) {
                            unexpected.add(changed);
                        }
                    }
                    while (!clients.outcome("CALL system.drop_constraint('%s', '%s', '%s')".formatted(SCHEMA, table, constraint)).succeeded()) {
                        Thread.sleep(10);
                    }
                }
                definers.decrementAndGet();
                return;
            }
            for (int insertion = 0; insertion < COMMITS / 4 && definers.get() > 0; insertion++) {
                Outcome insert = clients.outcome("INSERT INTO %s VALUES (%s, %s)".formatted(table, random.nextInt(60), random.nextInt(12)));
                if (!insert.succeeded() && !insert.error().equals(VIOLATION)) {
                    unexpected.add(insert);
                }
                Thread.sleep(50);
            }
            writers.decrementAndGet();
        });
        assertThat(unexpected).isEmpty();
        assertThat(added.get()).isPositive();
        history(table).assertStatusesAreTrue(violations);
        history(table).assertNoLeftovers(lake);
    }

    @Test
    @Tag("CN-14")
    void testDefinersDoNotOverwriteEachOther()
            throws Exception
    {
        String table = createTable("k integer, x integer");
        clients.run(2, client -> {
            for (int i = 0; i < 10; i++) {
                String constraint = "c_%s_%s".formatted(client, i);
                execute(addCheck(table, constraint, "x > " + i));
                if (i % 3 == 1) {
                    execute(alter(table, constraint, "new_name => 'r_%s_%s', enforced => false".formatted(client, i)));
                }
                if (i % 3 == 2) {
                    execute("CALL system.drop_constraint('%s', '%s', '%s')".formatted(SCHEMA, table, constraint));
                }
            }
        });
        List<String> expected = IntStream.range(0, 20).filter(i -> i / 2 % 3 != 2)
                .mapToObj(i -> "%s_%s_%s".formatted(i / 2 % 3 == 1 ? "r" : "c", i % 2, i / 2))
                .collect(toImmutableList());
        List<MaterializedRow> rows = computeActual("SELECT name, id, enforced FROM \"%s$constraints\"".formatted(table)).getMaterializedRows();
        assertThat(rows.stream().map(row -> row.getField(0)).toList()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(rows.stream().map(row -> row.getField(1)).distinct()).hasSize(expected.size());
        assertThat(rows).allSatisfy(row -> assertThat((boolean) row.getField(2)).isEqualTo(((String) row.getField(0)).startsWith("c")));
        // An ID each for 20 constraints, in the order of commits
        TableHistory history = history(table);
        Set<Integer> seen = history.statuses().values().stream().flatMap(statuses -> statuses.keySet().stream()).collect(toSet());
        assertThat(seen).isEqualTo(IntStream.rangeClosed(1, 20).boxed().collect(toSet()));
        history.assertNoLeftovers(lake);
    }

    private static void assertViolation(Outcome outcome, String key)
    {
        assertThat(outcome.succeeded()).as(outcome.sql()).isFalse();
        assertThat(outcome.error()).isEqualTo(VIOLATION);
        assertThat(outcome.message()).contains(key);
    }

    private String createTable(String columns)
    {
        String table = "test_" + randomNameSuffix();
        execute(
                """
                CREATE TABLE %s (%s) WITH (max_commit_retry = 1000, extra_properties = MAP(
                    ARRAY['commit.retry.min-wait-ms', 'commit.retry.max-wait-ms'],
                    ARRAY['5', '200']))\
                """.formatted(table, columns));
        return table;
    }

    private static String addKey(String table, String name, String type)
    {
        return "CALL system.add_constraint(schema_name => '%s', table_name => '%s', constraint_name => '%s', constraint_type => '%s', columns => ARRAY['k'])".formatted(SCHEMA, table, name, type);
    }

    private static String addCheck(String table, String name, String condition)
    {
        return "CALL system.add_constraint('%s', '%s', '%s', 'check', '%s')".formatted(SCHEMA, table, name, condition);
    }

    private static String alter(String table, String name, String change)
    {
        return "CALL system.alter_constraint(schema_name => '%s', table_name => '%s', constraint_name => '%s', %s)".formatted(SCHEMA, table, name, change);
    }

    private TableHistory history(String table)
    {
        return new TableHistory(getQueryRunner(), table);
    }

    private static SchemaTableName name(String table)
    {
        return new SchemaTableName(SCHEMA, table);
    }

    private long count(String sql)
    {
        return (long) computeScalar(sql);
    }

    private void execute(String sql)
    {
        getQueryRunner().execute(sql);
    }
}
