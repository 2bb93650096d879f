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

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// What the snapshots of a table say of its constraints after each kind of statement.
final class TestConstraintHistories
        extends AbstractTestConstraints
{
    @Test
    @Tag("CN-24")
    @Tag("CN-25")
    @Tag("CN-28")
    void testConstraintThatHolds()
    {
        String table = createTable("id integer NOT NULL, x integer");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 1)", 1);
        addCheck(table, "c", "x > 0");
        addUnique(table, "u", "x");
        addPrimaryKey(table, "pk", "id");
        assertAll(table, "validated");
        assertUpdate("INSERT INTO " + table + " VALUES (2, 2), (3, 3)", 2);
        assertAll(table, "valid");
        assertUpdate("UPDATE " + table + " SET x = x + 1", 3);
        assertAll(table, "valid");
        assertUpdate("DELETE FROM " + table + " WHERE id = 1", 1);
        assertAll(table, "valid");
        assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
        assertAll(table, "valid");
        long snapshots = snapshots(table);
        validate(table);
        assertAll(table, "validated");
        assertThat(snapshots(table)).isEqualTo(snapshots + 1);
        validate(table);
        assertThat(snapshots(table)).isEqualTo(snapshots + 1);
        assertUpdate("DELETE FROM " + table + " WHERE id = 2", 1);
        assertAll(table, "validated");
        assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
        assertAll(table, "validated");
        assertUpdate("TRUNCATE TABLE " + table);
        assertAll(table, "validated");
        assertEachListedOnce(table);
    }

    @Test
    @Tag("CN-26")
    @Tag("CN-27")
    void testConstraintThatDoesNotHold()
    {
        String table = createTable("id integer NOT NULL, x integer");
        assertUpdate("INSERT INTO " + table + " VALUES (1, -1), (1, -1)", 2);
        assertUpdate(addCheckSql(table, "c", "x > 0", ", validate => false"));
        assertUpdate(addKeySql(table, "u", "unique", ", validate => false", "x"));
        assertUpdate(addKeySql(table, "pk", "primary-key", ", validate => false", "id"));
        assertAll(table, "unvalidated");
        assertUpdate("INSERT INTO " + table + " VALUES (2, 2)", 1);
        assertAll(table, "unvalidated");
        validate(table);
        assertAll(table, "invalid");
        assertUpdate("INSERT INTO " + table + " VALUES (3, 3)", 1);
        assertAll(table, "invalid");
        assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
        assertAll(table, "invalid");
        assertUpdate("DELETE FROM " + table + " WHERE id = 3", 1);
        assertAll(table, "unvalidated");
        validate(table);
        assertAll(table, "invalid");
        assertUpdate("DELETE FROM " + table + " WHERE id = 1", 2);
        assertAll(table, "unvalidated");
        validate(table);
        assertAll(table, "validated");
        assertUpdate("INSERT INTO " + table + " VALUES (4, 4)", 1);
        assertAll(table, "valid");
        assertEachListedOnce(table);
    }

    @Test
    @Tag("CN-22")
    void testValidationOfOne()
    {
        String table = createTable("x integer, y integer");
        assertUpdate("INSERT INTO " + table + " VALUES (1, -1)", 1);
        assertUpdate(addCheckSql(table, "x_pos", "x > 0", ", validate => false"));
        assertUpdate(addCheckSql(table, "y_pos", "y > 0", ", validate => false"));
        assertUpdate("CALL system.validate_constraint('tpch', '" + table + "', 'Y_POS')");
        assertThat(status(table, "x_pos")).isEqualTo("unvalidated");
        assertThat(status(table, "y_pos")).isEqualTo("invalid");
        assertUpdate("CALL system.validate_constraint('tpch', '" + table + "', 'x_pos')");
        assertThat(status(table, "x_pos")).isEqualTo("validated");
        assertThat(status(table, "y_pos")).isEqualTo("invalid");
        assertEachListedOnce(table);
    }

    @Test
    @Tag("CN-14")
    @Tag("CN-15")
    void testIdsAreNeverUsedAgain()
    {
        String table = createTable("x integer");
        addCheck(table, "a", "x > 0");
        addCheck(table, "b", "x > 1");
        assertUpdate("CALL system.drop_constraint('tpch', '" + table + "', 'b')");
        addCheck(table, "b", "x > 2");
        assertQuery("SELECT id, name, definition FROM \"" + table + "$constraints\"", "VALUES (1, 'a', 'x > 0'), (3, 'b', 'x > 2')");
        assertUpdate("CALL system.drop_constraint('tpch', '" + table + "', 'a')");
        assertUpdate("CALL system.drop_constraint('tpch', '" + table + "', 'B')");
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + table + "$constraints\"");
        assertUpdate("INSERT INTO " + table + " VALUES -1", 1);
        assertQuery("SELECT DISTINCT constraint_id, constraint_name FROM \"" + table + "$constraint_statuses\"", "VALUES (1, NULL), (2, NULL), (3, NULL)");

        assertUpdate("CREATE OR REPLACE TABLE " + table + " AS SELECT 5 x", 1);
        addCheck(table, "a", "x > 3");
        assertUpdate("CREATE OR REPLACE TABLE " + table + " AS SELECT -5 x", 1);
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + table + "$constraints\"");
        assertUpdate("INSERT INTO " + table + " VALUES -6", 1);
        addCheck(table, "a", "x < 0");
        assertQuery("SELECT id, status FROM \"" + table + "$constraints\"", "VALUES (5, 'validated')");
        assertUpdate("CREATE OR REPLACE TABLE " + table + " (y varchar)");
        addCheck(table, "a", "y <> ''");
        assertQuery("SELECT id, definition FROM \"" + table + "$constraints\"", "VALUES (6, 'y <> ''''')");
    }

    @Test
    @Tag("CN-21")
    @Tag("CN-04")
    void testChangesOfDefinitions()
    {
        String table = createTable("x integer");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        addCheck(table, "First", "x > 0");
        assertUpdate("INSERT INTO " + table + " VALUES 2", 1);
        Object created = computeScalar("SELECT last_modified FROM \"" + table + "$constraints\"");
        assertUpdate("CALL system.alter_constraint('tpch', '" + table + "', 'first', 'FIRST')");
        assertUpdate("CALL system.alter_constraint('tpch', '" + table + "', 'first', NULL, false)");
        assertQuery("SELECT id, name, enforced, status FROM \"" + table + "$constraints\"", "VALUES (1, 'FIRST', false, 'valid')");
        Object changed = computeScalar("SELECT last_modified FROM \"" + table + "$constraints\"");
        assertThat(changed).isNotEqualTo(created);
        long snapshots = snapshots(table);
        assertUpdate("CALL system.alter_constraint('tpch', '" + table + "', 'first', NULL, false)");
        assertThat(snapshots(table)).isEqualTo(snapshots);
        assertThat(computeScalar("SELECT last_modified FROM \"" + table + "$constraints\"")).isEqualTo(changed);
        assertEachListedOnce(table);
    }

    @Test
    @Tag("CN-23")
    void testRollback()
    {
        String table = createTable("x integer");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        long before = (long) computeScalar("SELECT snapshot_id FROM \"" + table + "$snapshots\" ORDER BY committed_at DESC LIMIT 1");
        assertUpdate("INSERT INTO " + table + " VALUES 2", 1);
        addCheck(table, "c", "x > 0");
        addUnique(table, "u", "x");
        assertThat(status(table, "c")).isEqualTo("validated");
        assertUpdate("ALTER TABLE " + table + " EXECUTE rollback_to_snapshot(" + before + ")");
        assertQuery("SELECT * FROM " + table, "VALUES 1");
        assertThat(status(table, "c")).isEqualTo("unvalidated");
        assertViolation(table, "INSERT INTO " + table + " VALUES 0", "Check constraint violation");
        assertViolation(table, "INSERT INTO " + table + " VALUES 1", "Unique constraint violation");
        assertUpdate("INSERT INTO " + table + " VALUES 2", 1);
        assertThat(status(table, "u")).isEqualTo("unvalidated");
        validate(table);
        assertThat(status(table, "u")).isEqualTo("validated");
    }

    @Test
    @Tag("CN-22")
    void testSnapshotsBeforeTheConstraint()
    {
        String table = createTable("x integer");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        addCheck(table, "c", "x > 0");
        assertUpdate("INSERT INTO " + table + " VALUES 2", 1);
        assertThat(computeActual("SELECT status FROM \"" + table + "$constraint_statuses\" WHERE constraint_name = 'c' ORDER BY committed_at").getOnlyColumnAsSet())
                .containsExactlyInAnyOrder("unvalidated", "validated", "valid");
        assertQuery("SELECT count(*) FROM \"" + table + "$constraint_statuses\"", "VALUES 4");
    }

    @Test
    @Tag("CN-24")
    void testUpgradeOfFormat()
    {
        String table = createTable("x integer");
        addCheck(table, "c", "x > 0");
        addUnique(table, "u", "x");
        assertUpdate("INSERT INTO " + table + " VALUES 1, 2", 2);
        assertUpdate("DELETE FROM " + table + " WHERE x = 1", 1);
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES format_version = 3");
        assertThat(status(table, "c")).isEqualTo("valid");
        assertViolation(table, "INSERT INTO " + table + " VALUES 0", "Check constraint violation");
        assertViolation(table, "INSERT INTO " + table + " VALUES 2", "Unique constraint violation");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        assertUpdate("DELETE FROM " + table + " WHERE x = 2", 1);
        assertUpdate("INSERT INTO " + table + " VALUES 2", 1);
        assertThat(status(table, "u")).isEqualTo("valid");
        assertEachListedOnce(table);
    }

    private void assertAll(String table, String status)
    {
        assertThat(computeActual("SELECT status FROM \"" + table + "$constraints\"").getOnlyColumnAsSet()).containsExactly(status);
    }

    /// From the first snapshot that lists a constraint, each one lists all that were there, and each of them once.
    private void assertEachListedOnce(String table)
    {
        assertQueryReturnsEmptyResult(
                """
                WITH listed AS (
                    SELECT s.snapshot_id, s.committed_at, e.id
                    FROM "%1$s$snapshots" s
                    CROSS JOIN UNNEST(map_values(CAST(json_parse(element_at(s.summary, 'sextant.constraint-statuses')) AS map(varchar, array(integer))))) v(ids)
                    CROSS JOIN UNNEST(v.ids) e(id)),
                born AS (SELECT id, min(committed_at) AS first FROM listed GROUP BY id)
                SELECT s.snapshot_id, b.id, count(l.id)
                FROM "%1$s$snapshots" s
                JOIN born b ON s.committed_at >= b.first
                LEFT JOIN listed l ON l.snapshot_id = s.snapshot_id AND l.id = b.id
                GROUP BY s.snapshot_id, b.id
                HAVING count(l.id) <> 1
                """.formatted(table));
    }
}
