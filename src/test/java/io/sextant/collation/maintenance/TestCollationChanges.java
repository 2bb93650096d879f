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
package io.sextant.collation.maintenance;

import io.sextant.collation.AbstractTestCollations;
import io.sextant.collation.metadata.CollationMetric;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.trino.spi.StandardErrorCode.COLUMN_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.INVALID_ARGUMENTS;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.StandardErrorCode.NOT_FOUND;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Gatherers.mapConcurrent;
import static org.assertj.core.api.Assertions.assertThat;

/// Setting and dropping collations, and what other changes of the table do to them.
final class TestCollationChanges
        extends AbstractTestCollations
{
    private static final String PROPERTY = "sextant.collations";

    @Test
    @Tag("CO-06")
    @Tag("CO-07")
    @Tag("CO-08")
    void testSet()
    {
        String table = createTable("id integer, name varchar");
        setCollation(table, "NAME", "icu.en_USA-ci");
        assertThat(icebergTable(table).properties()).containsEntry(PROPERTY, "{\"2\":{\"collation\":\"icu.en_USA-ci\",\"collation-metrics\":[{\"id\":3,\"collation\":\"icu.en_USA-ci\",\"version\":\"153.136.0.0\"}]}}");
        // Another spelling of the same collation has the same bounds
        setCollation(table, "name", "icu.en_US-ci");
        assertThat(metrics(table, "name")).containsExactly(new CollationMetric(3, "icu.en_USA-ci", "153.136.0.0"));
        assertQuery("SELECT * FROM \"" + table + "$collations\"", "VALUES ('name', 'icu.en_US-ci', '153.136.0.0', ARRAY['icu.en_USA-ci 153.136.0.0'], 0, 0)");
        long lastId = icebergTable(table).operations().current().lastColumnId();
        setCollation(table, "name", "icu.en_US-ci");
        assertThat(icebergTable(table).operations().current().lastColumnId()).isEqualTo(lastId);
        assertQuery("DESCRIBE " + table, "VALUES ('id', 'integer', '', ''), ('name', 'varchar', '', '')");
        dropCollation(table, "name");
        assertThat(icebergTable(table).properties()).doesNotContainKey(PROPERTY);
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + table + "$collations\"");
    }

    @Test
    @Tag("CO-01")
    @Tag("case-36")
    void testNestedFields()
    {
        String table = createTable("person row(name varchar, age integer), tags array(varchar), names map(varchar, varchar), people array(row(name varchar))");
        setCollation(table, "person.name", "icu.sv");
        setCollation(table, "tags.element", "icu.sv");
        setCollation(table, "names.value", "icu.de-ci");
        setCollation(table, "people.element.name", "icu.de-ci");
        assertUpdate("INSERT INTO " + table + " VALUES (ROW('a', 1), ARRAY['b'], MAP(ARRAY['k'], ARRAY['c']), ARRAY[ROW('d')])", 1);
        assertQuery(
                "SELECT column_name, collation, cardinality(metrics), files_with_bounds, files_without_bounds FROM \"" + table + "$collations\"",
                "VALUES ('person.name', 'icu.sv', 1, 1, 0), ('tags.element', 'icu.sv', 0, NULL, NULL), ('names.value', 'icu.de-ci', 0, NULL, NULL), ('people.element.name', 'icu.de-ci', 0, NULL, NULL)");
        assertRefused(setCollationSql(table, "names.key", "icu.da"), INVALID_ARGUMENTS, "column names.key is the key of a map, and keys are compared by bytes");
        assertRefused(setCollationSql(table, "person.age", "icu.da"), INVALID_ARGUMENTS, "column person.age has type int, and only strings have a collation");
        assertRefused(setCollationSql(table, "person", "icu.da"), INVALID_ARGUMENTS, "only strings have a collation");
        assertRefused(setCollationSql(table, "tags", "icu.da"), INVALID_ARGUMENTS, "only strings have a collation");
        assertRefused(setCollationSql(table, "person.first", "icu.da"), COLUMN_NOT_FOUND, "has no column person.first");
    }

    @Test
    @Tag("CO-06")
    @Tag("case-36")
    void testNames()
    {
        String table = createTable("name varchar");
        for (String name : new String[] {"en_US-ci", "ICU.en_US", "icu.zz", "icu.klingon", "icu.en_US-ci-cs", "icu.en_US-bogus", "icu.", "spark.UTF8_LCASE", "utf8-ci", "icu.en_US-lower"}) {
            assertRefused(setCollationSql(table, "name", name), INVALID_FUNCTION_ARGUMENT, name);
        }
        assertRefused(setCollationSql(table, "name", ""), INVALID_PROCEDURE_ARGUMENT, "collation cannot be null or empty");
        assertThat(icebergTable(table).properties()).doesNotContainKey(PROPERTY);
    }

    @Test
    @Tag("CO-06")
    @Tag("CO-17")
    @Tag("case-36")
    void testUtf8IsNoCollation()
    {
        String table = createTable("name varchar");
        setCollation(table, "name", "utf8");
        assertThat(icebergTable(table).properties()).doesNotContainKey(PROPERTY);
        assertThat(icebergTable(table).operations().current().lastColumnId()).isEqualTo(1);
        setCollation(table, "name", "icu.sv");
        setCollation(table, "name", "utf8");
        assertThat(icebergTable(table).properties()).doesNotContainKey(PROPERTY);
    }

    @Test
    @Tag("CO-09")
    void testMetricIdsAreNeverThoseOfColumns()
    {
        String table = createTable("a varchar, b varchar");
        setCollation(table, "a", "icu.sv");
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN c varchar");
        setCollation(table, "b", "icu.sv");
        setCollation(table, "c", "icu.da");
        setCollation(table, "a", "icu.da-ci");
        dropCollation(table, "a");
        setCollation(table, "a", "icu.sv");
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN d varchar");
        BaseTable icebergTable = icebergTable(table);
        List<Integer> metricIds = collations(table).fields().values().stream()
                .flatMap(field -> field.metrics().stream())
                .map(CollationMetric::id)
                .collect(toImmutableList());
        assertThat(metricIds).hasSize(3).doesNotHaveDuplicates();
        assertThat(icebergTable.schema().columns()).extracting(NestedField::fieldId).doesNotContainAnyElementsOf(metricIds);
        assertThat(icebergTable.schema().findField("d").fieldId()).isGreaterThan(metricIds.stream().max(Integer::compare).orElseThrow());
    }

    @Test
    @Tag("CO-18")
    @Tag("case-37")
    void testAnnotationGoesWithItsColumn()
    {
        String table = createTable("id integer, name varchar, person row(a varchar, b varchar)");
        setCollation(table, "name", "icu.sv");
        setCollation(table, "person.a", "icu.sv");
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN name TO title");
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN person.a TO c");
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN x varchar");
        assertUpdate("ALTER TABLE " + table + " ALTER COLUMN id SET DATA TYPE bigint");
        assertUpdate("COMMENT ON COLUMN " + table + ".title IS 'what it is called'");
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES format_version = 3");
        assertQuery("SELECT column_name FROM \"" + table + "$collations\"", "VALUES 'title', 'person.c'");
        assertUpdate("ALTER TABLE " + table + " DROP COLUMN person.c");
        assertQuery("SELECT column_name FROM \"" + table + "$collations\"", "VALUES 'title'");
        assertUpdate("ALTER TABLE " + table + " DROP COLUMN title");
        assertThat(icebergTable(table).properties()).doesNotContainKey(PROPERTY);
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN title varchar");
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + table + "$collations\"");
    }

    @Test
    @Tag("CO-18")
    void testReplacedTable()
    {
        String table = createTable("id integer, name varchar, title varchar");
        setCollation(table, "name", "icu.sv");
        setCollation(table, "title", "icu.sv");
        assertUpdate("CREATE OR REPLACE TABLE " + table + " (name varchar, title integer)");
        assertQuery("SELECT column_name FROM \"" + table + "$collations\"", "VALUES 'name'");
        assertRefused("CREATE OR REPLACE TABLE " + table + " (name varchar) WITH (partitioning = ARRAY['name'])", NOT_SUPPORTED, "column name is the source of a partition field");
        assertQuery("SELECT column_name FROM \"" + table + "$collations\"", "VALUES 'name'");
    }

    @Test
    @Tag("CO-03")
    @Tag("CO-05")
    void testWhatIsComparedByBytesHasNoCollation()
    {
        String table = createTable("id varchar NOT NULL, part varchar, sorted varchar, key varchar NOT NULL, free varchar", "partitioning = ARRAY['truncate(part, 2)'], sorted_by = ARRAY['sorted']");
        icebergTable(table).updateSchema().setIdentifierFields("id").commit();
        assertUpdate(addPrimaryKeySql(table, "key"));
        assertRefused(setCollationSql(table, "id", "icu.sv"), INVALID_ARGUMENTS, "column id is an identifier field");
        assertRefused(setCollationSql(table, "part", "icu.sv"), INVALID_ARGUMENTS, "column part is the source of a partition field");
        assertRefused(setCollationSql(table, "sorted", "icu.sv"), INVALID_ARGUMENTS, "column sorted is the source of a sort field");
        assertRefused(setCollationSql(table, "key", "icu.sv"), INVALID_ARGUMENTS, "column key is in the primary key");

        // And the other way round
        setCollation(table, "free", "icu.sv");
        assertRefused("ALTER TABLE " + table + " SET PROPERTIES partitioning = ARRAY['bucket(free, 4)']", NOT_SUPPORTED, "column free is the source of a partition field, and partitions are made by bytes, so it cannot keep its collation; drop that first: CALL system.drop_collation");
        assertRefused("ALTER TABLE " + table + " SET PROPERTIES sorted_by = ARRAY['free']", NOT_SUPPORTED, "column free is the source of a sort field");
        assertUpdate("CALL system.drop_constraint('tpch', '" + table + "', 'pk')");
        assertUpdate("CREATE TABLE " + table + "_keyed (name varchar NOT NULL)");
        setCollation(table + "_keyed", "name", "icu.sv");
        assertRefused(addPrimaryKeySql(table + "_keyed", "name"), NOT_SUPPORTED, "column name is in the primary key");
        dropCollation(table, "free");
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES partitioning = ARRAY['bucket(free, 4)']");
    }

    private static String addPrimaryKeySql(String table, String column)
    {
        return "CALL system.add_constraint(schema_name => 'tpch', table_name => '%s', constraint_name => 'pk', constraint_type => 'primary-key', columns => ARRAY['%s'])".formatted(table, column);
    }

    @Test
    void testPropertyIsNotForUsers()
    {
        assertRefused("CREATE TABLE refused (name varchar) WITH (extra_properties = MAP(ARRAY['" + PROPERTY + "'], ARRAY['{}']))", NOT_SUPPORTED, "Table property sextant.collations cannot be set; set collations by CALL system.set_collation");
        String table = createTable("name varchar");
        assertRefused("CALL system.drop_collation('tpch', '" + table + "', 'name')", NOT_FOUND, "Column name of table tpch." + table + " has no collation");
        assertRefused("CALL system.set_collation('tpch', 'nowhere', 'name', 'icu.sv')", NOT_FOUND, "nowhere");
    }

    @Test
    @Tag("CO-16")
    @Tag("case-36")
    void testForeignAnnotations()
    {
        String table = createTable("name varchar, title varchar");
        icebergTable(table).updateProperties()
                .set(PROPERTY, "{\"1\": {\"collation\": \"spark.UTF8_LCASE\", \"more\": [1.50]}, \"2\": {\"collation\": \"icu.sv\", \"collation-metrics\": [{\"id\": 9, \"collation\": \"icu.sv\", \"version\": \"153.128.0.0\"}]}}")
                .commit();
        assertUpdate("INSERT INTO " + table + " VALUES ('a', 'b')", 1);
        assertQuery("SELECT column_name, collation, version, files_with_bounds FROM \"" + table + "$collations\"", "VALUES ('name', 'spark.UTF8_LCASE', NULL, 0), ('title', 'icu.sv', '153.136.48.0', 0)");
        // What is not understood is kept
        setCollation(table, "title", "icu.da");
        assertThat(icebergTable(table).properties().get(PROPERTY)).contains("\"1\":{\"collation\":\"spark.UTF8_LCASE\",\"more\":[1.50]}", "\"id\":9");
        icebergTable(table).updateProperties().set(PROPERTY, "[]").commit();
        assertUpdate("INSERT INTO " + table + " VALUES ('c', 'd')", 1);
        assertQuery("SELECT name FROM " + table, "VALUES 'a', 'c'");
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN x varchar");
        assertRefused(setCollationSql(table, "name", "icu.sv"), INVALID_TABLE_PROPERTY, "Table property sextant.collations is malformed");
        assertRefused("SELECT * FROM \"" + table + "$collations\"", INVALID_TABLE_PROPERTY, "Table property sextant.collations is malformed");
    }

    @Test
    @Tag("CO-09")
    void testConcurrentChanges()
    {
        int count = 8;
        String table = createTable(IntStream.range(0, count).mapToObj(i -> "c" + i + " varchar").collect(joining(", ")));
        List<Integer> columns = IntStream.range(0, count).boxed().toList();
        columns.stream()
                .gather(mapConcurrent(count, column -> {
                    setCollation(table, "c" + column, "icu.sv");
                    return column;
                }))
                .forEach(_ -> {});
        List<Integer> metricIds = columns.stream()
                .map(column -> metrics(table, "c" + column).stream().collect(onlyElement()).id())
                .collect(toImmutableList());
        assertThat(metricIds).hasSize(count).doesNotHaveDuplicates();
    }
}
