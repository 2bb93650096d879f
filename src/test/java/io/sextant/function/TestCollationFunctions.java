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
package io.sextant.function;

import io.sextant.SextantPlugin;
import io.sextant.collation.Collations;
import io.trino.spi.StandardErrorCode;
import io.trino.sql.query.QueryAssertions;
import io.trino.testing.StandaloneQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
final class TestCollationFunctions
{
    private QueryAssertions assertions;

    @BeforeAll
    void setUp()
    {
        StandaloneQueryRunner queryRunner = new StandaloneQueryRunner(testSessionBuilder().build());
        queryRunner.installPlugin(new SextantPlugin());
        assertions = new QueryAssertions(queryRunner);
    }

    @AfterAll
    void tearDown()
    {
        assertions.close();
    }

    @Test
    void testComparison()
    {
        assertValue("collation_key('apple', 'icu.en_US-ci') = collation_key('APPLE', 'icu.en_US-ci')", true);
        assertValue("collation_key('apple', 'icu.en_US') = collation_key('APPLE', 'icu.en_US')", false);
        assertValue("collation_key('Banana', 'icu.en_US') > collation_key('apple', 'icu.en_US')", true);
        assertValue("collation_key('Gr\u00f6\u00dfe', 'icu.de-ci') > collation_key('Gro\u00dfe', 'icu.de-ci')", true);
        assertValue("collation_key('r\u00e9sum\u00e9', 'icu.en-ci-ai') IN (collation_key('x', 'icu.en-ci-ai'), collation_key('RESUME', 'icu.en-ci-ai'))", true);
        assertValue("collation_key('b', 'icu.en-ci') BETWEEN collation_key('A', 'icu.en-ci') AND collation_key('C', 'icu.en-ci')", true);
        // What varchar compares stays as it is
        assertValue("'apple' = 'APPLE'", false);
        assertValue("'Banana' < 'apple'", true);
    }

    @Test
    void testTypes()
    {
        assertValue("typeof(collation_key('a', 'icu.en'))", "varbinary");
        assertValue("typeof(collation_version('icu.en'))", "varchar");
        assertValue("collation_key(CAST('a' AS varchar(10)), 'icu.en') = collation_key('a', 'icu.en')", true);
        // A char has no spaces at the end
        assertValue("collation_key(CAST('a' AS char(3)), 'icu.en') = collation_key('a', 'icu.en')", true);
        assertValue("collation_key('', 'icu.en') < collation_key('a', 'icu.en')", true);
    }

    @Test
    void testOrderBy()
    {
        assertThat(assertions.query("SELECT s FROM (VALUES 'Banana', 'apple', 'cherry', 'Apple', NULL) t(s) ORDER BY collation_key(s, 'icu.en_US') NULLS FIRST"))
                .ordered()
                .matches("VALUES CAST(NULL AS varchar(6)), 'apple', 'Apple', 'Banana', 'cherry'");
        assertThat(assertions.query("SELECT s FROM (VALUES 'Banana', 'apple', 'Apple') t(s) ORDER BY collation_key(s, 'icu.da') DESC"))
                .ordered()
                .matches("VALUES CAST('Banana' AS varchar(6)), 'apple', 'Apple'");
    }

    @Test
    void testGroupByAndDistinct()
    {
        assertThat(assertions.query("SELECT min(s), count(*) FROM (VALUES 'a', 'A', 'b', '\u00e1', NULL, NULL) t(s) GROUP BY collation_key(s, 'icu.en-ci')"))
                .matches("VALUES (CAST('A' AS varchar(1)), BIGINT '2'), ('b', 1), ('\u00e1', 1), (NULL, 2)");
        assertThat(assertions.query("SELECT count(DISTINCT collation_key(s, 'icu.en-ci-ai')) FROM (VALUES 'a', 'A', 'b', '\u00e1', NULL) t(s)"))
                .matches("VALUES BIGINT '2'");
        assertThat(assertions.query("SELECT count(*) FROM (SELECT DISTINCT collation_key(s, 'icu.en-ci') FROM (VALUES '\u00e9', 'e\u0301', '\u00c9') t(s))"))
                .matches("VALUES BIGINT '1'");
    }

