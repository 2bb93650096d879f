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

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

/// The page about constraints: its statements run, and its system tables have the columns that it names.
final class TestConstraintDocumentation
        extends AbstractTestConstraints
{
    private static final Path PAGE = Path.of("docs/constraints.md");
    private static final Pattern EXAMPLES = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

    @Test
    void testExamples()
            throws IOException
    {
        String page = Files.readString(PAGE);
        assertUpdate("CREATE SCHEMA sales");
        assertUpdate("CREATE TABLE sales.orders (id bigint NOT NULL, region varchar, number bigint, total decimal(12, 2))");
        assertUpdate("INSERT INTO sales.orders VALUES (1, 'north', 1, 10.50), (2, 'north', 2, NULL)", 2);
        List<String> statements = EXAMPLES.matcher(page).results()
                .map(match -> match.group(1))
                .flatMap(block -> Stream.of(block.split(";\n")))
                .filter(statement -> !statement.isBlank())
                .map(statement -> statement.replace("lake.", "sextant."))
                .collect(toImmutableList());
        assertThat(statements).hasSizeGreaterThan(5);
        for (String statement : statements) {
            getQueryRunner().execute(statement);
        }
        assertQuery("SELECT name, definition, enforced, status FROM sales.\"orders$constraints\"", "VALUES ('one_number', 'UNIQUE (region, number)', true, 'validated'), ('pk', 'PRIMARY KEY (id)', true, 'validated')");
        for (Object column : computeActual("SHOW COLUMNS FROM sales.\"orders$constraints\"").getMaterializedRows().stream().map(row -> row.getField(0)).toList()) {
            assertThat(page).contains("`" + column + "`");
        }
        assertUpdate("ALTER TABLE sales.orders SET PROPERTIES max_commit_retry = 20");
        assertQuerySucceeds("SELECT * FROM sales.\"orders$constraint_statuses\"");
    }
}
