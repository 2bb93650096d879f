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

import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static org.assertj.core.api.Assertions.assertThat;

/// What each kind of statement does to a table with constraints, whatever the table's format and layout.
final class TestConstrainedWrites
        extends AbstractTestConstraints
{
    @Test
    @Tag("CN-08")
    @Tag("CN-09")
    void testStatementsOnAllFormats()
    {
        for (String format : new String[] {"PARQUET", "ORC", "AVRO"}) {
            for (int version = 1; version <= 3; version++) {
                writeAll("format = '%s', format_version = %s".formatted(format, version), version > 1);
            }
        }
        for (String layout : new String[] {"partitioning = ARRAY['p']", "partitioning = ARRAY['bucket(id, 3)']", "partitioning = ARRAY['truncate(x, 10)', 'p']", "sorted_by = ARRAY['x DESC']", "partitioning = ARRAY['p'], sorted_by = ARRAY['id']"}) {
            writeAll("format_version = 2, " + layout, true);
            writeAll("format_version = 3, " + layout, true);
        }
    }

    private void writeAll(String properties, boolean rowChanges)
    {
        String table = createTable("id integer NOT NULL, x integer, p varchar", properties);
        addCheck(table, "x_pos", "x > 0");
        addPrimaryKey(table, "pk", "id");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 10, 'a'), (2, NULL, 'b'), (3, 30, NULL)", 3);
        assertViolation(table, "INSERT INTO " + table + " VALUES (4, 40, 'a'), (5, 0, 'b')", "Check constraint violation: x_pos: x > 0 (a row has x = 0)");
        assertViolation(table, "INSERT INTO " + table + " VALUES (4, 40, 'a'), (2, 5, 'b')", "Primary key violation: pk: id = 2 is in the table already");
        assertViolation(table, "INSERT INTO " + table + " VALUES (4, 40, 'a'), (4, 5, 'b')", "Primary key violation: pk: id = 4 occurs twice among the added rows");
        if (rowChanges) {
            assertUpdate("UPDATE " + table + " SET id = id + 1, x = x + 1", 3);
            assertQuery("SELECT id, x FROM " + table, "VALUES (2, 11), (3, NULL), (4, 31)");
            assertUpdate("UPDATE " + table + " SET id = 6 - id WHERE id IN (2, 4)", 2);
            assertQuery("SELECT id, x FROM " + table, "VALUES (4, 11), (3, NULL), (2, 31)");
            assertViolation(table, "UPDATE " + table + " SET x = 11 - x", "Check constraint violation: x_pos: x > 0 (a row has x = ");
            assertViolation(table, "UPDATE " + table + " SET id = 3 WHERE id = 2", "id = 3 is in the table already");
            assertViolation(table, "UPDATE " + table + " SET id = 7", "id = 7 occurs twice among the added rows");
            assertUpdate("DELETE FROM " + table + " WHERE id = 3", 1);
            assertUpdate("INSERT INTO " + table + " VALUES (3, 3, 'c')", 1);
            assertUpdate("UPDATE " + table + " SET id = 5 WHERE id = 3", 1);
            assertUpdate("INSERT INTO " + table + " VALUES (3, 33, 'c')", 1);
            assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
            assertViolation(table, "INSERT INTO " + table + " VALUES (5, 5, 'x')", "id = 5 is in the table already");
            assertQuery("SELECT id, x FROM " + table, "VALUES (4, 11), (5, 3), (3, 33), (2, 31)");
        }
        assertThat(status(table, "x_pos")).isEqualTo("valid");
        assertThat(status(table, "pk")).isEqualTo("valid");
        validate(table);
        assertThat(status(table, "pk")).isEqualTo("validated");
        assertUpdate("TRUNCATE TABLE " + table);
        assertThat(status(table, "pk")).isEqualTo("validated");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 1, 'a')", 1);
        assertUpdate("DROP TABLE " + table);
    }

    @Test
    @Tag("CN-09")
    void testUpdateOfSeveralColumns()
    {
        for (int version = 2; version <= 3; version++) {
            String table = createTable("a integer, b integer", "format_version = " + version);
            addCheck(table, "ordered", "a <> b");
            addUnique(table, "u", "a", "b");
            assertUpdate("INSERT INTO " + table + " VALUES (1, 2), (3, 4)", 2);
            assertUpdate("UPDATE " + table + " SET a = b, b = a", 2);
            assertQuery("SELECT * FROM " + table, "VALUES (2, 1), (4, 3)");
            assertViolation(table, "UPDATE " + table + " SET a = b", "Check constraint violation: ordered: a <> b (a row has a = 1, b = 1)");
        }
    }

    @Test
    @Tag("CN-08")
    @Tag("CN-09")
    void testMerge()
    {
        for (int version = 2; version <= 3; version++) {
            String table = createTable("id integer, x integer", "format_version = " + version);
            assertUpdate("INSERT INTO " + table + " VALUES (1, 1), (2, -7), (3, 3)", 3);
            assertUpdate(addCheckSql(table, "x_pos", "x > 0", ", validate => false"));
            String merge = "MERGE INTO " + table + " t USING (VALUES %s) s(id, x) ON t.id = s.id ";

            assertUpdate(merge.formatted("(1, 10)") + "WHEN MATCHED THEN UPDATE SET x = t.x + s.x", 1);
            assertQuery("SELECT x FROM " + table + " WHERE id = 1", "VALUES 11");
            // A source row that is not inserted may have any value
            assertUpdate(merge.formatted("(1, -7), (4, 4)") + "WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.x)", 1);
            assertUpdate(merge.formatted("(1, 5), (3, -7)") + "WHEN MATCHED AND s.x > 0 THEN UPDATE SET x = s.x", 1);
            assertUpdate(merge.formatted("(1, -5)") + "WHEN MATCHED AND false THEN UPDATE SET x = s.x", 0);
            // An upsert
            assertUpdate(merge.formatted("(1, 50), (5, 5)") + "WHEN MATCHED THEN UPDATE SET x = s.x WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.x)", 2);
            assertQuery("SELECT * FROM " + table, "VALUES (1, 50), (2, -7), (3, 3), (4, 4), (5, 5)");
            assertViolation(table, merge.formatted("(1, 60), (6, -6)") + "WHEN MATCHED THEN UPDATE SET x = s.x WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.x)", "x_pos: x > 0 (a row has x = -6)");
            assertViolation(table, merge.formatted("(1, -60), (6, 6)") + "WHEN MATCHED THEN UPDATE SET x = s.x WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.x)", "x_pos: x > 0 (a row has x = -60)");
            // A row that was bad before can go, but not stay in another form
            assertViolation(table, "UPDATE " + table + " SET id = 20 WHERE id = 2", "a row has x = -7");
            assertUpdate(merge.formatted("(1, -1), (2, -2), (3, 30), (7, 7), (8, -8)") +
                    "WHEN MATCHED AND t.x < 0 THEN DELETE WHEN MATCHED AND s.x > 0 THEN UPDATE SET x = s.x WHEN NOT MATCHED AND s.x > 0 THEN INSERT VALUES (s.id, s.x)", 3);
            assertQuery("SELECT * FROM " + table, "VALUES (1, 50), (3, 30), (4, 4), (5, 5), (7, 7)");
        }
    }

    @Test
    @Tag("CN-08")
    @Tag("CN-10")
    void testMergeOfKeys()
    {
        for (int version = 2; version <= 3; version++) {
            String table = createTable("id integer NOT NULL, x integer", "format_version = " + version);
            addPrimaryKey(table, "pk", "id");
            assertUpdate("INSERT INTO " + table + " VALUES (1, 10), (2, 20), (3, 30)", 3);
            String merge = "MERGE INTO " + table + " t USING (VALUES %s) s(id, x) ON t.id = s.id ";
            // The key of a row that goes is free for one that comes
            assertUpdate("MERGE INTO " + table + " t USING (VALUES (1, 0), (NULL, 1)) s(old, new) ON t.id = s.old WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.new, 100)", 2);
            assertQuery("SELECT * FROM " + table, "VALUES (1, 100), (2, 20), (3, 30)");
            assertUpdate(merge.formatted("(2, 3), (3, 2)") + "WHEN MATCHED THEN UPDATE SET id = s.x", 2);
            assertQuery("SELECT * FROM " + table, "VALUES (1, 100), (3, 20), (2, 30)");
            assertViolation(table, merge.formatted("(2, 3)") + "WHEN MATCHED THEN UPDATE SET id = s.x", "Primary key violation: pk: id = 3 is in the table already");
            assertViolation(table, merge.formatted("(8, 1), (8, 2)") + "WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.x)", "Primary key violation: pk: id = 8 occurs twice among the added rows");
        }
    }

    @Test
    @Tag("CN-08")
    void testManyRowsAndWriters()
    {
        String table = createTable("id bigint, p integer", "partitioning = ARRAY['p']");
        addCheck(table, "id_pos", "id > 0");
        addUnique(table, "u", "id");
        assertViolation(table, "INSERT INTO " + table + " SELECT IF(n = 1999, 0, n), CAST(n % 10 AS integer) FROM UNNEST(sequence(1, 2000)) AS t(n)", "Check constraint violation: id_pos: id > 0 (a row has id = 0)");
        assertViolation(table, "INSERT INTO " + table + " SELECT IF(n = 1999, 1, n), CAST(n % 10 AS integer) FROM UNNEST(sequence(1, 2000)) AS t(n)", "Unique constraint violation: u: id = 1 occurs twice among the added rows");
        assertUpdate("INSERT INTO " + table + " SELECT n, CAST(n % 10 AS integer) FROM UNNEST(sequence(1, 2000)) AS t(n)", 2000);
        assertViolation(table, "INSERT INTO " + table + " SELECT n + 1999, 77 FROM UNNEST(sequence(1, 2000)) AS t(n)", "Unique constraint violation: u: id = 2000 is in the table already");
        assertUpdate("INSERT INTO " + table + " SELECT n + 2000, 77 FROM UNNEST(sequence(1, 2000)) AS t(n)", 2000);
        assertUpdate("UPDATE " + table + " SET id = 4001 - id", 4000);
        assertQuery("SELECT count(DISTINCT id), min(id), max(id) FROM " + table, "VALUES (4000, 1, 4000)");
    }

    @Test
    void testEmptyInsert()
    {
        String table = createTable("id integer");
        addCheck(table, "c", "id > 0");
        addUnique(table, "u", "id");
        long snapshots = snapshots(table);
        assertUpdate("INSERT INTO " + table + " SELECT 0 WHERE false", 0);
        assertUpdate("UPDATE " + table + " SET id = 0", 0);
        assertUpdate("DELETE FROM " + table + " WHERE id > 7", 0);
        assertThat(snapshots(table)).isEqualTo(snapshots);
        assertThat(status(table, "c")).isEqualTo("validated");
        assertThat(status(table, "u")).isEqualTo("validated");
    }

    @Test
    @Tag("CN-28")
    void testMaintenanceDoesNotCheck()
    {
        String table = createTable("id integer, x integer");
        assertUpdate("INSERT INTO " + table + " VALUES (1, -1), (1, 1)", 2);
        assertUpdate("INSERT INTO " + table + " VALUES (2, -2)", 1);
        assertUpdate(addCheckSql(table, "x_pos", "x > 0", ", validate => false"));
        assertUpdate(addKeySql(table, "u", "unique", ", validate => false", "id"));
        validate(table);
        assertThat(status(table, "x_pos")).isEqualTo("invalid");
        assertThat(status(table, "u")).isEqualTo("invalid");
        assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
        assertUpdate("ALTER TABLE " + table + " EXECUTE optimize_manifests");
        assertUpdate("ANALYZE " + table);
        assertUpdate("ALTER TABLE " + table + " EXECUTE expire_snapshots(retention_threshold => '7d')");
        assertThat(status(table, "x_pos")).isEqualTo("invalid");
        assertThat(status(table, "u")).isEqualTo("invalid");
        assertUpdate("DELETE FROM " + table + " WHERE x = -1", 1);
        assertThat(status(table, "x_pos")).isEqualTo("unvalidated");
        assertThat(status(table, "u")).isEqualTo("unvalidated");
    }

    @Test
    @Tag("CN-12")
    void testNotEnforced()
    {
        String table = createTable("id integer NOT NULL, x integer");
        assertUpdate(addCheckSql(table, "x_pos", "x > 0", ", enforced => false"));
        assertUpdate(addKeySql(table, "pk", "primary-key", ", enforced => false", "id"));
        assertThat(status(table, "pk")).isEqualTo("validated");
        assertUpdate("INSERT INTO " + table + " VALUES (1, -1), (1, 1)", 2);
        assertThat(status(table, "x_pos")).isEqualTo("unvalidated");
        assertThat(status(table, "pk")).isEqualTo("unvalidated");
        assertUpdate("CALL system.alter_constraint('tpch', '" + table + "', 'x_pos', NULL, true)");
        assertUpdate("CALL system.alter_constraint('tpch', '" + table + "', 'pk', NULL, true)");
        assertThat(status(table, "x_pos")).isEqualTo("unvalidated");
        assertViolation(table, "INSERT INTO " + table + " VALUES (2, -1)", "Check constraint violation: x_pos");
        assertViolation(table, "INSERT INTO " + table + " VALUES (1, 1)", "Primary key violation: pk: id = 1 is in the table already");
        assertUpdate("INSERT INTO " + table + " VALUES (2, 1)", 1);
        assertThat(status(table, "pk")).isEqualTo("unvalidated");
    }

    @Test
    void testAddedFiles()
    {
        String good = createTable("id integer, x integer");
        assertUpdate("INSERT INTO " + good + " VALUES (1, 1)", 1);
        String bad = createTable("id integer, x integer");
        assertUpdate("INSERT INTO " + bad + " VALUES (2, -1)", 1);
        String table = createTable("id integer, x integer");
        addCheck(table, "x_pos", "x > 0");
        addUnique(table, "u", "id");
        String addFiles = "ALTER TABLE " + table + " EXECUTE add_files(location => '%s/data', format => 'PARQUET')";
        String badLocation = (String) computeScalar("SELECT regexp_replace(\"$path\", '/data/[^/]*$') FROM " + bad);
        String goodLocation = (String) computeScalar("SELECT regexp_replace(\"$path\", '/data/[^/]*$') FROM " + good);
        assertRefused(addFiles.formatted(badLocation), CONSTRAINT_VIOLATION, "Check constraint violation: x_pos: x > 0 (a row has x = -1)");
        assertUpdate(addFiles.formatted(goodLocation));
        assertQuery("SELECT * FROM " + table, "VALUES (1, 1)");
        assertThat(status(table, "u")).isEqualTo("valid");
        // The same rows in another file
        String copy = createTable("id integer, x integer");
        assertUpdate("INSERT INTO " + copy + " VALUES (1, 9)", 1);
        String copyLocation = (String) computeScalar("SELECT regexp_replace(\"$path\", '/data/[^/]*$') FROM " + copy);
        assertViolation(table, addFiles.formatted(copyLocation), "Unique constraint violation: u: id = 1 is in the table already");
        assertQuery("SELECT * FROM " + table, "VALUES (1, 1)");
    }
}
