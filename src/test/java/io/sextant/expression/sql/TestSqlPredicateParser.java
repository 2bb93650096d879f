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

import com.google.common.collect.ImmutableMap;
import io.sextant.expression.PageEvaluator;
import io.sextant.expression.Predicate;
import io.sextant.expression.PredicateBinding;
import io.sextant.expression.PredicateParser;
import io.sextant.expression.TestingRows;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static io.trino.spi.StandardErrorCode.COLUMN_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.INVALID_CHECK_CONSTRAINT;
import static io.trino.spi.StandardErrorCode.INVALID_LITERAL;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.SYNTAX_ERROR;
import static io.trino.spi.StandardErrorCode.TYPE_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestSqlPredicateParser
{
    private static final Schema NAMES = new Schema(
            NestedField.optional(1, "Mixed", Types.IntegerType.get()),
            NestedField.optional(2, "select", Types.IntegerType.get()),
            NestedField.optional(3, "a.b", Types.IntegerType.get()),
            NestedField.optional(4, "q\"x", Types.IntegerType.get()),
            NestedField.optional(5, "arr", Types.ListType.ofOptional(6, Types.IntegerType.get())),
            NestedField.optional(7, "m", Types.MapType.ofOptional(8, 9, Types.StringType.get(), Types.StructType.of(
                    NestedField.optional(10, "f", Types.IntegerType.get())))));

    @Test
    void testUnknownPassesACheck()
    {
        assertThat(accepts("x > 0", row(3, 1))).isTrue();
        assertThat(accepts("x > 0", row(3, 0))).isFalse();
        assertThat(accepts("x > 0", ImmutableMap.of())).isTrue();
        assertThat(accepts("x > 0 AND x IS NOT NULL", ImmutableMap.of())).isFalse();
        assertThat(accepts("NOT (x > 0)", ImmutableMap.of())).isTrue();
        assertThat(accepts("NOT (x > 0)", row(3, 1))).isFalse();
        assertThat(accepts("x IN (1, 2)", ImmutableMap.of())).isTrue();
        assertThat(accepts("x IN (1, 2)", row(3, 3))).isFalse();
        assertThat(accepts("NULL", row(3, 3))).isTrue();
        assertThat(accepts("x > NULL", row(3, 3))).isTrue();
        assertThat(accepts("x <= y", ImmutableMap.of(3, 2))).isTrue();
        assertThat(accepts("x <= y", ImmutableMap.of(3, 2, 4, 1))).isFalse();
        assertThat(accepts("s.a > 0", ImmutableMap.of())).isTrue();
        assertThat(accepts("s.a > 0", ImmutableMap.of(24, true))).isTrue();
        assertThat(accepts("s.a > 0", ImmutableMap.of(24, true, 25, 0))).isFalse();
    }

    @Test
    void testTruthTable()
    {
        String condition = "(x IS NULL AND v = 'a') OR (x IS NOT NULL AND v IS NULL)";
        assertThat(accepts(condition, ImmutableMap.of(13, "a"))).isTrue();
        assertThat(accepts(condition, ImmutableMap.of(13, "b"))).isFalse();
        assertThat(accepts(condition, ImmutableMap.of(3, 1))).isTrue();
        assertThat(accepts(condition, ImmutableMap.of(3, 1, 13, "a"))).isFalse();
        // v = 'a' is unknown
        assertThat(accepts(condition, ImmutableMap.of())).isTrue();
    }

    @Test
    void testNan()
    {
        assertThat(accepts("d > 0", row(7, Double.NaN))).isFalse();
        assertThat(accepts("d > 0", ImmutableMap.of())).isTrue();
        assertThat(accepts("NOT (d <= 0)", row(7, Double.NaN))).isTrue();
        assertThat(accepts("is_nan(d)", row(7, Double.NaN))).isTrue();
        assertThat(accepts("is_nan(d)", row(7, 1.0))).isFalse();
        assertThat(accepts("d = 0", row(7, -0.0))).isTrue();
    }

    @Test
    void testNumbers()
    {
        assertThat(accepts("x < 3000000000", row(3, Integer.MAX_VALUE))).isTrue();
        assertThat(accepts("x > 1.5", row(3, 1))).isFalse();
        assertThat(accepts("x > 1.5", row(3, 2))).isTrue();
        assertThat(accepts("price > 1.50", row(9, new BigDecimal("1.50")))).isFalse();
        assertThat(accepts("price > 1.50", row(9, new BigDecimal("1.51")))).isTrue();
        assertThat(accepts("huge > 0", row(11, new BigDecimal("9".repeat(38))))).isTrue();
        assertThat(accepts("huge > 0", row(11, new BigDecimal("-" + "9".repeat(38))))).isFalse();
    }

    @Test
    void testTimestampsAreComparedByInstant()
    {
        assertThat(accepts("tz >= TIMESTAMP '2020-01-01 00:00:00 UTC'", row(21, micros("2019-12-31T20:00:00Z")))).isFalse();
        assertThat(accepts("tz >= TIMESTAMP '2020-01-01 00:00:00 +05:00'", row(21, micros("2019-12-31T20:00:00Z")))).isTrue();
        assertThat(accepts("year(tz AT TIME ZONE 'UTC') = 2019", row(21, micros("2019-12-31T23:59:59.999999Z")))).isTrue();
        assertThat(accepts("year(ts) = 1969", row(20, -1L))).isTrue();
        assertThat(accepts("CAST(ts AS date) = DATE '1969-12-31'", row(20, -1L))).isTrue();
    }

    @Test
    void testStoredForm()
    {
        assertStored("x > 0", "{'type':'or','left':{'type':'gt','left':{'type':'reference','id':3},'right':{'type':'literal','value':0,'data-type':'int'}},'right':{'type':'is-null','child':{'type':'reference','id':3}}}");
        assertStored("flag", "{'type':'or','left':{'type':'eq','left':{'type':'reference','id':2},'right':{'type':'literal','value':true,'data-type':'boolean'}},'right':{'type':'is-null','child':{'type':'reference','id':2}}}");
        assertStored("NOT (x > 0)", "{'type':'or','left':{'type':'lt-eq','left':{'type':'reference','id':3},'right':{'type':'literal','value':0,'data-type':'int'}},'right':{'type':'is-null','child':{'type':'reference','id':3}}}");
        assertStored("x IS NOT NULL", "{'type':'not-null','child':{'type':'reference','id':3}}");
        assertStored("true", "true");
        assertStored("NULL", "true");
        assertStored("x IS DISTINCT FROM y", "{'type':'not-eq','left':{'type':'reference','id':3},'right':{'type':'reference','id':4}}");
        assertStored("bucket(v, 16) IS NOT DISTINCT FROM 3", "{'type':'eq','left':{'type':'apply','function':{'catalog':'iceberg_functions','identifier':['bucket']},'arguments':[{'type':'literal','value':16,'data-type':'int'},{'type':'reference','id':13}]},'right':{'type':'literal','value':3,'data-type':'int'}}");
        assertThat(parser().parseFilter("x = 1").toString()).isEqualTo(parser().parseFilter("1 = x").toString());
        assertThat(json(parser().parseFilter("x = y"))).isEqualTo("{'type':'and','left':{'type':'eq','left':{'type':'reference','id':3},'right':{'type':'reference','id':4}},'right':{'type':'not-null','child':{'type':'reference','id':3}}}");
    }

    @Test
    void testNames()
    {
        assertResolved("\"Mixed\"", 1);
        assertResolved("mixed", 1);
        assertResolved("MIXED", 1);
        assertResolved("\"select\"", 2);
        assertResolved("\"a.b\"", 3);
        assertResolved("\"q\"\"x\"", 4);
        assertThatThrownBy(() -> new SqlPredicateParser(NAMES).parseCheck("a.b > 0"))
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(COLUMN_NOT_FOUND.toErrorCode()))
                .hasMessage("Column 'a' does not exist in the table");
    }

    @Test
    @Tag("CN-16")
    void testOnlyValuesOfTheRow()
    {
        assertRefused("x > (SELECT 1)", INVALID_CHECK_CONSTRAINT, "Expression must not contain a subquery: (SELECT 1\n\n)");
        assertRefused("EXISTS (SELECT 1)", INVALID_CHECK_CONSTRAINT, null);
        assertRefused("x IN (SELECT 1)", INVALID_CHECK_CONSTRAINT, null);
        assertRefused("x > ALL (SELECT 1)", INVALID_CHECK_CONSTRAINT, null);
        assertRefused("count(*) > 0", INVALID_CHECK_CONSTRAINT, "Expression must not contain an aggregate function: count(*)");
        assertRefused("max(x) > 0", INVALID_CHECK_CONSTRAINT, "Expression must not contain an aggregate function: max(x)");
        assertRefused("length(DISTINCT v) > 0", INVALID_CHECK_CONSTRAINT, null);
        assertRefused("row_number() OVER () > 0", INVALID_CHECK_CONSTRAINT, null);
        assertRefused("lower(v) OVER () = 'a'", INVALID_CHECK_CONSTRAINT, null);
        assertRefused("is_nan(d) OVER ()", INVALID_CHECK_CONSTRAINT, null);
        assertRefused("x > ?", INVALID_CHECK_CONSTRAINT, null);
        assertRefused("\"$path\" = 'a'", COLUMN_NOT_FOUND, "Column '\"$path\"' does not exist in the table");
        assertRefused("z > 0", COLUMN_NOT_FOUND, "Column 'z' does not exist in the table");
        assertRefused("s.z > 0", COLUMN_NOT_FOUND, "Column 's.z' does not exist in the table");
        assertRefused("x.z > 0", COLUMN_NOT_FOUND, "Column 'x' is not a row, and so has no field: x.z");

        SqlPredicateParser parser = new SqlPredicateParser(NAMES);
        assertThat(parser.parseCheck("cardinality(arr) > 0 AND arr IS NOT NULL AND cardinality(m) < 5").referencedFieldIds()).containsExactlyInAnyOrder(5, 7);
        assertThatThrownBy(() -> parser.parseCheck("arr[1] > 0")).hasMessage("Element of an array or map is not supported: arr[1]");
        assertThatThrownBy(() -> parser.parseCheck("arr.element > 0")).hasMessage("Column 'arr' is not a row, and so has no field: arr.element");
        assertThatThrownBy(() -> parser.parseCheck("any_match(arr, e -> e > 0)")).hasMessageStartingWith("Function is not supported; ");
        assertThatThrownBy(() -> parser.parseCheck("arr = arr")).hasMessageContaining("cannot be compared");
    }

    @Test
    @Tag("CN-17")
    void testOnlyDeterministicExpressions()
    {
        assertRefused("x > random()", INVALID_CHECK_CONSTRAINT, "Expression must be deterministic: random()");
        assertRefused("tz > now()", INVALID_CHECK_CONSTRAINT, "Expression must be deterministic: now()");
        assertRefused("day < current_date", INVALID_CHECK_CONSTRAINT, "Expression must not depend on the current time: current_date");
        assertRefused("tz < current_timestamp", INVALID_CHECK_CONSTRAINT, "Expression must not depend on the current time: current_timestamp");
        assertRefused("ts < localtimestamp", INVALID_CHECK_CONSTRAINT, null);
        assertRefused("v = current_user", INVALID_CHECK_CONSTRAINT, "Expression must not depend on the session: CURRENT_USER");
        assertRefused("v = my_function(v)", NOT_SUPPORTED, null);
        assertRefused("v = my_catalog.my_schema.lower(v)", NOT_SUPPORTED, null);
    }

    @Test
    void testWhatCannotBeConverted()
    {
        assertRefused("x", TYPE_MISMATCH, "Condition must be a boolean, but is of type int: x");
        assertRefused("5", TYPE_MISMATCH, "Condition must be a boolean: 5");
        assertRefused("x >", SYNTAX_ERROR, null);
        assertRefused("x > 0; SELECT 1", SYNTAX_ERROR, null);
        assertRefused("x IN (1, NULL)", NOT_SUPPORTED, "Elements of an IN list must be literals that are not NULL: null");
        assertRefused("x IN (1, y)", NOT_SUPPORTED, "Elements of an IN list must be literals that are not NULL: y");
        assertRefused("x + 1 > 0", NOT_SUPPORTED, "Arithmetic is not supported: (x + 1)");
        assertRefused("-x > 0", NOT_SUPPORTED, null);
        assertRefused("1 = 1", NOT_SUPPORTED, "Comparison of two literals is not supported: 1");
        assertRefused("v LIKE '%a'", NOT_SUPPORTED, null);
        assertRefused("v LIKE 'a_%'", NOT_SUPPORTED, null);
        assertRefused("v LIKE 'a#%%' ESCAPE '#'", NOT_SUPPORTED, null);
        assertRefused("x LIKE 'a%'", TYPE_MISMATCH, "A prefix can be looked for in a varchar, not in a value of type int: x");
        assertRefused("v > 1", TYPE_MISMATCH, "A value of type string cannot be compared with 1");
        assertRefused("v > x", TYPE_MISMATCH, null);
        assertRefused("TRY_CAST(v AS integer) > 0", NOT_SUPPORTED, null);
        assertRefused("x BETWEEN SYMMETRIC 5 AND 1", NOT_SUPPORTED, null);
        assertRefused("day > DATE '2020-02-30'", INVALID_LITERAL, "Not a valid literal: DATE '2020-02-30'");
        assertRefused("tz > TIMESTAMP '2020-03-08 02:30:00 America/New_York'", INVALID_LITERAL, null);
        assertRefused("u = UUID '1'", INVALID_LITERAL, null);
    }

    @Test
    void testWhatWouldBeRounded()
    {
        assertRefused("d > 0.1", NOT_SUPPORTED, "Type double cannot hold DECIMAL '0.1' exactly; write 0.1E0 for the nearest double");
        assertRefused("r > 0.1", NOT_SUPPORTED, "Type float cannot hold DECIMAL '0.1' exactly; write REAL '0.1' for the nearest float");
        assertRefused("price > 1.505", NOT_SUPPORTED, null);
        assertRefused("huge > 1.5", NOT_SUPPORTED, null);
        assertRefused("fix = X'00'", NOT_SUPPORTED, null);
        assertRefused("ts > TIMESTAMP '2020-01-01 00:00:00.0000001'", NOT_SUPPORTED, null);
        assertRefused("tsn > TIMESTAMP '3000-01-01'", NOT_SUPPORTED, null);
        assertRefused("big > 9007199254740993E0", NOT_SUPPORTED, null);
        assertRefused("big > d", NOT_SUPPORTED, "Comparison of big of type long with d of type double would round");
        assertRefused("x > r", NOT_SUPPORTED, null);
        assertRefused("price > d", NOT_SUPPORTED, null);
        assertRefused("price > 1E0", TYPE_MISMATCH, null);
    }

    @Test
    void testWhatDependsOnAZone()
    {
        assertRefused("tz > TIMESTAMP '2020-01-01 00:00:00'", TYPE_MISMATCH, "A value of type timestamptz cannot be compared with TIMESTAMP '2020-01-01 00:00:00'; add a time zone to the timestamp, such as UTC");
        assertRefused("tz > DATE '2020-01-01'", TYPE_MISMATCH, null);
        assertRefused("ts > TIMESTAMP '2020-01-01 00:00:00 UTC'", TYPE_MISMATCH, null);
        assertRefused("year(tz) > 2019", NOT_SUPPORTED, "Result depends on a time zone; add AT TIME ZONE 'UTC': tz");
        assertRefused("year(ts AT TIME ZONE 'UTC') > 2019", NOT_SUPPORTED, null);
        assertRefused("year(tz AT TIME ZONE 'Europe/Berlin') > 2019", NOT_SUPPORTED, null);
        assertRefused("month(ts) = 1", NOT_SUPPORTED, "Function month has no equal in Iceberg, where it counts from 1970: month(ts)");
        assertRefused("day(ts) = 1", NOT_SUPPORTED, null);
        assertRefused("hour(ts) = 1", NOT_SUPPORTED, null);
        assertRefused("year(ts) > 2019.5", NOT_SUPPORTED, null);
        assertRefused("year(ts) > x", NOT_SUPPORTED, null);
        assertRefused("truncate(x, 10) = 0", NOT_SUPPORTED, null);
        assertRefused("bucket(16, v) = 0", NOT_SUPPORTED, null);
    }

    @Test
    void testDepthAndSizeAreLimited()
    {
        assertThat(parser().parseCheck("x = 1 OR ".repeat(999) + "x = 1")).isEqualTo(PredicateParser.fromJson(PredicateParser.toJson(parser().parseCheck("x = 1 OR ".repeat(999) + "x = 1"))));
        assertRefused("lower(".repeat(101) + "v" + ")".repeat(101) + " = 'a'", NOT_SUPPORTED, "Expression is nested more than 100 levels deep");
        assertRefused("(".repeat(20_000) + "x = 1" + ")".repeat(20_000), NOT_SUPPORTED, "Expression is nested more than 100 levels deep");
        assertThat(accepts("v = '%s'".formatted("(".repeat(200)), row(13, "("))).isFalse();
        assertRefused("NOT ".repeat(200) + "x = 1", NOT_SUPPORTED, "Expression is nested more than 100 levels deep");
        assertThat(parser().parseCheck("(".repeat(7) + "x = 1)" + " IS UNKNOWN)".repeat(6)).referencedFieldIds()).containsExactly(3);
        assertRefused("(".repeat(8) + "x = 1)" + " IS UNKNOWN)".repeat(7), NOT_SUPPORTED, "IF, CASE, COALESCE and IS are nested more than 6 levels deep");
        assertRefused("IF(".repeat(7) + "x" + " = 1, 2, 3)".repeat(7) + " = 1", NOT_SUPPORTED, "IF, CASE, COALESCE and IS are nested more than 6 levels deep");
        assertRefused("x = 1 OR ".repeat(9999) + "x = 1", NOT_SUPPORTED, "Expression is too large");
    }

    private static Map<Integer, Object> row(int fieldId, Object value)
    {
        return ImmutableMap.of(fieldId, value);
    }

    private static long micros(String instant)
    {
        Instant parsed = Instant.parse(instant);
        return parsed.getEpochSecond() * 1_000_000 + parsed.getNano() / 1000;
    }

    private static SqlPredicateParser parser()
    {
        return new SqlPredicateParser(TestingRows.SCHEMA);
    }

    private static boolean accepts(String check, Map<Integer, Object> row)
    {
        PredicateBinding.Bound bound = (PredicateBinding.Bound) PredicateBinding.bind(parser().parseCheck(check), TestingRows.SCHEMA);
        PageEvaluator evaluator = bound.evaluator();
        return evaluator.evaluate(TestingRows.page(List.of(row), new Random(0)))[0];
    }

    private static void assertStored(String sql, String json)
    {
        assertThat(json(parser().parseCheck(sql))).isEqualTo(json);
    }

    private static String json(Predicate predicate)
    {
        return PredicateParser.toJson(predicate).toString().replace('"', '\'');
    }

    private static void assertResolved(String name, int fieldId)
    {
        Predicate predicate = new SqlPredicateParser(NAMES).parseCheck(name + " > 0");
        assertThat(predicate.referencedFieldIds()).containsExactly(fieldId);
        assertThat(new SqlPredicateParser(NAMES).parseCheck(new SqlPredicateFormatter(NAMES).formatCheck(predicate))).isEqualTo(predicate);
    }

    private static void assertRefused(String sql, ErrorCodeSupplier code, String message)
    {
        assertThatThrownBy(() -> parser().parseCheck(sql)).as(sql)
                .isInstanceOfSatisfying(TrinoException.class, e -> {
                    assertThat(e.getErrorCode()).as("%s: %s", sql, e.getMessage()).isEqualTo(code.toErrorCode());
                    if (message != null) {
                        assertThat(e).hasMessage(message);
                    }
                });
    }
}
