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

import com.google.common.collect.ImmutableList;
import io.sextant.expression.TestingRows;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Random;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;
import static java.util.stream.IntStream.rangeClosed;

/// Random SQL conditions over [TestingRows].
final class TestingConditions
{
    private final Random random;

    TestingConditions(Random random)
    {
        this.random = random;
    }

    String next(int depth)
    {
        if (depth == 0) {
            return leaf();
        }
        return switch (random.nextInt(8)) {
            case 0 -> "NOT (%s)".formatted(next(depth - 1));
            case 1, 2 -> "((%s) AND (%s))".formatted(next(depth - 1), next(depth - 1));
            case 3, 4 -> "((%s) OR (%s))".formatted(next(depth - 1), next(depth - 1));
            case 5 -> "IF(%s, %s, %s)".formatted(next(depth - 1), next(depth - 1), next(depth - 1));
            case 6 -> randomOf("COALESCE(%s, true)", "COALESCE(%s, false)", "(%s) IS TRUE", "(%s) IS NOT FALSE", "(%s) IS UNKNOWN", "(%s) IS NOT UNKNOWN", "(%s) IS NULL").formatted(next(depth - 1));
            default -> leaf();
        };
    }

    private String leaf()
    {
        NestedField field = randomOf(TestingRows.leaves());
        String column = column(field);
        Type type = field.type();
        String not = random.nextBoolean() ? "NOT " : "";
        return switch (random.nextInt(12)) {
            case 0 -> "%s IS %sNULL".formatted(column, not);
            case 1 -> "%s %sBETWEEN %s AND %s".formatted(column, not, literal(type), literal(type));
            case 2 -> "%s %sIN (%s)".formatted(column, not, rangeClosed(0, random.nextInt(4)).mapToObj(_ -> literal(type)).collect(joining(", ")));
            case 3 -> "%s IS %sDISTINCT FROM %s".formatted(column, not, randomOf(literal(type), "NULL", column(other(type))));
            case 4 -> "%s %s %s".formatted(column, operator(), column(other(type)));
            case 5 -> "%s %s %s".formatted(literal(type), operator(), column);
            case 6 -> string();
            case 7 -> number();
            case 8 -> date();
            case 9 -> randomOf("flag", "NOT flag", "true", "false", "NULL", "x > NULL", "flag = false", "is_nan(d)", "NOT is_nan(r)", "abs(d) <= 1", "abs(r) = 1.5E0");
            case 10 -> "CASE WHEN %s THEN %s ELSE %s END %s %s".formatted(next(0), column, literal(type), operator(), literal(type));
            default -> "%s %s %s".formatted(column, operator(), literal(type));
        };
    }

    private String string()
    {
        String column = randomOf("v", "w", "s.t.b", "S.T.B");
        return randomOf(
                "%s LIKE 'a%%'".formatted(column),
                "%s NOT LIKE 'ab%%'".formatted(column),
                "starts_with(%s, 'a_')".formatted(column),
                "NOT starts_with(%s, 'a')".formatted(column),
                "lower(%s) = 'ä'".formatted(column),
                "upper(%s) <> 'A'".formatted(column),
                "length(%s) > 1".formatted(column),
                "trim(%s) = 'a'".formatted(column),
                "trim(BOTH FROM %s) = 'a'".formatted(column),
                "ltrim(%s) = 'a '".formatted(column),
                "rtrim(%s) < ' a'".formatted(column),
                "reverse(%s) = 'cba'".formatted(column),
                "substring(%s, 1, 2) = 'ab'".formatted(column),
                "length(bin) = 1",
                "coalesce(%s, 'b') = 'b'".formatted(column),
                "coalesce(v, w) = %s".formatted(column));
    }

    private String number()
    {
        return randomOf(
                "x > 1.5",
                "x <= 3000000000",
                "x = 1E0",
                "x <> 1.5E0",
                "big > 1.5E0",
                "big = 3000000000",
                "big IN (1, 3000000000)",
                "x IN (1, 3000000000)",
                "price > 1.50",
                "price = 1.5",
                "price IN (1, 1.50, 99999999999)",
                "price BETWEEN -1 AND 1.5",
                "r = REAL '0.1'",
                "r = 0.1E0",
                "r < 5",
                "d = -0.0E0",
                "d >= 1.5",
                "d <> e",
                "d = e",
                "d <= e",
                "NOT (d <= e)",
                "NOT (d <> e)",
                "NOT (d > 0)",
                "d = x",
                "x < d",
                "NOT (x < d)",
                "r <= d",
                "r = r",
                "NOT (r = r)",
                "x <> y",
                "x <= y",
                "NOT (x = y)",
                "x <= x",
                "x = big",
                "price < rate",
                "price = x",
                "wide <= price",
                "NOT (big >= price)");
    }

    private String date()
    {
        return randomOf(
                "year(day) >= 2020",
                "year(ts) = 1969",
                "year(tz AT TIME ZONE 'UTC') < 2020",
                "year(tsn) IN (1969, 2019)",
                "year(day) BETWEEN 1970 AND 2019",
                "year(day) = year(ts)",
                "2019 >= year(ts)",
                "CAST(ts AS date) = DATE '1969-12-31'",
                "CAST(tz AT TIME ZONE 'UTC' AS date) <= DATE '2019-12-31'",
                "CAST(tsn AS date) <> day",
                "date(ts) = day",
                "ts >= DATE '2020-01-01'",
                "ts < TIMESTAMP '2020-01-01'",
                "tz >= TIMESTAMP '2020-01-01 05:00:00 +05:00'",
                "tz = TIMESTAMP '2019-12-31 19:00:00 America/New_York'",
                "tzn <> TIMESTAMP '1970-01-01 00:00:00.000000001 UTC'",
                "tsn = TIMESTAMP '1970-01-01 00:00:00.000000999'",
                "tm = TIME '01:00'",
                "day > CAST('2019-12-31' AS date)");
    }

    private static String column(NestedField field)
    {
        return TestingRows.SCHEMA.findColumnName(field.fieldId());
    }

    private NestedField other(Type type)
    {
        return randomOf(TestingRows.leaves().stream().filter(field -> field.type().equals(type)).collect(toImmutableList()));
    }

    private String literal(Type type)
    {
        while (true) {
            Object value = TestingRows.randomValue(type, random);
            if (!(value instanceof Float || value instanceof Double) || Double.isFinite(((Number) value).doubleValue())) {
                return SqlLiterals.format(type, value);
            }
        }
    }

    private String operator()
    {
        return randomOf("=", "<>", "<", "<=", ">", ">=");
    }

    private String randomOf(String... values)
    {
        return randomOf(ImmutableList.copyOf(values));
    }

    private <T> T randomOf(List<T> values)
    {
        return values.get(random.nextInt(values.size()));
    }
}
