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
package io.sextant.expression.sql;

import io.sextant.expression.Predicate;
import io.sextant.expression.PredicateBinding;
import io.sextant.expression.TestingPredicates;
import io.sextant.expression.TestingRows;
import io.trino.spi.Page;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.StandaloneQueryRunner;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.iceberg.TypeConverter.toTrinoType;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.util.stream.Collectors.joining;
import static java.util.stream.IntStream.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/// Converted conditions against Trino's own evaluation of the SQL.
@TestInstance(PER_CLASS)
final class TestConvertedConditions
{
    private static final int ROWS = 60;
    private static final int CONDITIONS_PER_QUERY = 25;

    private final List<Map<Integer, Object>> rows = TestingRows.random(new Random(42), ROWS);
    private final Page page = TestingRows.page(rows, new Random(42));
    private QueryRunner queryRunner;

    @BeforeAll
    void setUp()
    {
        queryRunner = new StandaloneQueryRunner(testSessionBuilder().build());
    }

    @AfterAll
    void tearDown()
    {
        queryRunner.close();
    }

    @Test
    void testConditions()
    {
        SqlPredicateParser parser = new SqlPredicateParser(TestingRows.SCHEMA);
        SqlPredicateFormatter formatter = new SqlPredicateFormatter(TestingRows.SCHEMA);
        TestingConditions conditions = new TestingConditions(new Random(1));
        Set<Boolean> results = new HashSet<>();
        for (int query = 0; query < 24; query++) {
            List<String> batch = Stream.generate(() -> conditions.next(2)).limit(CONDITIONS_PER_QUERY).collect(toImmutableList());
            List<String> checks = batch.stream().map(condition -> formatter.formatCheck(parser.parseCheck(condition))).collect(toImmutableList());
            List<MaterializedRow> expected = evaluate(Stream.concat(
                    batch.stream().flatMap(condition -> Stream.of("COALESCE(%s, true)".formatted(condition), "COALESCE(%s, false)".formatted(condition))),
                    checks.stream().map("COALESCE(%s, true)"::formatted)).collect(toImmutableList()));
            for (int i = 0; i < batch.size(); i++) {
                String condition = batch.get(i);
                assertThat(evaluate(parser.parseCheck(condition))).as("check: %s", condition).isEqualTo(column(expected, 2 * i));
                assertThat(evaluate(parser.parseFilter(condition))).as("filter: %s", condition).isEqualTo(column(expected, 2 * i + 1));
                assertThat(evaluate(parser.parseCheck(condition))).as("check %s is shown as %s", condition, checks.get(i)).isEqualTo(column(expected, 2 * batch.size() + i));
                results.addAll(column(expected, 2 * i));
            }
        }
        assertThat(results).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void testPredicatesAreShownExactly()
    {
        SqlPredicateFormatter formatter = new SqlPredicateFormatter(TestingRows.SCHEMA);
        for (int query = 0; query < 12; query++) {
            TestingPredicates predicates = new TestingPredicates(new Random(query));
            List<Predicate> batch = Stream.generate(() -> predicates.next(2))
                    // Trino rounds numbers before it compares them, has no function bucket, and no integers beyond its types
                    .filter(predicate -> isExact(formatter.format(predicate)))
                    .limit(CONDITIONS_PER_QUERY)
                    .collect(toImmutableList());
            List<MaterializedRow> expected = evaluate(batch.stream().map(formatter::format).collect(toImmutableList()));
            for (int i = 0; i < batch.size(); i++) {
                assertThat(column(expected, i)).as(formatter.format(batch.get(i))).isEqualTo(evaluate(batch.get(i)));
            }
        }
    }

    private static boolean isExact(String sql)
    {
        return Stream.of("bucket(", "big", "huge", "x -", "y -", "a -").noneMatch(sql::contains) &&
                Stream.of("price", "rate", "wide").noneMatch(column -> sql.contains(column) && Stream.of(" r", " d ", " e ", "(r", "(d ", "(e ", " d)", " e)", " d,", " e,", "E0").anyMatch(sql::contains)) &&
                !(sql.matches(".*\\b(x|y|a)\\b.*") && sql.matches(".*(\\br\\b|REAL).*"));
    }

    private List<Boolean> evaluate(Predicate predicate)
    {
        PredicateBinding.Bound bound = (PredicateBinding.Bound) PredicateBinding.bind(predicate, TestingRows.SCHEMA);
        boolean[] holds = bound.evaluator().evaluate(page);
        return range(0, holds.length).mapToObj(i -> holds[i]).collect(toImmutableList());
    }

    private static List<Boolean> column(List<MaterializedRow> result, int column)
    {
        // The first one is the row's number
        return result.stream().map(row -> (Boolean) row.getField(column + 1)).collect(toImmutableList());
    }

    private List<MaterializedRow> evaluate(List<String> conditions)
    {
        String table = rows.stream().map(TestConvertedConditions::row).collect(joining(", "));
        String columns = TestingRows.SCHEMA.columns().stream().map(NestedField::name).collect(joining(", "));
        return queryRunner.execute("SELECT id, %s FROM (VALUES %s) t(%s) ORDER BY id".formatted(String.join(", ", conditions), table, columns)).getMaterializedRows();
    }

    private static String row(Map<Integer, Object> row)
    {
        return TestingRows.SCHEMA.columns().stream()
                .map(column -> "CAST(%s AS %s)".formatted(value(column, row), toTrinoType(column.type(), TESTING_TYPE_MANAGER).getDisplayName()))
                .collect(joining(", ", "(", ")"));
    }

    private static String value(NestedField field, Map<Integer, Object> row)
    {
        Object value = row.get(field.fieldId());
        if (value == null) {
            return "NULL";
        }
        if (field.type().isStructType()) {
            StructType struct = field.type().asStructType();
            return struct.fields().stream().map(child -> value(child, row)).collect(joining(", ", "ROW(", ")"));
        }
        if (value instanceof Float || value instanceof Double) {
            double number = ((Number) value).doubleValue();
            if (!Double.isFinite(number)) {
                return Double.isNaN(number) ? "nan()" : number > 0 ? "infinity()" : "-infinity()";
            }
        }
        return SqlLiterals.format(field.type(), value);
    }
}
