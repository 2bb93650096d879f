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

import io.trino.Session;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static io.sextant.SextantQueryRunner.CATALOG;
import static io.trino.spi.StandardErrorCode.ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.COLUMN_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.INVALID_ARGUMENTS;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Which rows have the same key, and which keys there can be.
final class TestKeyConstraints
        extends AbstractTestConstraints
{
    @Test
    @Tag("CN-05")
    void testNulls()
    {
        String table = createTable("a integer, b integer");
        addUnique(table, "u", "a", "b");
        assertUpdate("INSERT INTO " + table + " VALUES (1, NULL), (1, NULL), (NULL, 1), (NULL, NULL), (NULL, NULL), (1, 1), (1, 2), (2, 1)", 8);
        assertUpdate("INSERT INTO " + table + " VALUES (1, NULL), (NULL, 1)", 2);
        assertViolation(table, "INSERT INTO " + table + " VALUES (1, 3), (1, 1)", "Unique constraint violation: u: a = 1, b = 1 is in the table already");
        assertViolation(table, "INSERT INTO " + table + " VALUES (3, 3), (3, 3)", "Unique constraint violation: u: a = 3, b = 3 occurs twice among the added rows");
        validate(table);
        assertThat(status(table, "u")).isEqualTo("validated");
    }

    @Test
    @Tag("CN-07")
    void testEqualValues()
    {
        assertKey("decimal(10, 2)").isSame("5", "5.00").differs("5.01", "-5");
        assertKey("decimal(38, 3)").isSame("DECIMAL '12345678901234567890123456789012345.678'", "DECIMAL '12345678901234567890123456789012345.678'").differs("DECIMAL '12345678901234567890123456789012345.679'");
        assertKey("timestamp(6) with time zone").isSame("TIMESTAMP '2020-01-01 00:00:00 UTC'", "TIMESTAMP '2020-01-01 05:00:00 +05:00'").differs("TIMESTAMP '2020-01-01 00:00:00 +01:00'");
        assertKey("timestamp(6)").isSame("TIMESTAMP '1969-12-31 23:59:59.999999'", "TIMESTAMP '1969-12-31 23:59:59.999999'").differs("TIMESTAMP '1969-12-31 23:59:59.999998'");
        assertKey("varchar").isSame("'a'", "'a'").differs("'a '", "'A'", "''", "'é'", "U&'e\\0301'");
        assertKey("varchar").isSame("'0123456789012345x'", "'0123456789012345x'").differs("'0123456789012345y'", "'0123456789012345'", "'0123456789012346'");
        assertKey("varbinary").isSame("X'00'", "X'00'").differs("X''", "X'0000'", "X'ff'");
        assertKey("boolean").isSame("true", "true").differs("false");
        assertKey("date").isSame("DATE '2020-02-29'", "DATE '2020-02-29'").differs("DATE '1969-12-31'");
        assertKey("time(6)").isSame("TIME '12:00:00.000001'", "TIME '12:00:00.000001'").differs("TIME '12:00:00'");
        assertKey("uuid").isSame("UUID 'ffffffff-0000-0000-0000-000000000001'", "UUID 'FFFFFFFF-0000-0000-0000-000000000001'").differs("UUID '7fffffff-0000-0000-0000-000000000001'");
        assertKey("bigint").isSame("-9223372036854775808", "-9223372036854775808").differs("9223372036854775807", "0");
    }

    /// Files are ruled out by their least and greatest values, which not everybody orders alike.
    @Test
    @Tag("CN-08")
    void testValueBetweenThoseOfAFile()
    {
        assertFoundBetween("uuid", "UUID '10000000-0000-0000-0000-000000000001'", "UUID '7fffffff-0000-0000-0000-000000000001'", "UUID 'ffffffff-0000-0000-0000-000000000001'");
        assertFoundBetween("uuid", "UUID '00000000-0000-0000-1000-000000000001'", "UUID '00000000-0000-0000-7fff-000000000001'", "UUID '00000000-0000-0000-ffff-000000000001'");
        assertFoundBetween("varbinary", "X'10'", "X'7f'", "X'ff'");
        assertFoundBetween("varchar", "'z'", "'\uFFFD'", "'\uD83D\uDE00'");
        assertFoundBetween("decimal(38, 2)", "-1", "0.5", "DECIMAL '123456789012345678901234567890123456.78'");
        assertFoundBetween("integer", "-2147483648", "0", "2147483647");
        assertFoundBetween("date", "DATE '1900-01-01'", "DATE '1970-01-01'", "DATE '2100-01-01'");
        assertFoundBetween("time(6)", "TIME '00:00:00'", "TIME '12:00:00'", "TIME '23:59:59.999999'");
        assertFoundBetween("timestamp(6)", "TIMESTAMP '1900-01-01 00:00:00'", "TIMESTAMP '1970-01-01 00:00:00'", "TIMESTAMP '2100-01-01 00:00:00'");
        assertFoundBetween("timestamp(9)", "TIMESTAMP '1900-01-01 00:00:00'", "TIMESTAMP '1970-01-01 00:00:00'", "TIMESTAMP '2100-01-01 00:00:00.000000001'");
        assertFoundBetween("timestamp(6) with time zone", "TIMESTAMP '1900-01-01 00:00:00 UTC'", "TIMESTAMP '1970-01-01 00:00:00 UTC'", "TIMESTAMP '2100-01-01 00:00:00 UTC'");
    }

    private void assertFoundBetween(String type, String least, String value, String greatest)
    {
        String table = createTable("k " + type, "format_version = 3");
        addUnique(table, "u", "k");
        assertUpdate("INSERT INTO %s VALUES %s, %s, %s".formatted(table, least, value, greatest), 3);
        for (String existing : new String[] {least, value, greatest}) {
            assertViolation(table, "INSERT INTO %s VALUES %s".formatted(table, existing), "is in the table already");
        }
    }

    @Test
    @Tag("CN-06")
    @Tag("CN-07")
    void testWhatAKeyCannotBe()
    {
        String table = createTable("id integer NOT NULL, x integer, d double, f real, s row(a integer), r row(a integer) NOT NULL, arr array(integer), m map(integer, integer)");
        for (String options : new String[] {"", ", enforced => false"}) {
            assertRefused(addKeySql(table, "pk", "primary-key", options, "x"), INVALID_ARGUMENTS, "column x is optional");
            assertRefused(addKeySql(table, "pk", "primary-key", options, "id", "x"), INVALID_ARGUMENTS, "column x is optional");
            assertRefused(addKeySql(table, "pk", "primary-key", options, "s.a"), INVALID_ARGUMENTS, "column s.a is optional");
            assertRefused(addKeySql(table, "u", "unique", options, "d"), INVALID_ARGUMENTS, "column d has type double, which a key cannot have");
            assertRefused(addKeySql(table, "u", "unique", options, "id", "f"), INVALID_ARGUMENTS, "column f has type float, which a key cannot have");
            assertRefused(addKeySql(table, "u", "unique", options, "s"), INVALID_ARGUMENTS, "column s has type struct");
            assertRefused(addKeySql(table, "u", "unique", options, "arr"), INVALID_ARGUMENTS, "column arr has type list");
            assertRefused(addKeySql(table, "u", "unique", options, "arr.element"), INVALID_ARGUMENTS, "inside a list or a map");
            assertRefused(addKeySql(table, "u", "unique", options, "m.key"), INVALID_ARGUMENTS, "inside a list or a map");
            assertRefused(addKeySql(table, "u", "unique", options, "missing"), COLUMN_NOT_FOUND, "The table has no column missing");
            assertRefused(addKeySql(table, "u", "unique", options, "x", "X"), INVALID_PROCEDURE_ARGUMENT, "columns has column X twice");
            assertRefused(addKeySql(table, "u", "unique", options), INVALID_PROCEDURE_ARGUMENT, "a unique constraint has columns and no expression");
        }
        assertUpdate(addKeySql(table, "pk", "primary-key", "", "id"));
        assertRefused(addKeySql(table, "pk2", "primary-key", ", enforced => false", "id"), ALREADY_EXISTS, "The table already has the");
        assertRefused(addKeySql(table, "PK", "unique", "", "x"), ALREADY_EXISTS, "choose another name than PK");
        assertRefused("ALTER TABLE " + table + " ALTER COLUMN id DROP NOT NULL", NOT_SUPPORTED, "CALL system.drop_constraint");
        assertUpdate("INSERT INTO " + table + " (id, x, r) VALUES (1, 1, ROW(1))", 1);
        assertThatThrownBy(() -> getQueryRunner().execute("INSERT INTO " + table + " (id, x, r) VALUES (NULL, 1, ROW(1))")).isInstanceOf(QueryFailedException.class);
    }

    @Test
    void testFieldsOfStructs()
    {
        for (int version = 2; version <= 3; version++) {
            String table = createTable("id integer, s row(a integer, b varchar)", "format_version = " + version);
            addUnique(table, "u", "s.a");
            assertUpdate("INSERT INTO " + table + " VALUES (1, ROW(1, 'x')), (2, NULL), (3, NULL), (4, ROW(NULL, 'x')), (5, ROW(NULL, 'x'))", 5);
            assertViolation(table, "INSERT INTO " + table + " VALUES (6, ROW(1, 'y'))", "Unique constraint violation: u: s.a = 1 is in the table already");
            assertUpdate("DELETE FROM " + table + " WHERE id = 1", 1);
            assertUpdate("INSERT INTO " + table + " VALUES (6, ROW(1, 'y'))", 1);
            assertThat(definition(table, "u")).isEqualTo("UNIQUE (s.a)");
        }
    }

    @Test
    @Tag("CN-08")
    void testOldSpecsFormatsAndTypes()
    {
        String table = createTable("id integer, p varchar, d date", "partitioning = ARRAY['p']");
        addUnique(table, "u", "id");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 'a', DATE '2020-01-01')", 1);
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES partitioning = ARRAY['year(d)', 'bucket(id, 4)']");
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES format = 'ORC'");
        assertViolation(table, "INSERT INTO " + table + " VALUES (1, 'b', DATE '2021-01-01')", "id = 1 is in the table already");
        assertUpdate("INSERT INTO " + table + " VALUES (2, 'b', DATE '2021-01-01')", 1);
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES format = 'AVRO'");
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES partitioning = ARRAY['truncate(p, 1)']");
        assertViolation(table, "INSERT INTO " + table + " VALUES (2, NULL, NULL)", "id = 2 is in the table already");
        assertUpdate("INSERT INTO " + table + " VALUES (3, NULL, NULL)", 1);
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES partitioning = ARRAY[]");
        assertUpdate("ALTER TABLE " + table + " ALTER COLUMN id SET DATA TYPE bigint");
        for (int id = 1; id <= 3; id++) {
            assertViolation(table, "INSERT INTO " + table + " VALUES (" + id + ", NULL, NULL)", "id = " + id + " is in the table already");
        }
        assertUpdate("INSERT INTO " + table + " VALUES (4294967297, NULL, NULL)", 1);
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN id TO number");
        assertViolation(table, "INSERT INTO " + table + " VALUES (4294967297, NULL, NULL)", "number = 4294967297 is in the table already");
        assertThat(status(table, "u")).isEqualTo("valid");
    }

    @Test
    @Tag("CN-08")
    void testKeyOfPartitionColumns()
    {
        for (String partitioning : new String[] {"p", "truncate(p, 2)", "bucket(p, 2)"}) {
            String table = createTable("p varchar, n bigint", "partitioning = ARRAY['%s']".formatted(partitioning));
            addUnique(table, "u", "p", "n");
            assertUpdate("INSERT INTO " + table + " VALUES ('abc', 1), ('abd', 1), (NULL, 1), (NULL, 1), ('', 1)", 5);
            assertViolation(table, "INSERT INTO " + table + " VALUES ('abd', 1)", "is in the table already");
            assertViolation(table, "INSERT INTO " + table + " VALUES ('', 1), (NULL, 1)", "is in the table already");
            assertUpdate("INSERT INTO " + table + " VALUES ('abd', 2), ('ab', 1), (NULL, 1)", 3);
        }
    }

    @Test
    @Tag("CN-08")
    @Tag("CN-20")
    void testBloomFiltersOfPromotedColumn()
    {
        for (String format : List.of("PARQUET", "ORC")) {
            String table = createTable("id integer, x integer", "format = '%s', %s_bloom_filter_columns = ARRAY['id']".formatted(format, format.toLowerCase(ENGLISH)));
            assertUpdate("INSERT INTO " + table + " SELECT 2 * n, n FROM UNNEST(sequence(1, 500)) t(n)", 500);
            addUnique(table, "u", "id");
            assertUpdate("ALTER TABLE " + table + " ALTER COLUMN id SET DATA TYPE bigint");
            assertThat(insertWithBloomFilters(table, 500)).as(format).contains("id = 500 is in the table already");
            assertThat(insertWithBloomFilters(table, 501)).as(format).isEmpty();
            assertThat(insertWithBloomFilters(table, 501)).as(format).contains("id = 501 is in the table already");
        }
    }

    private String insertWithBloomFilters(String table, int id)
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, "parquet_use_bloom_filter", "true")
                .setCatalogSessionProperty(CATALOG, "orc_bloom_filters_enabled", "true")
                .build();
        try {
            getQueryRunner().execute(session, "INSERT INTO %s VALUES (%s, 0)".formatted(table, id));
            return "";
        }
        catch (QueryFailedException e) {
            return e.getMessage();
        }
    }

    @Test
    void testColumnAddedLater()
    {
        String table = createTable("id integer", "format_version = 3");
        assertUpdate("INSERT INTO " + table + " VALUES 1, 2", 2);
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN x integer");
        addUnique(table, "u", "x");
        assertUpdate("INSERT INTO " + table + " VALUES (3, 3)", 1);
        assertViolation(table, "INSERT INTO " + table + " VALUES (4, 3)", "x = 3 is in the table already");
        assertViolation(table, "UPDATE " + table + " SET x = 3", "x = 3 occurs twice among the added rows");
        assertUpdate("UPDATE " + table + " SET x = 4 - id", 3);
    }

    @Test
    @Tag("CN-10")
    void testConcurrentInsertsOfOneKey()
            throws Exception
    {
        String table = createTable("id integer, x integer", "max_commit_retry = 20");
        addUnique(table, "u", "id");
        for (int round = 0; round < 3; round++) {
            int id = round;
            List<Throwable> failures = runAll(4, writer -> getQueryRunner().execute("INSERT INTO " + table + " VALUES (" + id + ", " + writer + ")"));
            assertThat(failures).hasSize(3).allSatisfy(failure -> assertThat(failure).hasMessage("Unique constraint violation: u: id = " + id + " is in the table already"));
        }
        assertQuery("SELECT id, count(*) FROM " + table + " GROUP BY id", "VALUES (0, 1), (1, 1), (2, 1)");
        assertThat(status(table, "u")).isEqualTo("valid");
    }

    @Test
    @Tag("CN-10")
    void testConcurrentInsertsOfManyKeys()
            throws Exception
    {
        String table = createTable("id integer, x integer", "max_commit_retry = 20");
        addUnique(table, "u", "id");
        assertThat(runAll(5, writer -> getQueryRunner().execute("INSERT INTO " + table + " VALUES (" + writer + ", 0)"))).isEmpty();
        assertQuery("SELECT count(*), count(DISTINCT id) FROM " + table, "VALUES (5, 5)");
        // One may free the key in time for the other, or not
        List<Throwable> failures = runAll(2, writer -> getQueryRunner().execute(writer == 0 ? "DELETE FROM " + table + " WHERE id = 1" : "INSERT INTO " + table + " VALUES (1, 1)"));
        assertThat(failures).hasSizeLessThanOrEqualTo(1).allSatisfy(failure -> assertThat(failure).hasMessage("Unique constraint violation: u: id = 1 is in the table already"));
        assertThat((long) computeScalar("SELECT count(*) FROM " + table + " WHERE id = 1")).isEqualTo(1 - failures.size());
    }

    private static List<Throwable> runAll(int count, Statement statement)
            throws Exception
    {
        List<Throwable> failures = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(count)) {
            List<Callable<Throwable>> tasks = new ArrayList<>();
            for (int number = 0; number < count; number++) {
                int writer = number;
                tasks.add(() -> {
                    try {
                        statement.run(writer);
                        return null;
                    }
                    catch (RuntimeException e) {
                        return e;
                    }
                });
            }
            for (Future<Throwable> result : executor.invokeAll(tasks)) {
                if (result.get() != null) {
                    failures.add(result.get());
                }
            }
        }
        return failures;
    }

    @FunctionalInterface
    private interface Statement
    {
        void run(int number);
    }

    private KeyAssert assertKey(String type)
    {
        return new KeyAssert(type);
    }

    private final class KeyAssert
    {
        private final String table;

        private KeyAssert(String type)
        {
            table = createTable("k " + type);
            addUnique(table, "u", "k");
        }

        KeyAssert isSame(String value, String other)
        {
            assertViolation(table, "INSERT INTO %s VALUES %s, %s".formatted(table, value, other), "occurs twice among the added rows");
            assertUpdate("INSERT INTO %s VALUES %s".formatted(table, value), 1);
            assertViolation(table, "INSERT INTO %s VALUES %s".formatted(table, other), "is in the table already");
            return this;
        }

        void differs(String... values)
        {
            for (String value : values) {
                assertUpdate("INSERT INTO %s VALUES %s".formatted(table, value), 1);
            }
            validate(table);
            assertThat(status(table, "u")).isEqualTo("validated");
        }
    }
}
