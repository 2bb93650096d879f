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
package io.sextant.index.key;

import com.google.common.collect.ImmutableList;
import io.sextant.index.key.KeyRanges.Cursor;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestKeyRanges
{
    private static final int ROUNDS = 300;

    /// All strings of at most three of some bytes, ascending. The bounds of all ranges are taken from these, so two sets
    /// are equal if they agree on them, and have something in common if they have one of these in common.
    private static final List<byte[]> KEYS = keys();

    private static List<byte[]> keys()
    {
        byte[] alphabet = {0, 1, 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF};
        List<byte[]> keys = new ArrayList<>();
        keys.add(new byte[0]);
        for (int index = 0; keys.get(index).length < 3; index++) {
            for (byte next : alphabet) {
                byte[] key = Arrays.copyOf(keys.get(index), keys.get(index).length + 1);
                key[key.length - 1] = next;
                keys.add(key);
            }
        }
        keys.sort(Arrays::compareUnsigned);
        return ImmutableList.copyOf(keys);
    }

    @Test
    void testPrefixSuccessor()
    {
        assertThat(KeyRange.prefixSuccessor(bytes("0102"))).hasValue(bytes("0103"));
        assertThat(KeyRange.prefixSuccessor(bytes("017f"))).hasValue(bytes("0180"));
        assertThat(KeyRange.prefixSuccessor(bytes("01ffff"))).hasValue(bytes("02"));
        assertThat(KeyRange.prefixSuccessor(bytes("ffff"))).isEmpty();
        assertThat(KeyRange.prefixSuccessor(bytes(""))).isEmpty();
    }

    @Test
    void testRange()
    {
        KeyRange range = new KeyRange(bytes("01"), Optional.of(bytes("0180")));
        assertThat(range).isEqualTo(new KeyRange(bytes("01"), Optional.of(bytes("0180"))));
        assertThat(range).hasSameHashCodeAs(new KeyRange(bytes("01"), Optional.of(bytes("0180"))));
        assertThat(range).isNotEqualTo(new KeyRange(bytes("01"), Optional.empty()));
        assertThat(range).hasToString("[01, 0180)");
        assertThat(range.contains(bytes("ff01ff"), 1, 1)).isTrue();
        assertThat(range.contains(bytes("ff01ff"), 1, 2)).isFalse();
        assertThat(KeyRange.all()).hasToString("[, unbounded)");
        assertThatThrownBy(() -> new KeyRange(bytes("01"), Optional.of(bytes("01"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("low is not below high: [01, 01)");
    }

    @Test
    void testComparisonsWithPrefix()
    {
        for (byte[] prefix : KEYS) {
            for (byte[] key : KEYS) {
                boolean begins = startsWith(key, prefix);
                boolean greater = Arrays.compareUnsigned(key, prefix) > 0 && !begins;
                boolean less = Arrays.compareUnsigned(key, prefix) < 0;
                assertThat(contains(KeyRanges.point(prefix), key)).isEqualTo(begins);
                assertThat(contains(KeyRanges.greaterThan(prefix), key)).isEqualTo(greater);
                assertThat(contains(KeyRanges.atLeast(prefix), key)).isEqualTo(begins || greater);
                assertThat(contains(KeyRanges.lessThan(prefix), key)).isEqualTo(less);
                assertThat(contains(KeyRanges.atMost(prefix), key)).isEqualTo(begins || less);
            }
        }
    }

    @Test
    void testNulls()
    {
        assertThat(KeyRanges.nulls().ranges()).containsExactly(new KeyRange(bytes("00"), Optional.of(bytes("01"))));
        assertThat(KeyRanges.notNulls().ranges()).containsExactly(new KeyRange(bytes("01"), Optional.of(bytes("02"))));
    }

    @Test
    void testNoneAndAll()
    {
        assertThat(KeyRanges.none().isNone()).isTrue();
        assertThat(KeyRanges.none().isAll()).isFalse();
        assertThat(KeyRanges.of(ImmutableList.of())).isEqualTo(KeyRanges.none());
        assertThat(KeyRanges.all().isAll()).isTrue();
        assertThat(KeyRanges.all().isNone()).isFalse();
        assertThat(KeyRanges.point(bytes("")).isAll()).isTrue();
        assertThat(KeyRanges.of(ImmutableList.of(
                new KeyRange(bytes("80"), Optional.empty()),
                new KeyRange(bytes(""), Optional.of(bytes("80"))))).isAll()).isTrue();
        assertThat(KeyRanges.notNulls().isAll()).isFalse();
        assertThat(KeyRanges.none().cursor().contains(bytes("01"), 0, 1)).isFalse();
        assertThat(KeyRanges.none().cursor().isExhausted()).isTrue();
    }

    @Test
    void testUnion()
    {
        Random random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            List<KeyRange> parts = randomRanges(random, 8);
            KeyRanges union = KeyRanges.of(parts);
            for (byte[] key : KEYS) {
                assertThat(contains(union, key)).isEqualTo(anyContains(parts, key));
            }
            assertSortedWithGaps(union);
            Collections.shuffle(parts, random);
            assertThat(KeyRanges.of(parts)).isEqualTo(union);
        }
    }

    @Test
    void testIntersection()
    {
        Random random = new Random(2);
        for (int round = 0; round < ROUNDS; round++) {
            List<KeyRange> left = randomRanges(random, 6);
            List<KeyRange> right = randomRanges(random, 6);
            KeyRanges intersection = KeyRanges.of(left).intersect(KeyRanges.of(right));
            for (byte[] key : KEYS) {
                assertThat(contains(intersection, key)).isEqualTo(anyContains(left, key) && anyContains(right, key));
            }
            assertSortedWithGaps(intersection);
        }
    }

    @Test
    void testOverlaps()
    {
        Random random = new Random(3);
        for (int round = 0; round < ROUNDS; round++) {
            List<KeyRange> parts = randomRanges(random, 4);
            KeyRange probe = randomRange(random);
            boolean expected = KEYS.stream().anyMatch(key -> probe.contains(key, 0, key.length) && anyContains(parts, key));
            assertThat(KeyRanges.of(parts).overlaps(probe.low(), probe.high())).isEqualTo(expected);
        }
        assertThat(KeyRanges.all().overlaps(bytes("01"), Optional.of(bytes("01")))).isFalse();
        assertThatThrownBy(() -> KeyRanges.all().overlaps(bytes("01"), Optional.of(bytes("00"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void testCursor()
    {
        Random random = new Random(4);
        for (int round = 0; round < ROUNDS; round++) {
            List<KeyRange> parts = randomRanges(random, 40);
            KeyRanges ranges = KeyRanges.of(parts);
            // Leaving keys out makes the cursor leap
            List<byte[]> keys = new ArrayList<>(KEYS);
            double density = random.nextDouble();
            keys.removeIf(_ -> random.nextDouble() > density);
            assertCursor(ranges, parts, keys);
            Collections.shuffle(keys, random);
            assertCursor(ranges, parts, keys);
        }
    }

    private static void assertCursor(KeyRanges ranges, List<KeyRange> parts, List<byte[]> keys)
    {
        Cursor cursor = ranges.cursor();
        for (byte[] key : keys) {
            byte[] padded = new byte[key.length + 2];
            System.arraycopy(key, 0, padded, 1, key.length);
            assertThat(cursor.contains(padded, 1, key.length)).isEqualTo(anyContains(parts, key));
            boolean isAfterAll = parts.stream().allMatch(part -> part.high().isPresent() && Arrays.compareUnsigned(part.high().orElseThrow(), key) <= 0);
            assertThat(cursor.isExhausted()).isEqualTo(isAfterAll);
        }
    }

    @Test
    void testProducts()
    {
        Random random = new Random(5);
        for (int round = 0; round < ROUNDS; round++) {
            List<byte[]> points = randomPoints(random);
            List<byte[]> nextPoints = randomPoints(random);
            List<KeyRange> next = randomRanges(random, 4);
            KeyRanges product = KeyPoints.of(points).product(KeyRanges.of(next), 1000).orElseThrow();
            KeyPoints pointsProduct = KeyPoints.of(points).product(KeyPoints.of(nextPoints), 1000).orElseThrow();
            KeyRanges pointRanges = KeyPoints.of(points).toRanges();
            for (byte[] key : KEYS) {
                byte[] rest = Arrays.copyOfRange(key, Math.min(1, key.length), key.length);
                boolean begins = points.stream().anyMatch(point -> startsWith(key, point));
                assertThat(contains(product, key)).isEqualTo(begins && anyContains(next, rest));
                assertThat(contains(pointRanges, key)).isEqualTo(begins);
                assertThat(contains(pointsProduct.toRanges(), key))
                        .isEqualTo(begins && nextPoints.stream().anyMatch(point -> startsWith(rest, point)));
            }
            assertSortedWithGaps(product);
        }
    }

    @Test
    void testProductOfLists()
    {
        KeyPoints points = KeyPoints.of(ImmutableList.of(bytes("02"), bytes("01"), bytes("02")));
        assertThat(points.points()).containsExactly(bytes("01"), bytes("02"));
        assertThat(KeyPoints.root().product(points, 2).orElseThrow().points()).containsExactly(bytes("01"), bytes("02"));
        assertThat(points.product(points, 4).orElseThrow().points()).containsExactly(bytes("0101"), bytes("0102"), bytes("0201"), bytes("0202"));
        assertThat(points.product(points, 3)).isEmpty();
        KeyRanges next = KeyRanges.of(ImmutableList.of(new KeyRange(bytes("10"), Optional.of(bytes("20"))), new KeyRange(bytes("30"), Optional.empty())));
        assertThat(points.product(next, 4).orElseThrow()).hasToString("[[0110, 0120), [0130, 02), [0210, 0220), [0230, 03)]");
        assertThat(points.product(next, 3)).isEmpty();
        assertThat(points.product(KeyRanges.none(), 0).orElseThrow().isNone()).isTrue();
        assertThat(points.toRanges()).hasToString("[[01, 03)]");
    }

    @Test
    void testPointsOfUnequalFields()
    {
        assertThatThrownBy(() -> KeyPoints.of(ImmutableList.of(bytes("0102"), bytes("01"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("points are not of the same fields, as one begins with another");
    }

    private static List<byte[]> randomPoints(Random random)
    {
        List<byte[]> points = new ArrayList<>();
        KEYS.stream()
                .filter(key -> key.length == 1 && random.nextBoolean())
                .forEach(points::add);
        Collections.shuffle(points, random);
        return points;
    }

    private static List<KeyRange> randomRanges(Random random, int maxCount)
    {
        List<KeyRange> ranges = new ArrayList<>();
        for (int count = random.nextInt(maxCount + 1); count > 0; count--) {
            ranges.add(randomRange(random));
        }
        return ranges;
    }

    private static KeyRange randomRange(Random random)
    {
        int low = random.nextInt(KEYS.size());
        int high = low + 1 + random.nextInt(random.nextBoolean() ? 5 : KEYS.size());
        return new KeyRange(KEYS.get(low), high < KEYS.size() ? Optional.of(KEYS.get(high)) : Optional.empty());
    }

    private static void assertSortedWithGaps(KeyRanges ranges)
    {
        assertThat(ranges.size()).isEqualTo(ranges.ranges().size());
        for (int index = 1; index < ranges.size(); index++) {
            byte[] previousHigh = ranges.ranges().get(index - 1).high().orElseThrow();
            assertThat(Arrays.compareUnsigned(previousHigh, ranges.ranges().get(index).low())).isNegative();
        }
    }

    private static boolean anyContains(List<KeyRange> ranges, byte[] key)
    {
        return ranges.stream().anyMatch(range -> Arrays.compareUnsigned(range.low(), key) <= 0
                && (range.high().isEmpty() || Arrays.compareUnsigned(key, range.high().orElseThrow()) < 0));
    }

    private static boolean contains(KeyRanges ranges, byte[] key)
    {
        return ranges.contains(key, 0, key.length);
    }

    private static boolean startsWith(byte[] key, byte[] prefix)
    {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static byte[] bytes(String hex)
    {
        return HexFormat.of().parseHex(hex);
    }
}
