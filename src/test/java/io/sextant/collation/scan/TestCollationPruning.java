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
package io.sextant.collation.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import io.sextant.collation.AbstractTestCollations;
import io.sextant.testing.FileAccess;
import io.sextant.testing.FileAccess.FileOperation;
import io.sextant.testing.SwitchOracle;
import io.sextant.testing.SwitchOracle.Outcome;
import io.trino.Session;
import org.apache.iceberg.types.Types.StringType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// Which files a query under a collation does not read; every query gives the same rows with pruning switched off.
@Execution(SAME_THREAD)
final class TestCollationPruning
        extends AbstractTestCollations
{
    private static final String CI = "icu.en_US-ci";
    private static final String PLANNED = "dataFiles";
    private static final String PRUNED = "collation bounds: files pruned";
    private static final String READ = "collation bounds: files read";
    private static final String WITHOUT_BOUNDS = "collation bounds: files read for lack of bounds";

    @Test
    @Tag("CO-04")
    @Tag("case-2")
    @Tag("case-3")
    @Tag("case-4")
    void testOperators()
    {
        // As bytes, the bounds are [Banana, apple] and [Damson, elder]
        String table = collatedTable(CI, "'Banana', 'apple'", "'elder', 'Damson'", "'Fig', 'fig'", "NULL, NULL");

        assertRead(table, "= " + key("APPLE"), 1, 1);
        assertRead(table, "= " + key("BANANA"), 1, 1);
        assertRead(table, "= " + key("CHERRY"), 0, 0);
        assertRead(table, "= " + key("FIG"), 2, 1);
        assertRead(table, "<> " + key("FIG"), 4, 2);
        assertRead(table, "<> " + key("apple"), 5, 3);
        assertRead(table, "< " + key("B"), 1, 1);
        assertRead(table, "< " + key("A"), 0, 0);
        assertRead(table, "< " + key("APPLE"), 0, 0);
        assertRead(table, "<= " + key("APPLE"), 1, 1);
        assertRead(table, "> " + key("cherry"), 4, 2);
        assertRead(table, "> " + key("FIG"), 0, 0);
        assertRead(table, ">= " + key("FIG"), 2, 1);
        assertRead(table, "BETWEEN %s AND %s".formatted(key("c"), key("D")), 0, 0);
        assertRead(table, "BETWEEN %s AND %s".formatted(key("c"), key("damson")), 1, 1);
        assertRead(table, "NOT BETWEEN %s AND %s".formatted(key("B"), key("F")), 3, 2);
        assertRead(table, "IN (%s, %s)".formatted(key("cherry"), key("date")), 0, 1);
        assertRead(table, "IN (%s, %s)".formatted(key("CHERRY"), key("FIG")), 2, 1);
        assertRead(table, "NOT IN (%s, %s)".formatted(key("CHERRY"), key("FIG")), 4, 2);
        assertRead(table, "IS NULL", 2, 1);
        assertRead(table, "IS NOT NULL", 6, 3);
        assertRead(table, "IS NOT DISTINCT FROM " + key("FIG"), 2, 1);
        assertRead(table, "IS DISTINCT FROM " + key("FIG"), 6, 3);
    }

    @Test
    void testCombinations()
    {
        String table = collatedTable(CI, "'Banana', 'apple'", "'elder', 'Damson'", "'Fig', 'fig'", "NULL, NULL");
        String column = "collation_key(name, '%s')".formatted(CI);

        assertReadWhere(table, "%1$s = %2$s OR %1$s = %3$s".formatted(column, key("APPLE"), key("fig")), 3, 2);
        assertReadWhere(table, "%1$s > %2$s AND %1$s < %3$s".formatted(column, key("banana"), key("DAMSON")), 0, 0);
        assertReadWhere(table, "NOT (%1$s = %2$s OR %1$s > %3$s)".formatted(column, key("fig"), key("c")), 2, 1);
        assertReadWhere(table, "NOT (%1$s <= %2$s AND %1$s IS NOT NULL)".formatted(column, key("FIG")), 2, 1);
        assertReadWhere(table, "%1$s = %2$s OR name IS NULL".formatted(column, key("FIG")), 4, 4);
        assertReadWhere(table, "%1$s = %2$s OR length(name) = 3".formatted(column, key("APPLE")), 3, 4);
        assertReadWhere(table, "%1$s = %2$s AND length(name) = 5".formatted(column, key("APPLE")), 1, 1);
        assertReadWhere(table, "%s = %s".formatted(key("APPLE"), column), 1, 1);
    }

    @Test
    @Tag("case-3")
    @Tag("case-5")
    void testCaseCounts()
    {
        String table = collatedTable("icu.en_US", "'apple', 'Apple'", "'pear'");
        String column = "collation_key(name, 'icu.en_US')";
        assertReadWhere(table, column + " <> collation_key('Apple', 'icu.en_US')", 2, 2);
        assertReadWhere(table, column + " < collation_key('B', 'icu.en_US')", 2, 1);
        // -cs is the default, so that it is the same collation
        assertReadWhere(table, "collation_key(name, 'icu.en_US-cs') = collation_key('Apple', 'icu.en_US-as')", 1, 1);
    }

    /// `compare` of ICU4J has these two the other way round.
    @Test
    @Tag("case-10")
    void testOrderIsThatOfKeys()
    {
        String table = collatedTable(CI, "'Große'", "'Größe'");
        assertRead(table, ">= " + key("Größe"), 1, 1);
        assertRead(table, "> " + key("Große"), 1, 1);
        assertRead(table, "< " + key("Größe"), 1, 1);
    }

    @Test
    @Tag("case-14")
    @Tag("case-16")
    @Tag("case-17")
    void testEqualStringsOfOtherBytes()
    {
        String table = collatedTable(CI, "U&'caf\\00e9'", "U&'cafe\\0301'", "'', U&'\\00ad'", "'tea'");
        assertRead(table, "= " + key("café"), 2, 2);
        assertRead(table, "= " + key(""), 2, 1);
        assertRead(table, "< " + key("a"), 2, 1);
    }

    /// Strings of the same bytes are equal under every collation, but ranges of bytes say nothing about them.
    @Test
    void testPredicatesOnBytes()
    {
        String table = collatedTable(CI, "'E', 'f'", "'Y', 'z'", "'d', 'E'", "NULL");
        // No byte bounds rule out the first two
        assertReadWhere(table, "name = 'd'", 1, 1);
        assertReadWhere(table, "name IN ('d', 'F')", 1, 2);
        assertReadWhere(table, "name = 'a'", 0, 0);
        assertReadWhere(table, "name = 'd' OR name IS NULL", 2, 2);
        assertThat(run("SELECT * FROM %s WHERE name < 'Z'".formatted(table)).metrics().getOrDefault(PRUNED, 0L)).isZero();
        assertReadWhere(table, "name <> 'd' AND length(name) > 0", 5, 3);
    }

    @Test
    @Tag("CO-14")
    @Tag("case-25")
    void testPrefixes()
    {
        // As a contraction, ch comes after d
        String table = collatedTable("icu.sk", "'chata'", "'dom'");
        for (String prefix : ImmutableList.of("name LIKE 'c%'", "starts_with(name, 'c')")) {
            Outcome outcome = run("SELECT * FROM %s WHERE %s".formatted(table, prefix));
            assertThat(outcome.rows()).isEqualTo(1);
            assertThat(outcome.metrics().getOrDefault(PRUNED, 0L)).isZero();
        }
        assertReadWhere(table, "collation_key(name, 'icu.sk') > collation_key('d', 'icu.sk')", 2, 2);
        assertReadWhere(table, "collation_key(name, 'icu.sk') < collation_key('d', 'icu.sk')", 0, 0);
    }

    @Test
    void testStructFields()
    {
        String table = createTable("id integer, person row(id integer, name row(first varchar, last varchar))");
        setCollation(table, "person.name.last", CI);
        for (String last : ImmutableList.of("adams", "Brown", "CLARK")) {
            assertUpdate("INSERT INTO %s VALUES (1, ROW(1, ROW('x', '%s')))".formatted(table, last), 1);
        }
        assertUpdate("INSERT INTO " + table + " VALUES (2, NULL)", 1);
        assertReadWhere(table, "collation_key(person.name.last, '%s') = %s".formatted(CI, key("BROWN")), 1, 1);
        assertReadWhere(table, "collation_key(person.name.last, '%s') > %s".formatted(CI, key("B")), 2, 2);
        assertReadWhere(table, "collation_key(person.name.last, '%s') IS NULL".formatted(CI), 1, 1);
        assertReadWhere(table, "collation_key(person.name.first, '%s') = %s".formatted(CI, key("X")), 3, 4);
    }

    @Test
    @Tag("CO-08")
    @Tag("CO-13")
    @Tag("CO-15")
    @Tag("case-28")
    @Tag("case-29")
    void testOnlyTheVeryOrderIsUsed()
    {
        String table = collatedTable(CI, "'apple'", "'pear'");
        // Bounds in the order of another collation, and of no known collation
        assertThat(run("SELECT name FROM %s WHERE collation_key(name, 'icu.da') = collation_key('pear', 'icu.da')".formatted(table)).metrics())
                .containsEntry("collation icu.da of column name not used: the column has no bounds in that order", 1L);
        assertReadWhere(table, "collation_key(name, 'icu.da') = collation_key('pear', 'icu.da')", 1, 2);

        // A version that this server does not have is ignored and reported
        String recorded = icebergTable(table).properties().get("sextant.collations");
        icebergTable(table).updateProperties().set("sextant.collations", recorded.replace("153.136", "153.128")).commit();
        Outcome outcome = run("SELECT name FROM %s WHERE collation_key(name, '%s') = %s".formatted(table, CI, key("PEAR")));
        assertThat(outcome.rows()).isEqualTo(1);
        assertThat(outcome.metrics().getOrDefault(PRUNED, 0L)).isZero();
        assertThat(outcome.metrics()).containsEntry("collation icu.en_US-ci of column name not used: its bounds are of version 153.128.0.0, and this server has 153.136.0.0", 1L);
        assertThat(query("SELECT version, metrics, files_with_bounds, files_without_bounds FROM \"" + table + "$collations\""))
                .matches("VALUES (VARCHAR '153.136.0.0', ARRAY[VARCHAR 'icu.en_US-ci 153.128.0.0'], BIGINT '0', BIGINT '2')");

        // ICU4C writes the same version without trailing zeros
        icebergTable(table).updateProperties().set("sextant.collations", recorded.replace("153.136.0.0", "153.136")).commit();
        assertRead(table, "= " + key("PEAR"), 1, 1);
        icebergTable(table).updateProperties().set("sextant.collations", recorded.replace("153.136.0.0", "")).commit();
        assertRead(table, "= " + key("PEAR"), 1, 2);
        icebergTable(table).updateProperties().set("sextant.collations", "no JSON").commit();
        assertRead(table, "= " + key("PEAR"), 1, 2);
        icebergTable(table).updateProperties().set("sextant.collations", recorded).commit();
        assertRead(table, "= " + key("PEAR"), 1, 1);
    }

    /// Files from before the collation, a changed collation, none any more.
    @Test
    @Tag("CO-13")
    @Tag("case-35")
    void testChangesOfTheCollation()
    {
        String table = createTable("name varchar");
        assertUpdate("INSERT INTO " + table + " VALUES 'Old'", 1);
        setCollation(table, "name", CI);
        assertUpdate("INSERT INTO " + table + " VALUES 'new'", 1);
        assertRead(table, "= " + key("OLD"), 1, 1);
        assertThat(run("SELECT name FROM %s WHERE collation_key(name, '%s') = %s".formatted(table, CI, key("OLD"))).metrics())
                .containsEntry(PRUNED, 1L)
                .containsEntry(READ, 1L)
                .containsEntry(WITHOUT_BOUNDS, 1L);
        collectBounds(table);
        assertRead(table, "= " + key("x"), 0, 0);

        setCollation(table, "name", "icu.sv");
        assertUpdate("INSERT INTO " + table + " VALUES 'ö'", 1);
        // Bounds of the old order are still right
        assertRead(table, "= " + key("OLD"), 1, 1);
        assertReadWhere(table, "collation_key(name, 'icu.sv') > collation_key('z', 'icu.sv')", 1, 3);
        collectBounds(table);
        assertReadWhere(table, "collation_key(name, 'icu.sv') > collation_key('z', 'icu.sv')", 1, 1);

        dropCollation(table, "name");
        assertRead(table, "= " + key("OLD"), 1, 3);
        assertReadWhere(table, "name = 'Old'", 1, 1);
    }

    /// A file without bounds is not pruned by those of its bytes.
    @Test
    @Tag("CO-04")
    @Tag("CO-13")
    @Tag("case-2")
    void testBoundsOfBytesDoNotCount()
    {
        String table = createTable("name varchar");
        assertUpdate("INSERT INTO " + table + " VALUES 'B', 'a', 'c'", 3);
        setCollation(table, "name", CI);
        assertRead(table, "= " + key("A"), 1, 1);
        assertRead(table, "< " + key("b"), 1, 1);
        assertRead(table, "> " + key("C"), 0, 1);
        collectBounds(table);
        assertRead(table, "= " + key("A"), 1, 1);
        assertRead(table, "> " + key("C"), 0, 0);
    }

    /// A table that is partitioned by the column, as other writers may leave it, is never pruned by partition values.
    @Test
    @Tag("CO-04")
    @Tag("case-33")
    void testPartitionsAreOfBytes()
    {
        String table = createTable("name varchar, id integer", "partitioning = ARRAY['name', 'bucket(name, 4)']");
        assertUpdate("INSERT INTO " + table + " VALUES ('A', 1), ('a', 2), ('b', 3)", 3);
        int fieldId = icebergTable(table).schema().findField("name").fieldId();
        icebergTable(table).updateProperties().set("sextant.collations", "{\"%s\": {\"collation\": \"%s\"}}".formatted(fieldId, CI)).commit();
        assertReadWhere(table, "collation_key(name, '%s') = %s".formatted(CI, key("A")), 2, 3);
        assertReadWhere(table, "name = 'a'", 1, 1);
    }

    @Test
    void testDeletedRows()
    {
        for (int version = 2; version <= 3; version++) {
            String table = createTable("name varchar", "format_version = " + version);
            setCollation(table, "name", CI);
            assertUpdate("INSERT INTO " + table + " VALUES 'a', 'B', 'c'", 3);
            assertUpdate("INSERT INTO " + table + " VALUES 'x', 'Y'", 2);
            long snapshot = (long) computeScalar("SELECT snapshot_id FROM \"" + table + "$snapshots\" ORDER BY committed_at DESC LIMIT 1");
            assertUpdate("DELETE FROM " + table + " WHERE name = 'c'", 1);
            assertRead(table, "> " + key("b"), 2, 2);
            assertRead(table, "> " + key("C"), 2, 1);
            assertReadWhere(table + " FOR VERSION AS OF " + snapshot, "collation_key(name, '%s') >= %s".formatted(CI, key("C")), 3, 2);
            assertReadWhere(table + " FOR VERSION AS OF " + snapshot, "collation_key(name, '%s') < %s".formatted(CI, key("C")), 2, 1);
        }
    }

    /// Equality deletes compare bytes, whatever the collation.
    @Test
    @Tag("CO-05")
    void testEqualityDeletes()
    {
        for (int version = 2; version <= 3; version++) {
            String table = createTable("name varchar", "format_version = " + version);
            setCollation(table, "name", CI);
            assertUpdate("INSERT INTO " + table + " VALUES 'APPLE', 'apple'", 2);
            assertUpdate("INSERT INTO " + table + " VALUES 'APPLE', 'Banana'", 2);
            assertUpdate("INSERT INTO " + table + " VALUES 'cherry'", 1);
            deleteByEquality(icebergTable(table), "name", "apple");
            assertQuery("SELECT name FROM " + table, "VALUES 'APPLE', 'APPLE', 'Banana', 'cherry'");
            assertQuery("SELECT name FROM " + table + " WHERE collation_key(name, '%s') = %s".formatted(CI, key("apple")), "VALUES 'APPLE', 'APPLE'");
            assertRead(table, "= " + key("apple"), 2, 2);
            assertReadWhere(table, "name = 'apple'", 0, 1);
            assertReadWhere(table, "name = 'APPLE'", 2, 2);
            // A row that is younger than the delete
            assertUpdate("INSERT INTO " + table + " VALUES 'apple'", 1);
            assertRead(table, "= " + key("APPLE"), 3, 3);
        }
    }

    /// An index and bounds may prune the same scan.
    @Test
    void testTogetherWithAnIndex()
    {
        String table = createTable("id integer, name varchar");
        setCollation(table, "name", CI);
        for (String letter : ImmutableList.of("a", "b", "c", "d")) {
            assertUpdate("INSERT INTO %1$s VALUES (1, '%2$s'), (codepoint('%2$s'), upper('%2$s'))".formatted(table, letter), 2);
        }
        assertUpdate("CALL system.create_index('tpch', '%s', 'by_id', ARRAY['id'])".formatted(table));
        assertReadWhere(table, "id = 1 AND collation_key(name, '%s') = %s".formatted(CI, key("C")), 1, 1);
        Outcome neither = run("SELECT * FROM %s WHERE id = codepoint('c') AND collation_key(name, '%s') = %s".formatted(table, CI, key("b")));
        assertThat(neither.rows()).isZero();
        assertThat(neither.metrics()).containsEntry(PRUNED, 1L).containsEntry("index by_id: files pruned", 1L);
    }

    /// The engine gives no dynamic filter for an expression, but one for a column that is compared by bytes.
    @Test
    void testDynamicFilters()
    {
        String table = collatedTable(CI, "'E', 'f'", "'Y', 'z'", "'d', 'E'");
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty("sextant", "dynamic_filtering_wait_timeout", "20s")
                .setSystemProperty("join_reordering_strategy", "NONE")
                .setSystemProperty("join_distribution_type", "BROADCAST")
                .build();
        SwitchOracle oracle = oracle(session);
        String other = createTable("name varchar");
        assertUpdate("INSERT INTO " + other + " VALUES 'd', 'zz'", 2);
        Outcome bytes = oracle.run("SELECT t.name FROM %s t JOIN %s v ON t.name = v.name".formatted(table, other));
        assertThat(bytes.rows()).isEqualTo(1);
        assertThat(bytes.metrics()).containsEntry(PRUNED, 2L);
        Outcome keys = oracle.run("SELECT t.name FROM %1$s t JOIN %3$s v ON collation_key(t.name, '%2$s') = collation_key(v.name, '%2$s')".formatted(table, CI, other));
        assertThat(keys.rows()).isEqualTo(1);
        assertThat(keys.metrics().getOrDefault(PRUNED, 0L)).isZero();
    }

    /// Rewritten by Iceberg's own API, which knows nothing of collations, the table keeps annotation and bounds.
    @Test
    @Tag("CO-16")
    @Tag("CO-18")
    @Tag("case-37")
    void testRewrittenByIceberg()
    {
        String table = collatedTable(CI, "'Banana', 'apple'", "'elder', 'Damson'");
        icebergTable(table).updateSchema().addColumn("extra", StringType.get()).commit();
        icebergTable(table).rewriteManifests().clusterBy(_ -> "all").commit();
        icebergTable(table).updateSchema().renameColumn("name", "title").commit();
        assertUpdate("INSERT INTO " + table + " VALUES ('Fig', 'x')", 1);
        assertThat(metrics(table, "title")).hasSize(1);
        assertThat(icebergTable(table).schema().findField("extra").fieldId()).isGreaterThan(metrics(table, "title").getFirst().id());
        assertThat(bounds(table, "title")).containsExactlyInAnyOrder("apple..Banana", "Damson..elder", "Fig..Fig");
        assertReadWhere(table, "collation_key(title, '%s') = %s".formatted(CI, key("APPLE")), 1, 1);
    }

    @Test
    void testOthersReadNothingMore()
    {
        String table = createTable("name varchar");
        assertUpdate("INSERT INTO " + table + " VALUES 'a', 'B'", 2);
        FileAccess files = new FileAccess(getQueryRunner());
        String sql = "SELECT name FROM %s.tpch." + table + " WHERE name = 'B'";
        Multiset<FileOperation> plain = files.of(getSession(), sql.formatted("plain"));
        assertThat(files.of(getSession(), sql.formatted("sextant"))).isEqualTo(plain).isNotEmpty();
        setCollation(table, "name", CI);
        collectBounds(table);
        assertThat(files.of(getSession(), sql.formatted("sextant"))).isEqualTo(files.of(getSession(), sql.formatted("plain")));
    }

    private String collatedTable(String collation, String... files)
    {
        String table = createTable("name varchar");
        setCollation(table, "name", collation);
        for (String values : files) {
            getQueryRunner().execute("INSERT INTO " + table + " VALUES " + values);
        }
        assertThat(dataFiles(table)).hasSize(files.length);
        return table;
    }

    private static String key(String value)
    {
        return "collation_key('%s', '%s')".formatted(value, CI);
    }

    private void assertRead(String table, String comparison, int rows, int files)
    {
        assertReadWhere(table, "collation_key(name, '%s') %s".formatted(CI, comparison), rows, files);
    }

    /// @param files that are read, those that Iceberg's own bounds rule out not counted
    private void assertReadWhere(String table, String predicate, int rows, int files)
    {
        Outcome outcome = run("SELECT * FROM %s WHERE %s".formatted(table, predicate));
        assertThat(outcome.rows()).as("%s %s", predicate, outcome.metrics()).isEqualTo(rows);
        assertThat(outcome.metrics().get(PLANNED) - outcome.metrics().getOrDefault(PRUNED, 0L)).as("%s %s", predicate, outcome.metrics()).isEqualTo(files);
    }

    private Outcome run(String sql)
    {
        return oracle(getSession()).run(sql);
    }

    private SwitchOracle oracle(Session session)
    {
        return new SwitchOracle(getDistributedQueryRunner(), session, "collation_pruning_enabled");
    }
}
