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
import io.airlift.slice.Slice;
import io.sextant.SextantQueryRunner;
import io.sextant.catalog.CommitGuard;
import io.sextant.constraint.ConstraintsProperty;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.trino.operator.OperatorStats;
import io.trino.plugin.iceberg.IcebergConnector;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.QueryId;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorSession;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.Types.LongType;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.trino.spi.StandardErrorCode.NOT_FOUND;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.EXECUTE_TABLE_PROCEDURE;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SELECT_COLUMN;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// `ALTER TABLE t EXECUTE validate_constraint` on a coordinator and two workers. The oracle is `CALL system.validate_constraint`,
/// run on a table with the same history.
final class TestDistributedConstraintValidation
        extends AbstractTestConstraints
{
    private static final String NOT_VALIDATED = ", validate => false, enforced => false";

    private final StatementHooks hooks = new StatementHooks();

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder()
                .setWorkerCount(2)
                .addCatalogProperty("iceberg.allowed-extra-properties", "*")
                .addCatalogProperty("sextant.constraint.max-memory", "1MB")
                .setExtension(binder -> newSetBinder(binder, CommitGuard.class).addBinding().toInstance(hooks))
                .build();
    }

    @Test
    void testChecksAndKeys()
    {
        Consumer<String> history = table -> {
            assertUpdate("CREATE TABLE " + table + " (id bigint NOT NULL, k varchar, x integer, s row(a integer, b integer)) WITH (format_version = 3)");
            for (int file = 0; file < 4; file++) {
                assertUpdate("INSERT INTO %s SELECT n + %s, CAST(n AS varchar), CAST(n AS integer), ROW(CAST(n AS integer), 1) FROM UNNEST(sequence(1, 100)) t(n)".formatted(table, 1000 * file), 100);
            }
            assertUpdate("INSERT INTO " + table + " VALUES (1, NULL, NULL, NULL), (7001, NULL, -1, ROW(NULL, 2))", 2);
            addUnvalidatedCheck(table, "positive", "x > 10");
            addUnvalidatedCheck(table, "low", "x < 1000");
            addUnvalidatedCheck(table, "nested", "s.a > 1 OR s.b > 1");
            assertUpdate(addKeySql(table, "key", "primary-key", NOT_VALIDATED, "id"));
            assertUpdate(addKeySql(table, "k_unique", "unique", NOT_VALIDATED, "k"));
            assertUpdate(addKeySql(table, "pair", "unique", NOT_VALIDATED, "x", "id"));
            assertUpdate(addKeySql(table, "a", "unique", NOT_VALIDATED, "s.a"));
        };
        assertLikeCall(history, Map.of(
                "rows_scanned", 402L,
                "violations.positive", 41L,
                "violations.low", 0L,
                "violations.nested", 4L,
                "violations.key", 1L,
                "violations.k_unique", 100L,
                "violations.pair", 0L,
                "violations.a", 100L));
    }

    @Test
    void testValidKeysAfterDeletes()
    {
        for (int version : new int[] {2, 3}) {
            assertLikeCall(
                    table -> {
                        assertUpdate("CREATE TABLE " + table + " (id bigint, x integer) WITH (partitioning = ARRAY['x'], format_version = " + version + ")");
                        assertUpdate("INSERT INTO " + table + " SELECT n, n % 3 FROM UNNEST(sequence(1, 50)) t(n)", 50);
                        assertUpdate("INSERT INTO " + table + " SELECT n, 5 FROM UNNEST(sequence(40, 60)) t(n)", 21);
                        assertUpdate(addKeySql(table, "id", "unique", NOT_VALIDATED, "id"));
                        addUnvalidatedCheck(table, "c", "id < 50");
                        assertUpdate("DELETE FROM " + table + " WHERE x < 5 AND id >= 40", 11);
                        assertUpdate("DELETE FROM " + table + " WHERE id BETWEEN 50 AND 60", 11);
                    },
                    Map.of("rows_scanned", 49L, "violations.id", 0L, "violations.c", 0L));
        }
    }

    @Test
    void testEveryKeyType()
    {
        Map<String, String> values = Map.ofEntries(
                Map.entry("boolean", "n = 1"),
                Map.entry("integer", "CAST(n AS integer)"),
                Map.entry("decimal(5, 2)", "n * DECIMAL '0.01'"),
                Map.entry("decimal(38, 3)", "CAST(n AS decimal(38, 3)) - DECIMAL '10000000000000000000000000000000000.000'"),
                Map.entry("date", "date_add('day', n, DATE '1969-12-30')"),
                Map.entry("time(6)", "date_add('minute', n, TIME '23:59:00.000001')"),
                Map.entry("timestamp(6)", "date_add('hour', n, TIMESTAMP '1969-12-31 22:00:00.000001')"),
                Map.entry("timestamp(6) with time zone", "date_add('hour', n, TIMESTAMP '1969-12-31 22:00:00.000001 UTC') AT TIME ZONE 'Asia/Tokyo'"),
                Map.entry("varchar", "CASE WHEN n = 1 THEN 'a ' ELSE 'a' || CAST(n AS varchar) END"),
                Map.entry("varbinary", "to_utf8(CAST(n AS varchar))"),
                Map.entry("uuid", "CAST('00000000-0000-0000-0000-00000000000' || CAST(n AS varchar) AS uuid)"));
        values.forEach((type, value) -> {
            String table = createTable("k " + type);
            String rows = "INSERT INTO %s SELECT %s FROM UNNEST(ARRAY[1, 2, NULL]) t(n)".formatted(table, value);
            if (type.equals("boolean")) {
                rows += " WHERE n = 1 OR n IS NULL";
            }
            getQueryRunner().execute(rows);
            assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "k"));
            assertThat(execute(table, "")).as(type).containsEntry("violations.k", 0L);
            assertThat(status(table, "k")).isEqualTo("validated");
            getQueryRunner().execute(rows);
            assertThat(execute(table, "")).as(type).containsEntry("violations.k", type.equals("boolean") ? 1L : 2L);
            assertThat(status(table, "k")).isEqualTo("invalid");
        });
    }

    @Test
    void testMoreKeysThanMemoryHolds()
    {
        String table = createTable("k bigint");
        assertUpdate("INSERT INTO " + table + " SELECT a * 1000 + b FROM UNNEST(sequence(0, 299)) t(a) CROSS JOIN UNNEST(sequence(0, 999)) u(b)", 300_000);
        assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "k"));
        assertThat(execute(table, "")).isEqualTo(Map.of("rows_scanned", 300_000L, "violations.k", 0L));
        assertUpdate("INSERT INTO " + table + " SELECT k FROM " + table + " WHERE k % 10000 = 1", 30);
        assertThat(execute(table, "")).isEqualTo(Map.of("rows_scanned", 300_030L, "violations.k", 30L));
    }

    /// More than are read again to be sure of them.
    @Test
    void testManyRepeatedKeys()
    {
        String table = createTable("k bigint");
        for (int copy = 0; copy < 2; copy++) {
            assertUpdate("INSERT INTO " + table + " SELECT a * 1000 + b FROM UNNEST(sequence(0, 49)) t(a) CROSS JOIN UNNEST(sequence(0, 999)) u(b)", 50_000);
        }
        assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "k"));
        assertThat(execute(table, "")).containsEntry("violations.k", 50_000L);
    }

    /// Two keys can have one hash. Here a worker claims to have seen three hashes twice, but only one is that of a repeated key.
    @Test
    void testSuspectsAreReadAgain()
    {
        String table = createTable("k bigint");
        assertUpdate("INSERT INTO " + table + " VALUES 1, 2, 2, 3", 4);
        assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "k"));
        IcebergConnector connector = (IcebergConnector) getDistributedQueryRunner().getCoordinator().getConnector(SextantQueryRunner.CATALOG);
        ConnectorSession session = TestingConnectorSession.builder().setPropertyMetadata(connector.getSessionProperties()).build();
        SchemaTableName name = new SchemaTableName("tpch", table);
        BaseTable iceberg = connector.getInjector().getInstance(TrinoCatalogFactory.class).create(session.getIdentity()).loadTable(session, name);
        DistributedValidation validation = connector.getInjector().getInstance(DistributedValidation.class);
        assertThat(validation.finish(new ConstrainedTable(session, name, iceberg), handle(name, iceberg), suspicious(1, 2, 3))).isEqualTo(Map.of("rows_scanned", 4L, "violations.k", 1L));
        assertThat(status(table, "k")).isEqualTo("invalid");
        assertThat(validation.finish(new ConstrainedTable(session, name, iceberg), handle(name, iceberg), suspicious(1, 3))).isEqualTo(Map.of("rows_scanned", 4L, "violations.k", 0L));
        assertThat(status(table, "k")).isEqualTo("validated");
    }

    private static ValidationHandle handle(SchemaTableName name, BaseTable table)
    {
        table.refresh();
        return new ValidationHandle(
                name,
                OptionalLong.of(table.currentSnapshot().snapshotId()),
                SchemaParser.toJson(table.schema()),
                Optional.of(table.properties().get(ConstraintsProperty.NAME)),
                ImmutableList.of(1));
    }

    private static List<Slice> suspicious(long... keys)
    {
        KeyEncoding encoding = KeyEncoding.of(ImmutableList.of(LongType.get()));
        List<Long> hashes = LongStream.of(keys)
                .mapToObj(key -> {
                    KeyBuffer buffer = new KeyBuffer();
                    encoding.encodeValue(0, key, buffer);
                    return KeyReader.hash(buffer);
                })
                .toList();
        return ImmutableList.of(new ValidationPart(4, Map.of(1, (long) keys.length), hashes).toFragment());
    }

    @Test
    void testAllNodesTakePart()
    {
        String table = createTable("k bigint, x bigint");
        assertUpdate("INSERT INTO " + table + " SELECT n, n FROM UNNEST(sequence(1, 10000)) t(n)", 10_000);
        addUnvalidatedCheck(table, "c", "x > 5");
        assertThat(nodesWithSinks(table)).hasSize(3);
        assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "k"));
        assertThat(nodesWithSinks(table)).hasSize(3);
    }

    private Set<String> nodesWithSinks(String table)
    {
        QueryId query = getDistributedQueryRunner().executeWithPlan(getSession(), executeSql(table, "")).queryId();
        return getDistributedQueryRunner().getCoordinator().getQueryManager().getFullQueryInfo(query).getStages().orElseThrow().getStages().stream()
                .flatMap(stage -> stage.tasks().stream())
                .filter(task -> task.stats().pipelines().stream()
                        .flatMap(pipeline -> pipeline.getOperatorSummaries().stream())
                        .filter(operator -> operator.getOperatorType().equals("TableWriterOperator"))
                        .mapToLong(OperatorStats::getInputPositions)
                        .sum() > 0)
                .map(task -> task.taskStatus().nodeId())
                .collect(toImmutableSet());
    }

    @Test
    void testOneConstraintByName()
    {
        String table = createTable("k bigint, x bigint");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 1), (1, -1)", 2);
        addUnvalidatedCheck(table, "Positive", "x > 0");
        assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "k"));
        assertThat(execute(table, "constraint_name => 'positive'")).isEqualTo(Map.of("rows_scanned", 2L, "violations.Positive", 1L));
        assertThat(status(table, "Positive")).isEqualTo("invalid");
        assertThat(status(table, "k")).isEqualTo("unvalidated");
        long snapshots = snapshots(table);
        execute(table, "'positive'");
        assertThat(snapshots(table)).as("nothing new").isEqualTo(snapshots);
        assertRefused(executeSql(table, "'missing'"), NOT_FOUND, "The table has no constraint missing; its constraints are [Positive, k]");
    }

    @Test
    void testNoRowsAndNoConstraints()
    {
        String table = createTable("k bigint, x bigint");
        assertThat(execute(table, "")).isEqualTo(Map.of("rows_scanned", 0L));
        addUnvalidatedCheck(table, "c", "x > 0");
        assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "k"));
        assertThat(execute(table, "")).isEqualTo(Map.of("rows_scanned", 0L, "violations.c", 0L, "violations.k", 0L));
        assertThat(status(table, "c")).isEqualTo("validated");
        assertThat(status(table, "k")).isEqualTo("validated");

        String unconstrained = createTable("x bigint");
        assertUpdate("INSERT INTO " + unconstrained + " VALUES 1, 2", 2);
        long snapshots = snapshots(unconstrained);
        assertThat(execute(unconstrained, "")).isEqualTo(Map.of("rows_scanned", 2L));
        assertThat(snapshots(unconstrained)).isEqualTo(snapshots);
    }

    @Test
    void testConstraintOfNoColumn()
    {
        String table = createTable("x bigint");
        assertUpdate("INSERT INTO " + table + " VALUES 1, 2", 2);
        defineByForce(table, "{\"last-constraint-id\": 1, \"constraints\": [{\"constraint-id\": 1, \"name\": \"c\", \"enforced\": false, \"timestamp-ms\": 1, \"type\": \"check\", \"expression\": false}]}");
        assertThat(execute(table, "")).isEqualTo(Map.of("rows_scanned", 2L, "violations.c", 2L));
    }

    @Test
    void testTableThatChangesMeanwhile()
    {
        String table = createTable("k bigint");
        assertUpdate("INSERT INTO " + table + " VALUES 1, 2", 2);
        assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "k"));
        SchemaTableName name = new SchemaTableName("tpch", table);
        long snapshots = snapshots(table);

        hooks.onLoad(name, 4, () -> assertUpdate("INSERT INTO " + table + " VALUES 3", 1));
        assertRefused(executeSql(table, ""), TRANSACTION_CONFLICT, "Table tpch.%s was changed while its rows were checked, so nothing was recorded; run ALTER TABLE .. EXECUTE validate_constraint again".formatted(table));
        assertThat(snapshots(table)).isEqualTo(snapshots + 1);

        hooks.onCommit(name, 1, () -> assertUpdate("INSERT INTO " + table + " VALUES 4", 1));
        assertRefused(executeSql(table, ""), TRANSACTION_CONFLICT, "was changed while its rows were checked");
        assertThat(snapshots(table)).isEqualTo(snapshots + 2);
        assertThat(status(table, "k")).isEqualTo("unvalidated");

        hooks.onLoad(name, 4, () -> assertUpdate("CALL system.alter_constraint('tpch', '%s', 'k', 'other')".formatted(table)));
        assertRefused(executeSql(table, ""), TRANSACTION_CONFLICT, "was changed while its rows were checked");
        assertThat(status(table, "other")).isEqualTo("unvalidated");

        assertThat(execute(table, "")).isEqualTo(Map.of("rows_scanned", 4L, "violations.other", 0L));
        assertThat(status(table, "other")).isEqualTo("validated");
    }

    @Test
    void testFilterIsRefused()
    {
        String table = createTable("k bigint, p bigint", "partitioning = ARRAY['p']");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 1), (-1, 2)", 2);
        addUnvalidatedCheck(table, "c", "k > 0");
        long snapshots = snapshots(table);
        for (String filter : new String[] {"p = 1", "k > 0", "k > 0 AND p % 2 = 1", "k % 2 = 1", "k IN (SELECT 1)"}) {
            assertRefused(executeSql(table, "") + " WHERE " + filter, NOT_SUPPORTED, "A constraint is validated for all rows of table tpch.%s; leave out WHERE".formatted(table));
        }
        assertThatThrownBy(() -> getQueryRunner().execute(executeSql(table, "") + " WHERE k = (SELECT max(p) FROM " + table + ")")).hasMessageContaining("WHERE");
        getQueryRunner().execute(executeSql(table, "") + " WHERE false");
        assertThat(snapshots(table)).isEqualTo(snapshots);
        assertThat(status(table, "c")).isEqualTo("unvalidated");
    }

    @Test
    void testExplainRecordsNothing()
    {
        String table = createTable("k bigint");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        addUnvalidatedCheck(table, "c", "k > 0");
        assertThat((String) computeScalar("EXPLAIN " + executeSql(table, ""))).contains("tpch.%s [c]".formatted(table));
        assertThat(status(table, "c")).isEqualTo("unvalidated");
        getQueryRunner().execute("EXPLAIN ANALYZE " + executeSql(table, ""));
        assertThat(status(table, "c")).isEqualTo("validated");
    }

    @Test
    void testConstraintThatCannotBeEvaluated()
    {
        String table = createTable("x integer");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        for (String condition : new String[] {
                "\"type\": \"foreign-key\", \"field-ids\": [1]",
                "\"type\": \"unique\", \"field-ids\": [99]",
                "\"type\": \"check\", \"expression\": {\"type\": \"gt\", \"left\": {\"type\": \"reference\", \"id\": 99}, \"right\": 0}",
        }) {
            defineByForce(table, "{\"last-constraint-id\": 2, \"constraints\": ["
                    + "{\"constraint-id\": 1, \"name\": \"good\", \"enforced\": false, \"timestamp-ms\": 1, \"type\": \"unique\", \"field-ids\": [1]},"
                    + "{\"constraint-id\": 2, \"name\": \"odd\", \"enforced\": false, \"timestamp-ms\": 1, " + condition + "}]}");
            assertRefused(executeSql(table, ""), NOT_SUPPORTED, "constraint odd cannot be validated: ");
            assertRefused(executeSql(table, "'odd'"), NOT_SUPPORTED, "validate other constraints by their names, or drop it (CALL system.drop_constraint)");
            assertRefused("CALL system.validate_constraint('tpch', '" + table + "')", NOT_SUPPORTED, "constraint odd cannot be validated: ");
            assertThat(execute(table, "'good'")).containsEntry("violations.good", 0L);
        }
    }

    @Test
    void testPrivileges()
    {
        String table = createTable("x integer, y integer");
        addUnvalidatedCheck(table, "c", "x > 0");
        assertAccessDenied(executeSql(table, ""), "Cannot execute table procedure .*", privilege("sextant.tpch." + table + ".VALIDATE_CONSTRAINT", EXECUTE_TABLE_PROCEDURE));
        assertAccessDenied(executeSql(table, ""), "Cannot select from columns \\[x\\] .*", privilege(table + ".x", SELECT_COLUMN));
        assertAccessAllowed(executeSql(table, ""), privilege(table + ".y", SELECT_COLUMN));
    }

    private void addUnvalidatedCheck(String table, String name, String expression)
    {
        assertUpdate(addCheckSql(table, name, expression, NOT_VALIDATED));
    }

    private void defineByForce(String table, String json)
    {
        assertUpdate("ALTER TABLE plain.tpch.%s SET PROPERTIES extra_properties = MAP(ARRAY['sextant.constraints'], ARRAY['%s'])".formatted(table, json));
    }

    /// @param history makes a table of that name
    private void assertLikeCall(Consumer<String> history, Map<String, Long> metrics)
    {
        String table = "test_distributed_" + Long.toHexString(System.nanoTime());
        String copy = table + "_copy";
        history.accept(table);
        history.accept(copy);
        assertThat(execute(table, "")).isEqualTo(metrics);
        validate(copy);
        String statuses = "SELECT name, status, count(*) OVER () FROM \"%s$constraints\"";
        assertThat(query(statuses.formatted(table))).matches(statuses.formatted(copy));
        assertThat(computeActual(statuses.formatted(table)).getRowCount()).isEqualTo(metrics.size() - 1);
        assertThat(snapshots(table)).isEqualTo(snapshots(copy));
    }

    private static String executeSql(String table, String arguments)
    {
        return "ALTER TABLE %s EXECUTE validate_constraint%s".formatted(table, arguments.isEmpty() ? "" : "(" + arguments + ")");
    }

    private Map<String, Long> execute(String table, String arguments)
    {
        MaterializedResult result = getQueryRunner().execute(executeSql(table, arguments));
        return result.getMaterializedRows().stream()
                .collect(toMap(row -> (String) row.getField(0), row -> (Long) row.getField(1), (first, _) -> first, HashMap::new));
    }
}
