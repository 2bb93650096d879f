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
package io.sextant.index.scan;

import java.util.Random;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;

/// Predicates over [RandomColumn]s: comparisons, IN lists, ranges, NULL and NaN tests, joined and negated.
final class RandomPredicate
{
    private static final String[] COMPARISONS = {"=", "=", "=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"};

    private final Random random;

    RandomPredicate(Random random)
    {
        this.random = random;
    }

    /// A predicate that binds a column in one of its terms, more often than not.
    String on(RandomColumn column)
    {
        return switch (random.nextInt(8)) {
            case 0 -> "%s AND %s".formatted(term(column), term(anyColumn()));
            case 1 -> "(%s OR %s)".formatted(term(column), term(column));
            case 2 -> "(%s OR %s)".formatted(term(column), term(anyColumn()));
            case 3 -> "NOT (%s)".formatted(term(column));
            case 4 -> "%s AND (%s OR %s)".formatted(term(column), term(anyColumn()), term(anyColumn()));
            default -> term(column);
        };
    }

    RandomColumn anyColumn()
    {
        RandomColumn[] columns = RandomColumn.values();
        return columns[random.nextInt(columns.length)];
    }

    String term(RandomColumn column)
    {
        String name = column.columnName();
        return switch (random.nextInt(10)) {
            case 0 -> name + " IS NULL";
            case 1 -> name + " IS NOT NULL";
            case 2 -> "%s BETWEEN %s AND %s".formatted(name, column.literal(random), column.literal(random));
            case 3 -> "%s %sIN (%s)".formatted(name, random.nextInt(4) == 0 ? "NOT " : "", IntStream.range(0, 1 + random.nextInt(6)).mapToObj(_ -> column.literal(random)).collect(joining(", ")));
            case 4 -> column.isFloatingPoint() ? "is_nan(%s)".formatted(name) : comparison(column);
            case 5 -> column == RandomColumn.VARCHAR ? name + " LIKE 'a%'" : comparison(column);
            case 6 -> column == RandomColumn.INTEGER ? "%s IN (%s)".formatted(name, IntStream.range(-600, 600).mapToObj(Integer::toString).collect(joining(", "))) : comparison(column);
            default -> comparison(column);
        };
    }

    private String comparison(RandomColumn column)
    {
        return "%s %s %s".formatted(column.columnName(), COMPARISONS[random.nextInt(COMPARISONS.length)], column.literal(random));
    }
}
