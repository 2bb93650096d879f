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

import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.trino.spi.StandardErrorCode.ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_FOUND;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SELECT_COLUMN;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SET_TABLE_PROPERTIES;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// What cannot be done to a table because of its constraints, and to constraints at all.
final class TestConstraintGuards
        extends AbstractTestConstraints
{
    @Test
    @Tag("CN-02")
    void testRenamedColumns()
    {
        String table = createTable("id integer, x integer, s row(a integer)");
        addCheck(table, "c", "x > 0 OR s.a > 0");
        addUnique(table, "u", "id");
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN x TO \"Y z\"");
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN s.a TO b");
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN s TO x");
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN id TO number");
        assertThat(definition(table, "c")).isEqualTo("\"y z\" > 0 OR x.b > 0");
        assertThat(definition(table, "u")).isEqualTo("UNIQUE (number)");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 1, ROW(0)), (2, 0, ROW(1))", 2);
        assertViolation(table, "INSERT INTO " + table + " VALUES (3, 0, ROW(0))", "Check constraint violation: c: \"y z\" > 0 OR x.b > 0");
        assertViolation(table, "INSERT INTO " + table + " VALUES (1, 1, ROW(1))", "number = 1 is in the table already");
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN new integer FIRST");
        assertViolation(table, "INSERT INTO " + table + " VALUES (9, 3, 0, ROW(0))", "Check constraint violation: c");
        assertUpdate("INSERT INTO " + table + " VALUES (0, 3, 1, ROW(0))", 1);
    }

    @Test
    @Tag("CN-19")
    void testDroppedColumns()
    {
        String table = createTable("id integer, x integer, s row(a integer, b integer), free integer");
        addCheck(table, "c", "x > 0 OR s.a > 0");
        addUnique(table, "u", "id");
        for (String column : new String[] {"x", "s", "s.a"}) {
            assertRefused("ALTER TABLE " + table + " DROP COLUMN " + column, NOT_SUPPORTED, "CALL system.drop_constraint");
        }
        assertRefused("ALTER TABLE " + table + " DROP COLUMN x", NOT_SUPPORTED, "The schema of table tpch.%s cannot be changed: column x is part of a constraint and cannot be dropped; drop the".formatted(table));
        assertRefused("ALTER TABLE " + table + " DROP COLUMN id", NOT_SUPPORTED, "column id is part of a constraint and cannot be dropped");
        assertUpdate("ALTER TABLE " + table + " DROP COLUMN free");
        assertUpdate("ALTER TABLE " + table + " DROP COLUMN s.b");
        assertUpdate("CALL system.drop_constraint('tpch', '" + table + "', 'u')");
        assertUpdate("ALTER TABLE " + table + " DROP COLUMN id");
        assertUpdate("CALL system.drop_constraint('tpch', '" + table + "', 'c')");
        assertUpdate("ALTER TABLE " + table + " DROP COLUMN s");
        assertUpdate("INSERT INTO " + table + " VALUES -1", 1);
    }

    @Test
    @Tag("CN-20")
    void testChangedTypes()
    {
        String table = createTable("k integer, x integer, s row(a integer, b integer), arr array(integer), d decimal(5, 2), free integer");
        addCheck(table, "c", "x > 0 AND s.a > 0 AND cardinality(arr) > 0");
        addUnique(table, "u", "k", "d");
        assertRefused("ALTER TABLE " + table + " ALTER COLUMN x SET DATA TYPE bigint", NOT_SUPPORTED, "column x is part of a constraint and cannot change from int to long");
        assertRefused("ALTER TABLE " + table + " ALTER COLUMN s.a SET DATA TYPE bigint", NOT_SUPPORTED, "column s.a is part of a constraint and cannot change from int to long");
        assertRefused("ALTER TABLE " + table + " ALTER COLUMN arr SET DATA TYPE array(bigint)", NOT_SUPPORTED, "column arr is part of a constraint");
        assertUpdate("ALTER TABLE " + table + " ALTER COLUMN s.b SET DATA TYPE bigint");
        assertUpdate("ALTER TABLE " + table + " ALTER COLUMN k SET DATA TYPE bigint");
        assertUpdate("ALTER TABLE " + table + " ALTER COLUMN d SET DATA TYPE decimal(10, 2)");
        assertUpdate("ALTER TABLE " + table + " ALTER COLUMN free SET DATA TYPE bigint");
        assertUpdate("COMMENT ON COLUMN " + table + ".x IS 'positive'");
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES partitioning = ARRAY['x'], sorted_by = ARRAY['k']");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 1, ROW(1, 1), ARRAY[1], 1, 1)", 1);
        assertViolation(table, "INSERT INTO " + table + " VALUES (1, 2, ROW(1, 1), ARRAY[1], 1, 1)", "k = 1, d = 1.00 is in the table already");
    }

    @Test
    void testArguments()
    {
        String table = createTable("x integer");
        addCheck(table, "c", "x > 0");
        assertRefused(addCheckSql(table, "C", "x > 1", ""), ALREADY_EXISTS, "choose another name than C");
        assertRefused("CALL system.add_constraint('tpch', '" + table + "', 'd', 'foreign-key', NULL, ARRAY['x'])", INVALID_PROCEDURE_ARGUMENT, "constraint_type must be 'check', 'unique' or 'primary-key'");
        assertRefused("CALL system.add_constraint('tpch', '" + table + "', 'd', 'check', NULL, ARRAY['x'])", INVALID_PROCEDURE_ARGUMENT, "a check constraint has an expression");
        assertRefused("CALL system.add_constraint('tpch', '" + table + "', 'd', 'unique', 'x > 0')", INVALID_PROCEDURE_ARGUMENT, "a unique constraint has columns");
        assertRefused("CALL system.add_constraint('tpch', '" + table + "', '', 'check', 'x > 0')", INVALID_PROCEDURE_ARGUMENT, "constraint_name cannot be null or empty");
        assertThatThrownBy(() -> getQueryRunner().execute("CALL system.add_constraint('tpch', '" + table + "', '  ', 'check', 'x > 0')")).hasMessageContaining("blank");
        assertRefused("CALL system.add_constraint('tpch', '" + table + "', NULL, 'check', 'x > 0')", INVALID_PROCEDURE_ARGUMENT, "constraint_name cannot be null or empty");
        assertRefused("CALL system.alter_constraint('tpch', '" + table + "', 'c')", INVALID_PROCEDURE_ARGUMENT, "new_name or enforced must be given");
        for (String call : new String[] {"drop_constraint('tpch', '%s', 'missing')", "validate_constraint('tpch', '%s', 'missing')", "alter_constraint('tpch', '%s', 'missing', NULL, true)"}) {
            assertRefused("CALL system." + call.formatted(table), NOT_FOUND, "The table has no constraint missing; its constraints are [c]");
        }
        for (String call : new String[] {"drop_constraint('tpch', 'missing', 'c')", "add_constraint('tpch', 'missing', 'c', 'check', 'x > 0')", "validate_constraint('missing', 'missing')"}) {
            assertThatThrownBy(() -> getQueryRunner().execute("CALL system." + call)).isInstanceOf(QueryFailedException.class).hasMessageContaining("missing");
        }
    }

    @Test
    void testPrivileges()
    {
        String table = createTable("x integer, y integer");
        assertAccessDenied(addCheckSql(table, "c", "x > 0", ""), "Cannot set table properties to .*", privilege(table, SET_TABLE_PROPERTIES));
        assertAccessDenied(addCheckSql(table, "c", "x > 0", ""), "Cannot select from columns .*", privilege(table + ".x", SELECT_COLUMN));
        assertAccessAllowed(addCheckSql(table, "c", "x > 0", ""), privilege(table + ".y", SELECT_COLUMN));
        assertAccessDenied("CALL system.validate_constraint('tpch', '" + table + "')", "Cannot select from columns .*", privilege(table + ".x", SELECT_COLUMN));
        assertAccessDenied("CALL system.alter_constraint('tpch', '" + table + "', 'c', NULL, false)", "Cannot set table properties to .*", privilege(table, SET_TABLE_PROPERTIES));
        assertAccessDenied("CALL system.drop_constraint('tpch', '" + table + "', 'c')", "Cannot set table properties to .*", privilege(table, SET_TABLE_PROPERTIES));
        assertAccessAllowed(addCheckSql(table, "d", "x > 0", ", validate => false"), privilege(table + ".x", SELECT_COLUMN));
    }

    @Test
    @Tag("CN-08")
    void testFailedAddLeavesNothing()
    {
        String table = createTable("x integer");
        assertUpdate("INSERT INTO " + table + " VALUES 1, 1, -1, NULL, NULL", 5);
        assertViolation(table, addCheckSql(table, "c", "x > 0", ""), "Constraint c cannot be added: 1 rows break it, among them (x = -1); correct the rows, or add it with validate => false");
        assertViolation(table, addKeySql(table, "u", "unique", "", "x"), "Constraint u cannot be added: 1 keys that occur more than once break it, among them (x = 1); correct the rows, or add it with validate => false");
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + table + "$constraints\"");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
    }
}