    @Test
    @Tag("case-32")
    void testSetOperations()
    {
        assertThat(assertions.query("SELECT * FROM (SELECT collation_key(s, 'icu.en-ci') k FROM (VALUES 'ABC', 'abc') t(s) EXCEPT SELECT collation_key('abc', 'icu.en-ci')) WHERE k = collation_key('ABC', 'icu.en-ci')"))
                .returnsEmptyResult();
        assertThat(assertions.query("SELECT count(*) FROM (SELECT collation_key(s, 'icu.en') k FROM (VALUES 'ABC', 'abc') t(s) EXCEPT SELECT collation_key('abc', 'icu.en'))"))
                .matches("VALUES BIGINT '1'");
        assertThat(assertions.query("SELECT count(*) FROM (SELECT collation_key('a', 'icu.en-ci') UNION SELECT collation_key('A', 'icu.en-ci'))"))
                .matches("VALUES BIGINT '1'");
        assertThat(assertions.query("SELECT count(*) FROM (SELECT collation_key('a', 'icu.en') UNION SELECT collation_key('A', 'icu.en'))"))
                .matches("VALUES BIGINT '2'");
        assertThat(assertions.query("SELECT count(*) FROM (SELECT collation_key('a', 'icu.en-ci') INTERSECT SELECT collation_key('A', 'icu.en-ci'))"))
                .matches("VALUES BIGINT '1'");
    }

    @Test
    @Tag("case-32")
    void testRows()
    {
        assertValue("(collation_key('a', 'icu.en-ci'), 0) < (collation_key('B', 'icu.en-ci'), 0)", true);
        assertValue("('a', 0) < ('B', 0)", false);
        assertValue("(collation_key('a', 'icu.en-ci'), 0) = (collation_key('A', 'icu.en-ci'), 0)", true);
        assertValue("(collation_key('a', 'icu.en-ci'), 1) < (collation_key('A', 'icu.en-ci'), 0)", false);
    }

    @Test
    void testJoin()
    {
        assertThat(assertions.query(
                """
                SELECT l.s, r.s
                FROM (VALUES 'apple', 'Banana', NULL) l(s)
                JOIN (VALUES 'APPLE', 'Apple', 'cherry', NULL) r(s) ON collation_key(l.s, 'icu.en-ci') = collation_key(r.s, 'icu.en-ci')
                """))
                .matches("VALUES (CAST('apple' AS varchar(6)), CAST('APPLE' AS varchar(6))), ('apple', 'Apple')");
    }

    @Test
    void testNulls()
    {
        assertValue("collation_key(NULL, 'icu.en') IS NULL", true);
        assertValue("collation_key('a', NULL) IS NULL", true);
        assertValue("collation_version(NULL) IS NULL", true);
        // No name is looked at without a value
        assertThat(assertions.query("SELECT count(collation_key(s, c)) FROM (VALUES (VARCHAR 'a', VARCHAR 'icu.en'), (NULL, 'bogus'), ('b', NULL)) t(s, c)"))
                .matches("VALUES BIGINT '1'");
    }

    @Test
    void testCollationOfEachRow()
    {
        assertThat(assertions.query(
                """
                SELECT c, collation_key('a', c) < collation_key('A', c)
                FROM (VALUES VARCHAR 'icu.en', 'icu.da', 'icu.en-ci', 'icu.en', 'icu.da', NULL, 'icu.en') t(c)
                """))
                .matches("VALUES (VARCHAR 'icu.en', true), ('icu.da', false), ('icu.en-ci', false), ('icu.en', true), ('icu.da', false), (NULL, NULL), ('icu.en', true)");
        assertThat(assertions.query(
                """
                SELECT count(*), count_if(collation_key('b' || n, c) = collation_key('B' || n, d))
                FROM (SELECT CAST(n AS varchar) n, IF(n % 2 = 0, 'icu.en-ci', 'icu.sv-ci') c, IF(n % 2 = 0, 'icu.en-ci', 'icu.sv') d FROM UNNEST(sequence(1, 5000)) t(n))
                """))
                .matches("VALUES (BIGINT '5000', BIGINT '2500')");
    }

