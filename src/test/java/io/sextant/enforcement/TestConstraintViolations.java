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

import com.google.common.collect.ImmutableMap;
import io.sextant.SextantQueryRunner;
import io.trino.metadata.QualifiedObjectName;
import io.trino.spi.security.ViewExpression;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingAccessControlManager;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_FOUND;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SELECT_COLUMN;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;

/// `TABLE(system.constraint_violations(..))`. The oracle is a query of the table itself.
final class TestConstraintViolations
        extends AbstractTestConstraints
{
    private static final String NOT_VALIDATED = ", validate => false, enforced => false";

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder()
                .setWorkerCount(1)
                .addCatalogProperty("iceberg.allowed-extra-properties", "*")
                .build();
    }

    @Test
    void testRowsThatBreakACheck()
    {
        String table = createTable("x integer, v varchar, s row(a integer, b row(c varchar, d double)), arr array(integer), p date", "partitioning = ARRAY['p'], format_version = 3");
        for (int file = 0; file < 3; file++) {
            assertUpdate("INSERT INTO " + table + " SELECT n, 'value ' || CAST(n AS varchar), ROW(n, ROW(CAST(n % 7 AS varchar), n)), sequence(1, n % 5), date_add('day', n % 2, DATE '2026-01-01') "
                    + "FROM (SELECT CAST(n AS integer) n FROM UNNEST(sequence(1, 40)) t(n))", 40);
        }
        assertUpdate("INSERT INTO " + table + " VALUES (NULL, NULL, NULL, NULL, NULL), (-1, NULL, ROW(NULL, NULL), NULL, NULL), (-1, NULL, ROW(NULL, ROW(NULL, nan())), NULL, NULL)", 3);
        assertUpdate("DELETE FROM " + table + " WHERE x % 10 = 3", 12);

        assertViolations(table, "x > 5", "x", "x");
        assertViolations(table, "x > 5 AND v <> 'value 9'", "x, v", "x, v");
        assertViolations(table, "s.a > 5 OR x < 0", "x, s", "x, IF(s IS NOT NULL, CAST(ROW(s.a) AS ROW(a integer)))");
        assertViolations(table, "s.b.c <> '3'", "s", "IF(s IS NOT NULL, CAST(ROW(IF(s.b IS NOT NULL, ROW(s.b.c))) AS ROW(b ROW(c varchar))))");
        assertViolations(table, "cardinality(arr) > 1", "arr", "arr");
        assertViolations(table, "p > DATE '2026-01-01'", "p", "p");
        assertViolations(table, "x > -5", "x", "x");
    }

    private void assertViolations(String table, String check, String columns, String values)
    {
        assertUpdate(addCheckSql(table, "c", check, NOT_VALIDATED));
        long snapshots = snapshots(table);
        assertThat(query("SELECT %s, row_count FROM %s".formatted(columns, violations(table, "c", 1000))))
                .as(check)
                .matches("SELECT %s, BIGINT '1' FROM %s WHERE NOT (%s)".formatted(values, table, check));
        assertThat(query("SELECT * FROM " + violations(table, "c", 1000)))
                .matches("SELECT %s, BIGINT '1' FROM %s WHERE NOT (%s)".formatted(values, table, check));
        assertThat(snapshots(table)).isEqualTo(snapshots);
        assertThat(status(table, "c")).isEqualTo("unvalidated");
        assertUpdate("CALL system.drop_constraint('tpch', '%s', 'c')".formatted(table));
    }

    @Test
    void testKeysOfSeveralRows()
    {
        String table = createTable("x integer, v varchar, s row(a integer, b row(c varchar, d double)), z bigint");
        for (int file = 0; file < 3; file++) {
            assertUpdate("INSERT INTO " + table + " SELECT n, 'value ' || CAST(n %% %s AS varchar), ROW(n %% 11, ROW(CAST(n %% 7 AS varchar), n)), n FROM (SELECT CAST(n AS integer) n FROM UNNEST(sequence(%s, 40)) t(n))".formatted(30 + file, 10 * file + 1), 40 - 10 * file);
        }
        assertUpdate("INSERT INTO " + table + " VALUES (NULL, NULL, NULL, NULL), (NULL, NULL, NULL, NULL), (50, NULL, ROW(NULL, NULL), NULL), (50, NULL, ROW(NULL, ROW(NULL, nan())), NULL)", 4);
        assertUpdate("DELETE FROM " + table + " WHERE x BETWEEN 15 AND 25", 27);

        assertRepeatedKeys(table, new String[] {"x"}, "x", "x", "x IS NOT NULL");
        assertRepeatedKeys(table, new String[] {"v", "x"}, "x, v", "x, v", "x IS NOT NULL AND v IS NOT NULL");
        assertRepeatedKeys(table, new String[] {"s.a"}, "s", "CAST(ROW(s.a) AS ROW(a integer))", "s.a IS NOT NULL");
        assertRepeatedKeys(table, new String[] {"s.b.c", "z", "s.a"}, "s, z", "CAST(ROW(s.a, ROW(s.b.c)) AS ROW(a integer, b ROW(c varchar))), z", "s.a IS NOT NULL AND s.b.c IS NOT NULL AND z IS NOT NULL");
    }

    private void assertRepeatedKeys(String table, String[] key, String columns, String values, String hasKey)
    {
        assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, key));
        String repeated = "SELECT %s, count(*) FROM %s WHERE %s GROUP BY %s HAVING count(*) > 1".formatted(values, table, hasKey, String.join(", ", key));
        assertThat(query("SELECT %s, row_count FROM %s".formatted(columns, violations(table, "k", 1000)))).matches(repeated);
        assertThat(query("SELECT * FROM " + violations(table, "k", 1000))).matches(repeated);
        assertThat((long) computeScalar("SELECT count(*) FROM " + violations(table, "k", 1000))).isPositive();
        assertThat(computeActual("SELECT * FROM " + violations(table, "k", 3)).getRowCount()).isEqualTo(3);
        assertQueryReturnsEmptyResult("SELECT %s, row_count FROM %s EXCEPT (%s)".formatted(columns, violations(table, "k", 3), repeated));
        assertThat(status(table, "k")).isEqualTo("unvalidated");
        assertUpdate("CALL system.drop_constraint('tpch', '%s', 'k')".formatted(table));
    }

    @Test
    void testEveryKeyType()
    {
        Map<String, String> values = ImmutableMap.<String, String>builder()
                .put("boolean", "n = 1")
                .put("integer", "CAST(n AS integer)")
                .put("bigint", "-n")
                .put("decimal(5, 2)", "n * DECIMAL '0.01'")
                .put("decimal(38, 3)", "CAST(n AS decimal(38, 3)) - DECIMAL '10000000000000000000000000000000000.000'")
                .put("date", "date_add('day', n, DATE '1969-12-30')")
                .put("time(6)", "date_add('minute', n, TIME '23:59:00.000001')")
                .put("timestamp(6)", "date_add('hour', n, TIMESTAMP '1969-12-31 22:00:00.000001')")
                .put("timestamp(6) with time zone", "date_add('hour', n, TIMESTAMP '1969-12-31 22:00:00.000001 UTC')")
                .put("varchar", "CASE WHEN n = 1 THEN 'é ' ELSE 'a' || CAST(n AS varchar) END")
                .put("varbinary", "to_utf8(CAST(n AS varchar))")
                .put("uuid", "CAST('f0000000-0000-0000-0000-00000000000' || CAST(n AS varchar) AS uuid)")
                .buildOrThrow();
        values.forEach((type, value) -> {
            String table = createTable("k " + type);
            assertUpdate("INSERT INTO %s SELECT %s FROM UNNEST(ARRAY[1, 2, 2, NULL, NULL]) t(n)".formatted(table, value), 5);
            assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "k"));
            assertThat(query("SELECT * FROM " + violations(table, "k", 10))).as(type).matches("SELECT k, count(*) FROM " + table + " WHERE k IS NOT NULL GROUP BY k HAVING count(*) > 1");
            assertThat(computeActual("SELECT * FROM " + violations(table, "k", 10)).getRowCount()).isEqualTo(1);
        });
    }

    @Test
    void testRowLimit()
    {
        String table = createTable("x bigint, v varchar");
        for (int file = 0; file < 2; file++) {
            assertUpdate("INSERT INTO " + table + " SELECT n, 'a value that takes some space, so that not all fit into one page ' || CAST(n AS varchar) FROM UNNEST(sequence(1, 9999)) t(n)", 9_999);
        }
        assertUpdate(addCheckSql(table, "c", "x > 9999 AND v <> ''", NOT_VALIDATED));
        assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "x", "v"));
        String named = "TABLE(system.constraint_violations(schema_name => 'tpch', table_name => '%s', constraint_name => '%s'))";
        assertQuery("SELECT count(*), sum(row_count) FROM " + named.formatted(table, "c"), "VALUES (1000, 1000)");
        assertQuery("SELECT count(*), sum(row_count) FROM " + named.formatted(table, "k"), "VALUES (1000, 2000)");
        for (int limit : new int[] {1, 7, 12_345}) {
            assertQuery("SELECT count(*) FROM " + violations(table, "c", limit), "VALUES " + limit);
        }
        assertQuery("SELECT count(*), sum(row_count) FROM " + violations(table, "k", 7), "VALUES (7, 14)");
        assertThat(query("SELECT x, v, count(*), sum(row_count) FROM " + violations(table, "c", 100_000) + " GROUP BY 1, 2")).matches("SELECT x, v, BIGINT '2', BIGINT '2' FROM " + table + " GROUP BY 1, 2");
        assertThat(query("SELECT * FROM " + violations(table, "k", 100_000))).matches("SELECT x, v, BIGINT '2' FROM " + table + " GROUP BY 1, 2");
        for (int limit : new int[] {0, -1, 100_001}) {
            assertRefused("SELECT * FROM " + violations(table, "c", limit), INVALID_FUNCTION_ARGUMENT, "row_limit must be from 1 to 100000: " + limit);
        }
    }

    @Test
    void testNothingToFind()
    {
        String table = createTable("x integer, y bigint");
        assertUpdate(addCheckSql(table, "c", "x > 0", NOT_VALIDATED));
        assertUpdate(addKeySql(table, "k", "unique", NOT_VALIDATED, "y"));
        for (int i = 0; i < 2; i++) {
            assertThat(query("SELECT * FROM " + violations(table, "c", 10))).matches("SELECT 1, BIGINT '1' WHERE false");
            assertThat(query("SELECT * FROM " + violations(table, "k", 10))).matches("SELECT BIGINT '1', BIGINT '1' WHERE false");
            assertUpdate("INSERT INTO " + table + " VALUES (1, 1), (NULL, NULL), (NULL, NULL)", 3);
            assertUpdate("DELETE FROM " + table + " WHERE x = 1", 1);
        }
    }

    @Test
    void testTransactionSeesOneState()
    {
        String table = createTable("x integer");
        assertUpdate("INSERT INTO " + table + " VALUES 1, -1", 2);
        assertUpdate(addCheckSql(table, "c", "x > 0", NOT_VALIDATED));
        inTransaction(session -> {
            assertQuery(session, "SELECT * FROM " + violations(table, "c", 10), "VALUES (-1, 1)");
            assertUpdate("INSERT INTO " + table + " VALUES -2", 1);
            assertUpdate("CALL system.drop_constraint('tpch', '" + table + "', 'c')");
            assertQuery(session, "SELECT * FROM " + violations(table, "c", 10), "VALUES (-1, 1)");
        });
        assertRefused("SELECT * FROM " + violations(table, "c", 10), NOT_FOUND, "The table has no constraint c; its constraints are []");
    }

    @Test
    void testNames()
    {
        String table = createTable("x integer, \"row_count\" varchar");
        assertUpdate("INSERT INTO " + table + " VALUES (-1, 'a')", 1);
        assertUpdate(addCheckSql(table, "It''s", "x > 0 AND row_count <> 'b'", NOT_VALIDATED));
        assertQuery("SELECT a, b, c FROM TABLE(sextant.system.constraint_violations('TPCH', '%s', 'it''s')) t(a, b, c)".formatted(table.toUpperCase(ENGLISH)), "VALUES (-1, 'a', 1)");
        assertRefused("SELECT * FROM " + violations(table, "missing", 10), NOT_FOUND, "The table has no constraint missing; its constraints are [It's]");
        assertRefused("SELECT * FROM " + violations("missing", "c", 10), NOT_FOUND, "Table 'tpch.missing' not found");
        assertRefused("SELECT * FROM TABLE(system.constraint_violations('tpch', '" + table + "', NULL))", INVALID_FUNCTION_ARGUMENT, "constraint_name cannot be null");
        assertRefused("SELECT * FROM TABLE(system.constraint_violations('tpch', '" + table + "', 'c', NULL))", INVALID_FUNCTION_ARGUMENT, "row_limit cannot be null");
    }

    @Test
    void testConstraintsOfOtherWriters()
    {
        String table = createTable("x integer");
        assertUpdate("INSERT INTO " + table + " VALUES 1, 2", 2);
        String property = "ALTER TABLE plain.tpch." + table + " SET PROPERTIES extra_properties = MAP(ARRAY['sextant.constraints'], ARRAY['{\"last-constraint-id\": 1, \"constraints\": [{\"constraint-id\": 1, \"name\": \"odd\", \"enforced\": false, \"timestamp-ms\": 1, %s}]}'])";
        for (String condition : new String[] {"\"type\": \"foreign-key\", \"field-ids\": [1]", "\"type\": \"unique\", \"field-ids\": [99]"}) {
            assertUpdate(property.formatted(condition));
            assertRefused("SELECT * FROM " + violations(table, "odd", 10), NOT_SUPPORTED, "constraint odd cannot be validated: ");
        }
        assertUpdate(property.formatted("\"type\": \"check\", \"expression\": false"));
        assertQuery("SELECT * FROM " + violations(table, "odd", 10), "VALUES 1, 1");
    }

    @Test
    void testPrivileges()
    {
        String table = createTable("x integer, y integer");
        assertUpdate(addCheckSql(table, "c", "x > 0", NOT_VALIDATED));
        String call = "SELECT * FROM " + violations(table, "c", 10);
        assertAccessDenied(call, "Cannot select from columns \\[x\\] in table or view .*", privilege(table + ".x", SELECT_COLUMN));
        assertAccessAllowed(call, privilege(table + ".y", SELECT_COLUMN));
    }

    @Test
    void testHiddenRowsStayHidden()
    {
        String table = createTable("x integer, y integer");
        assertUpdate("INSERT INTO " + table + " VALUES (-1, 1)", 1);
        assertUpdate(addCheckSql(table, "c", "x > 0", NOT_VALIDATED));
        String call = "SELECT * FROM " + violations(table, "c", 10);
        String user = getSession().getUser();
        QualifiedObjectName name = new QualifiedObjectName("sextant", "tpch", table);
        TestingAccessControlManager accessControl = getQueryRunner().getAccessControl();
        executeExclusively(() -> {
            accessControl.rowFilter(name, user, expression("y > 5"));
            assertRefused(call, NOT_SUPPORTED, "Row filtering not supported");
            accessControl.reset();
            accessControl.columnMask(name, "x", user, expression("NULL"));
            assertRefused(call, NOT_SUPPORTED, "Column masking not supported");
            accessControl.reset();
        });
        assertQuery(call, "VALUES (-1, 1)");
    }

    private static ViewExpression expression(String expression)
    {
        return ViewExpression.builder()
                .catalog("sextant")
                .schema("tpch")
                .expression(expression)
                .build();
    }

    @Test
    void testFunctionsOfTrinoStay()
    {
        String table = createTable("x integer");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        long first = (long) computeScalar("SELECT snapshot_id FROM \"%s$snapshots\" ORDER BY committed_at LIMIT 1".formatted(table));
        long last = (long) computeScalar("SELECT snapshot_id FROM \"%s$snapshots\" ORDER BY committed_at DESC LIMIT 1".formatted(table));
        assertQuery("SELECT x, _change_type FROM TABLE(system.table_changes('tpch', '%s', %s, %s))".formatted(table, first, last), "VALUES (1, 'insert')");
        assertQuery("SELECT system.bucket(x, 4) >= 0 FROM " + table, "VALUES true");
    }

    private static String violations(String table, String constraint, int limit)
    {
        return "TABLE(system.constraint_violations(schema_name => 'tpch', table_name => '%s', constraint_name => '%s', row_limit => %s))".formatted(table, constraint, limit);
    }
}
