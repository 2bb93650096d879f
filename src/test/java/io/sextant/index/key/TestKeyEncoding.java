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
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TypeUtils;
import jakarta.annotation.Nullable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;

import static io.sextant.index.key.TestingKeyFields.TYPES;
import static io.sextant.index.key.TestingKeyFields.block;
import static io.sextant.index.key.TestingKeyFields.bytes;
import static io.sextant.index.key.TestingKeyFields.encodeBlock;
import static io.sextant.index.key.TestingKeyFields.encodeValue;
import static io.sextant.index.key.TestingKeyFields.normalized;
import static io.trino.spi.type.TimeZoneKey.getTimeZoneKey;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

final class TestKeyEncoding
{
    private static final float NEGATIVE_FLOAT_NAN = Float.intBitsToFloat(0xFFC0_0001);
    private static final double NEGATIVE_DOUBLE_NAN = Double.longBitsToDouble(0xFFF0_0000_0000_0001L);
    private static final double NAN_WITH_PAYLOAD = Double.longBitsToDouble(0x7FFF_FFFF_FFFF_FFFFL);

    @Test
    void testNull()
    {
        for (Type.PrimitiveType type : TYPES) {
            assertEncoding(type, null, "00");
        }
    }

    @Test
    void testBoolean()
    {
        assertEncoding(Types.BooleanType.get(), false, "01 00");
        assertEncoding(Types.BooleanType.get(), true, "01 01");
    }

    @Test
    void testInt()
    {
        assertEncoding(Types.IntegerType.get(), Integer.MIN_VALUE, "01 7fffffff80000000");
        assertEncoding(Types.IntegerType.get(), -1, "01 7fffffffffffffff");
        assertEncoding(Types.IntegerType.get(), 0, "01 8000000000000000");
        assertEncoding(Types.IntegerType.get(), Integer.MAX_VALUE, "01 800000007fffffff");
    }

    @Test
    void testLong()
    {
        assertEncoding(Types.LongType.get(), Long.MIN_VALUE, "01 0000000000000000");
        assertEncoding(Types.LongType.get(), 258L, "01 8000000000000102");
        assertEncoding(Types.LongType.get(), Long.MAX_VALUE, "01 ffffffffffffffff");
    }

    @Test
    @Tag("IX-36")
    void testFloat()
    {
        assertEncoding(Types.FloatType.get(), NEGATIVE_FLOAT_NAN, "01 0007ffffffffffff");
        assertEncoding(Types.FloatType.get(), Float.NEGATIVE_INFINITY, "01 000fffffffffffff");
        assertEncoding(Types.FloatType.get(), -1.5f, "01 4007ffffffffffff");
        assertEncoding(Types.FloatType.get(), -0.0f, "01 7fffffffffffffff");
        assertEncoding(Types.FloatType.get(), 0.0f, "01 8000000000000000");
        assertEncoding(Types.FloatType.get(), 1.5f, "01 bff8000000000000");
        assertEncoding(Types.FloatType.get(), Float.POSITIVE_INFINITY, "01 fff0000000000000");
        assertEncoding(Types.FloatType.get(), Float.NaN, "01 fff8000000000000");
    }

    @Test
    @Tag("IX-36")
    void testDouble()
    {
        assertEncoding(Types.DoubleType.get(), NEGATIVE_DOUBLE_NAN, "01 0007ffffffffffff");
        assertEncoding(Types.DoubleType.get(), Double.NEGATIVE_INFINITY, "01 000fffffffffffff");
        assertEncoding(Types.DoubleType.get(), -Double.MAX_VALUE, "01 0010000000000000");
        assertEncoding(Types.DoubleType.get(), -Double.MIN_VALUE, "01 7ffffffffffffffe");
        assertEncoding(Types.DoubleType.get(), -0.0, "01 7fffffffffffffff");
        assertEncoding(Types.DoubleType.get(), 0.0, "01 8000000000000000");
        assertEncoding(Types.DoubleType.get(), Double.MIN_VALUE, "01 8000000000000001");
        assertEncoding(Types.DoubleType.get(), Double.MAX_VALUE, "01 ffefffffffffffff");
        assertEncoding(Types.DoubleType.get(), Double.POSITIVE_INFINITY, "01 fff0000000000000");
        assertEncoding(Types.DoubleType.get(), Double.NaN, "01 fff8000000000000");
        assertEncoding(Types.DoubleType.get(), NAN_WITH_PAYLOAD, "01 fff8000000000000");
    }

    @Test
    void testDecimal()
    {
        assertEncoding(Types.DecimalType.of(5, 2), new BigDecimal("1.23"), "01 8000000000000000 000000000000007b");
        assertEncoding(Types.DecimalType.of(5, 2), new BigDecimal("-1.23"), "01 7fffffffffffffff ffffffffffffff85");
        assertEncoding(Types.DecimalType.of(38, 0), new BigDecimal("99999999999999999999999999999999999999"), "01 cb3b4ca85a86c47a 098a223fffffffff");
        assertEncoding(Types.DecimalType.of(38, 0), new BigDecimal("-99999999999999999999999999999999999999"), "01 34c4b357a5793b85 f675ddc000000001");
    }