    @Test
    @Tag("CO-06")
    @Tag("case-36")
    void testErrorsNameTheBadPart()
    {
        assertInvalid("en_US-ci", "Invalid collation 'en_US-ci': no provider; it has to be utf8, or begin with a provider and a dot, like icu.en_US");
        assertInvalid("icu.zz", "Unsupported collation 'icu.zz': ICU has no collation for locale 'zz'");
        assertInvalid("icu.en_US-ci-cs", "Invalid collation 'icu.en_US-ci-cs': modifiers 'ci' and 'cs' exclude each other");
        assertInvalid("icu.en_US-bogus", "Invalid collation 'icu.en_US-bogus': modifier 'bogus' is unknown; allowed are cs, ci, as, ai, ltrim, rtrim, trim");
        assertInvalid("spark.UTF8_LCASE", "Unsupported collation 'spark.UTF8_LCASE': provider 'spark' is unknown; it has to be icu");
        assertInvalid("ICU.en_US", "Unsupported collation 'ICU.en_US': provider 'ICU' is unknown; it has to be icu");
        assertInvalid("utf8", "Collation 'utf8' is the order of bytes, which varchar has without a collation");
        assertInvalid("", "Invalid collation '': no provider; it has to be utf8, or begin with a provider and a dot, like icu.en_US");
        // Of one row among others, and after a good name
        assertTrinoExceptionThrownBy(() -> assertions.execute("SELECT collation_key(s, c) FROM (VALUES (VARCHAR 'a', VARCHAR 'icu.en'), ('b', 'icu.zz'), ('c', 'icu.en')) t(s, c)"))
                .hasErrorCode(StandardErrorCode.INVALID_FUNCTION_ARGUMENT)
                .hasMessage("Unsupported collation 'icu.zz': ICU has no collation for locale 'zz'");
        assertThat(assertions.query("SELECT try(collation_key('a', c)) IS NULL FROM (VALUES VARCHAR 'icu.zz', 'icu.en') t(c)"))
                .matches("VALUES true, false");
    }

    @Test
    @Tag("CO-08")
    void testVersion()
    {
        assertValue("collation_version('icu.en_US-ci')", "153.136.0.0");
        assertValue("collation_version('icu.sv')", "153.136.48.0");
        assertThat(assertions.query("SELECT collation_version(c) FROM (VALUES VARCHAR 'icu.en', 'icu.sv', NULL) t(c)"))
                .matches("VALUES VARCHAR '153.136.0.0', '153.136.48.0', NULL");
        assertThat(Collations.get("icu.en").matchesVersion((String) assertions.execute("SELECT collation_version('icu.en')").getOnlyValue())).isTrue();
    }

    @Test
    @Tag("CO-07")
    void testSpellingsOfOneCollation()
    {
        assertValue("collation_key('Apple', 'icu.en_USA-as-CI') = collation_key('aPPLE', 'icu.en_US-ci')", true);
    }

    private void assertInvalid(String name, String message)
    {
        for (String query : new String[] {"SELECT collation_key('a', '%s')", "SELECT collation_version('%s')", "SELECT collation_key(s, '%s') FROM (VALUES 'a', 'b') t(s)"}) {
            assertTrinoExceptionThrownBy(() -> assertions.execute(query.formatted(name)))
                    .hasErrorCode(StandardErrorCode.INVALID_FUNCTION_ARGUMENT)
                    .hasMessage(message);
        }
    }

    private void assertValue(String expression, Object value)
    {
        assertThat(assertions.execute("SELECT " + expression).getOnlyValue()).as(expression).isEqualTo(value);
    }
}
