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

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static io.sextant.index.key.TestingKeyFields.TYPES;
import static io.sextant.index.key.TestingKeyFields.block;
import static io.sextant.index.key.TestingKeyFields.compareTuples;
import static io.sextant.index.key.TestingKeyFields.encode;
import static io.sextant.index.key.TestingKeyFields.encodeBlock;
import static io.sextant.index.key.TestingKeyFields.encodeValue;
import static io.sextant.index.key.TestingKeyFields.normalized;
import static org.assertj.core.api.Assertions.assertThat;

final class TestKeyEncodingProperties
{
    record Pair(List<Type.PrimitiveType> types, List<Object> left, List<Object> right) {}

    record Tuples(List<Type.PrimitiveType> types, List<List<Object>> tuples) {}

    @Provide
    Arbitrary<Pair> singleFields()
    {
        return Arbitraries.of(TYPES)
                .map(type -> List.<Type.PrimitiveType>of(type))
                .flatMap(TestKeyEncodingProperties::pairs);
    }

    @Provide
    Arbitrary<Pair> mixedFields()
    {
        return Arbitraries.of(TYPES).list().ofMinSize(2).ofMaxSize(5)
                .flatMap(TestKeyEncodingProperties::pairs);
    }

    @Provide
    Arbitrary<Tuples> tuples()
    {
        return Arbitraries.of(TYPES).list().ofMinSize(1).ofMaxSize(4)
                .flatMap(types -> tuple(types).list().ofMinSize(2).ofMaxSize(30)
                        .map(tuples -> new Tuples(types, tuples)));
    }

    // The right tuple repeats some values of the left one, so that later fields decide, too
    private static Arbitrary<Pair> pairs(List<Type.PrimitiveType> types)
    {
        return Combinators.combine(tuple(types), tuple(types), Arbitraries.integers().between(0, types.size()))
                .as((left, right, common) -> {
                    List<Object> mixed = new ArrayList<>(left.subList(0, common));
                    mixed.addAll(right.subList(common, types.size()));
                    return new Pair(types, left, mixed);
                });
    }

