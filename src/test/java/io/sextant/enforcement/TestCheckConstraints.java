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

import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.spi.StandardErrorCode.INVALID_CHECK_CONSTRAINT;
import static io.trino.spi.StandardErrorCode.SYNTAX_ERROR;
import static io.trino.spi.StandardErrorCode.TYPE_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Which rows a check accepts: those for which Trino itself says that its condition is true or unknown.
final class TestCheckConstraints
        extends AbstractTestConstraints
{
    @Test
    @Tag("CN-08")
    void testNulls()
    {
        assertCheck("x integer", "x > 0").accepts("1", "NULL").refuses("0", "-1");
        assertCheck("x integer", "x > 0 AND x IS NOT NULL").accepts("1").refuses("0", "NULL");
        assertCheck("x integer", "NOT (x > 0)").accepts("0", "NULL").refuses("1");
        assertCheck("x integer", "x IS NOT NULL").accepts("1").refuses("NULL");
        assertCheck("x integer", "(x > 0) IS NOT NULL").accepts("1", "0").refuses("NULL");
        assertCheck("x integer", "x > NULL").accepts("1", "NULL");
        assertCheck("x integer", "NULL").accepts("1", "NULL");
        assertCheck("x integer", "x IS NOT DISTINCT FROM 1").accepts("1").refuses("0", "NULL");
        assertCheck("x integer", "COALESCE(x > 0, false)").accepts("1").refuses("0", "NULL");
        assertCheck("x integer", "IF(x > 0, x < 10, x < -10)").accepts("1", "-11", "NULL").refuses("10", "0");
        assertCheck("x integer, v varchar", "(x IS NULL AND v = 'a') OR (x IS NOT NULL AND v IS NULL)")
                .accepts("NULL, 'a'", "1, NULL", "NULL, NULL")
                .refuses("NULL, 'b'", "1, 'a'");
    }

    @Test
    @Tag("CN-08")
    void testLists()
    {
        assertCheck("x integer", "x IN (1, 2)").accepts("1", "2", "NULL").refuses("3");
        assertCheck("x integer", "x NOT IN (1, 2)").accepts("3", "NULL").refuses("1");
        assertCheck("x integer", "x BETWEEN 1 AND 3").accepts("1", "3", "NULL").refuses("0", "4");
        assertCheck("x integer", "x NOT BETWEEN 1 AND 3").accepts("0", "4", "NULL").refuses("1", "3");
        assertCheck("v varchar", "v IN ('a', 'b ')").accepts("'a'", "'b '", "NULL").refuses("'a '", "'b'", "''");
        assertCheck("v varchar", "v LIKE 'ab%'").accepts("'ab'", "'abc'", "NULL").refuses("'a'", "'Ab'", "''");
        assertCheck("v varchar", "v NOT LIKE 'ab%'").accepts("'a'", "NULL").refuses("'abc'");
    }

    @Test
    @Tag("CN-08")
    void testNumbers()
    {
        assertCheck("d double", "d > 0").accepts("1e0", "infinity()", "NULL").refuses("nan()", "0e0", "-infinity()");
        assertCheck("d double", "NOT (d <= 0)").accepts("nan()", "1e0", "NULL").refuses("0e0");
        assertCheck("d double", "d = 0").accepts("0e0", "DOUBLE '-0.0'", "NULL").refuses("nan()", "1e0");
        assertCheck("d double", "d <> 0").accepts("nan()", "1e0", "NULL").refuses("0e0", "DOUBLE '-0.0'");
        assertCheck("d real", "is_nan(d)").accepts("REAL 'NaN'", "NULL").refuses("REAL '1'");
        assertCheck("a double, b double", "a = b").accepts("1e0, 1e0", "nan(), NULL").refuses("nan(), nan()", "1e0, 2e0");
        assertCheck("a double, b double", "a >= b").accepts("1e0, 1e0", "2e0, 1e0").refuses("nan(), nan()", "nan(), 1e0", "1e0, nan()");
        assertCheck("x integer", "x < 3000000000").accepts("2147483647", "NULL");
        assertCheck("x integer", "x > 1.5").accepts("2", "NULL").refuses("1");
        assertCheck("x integer", "x = 1.5").accepts("NULL").refuses("1", "2");
        assertCheck("x bigint", "x > 9223372036854775806").accepts("9223372036854775807").refuses("9223372036854775806");
        assertCheck("x decimal(10, 2)", "x > 1.50").accepts("1.51", "NULL").refuses("1.50", "1.49");
        assertCheck("x decimal(38, 0)", "x < DECIMAL '99999999999999999999999999999999999999'")
                .accepts("DECIMAL '99999999999999999999999999999999999998'", "DECIMAL '-99999999999999999999999999999999999999'")
                .refuses("DECIMAL '99999999999999999999999999999999999999'");
        assertCheck("x integer, y bigint", "x <= y").accepts("1, 1", "1, 2", "NULL, 0", "5, NULL").refuses("2, 1");
    }

    @Test
    @Tag("CN-08")
    void testTimes()
    {
        assertCheck("ts timestamp(6) with time zone", "ts >= TIMESTAMP '2020-01-01 00:00:00 UTC'")
                .accepts("TIMESTAMP '2020-01-01 00:00:00 UTC'", "TIMESTAMP '2019-12-31 23:00:00 -02:00'", "NULL")
                .refuses("TIMESTAMP '2020-01-01 01:00:00 +05:00'", "TIMESTAMP '2019-12-31 23:59:59.999999 UTC'");
        assertCheck("ts timestamp(6) with time zone", "year(ts AT TIME ZONE 'UTC') = 2020")
                .accepts("TIMESTAMP '2019-12-31 23:00:00 -02:00'", "NULL")
                .refuses("TIMESTAMP '2020-01-01 01:00:00 +05:00'", "TIMESTAMP '1969-12-31 23:59:59 UTC'");
        assertCheck("ts timestamp(6)", "year(ts) < 1970").accepts("TIMESTAMP '1969-12-31 23:59:59.999999'").refuses("TIMESTAMP '1970-01-01 00:00:00'");
        assertCheck("d date", "d >= DATE '1970-01-01'").accepts("DATE '1970-01-01'", "NULL").refuses("DATE '1969-12-31'");
        assertCheck("t time(6)", "t < TIME '12:00:00'").accepts("TIME '11:59:59.999999'").refuses("TIME '12:00:00'");
    }

    @Test
    @Tag("CN-16")
    void testNestedFields()
    {
        assertCheck("s row(a integer)", "s.a > 0").accepts("NULL", "ROW(CAST(NULL AS integer))", "ROW(1)").refuses("ROW(0)");
        assertCheck("s row(a row(b varchar))", "s.a.b = 'x' AND s.a IS NOT NULL").accepts("ROW(ROW('x'))", "ROW(ROW(CAST(NULL AS varchar)))").refuses("NULL", "ROW(NULL)", "ROW(ROW('y'))");
        assertCheck("a array(integer)", "cardinality(a) < 3").accepts("ARRAY[1, 2]", "ARRAY[]", "NULL").refuses("ARRAY[1, NULL, 3]");
        assertCheck("m map(varchar, integer)", "cardinality(m) > 0").accepts("MAP(ARRAY['a'], ARRAY[1])", "NULL").refuses("MAP()");
    }

    @Test
    void testText()
    {
        assertCheck("v varchar", "length(v) <= 2").accepts("'äö'", "'😀a'", "''", "NULL").refuses("'abc'");
        assertCheck("v varchar", "upper(v) = v").accepts("'AB'", "'ÄÖ'", "'12'").refuses("'aB'");
        assertCheck("v varchar", "v < 'ä'").accepts("'z'").refuses("'ä'", "'😀'");
        assertCheck("b varbinary", "b > X'7f'").accepts("X'80'", "X'7f00'").refuses("X'7f'", "X''");
        assertCheck("u uuid", "u <> UUID '00000000-0000-0000-0000-000000000001'").accepts("UUID 'ffffffff-0000-0000-0000-000000000001'").refuses("UUID '00000000-0000-0000-0000-000000000001'");
        assertCheck("b boolean", "b").accepts("true", "NULL").refuses("false");
        assertCheck("b boolean", "NOT b").accepts("false", "NULL").refuses("true");
    }

    @Test
    @Tag("CN-02")
    void testNames()
    {
        assertCheck("\"Mixed\" integer", "\"miXed\" > 0").accepts("1").refuses("0");
        assertCheck("\"select\" integer", "\"select\" > 0").accepts("1").refuses("0");
        assertCheck("\"a.b\" integer", "\"a.b\" > 0").accepts("1").refuses("0");
        assertCheck("\"q\"\"x\" integer", "\"q\"\"x\" > 0").accepts("1").refuses("0");
        assertCheck("\"it''s\" integer", "\"it''s\" > 0").accepts("1").refuses("0");
    }

    @Test
    @Tag("CN-16")
    @Tag("CN-17")
    void testWhatACheckCannotSay()
    {
        String table = createTable("x integer, y integer, d double, ts timestamp(6) with time zone, a array(row(b integer))");
        for (String expression : List.of("x > random()", "ts > now()", "ts > current_timestamp", "d > rand()", "x > (SELECT 1)", "EXISTS (SELECT 1)", "count(*) > 0", "x = sum(x)", "x > ?", "x < current_date", "rank() OVER () > 0")) {
            assertRefused(addCheckSql(table, "c", expression, ""), INVALID_CHECK_CONSTRAINT, "Expression must");
        }
        for (String expression : List.of("x IN (1, NULL)", "x + 1 > 0", "my_function(x) > 0", "element_at(a, 1).b > 0", "v LIKE '%a'", "1 = 1", "x IN (SELECT 1)", "a[1].b > 0", "any_match(a, e -> e.b > 0)")) {
            assertThatThrownBy(() -> getQueryRunner().execute(addCheckSql(table, "c", expression, ""))).as(expression).isInstanceOf(QueryFailedException.class);
        }
        assertRefused(addCheckSql(table, "c", "x >", ""), SYNTAX_ERROR, "Not a SQL expression");
        assertRefused(addCheckSql(table, "c", "x > 0; DROP TABLE t", ""), SYNTAX_ERROR, "Not a SQL expression");
        for (String expression : List.of("missing > 0", "\"$path\" = 'a'", "a.b > 0", "a.element.b > 0")) {
            assertThatThrownBy(() -> getQueryRunner().execute(addCheckSql(table, "c", expression, ""))).as(expression)
                    .isInstanceOf(QueryFailedException.class)
                    .hasMessageMatching("(?s).*(column|Column).*");
        }
        for (String expression : List.of("x", "1", "'true'", "upper('a')")) {
            assertThatThrownBy(() -> getQueryRunner().execute(addCheckSql(table, "c", expression, ""))).as(expression).hasMessageMatching("(?s).*(boolean|supported).*");
        }
        assertRefused(addCheckSql(table, "c", "ts > TIMESTAMP '2020-01-01 00:00:00'", ""), TYPE_MISMATCH, "time zone");
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + table + "$constraints\"");
        assertThat(snapshots(table)).isEqualTo(1);
    }

    @Test
    @Tag("CN-08")
    void testDefaultValues()
    {
        String table = createTable("id integer, x integer DEFAULT -1", "format_version = 3");
        addCheck(table, "x_pos", "x > 0");
        assertViolation(table, "INSERT INTO " + table + " (id) VALUES 1", "x = -1");
        assertUpdate("INSERT INTO " + table + " (id, x) VALUES (1, 1)", 1);
        assertUpdate("INSERT INTO " + table + " (id, x) VALUES (2, NULL)", 1);
    }

    @Test
    @Tag("CN-08")
    void testSeveralChecks()
    {
        String table = createTable("x integer, y integer");
        addCheck(table, "x_pos", "x > 0");
        addCheck(table, "y_pos", "y > 0");
        assertViolation(table, "INSERT INTO " + table + " VALUES (1, 0)", "Check constraint violation: y_pos: y > 0 (a row has y = 0)");
        assertViolation(table, "INSERT INTO " + table + " VALUES (0, 1)", "Check constraint violation: x_pos: x > 0 (a row has x = 0)");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 1)", 1);
    }

    private CheckAssert assertCheck(String column, String expression)
    {
        return new CheckAssert(column, expression);
    }

    private final class CheckAssert
    {
        private final String candidates;
        private final String table;
        private final String expression;

        private CheckAssert(String columns, String expression)
        {
            this.expression = expression;
            candidates = createTable(columns);
            table = createTable(columns);
            addCheck(table, "c", expression);
        }

        CheckAssert accepts(String... rows)
        {
            for (String row : rows) {
                hold(row);
                assertThat(trinoAccepts(expression)).as("%s of %s", expression, row).isTrue();
                // What the definition says is what was meant
                assertThat(trinoAccepts(definition(table, "c"))).as("%s of %s", definition(table, "c"), row).isTrue();
                assertUpdate("INSERT INTO %s SELECT * FROM %s".formatted(table, candidates), 1);
            }
            assertUpdate("TRUNCATE TABLE " + candidates);
            assertUpdate("INSERT INTO %s SELECT * FROM %s".formatted(candidates, table), rows.length);
            addCheck(candidates, "holds", expression);
            assertUpdate("CALL system.drop_constraint('tpch', '%s', 'holds')".formatted(candidates));
            assertThat(status(table, "c")).isEqualTo("valid");
            return this;
        }

        void refuses(String... rows)
        {
            List<MaterializedRow> before = computeActual("SELECT * FROM " + table).getMaterializedRows();
            for (String row : rows) {
                hold(row);
                assertThat(trinoAccepts(expression)).as("%s of %s", expression, row).isFalse();
                assertThat(trinoAccepts(definition(table, "c"))).as("%s of %s", definition(table, "c"), row).isFalse();
                assertViolation(table, "INSERT INTO %s SELECT * FROM %s".formatted(table, candidates), "Check constraint violation: c: ");
                assertRefused(addCheckSql(candidates, "holds", expression, ""), CONSTRAINT_VIOLATION, "Constraint holds cannot be added: 1 rows break it");
            }
            assertThat(computeActual("SELECT * FROM " + table).getMaterializedRows()).hasSameSizeAs(before);
        }

        private void hold(String row)
        {
            assertUpdate("TRUNCATE TABLE " + candidates);
            assertUpdate("INSERT INTO %s SELECT * FROM (VALUES ROW(%s))".formatted(candidates, row), 1);
        }

        private boolean trinoAccepts(String condition)
        {
            return (boolean) computeScalar("SELECT coalesce(%s, true) FROM %s".formatted(condition, candidates));
        }
    }
}
