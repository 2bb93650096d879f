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
import jakarta.annotation.Nullable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import static io.sextant.index.key.TestingKeyFields.bytes;
import static io.sextant.index.key.TestingKeyFields.encodeValue;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

final class TestKeyOrder
{
    private static final float NEGATIVE_FLOAT_NAN = Float.intBitsToFloat(0xFFC0_0001);
    private static final double NEGATIVE_DOUBLE_NAN = Double.longBitsToDouble(0xFFF0_0000_0000_0001L);

    @Test
    @Tag("IX-36")
    void testOrder()
    {
        assertAscending(Types.BooleanType.get(), null, false, true);
        assertAscending(Types.LongType.get(), null, Long.MIN_VALUE, -1L, 0L, 1L, 256L, Long.MAX_VALUE);
        assertAscending(Types.DateType.get(), null, -1, 0, 1);
        assertAscending(
                Types.FloatType.get(),
                null,
                NEGATIVE_FLOAT_NAN,
                Float.NEGATIVE_INFINITY,
                -1.0f,
                -Float.MIN_VALUE,
                -0.0f,
                0.0f,
                Float.MIN_VALUE,
                1.0f,
                Float.POSITIVE_INFINITY,
                Float.NaN);
        assertAscending(
                Types.DoubleType.get(),
                null,
                NEGATIVE_DOUBLE_NAN,
                Double.NEGATIVE_INFINITY,
                -1.0,
                -Double.MIN_VALUE,
                -0.0,
                0.0,
                Double.MIN_VALUE,
                1.0,
                Double.POSITIVE_INFINITY,
                Double.NaN);
        assertAscending(Types.DecimalType.of(38, 1), null, new BigDecimal("-10.1"), new BigDecimal("-9.9"), new BigDecimal("0.0"), new BigDecimal("9.9"), new BigDecimal("10.1"));
        assertAscending(Types.StringType.get(), null, "", "\0", "\0a", "B", "a", "a\0", "a\0\0", "ab", "\u00e9", "\uFFFD", "\uD83D\uDE00");
        assertAscending(Types.BinaryType.get(), null, ByteBuffer.wrap(bytes("")), ByteBuffer.wrap(bytes("00")), ByteBuffer.wrap(bytes("00ff")), ByteBuffer.wrap(bytes("01")), ByteBuffer.wrap(bytes("ff")));
        assertAscending(Types.UUIDType.get(), null, new UUID(0, 0), new UUID(0, -1), new UUID(1, 0), new UUID(-1, 0));
        assertAscending(Types.FixedType.ofLength(1), null, ByteBuffer.wrap(bytes("00")), ByteBuffer.wrap(bytes("7f")), ByteBuffer.wrap(bytes("80")));
    }

    @Test
    @Tag("IX-36")
    void testFirstFieldGoesFirst()
    {
        KeyEncoding encoding = KeyEncoding.of(ImmutableList.of(Types.StringType.get(), Types.LongType.get()));
        List<byte[]> keys = Stream.<List<Object>>of(asList(null, 9L), asList("", 9L), asList("a", null), asList("a", 1L), asList("a\0", -1L), asList("b", 0L))
                .map(tuple -> TestingKeyFields.encode(encoding, tuple))
                .toList();
        assertThat(keys).isSortedAccordingTo(Arrays::compareUnsigned);
        assertThat(keys).doesNotHaveDuplicates();
    }

    @Test
    @Tag("IX-18")
    void testPromotionsThatKeepBytes()
    {
        assertThat(KeyEncoding.keepsBytes(Types.StringType.get(), Types.StringType.get())).isTrue();
        assertThat(KeyEncoding.keepsBytes(Types.IntegerType.get(), Types.LongType.get())).isTrue();
        assertThat(KeyEncoding.keepsBytes(Types.FloatType.get(), Types.DoubleType.get())).isTrue();
        assertThat(KeyEncoding.keepsBytes(Types.DecimalType.of(9, 2), Types.DecimalType.of(38, 2))).isTrue();

        assertThat(KeyEncoding.keepsBytes(Types.LongType.get(), Types.IntegerType.get())).isFalse();
        assertThat(KeyEncoding.keepsBytes(Types.DecimalType.of(9, 2), Types.DecimalType.of(10, 3))).isFalse();
        assertThat(KeyEncoding.keepsBytes(Types.DecimalType.of(9, 2), Types.DecimalType.of(8, 2))).isFalse();
        assertThat(KeyEncoding.keepsBytes(Types.DateType.get(), Types.TimestampType.withoutZone())).isFalse();
        assertThat(KeyEncoding.keepsBytes(Types.TimestampType.withoutZone(), Types.TimestampNanoType.withoutZone())).isFalse();
    }

    private static void assertAscending(Type type, @Nullable Object... values)
    {
        for (int index = 1; index < values.length; index++) {
            assertThat(Arrays.compareUnsigned(encodeValue(type, values[index - 1]), encodeValue(type, values[index])))
                    .as("%s and %s", values[index - 1], values[index])
                    .isNegative();
        }
    }
}