    private static Arbitrary<List<Object>> tuple(List<Type.PrimitiveType> types)
    {
        List<Arbitrary<Object>> fields = new ArrayList<>();
        for (Type.PrimitiveType type : types) {
            fields.add(TestingKeyFields.values(type).injectNull(0.1));
        }
        return Combinators.combine(fields).as(tuple -> tuple);
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    @Tag("IX-36")
    void testBytesOrderValuesOfEveryType(@ForAll("singleFields") Pair pair)
    {
        assertSameOrder(pair);
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    @Tag("IX-36")
    void testBytesOrderTuples(@ForAll("mixedFields") Pair pair)
    {
        assertSameOrder(pair);
    }

    private static void assertSameOrder(Pair pair)
    {
        KeyEncoding encoding = KeyEncoding.of(pair.types());
        byte[] left = encode(encoding, pair.left());
        byte[] right = encode(encoding, pair.right());
        assertThat(Integer.signum(Arrays.compareUnsigned(left, right)))
                .isEqualTo(Integer.signum(compareTuples(pair.types(), pair.left(), pair.right())));
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    @Tag("IX-36")
    void testSortingBytesSortsTuples(@ForAll("tuples") Tuples tuples)
    {
        KeyEncoding encoding = KeyEncoding.of(tuples.types());
        List<List<Object>> byBytes = new ArrayList<>(tuples.tuples());
        byBytes.sort((left, right) -> Arrays.compareUnsigned(encode(encoding, left), encode(encoding, right)));
        List<List<Object>> byValues = new ArrayList<>(tuples.tuples());
        byValues.sort((left, right) -> compareTuples(tuples.types(), left, right));
        for (int index = 0; index < byValues.size(); index++) {
            assertThat(compareTuples(tuples.types(), byBytes.get(index), byValues.get(index))).isZero();
        }
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void testPrefixRangeHoldsTheTuplesWithThePrefix(@ForAll("mixedFields") Pair pair)
    {
        KeyEncoding encoding = KeyEncoding.of(pair.types());
        byte[] right = encode(encoding, pair.right());
        for (int fields = 0; fields <= pair.types().size(); fields++) {
            byte[] prefix = encode(encoding, pair.left().subList(0, fields));
            int order = -compareTuples(pair.types().subList(0, fields), pair.left(), pair.right());
            assertThat(KeyRange.prefix(prefix).contains(right, 0, right.length)).isEqualTo(order == 0);
            assertThat(KeyRanges.greaterThan(prefix).contains(right, 0, right.length)).isEqualTo(order > 0);
            assertThat(KeyRanges.atLeast(prefix).contains(right, 0, right.length)).isEqualTo(order >= 0);
            assertThat(KeyRanges.lessThan(prefix).contains(right, 0, right.length)).isEqualTo(order < 0);
            assertThat(KeyRanges.atMost(prefix).contains(right, 0, right.length)).isEqualTo(order <= 0);
        }
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void testDecodingGivesTheValuesBack(@ForAll("mixedFields") Pair pair)
    {
        KeyEncoding encoding = KeyEncoding.of(pair.types());
        byte[] key = encode(encoding, pair.left());
        // Keys stand one after the other in larger arrays
        byte[] array = new byte[key.length + 7];
        Arrays.fill(array, (byte) 1);
        System.arraycopy(key, 0, array, 3, key.length);
        RecordingValueSink sink = new RecordingValueSink();
        int offset = 3;
        for (int field = 0; field < encoding.fieldCount(); field++) {
            Object expected = pair.left().get(field);
            assertThat(normalized(encoding.decodeValue(field, array, offset))).isEqualTo(normalized(expected));
            int end = encoding.decode(field, array, offset, sink);
            assertThat(sink.icebergValue(encoding.type(field))).isEqualTo(normalized(expected));
            assertThat(encoding.skip(field, array, offset)).isEqualTo(end);
            offset = end;
        }
        assertThat(offset).isEqualTo(3 + key.length);
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void testBlocksAndValuesEncodeAlike(@ForAll("mixedFields") Pair pair)
    {
        KeyEncoding encoding = KeyEncoding.of(pair.types());
        KeyBuffer buffer = new KeyBuffer();
        for (int field = 0; field < encoding.fieldCount(); field++) {
            encoding.encode(field, block(encoding.type(field), pair.left().get(field)), 0, buffer);
        }
        assertThat(buffer.toByteArray()).isEqualTo(encode(encoding, pair.left()));
    }

    @Property
    @Tag("IX-18")
    void testIntKeepsItsBytesAsLong(@ForAll int value)
    {
        assertThat(encodeValue(Types.IntegerType.get(), value)).isEqualTo(encodeValue(Types.LongType.get(), (long) value));
    }

    @Property
    @Tag("IX-18")
    void testFloatKeepsItsBytesAsDouble(@ForAll int bits)
    {
        float value = Float.intBitsToFloat(bits);
        double widened = Float.isNaN(value) ? Math.copySign(Double.NaN, bits) : value;
        assertThat(encodeValue(Types.FloatType.get(), value)).isEqualTo(encodeValue(Types.DoubleType.get(), widened));
    }

    @Property
    @Tag("IX-18")
    void testDecimalKeepsItsBytesWithMorePrecision(@ForAll int unscaled)
    {
        BigDecimal value = BigDecimal.valueOf(unscaled, 4);
        byte[] expected = encodeValue(Types.DecimalType.of(10, 4), value);
        for (int precision : new int[] {18, 19, 38}) {
            Types.DecimalType wider = Types.DecimalType.of(precision, 4);
            assertThat(encodeValue(wider, value)).isEqualTo(expected);
            assertThat(encodeBlock(wider, block(wider, value), 0)).isEqualTo(expected);
        }
    }
}
