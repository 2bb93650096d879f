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
import com.google.common.collect.ImmutableSortedSet;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.sextant.collation.Collation;
import io.sextant.collation.CollationBounds;
import io.sextant.collation.CollationOrder;
import io.sextant.collation.Collations;
import io.sextant.collation.metadata.CollatedColumn;
import io.sextant.collation.scan.FilePredicate.Comparison;
import io.sextant.collation.scan.FilePredicate.Comparison.Operator;
import io.sextant.collation.scan.FilePredicate.IsNotNull;
import io.sextant.collation.scan.FilePredicate.IsNull;
import io.sextant.collation.scan.FilePredicate.OneOf;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/// What bounds of a file rule out, and what they do not when a part of them is missing.
final class TestKeyInterval
{
    private static final Collation COLLATION = Collations.get("icu.en_US-ci");
    private static final CollationOrder ORDER = COLLATION.order();
    private static final CollatedColumn COLUMN = new CollatedColumn(1, COLLATION, 2);
    private static final Map<String, Operator> OPERATORS = ImmutableMap.of(
            "=", Operator.EQUAL,
            "<>", Operator.NOT_EQUAL,
            "<", Operator.LESS_THAN,
            "<=", Operator.LESS_THAN_OR_EQUAL,
            ">", Operator.GREATER_THAN,
            ">=", Operator.GREATER_THAN_OR_EQUAL);

    @Test
    @Tag("CO-10")
    @Tag("case-4")
    void testBothBounds()
    {
        KeyInterval file = file("apple", "Banana", 2, 0);
        assertOperators(file, "A", "<>, >, >=");
        assertOperators(file, "APPLE", "=, <>, <=, >, >=");
        assertOperators(file, "azure", "=, <>, <, <=, >, >=");
        assertOperators(file, "BANANA", "=, <>, <, <=, >=");
        assertOperators(file, "cherry", "<>, <, <=");
        assertThat(mayBeOneOf(file, "cherry", "date")).isFalse();
        assertThat(mayBeOneOf(file, "A", "cherry")).isFalse();
        assertThat(mayBeOneOf(file, "A", "APPLE")).isTrue();
        assertThat(mayBeOneOf(file, "cherry", "banana")).isTrue();
        assertThat(mayBeOneOf(file)).isFalse();
    }

    @Test
    @Tag("case-5")
    void testAllValuesAreEqual()
    {
        KeyInterval file = file("Apple", "Apple", 2, 0);
        assertOperators(file, "APPLE", "=, <=, >=");
        assertOperators(file, "A", "<>, >, >=");
        assertOperators(file, "b", "<>, <, <=");
    }

    @Test
    @Tag("CO-13")
    @Tag("case-38")
    void testUpperBoundIsMissing()
    {
        KeyInterval file = file("apple", null, 2, 0);
        assertOperators(file, "A", "<>, >, >=");
        assertOperators(file, "APPLE", "=, <>, <=, >, >=");
        assertOperators(file, "zzz", "=, <>, <, <=, >, >=");
        assertThat(mayBeOneOf(file, "A")).isFalse();
        assertThat(mayBeOneOf(file, "A", "zzz")).isTrue();
    }

    @Test
    @Tag("CO-13")
    @Tag("case-38")
    void testLowerBoundIsMissing()
    {
        KeyInterval file = file(null, "Banana", 2, 0);
        assertOperators(file, "", "=, <>, <, <=, >, >=");
        assertOperators(file, "BANANA", "=, <>, <, <=, >=");
        assertOperators(file, "cherry", "<>, <, <=");
        assertThat(mayBeOneOf(file, "zzz")).isFalse();
        assertThat(mayBeOneOf(file, "A", "zzz")).isTrue();
    }

    @Test
    @Tag("CO-13")
    void testBothBoundsAreMissing()
    {
        for (KeyInterval file : ImmutableList.of(KeyInterval.UNKNOWN, file(null, null, 2, 0))) {
            assertOperators(file, "m", "=, <>, <, <=, >, >=");
            assertThat(mayBeOneOf(file, "m")).isTrue();
            assertThat(new IsNotNull(COLUMN).mayHold(_ -> file)).isTrue();
        }
        assertThat(new IsNull(COLUMN).mayHold(_ -> KeyInterval.UNKNOWN)).isTrue();
        assertThat(new IsNull(COLUMN).mayHold(_ -> file(null, null, 2, 0))).isFalse();
    }

