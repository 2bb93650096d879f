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
package io.sextant.collation;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static io.airlift.slice.Slices.utf8Slice;
import static io.sextant.collation.CollationBoundsCollector.MAX_BOUND_LENGTH;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestCollationBoundsCollector
{
    @Test
    @Tag("CO-10")
    @Tag("case-1")
    void testBoundsAreInTheOrderOfTheCollation()
    {
        for (String modifiers : List.of("", "-ci", "-ai", "-ci-ai")) {
            assertThat(bounds("icu.en_US" + modifiers, "Banana", "apple")).isEqualTo(expected("apple", "Banana", 2));
        }
        assertThat(bounds("icu.da", "a", "A", "\u00e5", "z")).isEqualTo(expected("A", "\u00e5", 4));
        assertThat(bounds("icu.en", "a", "A", "\u00e5", "z")).isEqualTo(expected("a", "z", 4));
    }

    @Test
    @Tag("CO-10")
    @Tag("case-5")
    void testOfEqualValuesTheSmallestByBytes()
    {
        assertThat(bounds("icu.en_US-ci", "apple", "Apple")).isEqualTo(expected("Apple", "Apple", 2));
        assertThat(bounds("icu.en_US-ci", "Apple", "apple")).isEqualTo(expected("Apple", "Apple", 2));
        assertThat(bounds("icu.en_US", "Apple", "apple")).isEqualTo(expected("apple", "Apple", 2));
        assertThat(bounds("icu.en_US-ci", "b", "B", "apple", "APPLE", "Zoo", "zOO")).isEqualTo(expected("APPLE", "Zoo", 6));
        assertThat(bounds("icu.en_US-ci-ai", "\u00e9", "e\u0301", "E", "e")).isEqualTo(expected("E", "E", 4));
    }

    /// Bounds are what was written, though spaces do not count.
    @Test
    @Tag("CO-02")
    @Tag("CO-10")
    void testSpacesStay()
    {
        assertThat(bounds("icu.en-trim", "  b ", "a  ")).isEqualTo(expected("a  ", "  b ", 2));
        assertThat(bounds("icu.en-trim", "b", " b", "b ")).isEqualTo(expected(" b", " b", 3));
        assertThat(bounds("icu.en-rtrim", "b ", "b")).isEqualTo(expected("b", "b", 2));
        assertThat(bounds("icu.en", "a", "a ")).isEqualTo(expected("a", "a ", 2));
    }

    @Test
    @Tag("case-16")
    void testIgnorable()
    {
        assertThat(bounds("icu.en", "\u00ad", "")).isEqualTo(expected("", "", 2));
        assertThat(bounds("icu.en", "\u00ad", "\u0001")).isEqualTo(expected("\u0001", "\u0001", 2));
    }

    @Test
    @Tag("case-17")
    void testEmptyStringIsAValue()
    {
        assertThat(bounds("icu.en", "a", "")).isEqualTo(expected("", "a", 2));
        assertThat(bounds("icu.en", "")).isEqualTo(expected("", "", 1));
    }

    /// A prefix of it would be no lower bound.
    @Test
    @Tag("CO-10")
    @Tag("case-26")
    void testNeverTruncated()
    {
        assertThat(bounds("icu.th", "abc\u0e40\u0e01", "d")).isEqualTo(expected("abc\u0e40\u0e01", "d", 2));
        String longValue = "x".repeat(MAX_BOUND_LENGTH - 6) + "\u0e40\u0e01";
        assertThat(bounds("icu.th", longValue)).isEqualTo(expected(longValue, longValue, 1));
    }

    @Test
    @Tag("CO-10")
    @Tag("case-38")
    void testLongBoundIsLeftOut()
    {
        String longest = "m".repeat(MAX_BOUND_LENGTH);
        assertThat(MAX_BOUND_LENGTH).isEqualTo(4096);
        assertThat(bounds("icu.en", "a", longest)).isEqualTo(expected("a", longest, 2));
        assertThat(bounds("icu.en", "a", longest + "m")).isEqualTo(expected("a", null, 2));
        assertThat(bounds("icu.en", "z", longest + "m")).isEqualTo(expected(null, "z", 2));
        assertThat(bounds("icu.en", longest + "m")).isEqualTo(expected(null, null, 1));
        // Bytes are counted
        assertThat(bounds("icu.en", "a", "\u00e9".repeat(MAX_BOUND_LENGTH / 2) + "e")).isEqualTo(expected("a", null, 2));
        // What lies between the bounds may be long
        assertThat(bounds("icu.en", "a", longest + "m", "z")).isEqualTo(expected("a", "z", 3));
        // A later value does not make up for it, since it is not exact
        assertThat(bounds("icu.en", longest + "m", "b", "c")).isEqualTo(expected("b", null, 3));
    }

    @Test
    @Tag("CO-10")
    @Tag("case-38")
    void testInvalidUtf8LeavesOutBoth()
    {
        for (byte[] invalid : new byte[][] {
                {(byte) 0xFF}, {(byte) 0x80}, {(byte) 0xC0, (byte) 0x80}, {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, {'a', (byte) 0xE2, (byte) 0x82}, {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
        }) {
            for (int place = 0; place < 3; place++) {
                List<Slice> values = new ArrayList<>(List.of(utf8Slice("b"), utf8Slice("d")));
                values.add(place, Slices.wrappedBuffer(invalid));
                assertThat(collect("icu.en", values)).isEqualTo(expected(null, null, 3));
            }
        }
        assertThat(bounds("icu.en", "\ufffd", "a")).isEqualTo(expected("a", "\ufffd", 2));
    }

    @Test
    @Tag("case-38")
    void testNullsAreOnlyCounted()
    {
        CollationBoundsCollector collector = new CollationBoundsCollector(Collations.get("icu.en").order());
        assertThat(collector.bounds()).isEqualTo(new CollationBounds(Optional.empty(), Optional.empty(), 0, 0));
        collector.addNull();
        collector.addNull();
        assertThat(collector.bounds()).isEqualTo(new CollationBounds(Optional.empty(), Optional.empty(), 2, 2));
        collector.add(utf8Slice("b"));
        collector.addNull();
        assertThat(collector.bounds()).isEqualTo(new CollationBounds(Optional.of(utf8Slice("b")), Optional.of(utf8Slice("b")), 4, 3));
        collector.add(Slices.wrappedBuffer((byte) 0xFF));
        collector.addNull();
        assertThat(collector.bounds()).isEqualTo(new CollationBounds(Optional.empty(), Optional.empty(), 6, 4));
    }

    @Test
    void testBlocks()
    {
        BlockBuilder builder = VARCHAR.createBlockBuilder(null, 4);
        VARCHAR.writeString(builder, "outside");
        builder.appendNull();
        VARCHAR.writeString(builder, "Banana");
        VARCHAR.writeString(builder, "apple");
        VARCHAR.writeString(builder, "0 outside");
        Block block = builder.build().getRegion(1, 3);
        CollationBounds expected = new CollationBounds(Optional.of(utf8Slice("apple")), Optional.of(utf8Slice("Banana")), 3, 1);
        assertThat(ofBlock(block)).isEqualTo(expected);
        assertThat(ofBlock(DictionaryBlock.create(3, builder.build(), new int[] {3, 1, 2}))).isEqualTo(expected);
        assertThat(ofBlock(RunLengthEncodedBlock.create(block.getSingleValueBlock(1), 5)))
                .isEqualTo(new CollationBounds(Optional.of(utf8Slice("Banana")), Optional.of(utf8Slice("Banana")), 5, 0));
        assertThat(ofBlock(RunLengthEncodedBlock.create(block.getSingleValueBlock(0), 5)))
                .isEqualTo(new CollationBounds(Optional.empty(), Optional.empty(), 5, 5));
        assertThat(ofBlock(block.getRegion(0, 0))).isEqualTo(new CollationBounds(Optional.empty(), Optional.empty(), 0, 0));
    }

    /// Pages are used again for what comes next.
    @Test
    void testKeepsNoMemoryOfOthers()
    {
        CollationBoundsCollector collector = new CollationBoundsCollector(Collations.get("icu.en").order());
        Slice memory = utf8Slice("mno");
        for (String value : List.of("mno", "aaa", "zzz", "ccc")) {
            memory.setBytes(0, utf8Slice(value));
            collector.add(memory);
        }
        memory.fill((byte) '!');
        assertThat(collector.bounds()).isEqualTo(expected("aaa", "zzz", 4));
    }

    /// Whatever the order of the rows, the bounds are those that sorting by key, then by bytes, finds.
    @Test
    @Tag("CO-10")
    void testRowOrderDoesNotMatter()
    {
        Random random = new Random(21);
        int ties = 0;
        for (String name : List.of("icu.en_US", "icu.en_US-ci", "icu.en_US-ci-ai-trim", "icu.de-ci", "icu.de@collation=phonebook-ai", "icu.sv", "icu.tr-ci", "icu.fr_CA", "icu.th-ci", "icu.zh", "icu.da-ai")) {
            CollationOrder order = Collations.get(name).order();
            for (int round = 0; round < 60; round++) {
                List<Slice> values = new ArrayList<>(random.ints(1 + random.nextInt(30)).mapToObj(_ -> TestCollationKeys.value(random)).toList());
                for (Slice value : List.copyOf(values)) {
                    // Equal under all of the collations, or under those without case
                    values.add(random.nextInt(values.size()), utf8Slice("\u00ad" + value.toStringUtf8()));
                    values.add(random.nextInt(values.size()), utf8Slice(value.toStringUtf8().toUpperCase(ROOT)));
                }
                Slice lower = values.stream().min(Comparator.<Slice, Slice>comparing(order::key).thenComparing(Comparator.naturalOrder())).orElseThrow();
                Slice upper = values.stream().min(Comparator.<Slice, Slice>comparing(order::key).reversed().thenComparing(Comparator.naturalOrder())).orElseThrow();
                ties += (int) values.stream().filter(value -> !value.equals(upper) && order.key(value).equals(order.key(upper))).count();
                CollationBounds expected = new CollationBounds(Optional.of(lower), Optional.of(upper), values.size(), 0);
                for (int shuffle = 0; shuffle < 5; shuffle++) {
                    Collections.shuffle(values, random);
                    assertThat(collect(name, values)).as("%s %s", name, values).isEqualTo(expected);
                }
            }
        }
        assertThat(ties).isGreaterThan(600);
    }

    @Test
    void testImpossibleCounts()
    {
        assertThatThrownBy(() -> new CollationBounds(Optional.empty(), Optional.empty(), 1, 2)).hasMessage("nullCount is not from 0 to 1: 2");
        assertThatThrownBy(() -> new CollationBounds(Optional.empty(), Optional.empty(), 1, -1)).hasMessage("nullCount is not from 0 to 1: -1");
    }

    private static CollationBounds ofBlock(Block block)
    {
        CollationBoundsCollector collector = new CollationBoundsCollector(Collations.get("icu.en").order());
        collector.add(block);
        return collector.bounds();
    }

    private static CollationBounds bounds(String collation, String... values)
    {
        return collect(collation, Arrays.stream(values).map(Slices::utf8Slice).toList());
    }

    private static CollationBounds collect(String collation, List<Slice> values)
    {
        CollationBoundsCollector collector = new CollationBoundsCollector(Collations.get(collation).order());
        values.forEach(collector::add);
        return collector.bounds();
    }

    private static CollationBounds expected(String lower, String upper, long count)
    {
        return new CollationBounds(Optional.ofNullable(lower).map(Slices::utf8Slice), Optional.ofNullable(upper).map(Slices::utf8Slice), count, 0);
    }
}
