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
import io.sextant.SextantQueryRunner;
import io.sextant.testing.FileAccess;
import io.sextant.testing.FileAccess.FileKind;
import io.trino.Session;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

import java.util.List;
import java.util.Random;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// Keys that an index helps to verify: the same outcome as without it, and fewer files read.
@Execution(SAME_THREAD)
final class TestIndexedKeyConstraints
        extends AbstractTestConstraints
{
    private static final int FILES = 8;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder()
                .withoutPlainCatalog()
                // Keeps small data files in memory, too
                .addCatalogProperty("iceberg.metadata-cache.enabled", "false")
                .build();
    }

    @Test
    @Tag("CN-08")
    void testReadsOnlyFilesWithKey()
    {
        FileAccess fileAccess = new FileAccess(getQueryRunner());
        String table = createTable("id bigint, x varchar");
        for (int file = 0; file < FILES; file++) {
            // Every file has ids from the whole range
            assertUpdate("INSERT INTO %s SELECT n * 2 * %s + %s, 'x' FROM UNNEST(sequence(1, 100)) t(n)".formatted(table, FILES, 2 * file), 100);
        }
        addUnique(table, "u", "id");
        createIndex(table, "id");

        // The added file itself is read, too
        assertThat(dataFileOpens(fileAccess, withoutIndex(), "INSERT INTO " + table + " VALUES (201, 'new')")).isEqualTo(FILES + 1);
        assertThat(dataFileOpens(fileAccess, getSession(), "INSERT INTO " + table + " VALUES (203, 'new')"))
                .as("and the file that was added since the index was built, unless its bounds rule it out")
                .isEqualTo(1);
        assertThat(dataFileOpens(fileAccess, getSession(), "INSERT INTO %s SELECT 2 * n + 1001, 'new' FROM UNNEST(sequence(1, 300)) t(n)".formatted(table))).isEqualTo(1);
        assertViolation(table, "INSERT INTO " + table + " VALUES (205, 'new'), (320, 'old')", "Unique constraint violation: u: id = 320 is in the table already");
        assertViolation(table, "INSERT INTO " + table + " VALUES (203, 'new')", "Unique constraint violation: u: id = 203 is in the table already");
        validate(table);
        assertThat(status(table, "u")).isEqualTo("validated");
    }

    @Test
    @Tag("CN-08")
    @Tag("CN-09")
    void testSameOutcomeAsWithoutIndex()
    {
        Random random = new Random(11);
        for (int formatVersion = 2; formatVersion <= 3; formatVersion++) {
            List<String> tables = ImmutableList.of(
                    createTable("a integer, b varchar, s row(c bigint), x integer", "format_version = " + formatVersion),
                    createTable("a integer, b varchar, s row(c bigint), x integer", "format_version = " + formatVersion));
            String indexed = tables.getFirst();
            String plain = tables.getLast();
            for (String table : tables) {
                addUnique(table, "ab", "a", "b");
                addUnique(table, "c", "s.c");
            }
            createIndex(indexed, "b", "a");
            int accepted = 0;
            int refused = 0;
            for (int step = 0; step < 40; step++) {
                String statement = statement(random);
                if (succeeds(statement.formatted(indexed), plain, statement)) {
                    accepted++;
                }
                else {
                    refused++;
                }
                if (step % 10 == 5) {
                    assertUpdate("CALL system.refresh_index('tpch', '%s', 'i')".formatted(indexed));
                }
                if (step == 20) {
                    assertUpdate("ALTER TABLE " + indexed + " ALTER COLUMN a SET DATA TYPE bigint");
                    assertUpdate("ALTER TABLE " + plain + " ALTER COLUMN a SET DATA TYPE bigint");
                }
            }
            assertThat(accepted).isGreaterThan(8);
            assertThat(refused).isGreaterThan(8);
            assertThat(computeActual("SELECT * FROM " + indexed).getMaterializedRows()).isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(computeActual("SELECT * FROM " + plain).getMaterializedRows());
            validate(indexed);
            assertThat(status(indexed, "ab")).isEqualTo("validated");
            assertThat(status(indexed, "c")).isEqualTo("validated");
        }
    }

    private boolean succeeds(String sql, String otherTable, String statement)
    {
        String failure = failureOf(sql);
        assertThat(failureOf(statement.formatted(otherTable))).as("%s", statement).isEqualTo(failure);
        return failure.isEmpty();
    }

    /// Of several violations any may be told.
    private String failureOf(String sql)
    {
        try {
            getQueryRunner().execute(sql);
            return "";
        }
        catch (RuntimeException e) {
            assertThat(e).hasMessageStartingWith("Unique constraint violation: ");
            return "violation";
        }
    }

    private static String statement(Random random)
    {
        return switch (random.nextInt(6)) {
            case 0 -> "DELETE FROM %s WHERE a %% 7 = " + random.nextInt(7);
            case 1 -> "UPDATE %s SET a = a + 1 WHERE x %% 5 = " + random.nextInt(5);
            case 2 -> "INSERT INTO %s SELECT n, 'many', ROW(n + " + 1000 * random.nextInt(100) + "), 0 FROM UNNEST(sequence(" + 300 * random.nextInt(4) + ", 300)) t(n)";
            default -> "INSERT INTO %s VALUES " + random.ints(3)
                    .mapToObj(_ -> "(%s, %s, ROW(%s), %s)".formatted(
                            random.nextInt(8) == 0 ? "NULL" : random.nextInt(20),
                            random.nextInt(8) == 0 ? "NULL" : "'b" + random.nextInt(4) + "'",
                            random.nextInt(8) == 0 ? "NULL" : random.nextInt(1000),
                            random.nextInt(100)))
                    .collect(joining(", "));
        };
    }

    private void createIndex(String table, String... key)
    {
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'i', key => ARRAY['%s'])".formatted(table, String.join("', '", key)));
    }

    private static long dataFileOpens(FileAccess fileAccess, Session session, String sql)
    {
        return FileAccess.on(FileKind.DATA, fileAccess.of(session, sql)).stream()
                .filter(operation -> operation.operation().equals("InputFile.newInput"))
                .count();
    }

    private Session withoutIndex()
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty(getSession().getCatalog().orElseThrow(), "index_enabled", "false")
                .build();
    }
}
