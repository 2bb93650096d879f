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
package io.sextant.collation;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;

/// The page about collations: its statements run, its names are names, and its system table has the columns that it names.
final class TestCollationDocumentation
        extends AbstractTestCollations
{
    private static final Path PAGE = Path.of("docs/collations.md");
    private static final Pattern EXAMPLES = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);
    private static final Pattern NAMES = Pattern.compile("`(icu\\.[^`]+)`");

    @Test
    void testExamples()
            throws IOException
    {
        String page = Files.readString(PAGE);
        assertUpdate("CREATE SCHEMA travel");
        assertUpdate("CREATE TABLE travel.capitals (name varchar, country varchar)");
        assertUpdate("INSERT INTO travel.capitals VALUES ('Bogotá', 'CO'), ('Wien', 'AT')", 2);
        List<String> statements = EXAMPLES.matcher(page).results()
                .map(match -> match.group(1))
                .flatMap(block -> Stream.of(block.split(";\n")))
                .filter(statement -> !statement.isBlank())
                .map(statement -> statement.replace("lake.", "sextant."))
                .collect(toImmutableList());
        assertThat(statements).hasSizeGreaterThan(8);
        assertThat(getQueryRunner().execute(statements.getFirst()).getOnlyValue()).isEqualTo("Bogotá");
        for (String statement : statements) {
            getQueryRunner().execute(statement);
        }
        for (Object column : computeActual("SHOW COLUMNS FROM travel.\"capitals$collations\"").getMaterializedRows().stream().map(row -> row.getField(0)).toList()) {
            assertThat(page).contains("`" + column + "`");
        }
    }

    @Test
    void testNames()
            throws IOException
    {
        Set<String> names = NAMES.matcher(Files.readString(PAGE)).results()
                .map(MatchResult::group)
                .map(quoted -> quoted.substring(1, quoted.length() - 1))
                // The provider alone
                .filter(name -> !name.equals("icu."))
                .collect(toImmutableSet());
        assertThat(names).hasSizeGreaterThanOrEqualTo(20);
        assertThat(names).allSatisfy(name -> assertThat(Collations.get(name).version()).isNotEmpty());
    }
}
