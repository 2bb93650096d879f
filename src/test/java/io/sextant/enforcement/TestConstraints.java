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

import io.sextant.SextantQueryRunner;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/// Constraints through SQL: what they refuse, what they let through, and what each snapshot says of them.
final class TestConstraints
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder().withoutPlainCatalog().build();
    }

    @Test
    @Tag("CN-08")
    void testCheck()
    {
        assertUpdate("CREATE TABLE chk (id integer NOT NULL, x integer)");
        assertUpdate("CALL system.add_constraint(schema_name => 'tpch', table_name => 'chk', constraint_name => 'x_pos', constraint_type => 'check', expression => 'x > 0')");
        assertUpdate("INSERT INTO chk VALUES (1, 1), (2, NULL)", 2);
        long snapshots = snapshots("chk");
        assertViolation("INSERT INTO chk SELECT n, IF(n = 1500, 0, n) FROM UNNEST(sequence(1, 2000)) t(n)", "Check constraint violation: x_pos: x > 0 (a row has x = 0)");
        assertThat(snapshots("chk")).isEqualTo(snapshots);
        assertUpdate("UPDATE chk SET x = x + 1", 2);
        assertQuery("SELECT * FROM chk", "VALUES (1, 2), (2, NULL)");
        assertViolation("UPDATE chk SET x = -x", "Check constraint violation: x_pos: x > 0 (a row has x = -2)");
        assertUpdate("MERGE INTO chk t USING (VALUES (1, 10), (3, 30)) s(id, x) ON t.id = s.id WHEN MATCHED AND s.x > 5 THEN UPDATE SET x = t.x + s.x WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.x)", 2);
        assertQuery("SELECT * FROM chk", "VALUES (1, 12), (2, NULL), (3, 30)");
        assertUpdate("DELETE FROM chk WHERE id = 1", 1);
        assertUpdate("ALTER TABLE chk EXECUTE optimize");
        assertQuery("SELECT * FROM chk", "VALUES (2, NULL), (3, 30)");
    }

    @Test
    @Tag("CN-05")
    @Tag("CN-08")
    void testUnique()
    {
        assertUpdate("CREATE TABLE uni (id integer, x integer, p varchar) WITH (partitioning = ARRAY['p'])");
        assertUpdate("CALL system.add_constraint(schema_name => 'tpch', table_name => 'uni', constraint_name => 'u', constraint_type => 'unique', columns => ARRAY['id'])");
        assertUpdate("INSERT INTO uni VALUES (1, 1, 'a'), (2, 2, 'a'), (NULL, 1, 'a'), (NULL, 2, 'b')", 4);
        assertViolation("INSERT INTO uni VALUES (3, 3, 'a'), (3, 3, 'b')", "Unique constraint violation: u: id = 3 occurs twice among the added rows");
        assertViolation("INSERT INTO uni VALUES (1, 3, 'b')", "Unique constraint violation: u: id = 1 is in the table already");
        assertUpdate("UPDATE uni SET id = id + 1", 4);
        assertUpdate("UPDATE uni SET id = 5 - id WHERE id IS NOT NULL", 2);
        assertQuery("SELECT id, x FROM uni", "VALUES (3, 1), (2, 2), (NULL, 1), (NULL, 2)");
        assertUpdate("DELETE FROM uni WHERE id = 3", 1);
        assertUpdate("INSERT INTO uni VALUES (3, 9, 'c')", 1);
        assertUpdate("MERGE INTO uni t USING (VALUES 3, 4) s(id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET x = 100 WHEN NOT MATCHED THEN INSERT VALUES (s.id, 0, 'd')", 2);
        assertQuery("SELECT id, x FROM uni WHERE id IS NOT NULL", "VALUES (2, 2), (3, 100), (4, 0)");
    }

    @Test
    void testStatuses()
    {
        assertUpdate("CREATE TABLE st (id integer, x integer)");
        assertUpdate("INSERT INTO st VALUES (1, 1)", 1);
        assertUpdate("CALL system.add_constraint('tpch', 'st', 'c', 'check', 'x > 0')");
        assertThat(status("st")).isEqualTo("{\"validated\":[1]}");
        assertUpdate("INSERT INTO st VALUES (2, 2)", 1);
        assertThat(status("st")).isEqualTo("{\"valid\":[1]}");
        assertUpdate("DELETE FROM st WHERE id = 1", 1);
        assertThat(status("st")).isEqualTo("{\"valid\":[1]}");
        assertUpdate("ALTER TABLE st EXECUTE optimize");
        assertThat(status("st")).isEqualTo("{\"valid\":[1]}");
        assertUpdate("CALL system.validate_constraint('tpch', 'st', 'c')");
        assertThat(status("st")).isEqualTo("{\"validated\":[1]}");
        assertUpdate("DELETE FROM st WHERE id = 7", 0);
        assertThat(status("st")).isEqualTo("{\"validated\":[1]}");
    }

    private void assertViolation(String sql, String message)
    {
        assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(sql))
                .hasErrorCode(CONSTRAINT_VIOLATION)
                .hasMessage(message);
    }

    private long snapshots(String table)
    {
        return (long) computeScalar("SELECT count(*) FROM \"%s$snapshots\"".formatted(table));
    }

    private String status(String table)
    {
        return (String) computeScalar("SELECT element_at(summary, 'sextant.constraint-statuses') FROM \"%s$snapshots\" ORDER BY committed_at DESC LIMIT 1".formatted(table));
    }
}
