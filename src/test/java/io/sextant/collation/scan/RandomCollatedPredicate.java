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
import com.google.common.collect.ImmutableMap;

import java.text.Normalizer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import static java.util.Locale.ROOT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/// Predicates on strings, most of them under a collation, with constants that are like the data or unlike it.
final class RandomCollatedPredicate
{
    private static final List<String> OPERATORS = ImmutableList.of("=", "=", "=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM");
    private static final List<String> FOREIGN = ImmutableList.of("", " ", "0", "Z", "zzzz", "\u00ad", "\u00df", "\u0130", "\u0131", "\u00d8", "ch", "\u03a9mega", "\u041c\u043e\u0441\u043a\u0432\u0430", "\u5317\u4eac", "\ufffd", "\ud83c\udfd9");

    private final Random random;
    private final List<String> values;
    private final int fileSize;
    private final ImmutableMap<String, List<String>> columns;

    /// @param values in the order of the files
    /// @param fileSize how many of them are in each file
    /// @param columns with the collations that they have bounds for
    RandomCollatedPredicate(Random random, List<String> values, int fileSize, Map<String, List<String>> columns)
    {
        this.random = requireNonNull(random, "random is null");
        this.values = ImmutableList.copyOf(values);
        this.fileSize = fileSize;
        this.columns = ImmutableMap.copyOf(columns);
    }

    String next()
    {
        return switch (random.nextInt(10)) {
            case 0 -> "%s AND %s".formatted(next(), term());
            case 1 -> "%s AND %s AND %s".formatted(term(), term(), other());
            case 2 -> "(%s OR %s)".formatted(term(), next());
            case 3 -> "NOT (%s AND %s)".formatted(next(), term());
            case 4 -> "NOT (%s OR %s)".formatted(term(), next());
            case 5 -> "NOT (%s)".formatted(term());
            default -> term();
        };
    }

    private String term()
    {
        String column = oneOf(columns.keySet().asList());
        return switch (random.nextInt(16)) {
            case 0, 1 -> ofBytes(column);
            case 2 -> other();
            default -> ofKeys(column, oneOf(columns.get(column)));
        };
    }

    private String ofKeys(String column, String collation)
    {
        String key = "collation_key(%s, '%s')".formatted(column, collation);
        int place = random.nextInt(values.size());
        return switch (random.nextInt(16)) {
            case 0, 1 -> "%s BETWEEN %s AND %s".formatted(key, key(value(place), collation), key(value(place + random.nextInt(values.size() / 8)), collation));
            case 2 -> "%s NOT BETWEEN %s AND %s".formatted(key, key(value(random.nextInt(50)), collation), key(value(place), collation));
            case 3, 4 -> "%s IN (%s)".formatted(key, keys(place, collation));
            case 5 -> "%s NOT IN (%s)".formatted(key, keys(place, collation));
            case 6 -> "%s IS NULL".formatted(key);
            case 7 -> "%s IS NOT NULL".formatted(key);
            case 8, 9, 10 -> "%s %s %s".formatted(key(constant(), collation), oneOf(OPERATORS), key);
            default -> "%s %s %s".formatted(key, oneOf(OPERATORS), key(constant(), collation));
        };
    }

    /// As varchar compares.
    private String ofBytes(String column)
    {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> "%s = %s".formatted(column, literal(constant()));
            case 3 -> "%s = %s".formatted(literal(constant()), column);
            case 4 -> "%s IN (%s, %s)".formatted(column, literal(constant()), literal(constant()));
            case 5 -> "%s %s %s".formatted(column, oneOf(OPERATORS), literal(constant()));
            case 6 -> "%s LIKE %s".formatted(column, literal(value(random.nextInt(values.size())).charAt(0) + "%"));
            default -> "%s IS NULL".formatted(column);
        };
    }

    /// What no bounds can decide.
    private String other()
    {
        return "(id + %s) %% 4 <> 0".formatted(random.nextInt(4));
    }

    private String keys(int place, String collation)
    {
        return Stream.generate(() -> random.nextInt(3) == 0 ? constant() : changed(value(place + random.nextInt(100))))
                .limit(1 + random.nextInt(6))
                .map(constant -> key(constant, collation))
                .collect(joining(", "));
    }

    private String constant()
    {
        if (random.nextInt(4) == 0) {
            // Where one file ends and the next begins
            return value(random.nextInt(values.size() / fileSize) * fileSize + oneOf(ImmutableList.of(-1, 0, 0)));
        }
        return random.nextInt(8) == 0 ? oneOf(FOREIGN) : changed(value(random.nextInt(values.size())));
    }

    private String value(int place)
    {
        return values.get(Math.clamp(place, 0, values.size() - 1));
    }

    private String changed(String value)
    {
        return switch (random.nextInt(12)) {
            case 0 -> value.toUpperCase(ROOT);
            case 1 -> value.toLowerCase(ROOT);
            case 2 -> Normalizer.normalize(value, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
            case 3 -> Normalizer.normalize(value, Normalizer.Form.NFD);
            case 4 -> value.charAt(0) + "\u0301" + value.substring(1);
            case 5 -> value + "  ";
            case 6 -> value.substring(0, 1 + random.nextInt(value.length()));
            default -> value;
        };
    }

    private static String key(String value, String collation)
    {
        return "collation_key(%s, '%s')".formatted(literal(value), collation);
    }

    private static String literal(String value)
    {
        return "'%s'".formatted(value.replace("'", "''"));
    }

    private <T> T oneOf(List<T> choices)
    {
        return choices.get(random.nextInt(choices.size()));
    }
}