    @Test
    void testDateAndTime()
    {
        // 2024-02-29
        assertEncoding(Types.DateType.get(), 19782, "01 8000000000004d46");
        assertEncoding(Types.DateType.get(), -1, "01 7fffffffffffffff");
        // 01:02:03.000004 and 23:59:59.999999
        assertEncoding(Types.TimeType.get(), 3_723_000_004L, "01 80000000dde878c4");
        assertEncoding(Types.TimeType.get(), 86_399_999_999L, "01 800000141dd75fff");
    }

    @Test
    void testTimestamps()
    {
        // 2024-02-29 12:34:56.789012
        assertEncoding(Types.TimestampType.withoutZone(), 1_709_210_096_789_012L, "01 800612847caa6614");
        assertEncoding(Types.TimestampType.withZone(), 1_709_210_096_789_012L, "01 800612847caa6614");
        assertEncoding(Types.TimestampType.withoutZone(), -1L, "01 7fffffffffffffff");
        assertEncoding(Types.TimestampType.withZone(), -1L, "01 7fffffffffffffff");
        // 2024-02-29 12:34:56.789012345
        assertEncoding(Types.TimestampNanoType.withoutZone(), 1_709_210_096_789_012_345L, "01 97b85586f99ebf79");
        assertEncoding(Types.TimestampNanoType.withZone(), 1_709_210_096_789_012_345L, "01 97b85586f99ebf79");
        assertEncoding(Types.TimestampNanoType.withoutZone(), Long.MIN_VALUE, "01 0000000000000000");
        assertEncoding(Types.TimestampNanoType.withZone(), Long.MIN_VALUE, "01 0000000000000000");
        assertEncoding(Types.TimestampNanoType.withoutZone(), Long.MAX_VALUE, "01 ffffffffffffffff");
        assertEncoding(Types.TimestampNanoType.withZone(), Long.MAX_VALUE, "01 ffffffffffffffff");
    }

    @Test
    void testZoneDoesNotMatter()
    {
        Block block = TypeUtils.writeNativeValue(TIMESTAMP_TZ_MICROS, LongTimestampWithTimeZone.fromEpochMillisAndFraction(1_709_210_096_789L, 12_000_000, getTimeZoneKey("Asia/Kathmandu")));
        assertThat(encodeBlock(Types.TimestampType.withZone(), block, 0)).isEqualTo(bytes("01 800612847caa6614"));
    }

    @Test
    void testString()
    {
        assertEncoding(Types.StringType.get(), "", "01 0000");
        assertEncoding(Types.StringType.get(), "abcdefghi", "01 616263646566676869 0000");
        assertEncoding(Types.StringType.get(), "\0", "01 00ff 0000");
        assertEncoding(Types.StringType.get(), "a\0\0b", "01 61 00ff 00ff 62 0000");
        assertEncoding(Types.StringType.get(), "\u00e9", "01 c3a9 0000");
        // The first is the greater one in UTF-16
        assertEncoding(Types.StringType.get(), "\uFFFD", "01 efbfbd 0000");
        assertEncoding(Types.StringType.get(), "\uD83D\uDE00", "01 f09f9880 0000");
    }

    @Test
    void testBytes()
    {
        UUID uuid = UUID.fromString("f0123456-789a-bcde-0123-456789abcdef");
        assertEncoding(Types.UUIDType.get(), uuid, "01 f0123456789abcde 0123456789abcdef");
        assertEncoding(Types.FixedType.ofLength(3), ByteBuffer.wrap(bytes("00ff00")), "01 00ff00");
        assertEncoding(Types.BinaryType.get(), ByteBuffer.wrap(bytes("")), "01 0000");
        assertEncoding(Types.BinaryType.get(), ByteBuffer.wrap(bytes("00ff00")), "01 00ffff00ff 0000");
        assertEncoding(Types.BinaryType.get(), ByteBuffer.wrap(bytes("ffff")), "01 ffff 0000");
    }

    @Test
    void testByteBufferIsLeftAsItWas()
    {
        ByteBuffer buffer = ByteBuffer.wrap(bytes("0102030405"), 1, 3).slice();
        assertThat(encodeValue(Types.BinaryType.get(), buffer)).isEqualTo(bytes("01 020304 0000"));
        assertThat(encodeValue(Types.FixedType.ofLength(3), buffer)).isEqualTo(bytes("01 020304"));
        assertThat(buffer.remaining()).isEqualTo(3);
        assertThat(encodeValue(Types.BinaryType.get(), ByteBuffer.allocateDirect(2))).isEqualTo(bytes("01 00ff 00ff 0000"));
    }