    /// Such bounds are of another order, whatever the entry says.
    @Test
    @Tag("CO-13")
    void testLowerBoundAboveUpperBound()
    {
        assertThat(file("Banana", "apple", 2, 0)).isEqualTo(KeyInterval.UNKNOWN);
        assertThat(file("Apple", "apple", 2, 0)).isNotEqualTo(KeyInterval.UNKNOWN);
        assertThat(file("apple", "Apple", 2, 0)).isNotEqualTo(KeyInterval.UNKNOWN);
    }

    @Test
    @Tag("case-38")
    void testNulls()
    {
        KeyInterval nulls = file(null, null, 3, 3);
        assertOperators(nulls, "m", "");
        assertThat(mayBeOneOf(nulls, "m")).isFalse();
        assertThat(new IsNull(COLUMN).mayHold(_ -> nulls)).isTrue();
        assertThat(new IsNotNull(COLUMN).mayHold(_ -> nulls)).isFalse();
        KeyInterval some = file("a", "b", 3, 1);
        assertThat(new IsNull(COLUMN).mayHold(_ -> some)).isTrue();
        assertThat(new IsNotNull(COLUMN).mayHold(_ -> some)).isTrue();
        assertThat(new IsNull(COLUMN).mayHold(_ -> file("a", "b", 3, 0))).isFalse();
    }

    @Test
    void testCombinations()
    {
        FilePredicate no = new Comparison(COLUMN, Operator.GREATER_THAN, key("z"));
        FilePredicate yes = new Comparison(COLUMN, Operator.LESS_THAN, key("z"));
        KeyInterval file = file("a", "b", 2, 0);
        assertThat(FilePredicate.and(ImmutableList.of(yes, no)).mayHold(_ -> file)).isFalse();
        assertThat(FilePredicate.and(ImmutableList.of(FilePredicate.anything(), no)).mayHold(_ -> file)).isFalse();
        assertThat(FilePredicate.and(ImmutableList.of(FilePredicate.anything())).isAnything()).isTrue();
        assertThat(FilePredicate.or(ImmutableList.of(yes, no)).mayHold(_ -> file)).isTrue();
        assertThat(FilePredicate.or(ImmutableList.of(no, no)).mayHold(_ -> file)).isFalse();
        assertThat(FilePredicate.or(ImmutableList.of(no, FilePredicate.anything())).isAnything()).isTrue();
        for (Operator operator : Operator.values()) {
            assertThat(operator.negated()).isNotEqualTo(operator);
            assertThat(operator.negated().negated()).isEqualTo(operator);
        }
    }

    /// @param expected the operators of which the file may have values that compare so with the value
    private static void assertOperators(KeyInterval file, String value, String expected)
    {
        assertThat(OPERATORS.entrySet().stream()
                .filter(operator -> new Comparison(COLUMN, operator.getValue(), key(value)).mayHold(_ -> file))
                .map(Map.Entry::getKey)
                .collect(joining(", ")))
                .as("%s %s", file, value)
                .isEqualTo(expected);
    }

    private static boolean mayBeOneOf(KeyInterval file, String... values)
    {
        ImmutableSortedSet<Slice> keys = Arrays.stream(values).map(TestKeyInterval::key).collect(toImmutableSortedSet(Slice::compareTo));
        return new OneOf(COLUMN, keys).mayHold(_ -> file);
    }

    private static KeyInterval file(String lower, String upper, long valueCount, long nullCount)
    {
        return KeyInterval.of(new CollationBounds(Optional.ofNullable(lower).map(Slices::utf8Slice), Optional.ofNullable(upper).map(Slices::utf8Slice), valueCount, nullCount), ORDER);
    }

    private static Slice key(String value)
    {
        return ORDER.key(Slices.utf8Slice(value));
    }
}