    @Test
    void testNarrowValuesOfPromotedTypes()
    {
        assertThat(encodeValue(Types.LongType.get(), 7)).isEqualTo(bytes("01 8000000000000007"));
        assertThat(encodeValue(Types.DoubleType.get(), 1.5f)).isEqualTo(bytes("01 bff8000000000000"));
    }

    @Test
    void testBlocksOfEveryForm()
    {
        Slice text = Slices.utf8Slice("xxabyyyc");
        Block flat = new VariableWidthBlock(3, text.slice(2, 6), new int[] {0, 2, 2, 6}, Optional.of(new long[] {0b101})).getRegion(1, 2);
        assertThat(encodeBlock(Types.StringType.get(), flat, 0)).isEqualTo(bytes("00"));
        assertThat(encodeBlock(Types.StringType.get(), flat, 1)).isEqualTo(bytes("01 79797963 0000"));
        Block dictionary = DictionaryBlock.create(3, flat, new int[] {1, 0, 1});
        assertThat(encodeBlock(Types.BinaryType.get(), dictionary, 2)).isEqualTo(bytes("01 79797963 0000"));
        assertThat(encodeBlock(Types.FixedType.ofLength(4), dictionary, 0)).isEqualTo(bytes("01 79797963"));
        assertThat(encodeBlock(Types.StringType.get(), dictionary, 1)).isEqualTo(bytes("00"));
        Block runLength = RunLengthEncodedBlock.create(VARCHAR, Slices.utf8Slice("a"), 5);
        assertThat(encodeBlock(Types.StringType.get(), runLength, 4)).isEqualTo(bytes("01 61 0000"));
        for (Type.PrimitiveType type : ImmutableList.of(Types.UUIDType.get(), Types.DecimalType.of(38, 0))) {
            Object value = type.typeId() == Type.TypeID.UUID ? new UUID(1, 2) : new BigDecimal(7);
            Block block = block(type, value);
            byte[] expected = encodeValue(type, value);
            assertThat(encodeBlock(type, DictionaryBlock.create(2, block, new int[] {0, 0}), 1)).isEqualTo(expected);
            assertThat(encodeBlock(type, RunLengthEncodedBlock.create(block, 9), 8)).isEqualTo(expected);
        }
    }

    @Test
    void testTypes()
    {
        KeyEncoding encoding = KeyEncoding.of(TYPES);
        assertThat(encoding.fieldCount()).isEqualTo(20);
        assertThat(encoding.type(5)).isEqualTo(Types.DecimalType.of(5, 2));
    }

    @Test
    void testSinkReceivesEachTypeInItsForm()
    {
        assertThat(received(Types.BooleanType.get(), true)).isEqualTo(true);
        assertThat(received(Types.DateType.get(), -5)).isEqualTo(-5L);
        assertThat(received(Types.FloatType.get(), 1.5f)).isEqualTo(1.5f);
        assertThat(received(Types.DoubleType.get(), 1.5)).isEqualTo(1.5);
        assertThat(received(Types.DecimalType.of(18, 2), new BigDecimal("-0.02"))).isEqualTo(-2L);
        assertThat(received(Types.DecimalType.of(19, 2), new BigDecimal("-0.02"))).isEqualTo(bytes("fffffffffffffffffffffffffffffffe"));
        assertThat(received(Types.UUIDType.get(), new UUID(1, -1))).isEqualTo(bytes("0000000000000001ffffffffffffffff"));
        assertThat(received(Types.StringType.get(), "a\0b")).isEqualTo("a\0b".getBytes(UTF_8));
        assertThat(received(Types.StringType.get(), null)).isNull();
    }

    @Nullable
    private static Object received(Type type, @Nullable Object value)
    {
        RecordingValueSink sink = new RecordingValueSink();
        KeyEncoding.of(ImmutableList.of(type)).decode(0, encodeValue(type, value), 0, sink);
        return sink.value();
    }

    private static void assertEncoding(Type.PrimitiveType type, @Nullable Object value, String hex)
    {
        byte[] expected = bytes(hex);
        assertThat(encodeValue(type, value)).isEqualTo(expected);
        assertThat(encodeBlock(type, block(type, value), 0)).isEqualTo(expected);
        KeyEncoding encoding = KeyEncoding.of(ImmutableList.of(type));
        assertThat(encoding.skip(0, expected, 0)).isEqualTo(expected.length);
        assertThat(normalized(encoding.decodeValue(0, expected, 0))).isEqualTo(normalized(value));
        RecordingValueSink sink = new RecordingValueSink();
        assertThat(encoding.decode(0, expected, 0, sink)).isEqualTo(expected.length);
        assertThat(sink.icebergValue(type)).isEqualTo(normalized(value));
    }
}
