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
import io.airlift.slice.Slices;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.block.Block;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TypeUtils;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.nio.ByteBuffer;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static io.sextant.index.key.TestingKeyFields.TYPES;
import static io.sextant.index.key.TestingKeyFields.block;
import static io.sextant.index.key.TestingKeyFields.bytes;
import static io.sextant.index.key.TestingKeyFields.encodeBlock;
import static io.sextant.index.key.TestingKeyFields.encodeValue;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;
import static io.trino.spi.type.TimeZoneKey.getTimeZoneKey;
import static io.trino.spi.type.TimestampType.TIMESTAMP_NANOS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_NANOS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestKeyEncodingErrors
{
    @Test
    void testTypesWithoutOrder()
    {
        for (Type type : ImmutableList.<Type>of(
                Types.VariantType.get(),
                Types.UnknownType.get(),
                Types.GeometryType.crs84(),
                Types.GeographyType.crs84(),
                Types.ListType.ofOptional(1, Types.LongType.get()),
                Types.MapType.ofOptional(1, 2, Types.LongType.get(), Types.LongType.get()),
                Types.StructType.of())) {
            assertFails(INDEX_INVALID_DEFINITION, () -> KeyEncoding.of(ImmutableList.of(type)));
        }
    }

    @Test
    void testNanosecondsOutOfRange()
    {
        // Long.MAX_VALUE and Long.MIN_VALUE nanoseconds are ...036_854_775_807 and ...036_854_775_808 after and before the epoch
        Type without = Types.TimestampNanoType.withoutZone();
        assertThat(encodeBlock(without, timestamp(9_223_372_036_854_775L, 807_000), 0)).isEqualTo(bytes("01 ffffffffffffffff"));
        assertFails(NUMERIC_VALUE_OUT_OF_RANGE, () -> encodeBlock(without, timestamp(9_223_372_036_854_775L, 808_000), 0));
        assertThat(encodeBlock(without, timestamp(-9_223_372_036_854_776L, 192_000), 0)).isEqualTo(bytes("01 0000000000000000"));
        assertFails(NUMERIC_VALUE_OUT_OF_RANGE, () -> encodeBlock(without, timestamp(-9_223_372_036_854_776L, 191_000), 0));

        Type with = Types.TimestampNanoType.withZone();
        assertThat(encodeBlock(with, timestampWithZone(9_223_372_036_854L, 775_807_000), 0)).isEqualTo(bytes("01 ffffffffffffffff"));
        assertFails(NUMERIC_VALUE_OUT_OF_RANGE, () -> encodeBlock(with, timestampWithZone(9_223_372_036_854L, 775_808_000), 0));
        assertThat(encodeBlock(with, timestampWithZone(-9_223_372_036_855L, 224_192_000), 0)).isEqualTo(bytes("01 0000000000000000"));
        assertFails(NUMERIC_VALUE_OUT_OF_RANGE, () -> encodeBlock(with, timestampWithZone(-9_223_372_036_855L, 224_191_000), 0));
    }

    @Test
    void testValuesThatDoNotFit()
    {
        assertFails(INDEX_UNSUPPORTED, () -> encodeValue(Types.FixedType.ofLength(3), ByteBuffer.allocate(2)));
        assertFails(INDEX_UNSUPPORTED, () -> encodeBlock(Types.FixedType.ofLength(3), block(Types.BinaryType.get(), ByteBuffer.allocate(4)), 0));
        assertFails(NUMERIC_VALUE_OUT_OF_RANGE, () -> encodeValue(Types.DecimalType.of(5, 2), new BigDecimal("1.234")));
        assertFails(NUMERIC_VALUE_OUT_OF_RANGE, () -> encodeValue(Types.DecimalType.of(38, 0), BigDecimal.TEN.pow(39)));
        assertFails(INDEX_UNSUPPORTED, () -> encodeValue(Types.StringType.get(), "a\uD83D"));
        assertThat(encodeValue(Types.DecimalType.of(5, 2), new BigDecimal("1.2"))).isEqualTo(bytes("01 8000000000000000 0000000000000078"));
        assertThat(encodeValue(Types.DecimalType.of(5, 2), new BigDecimal("10000"))).isEqualTo(bytes("01 8000000000000000 00000000000f4240"));
        for (Type.PrimitiveType type : TYPES) {
            assertThatThrownBy(() -> encodeValue(type, new StringBuilder[0]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(type.toString());
        }
        assertThatThrownBy(() -> encodeValue(Types.IntegerType.get(), 1L)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> encodeValue(Types.DateType.get(), 1L)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> encodeValue(Types.TimeType.get(), 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void testDamagedKeys()
    {
        assertDamaged(Types.LongType.get(), "");
        assertDamaged(Types.LongType.get(), "02 8000000000000000");
        assertDamaged(Types.StringType.get(), "01 616200");
        assertDamaged(Types.StringType.get(), "01 61626364656667");
        assertDamaged(Types.StringType.get(), "01 61 0001 0000");
        assertDamaged(Types.BinaryType.get(), "01 00ff");
        for (Type.PrimitiveType type : TYPES) {
            assertDamaged(type, "01");
        }
        assertDamaged(Types.LongType.get(), "01 80000000000000");
        assertDamaged(Types.DoubleType.get(), "01 80000000000000");
        assertDamaged(Types.DecimalType.of(5, 2), "01 8000000000000000 00000000000000");
        assertDamaged(Types.UUIDType.get(), "01 8000000000000000 00000000000000");
        assertDamaged(Types.FixedType.ofLength(3), "01 0001");

        assertImpossible(Types.BooleanType.get(), "01 02");
        assertImpossible(Types.IntegerType.get(), "01 8000000080000000");
        assertImpossible(Types.DateType.get(), "01 7fffffff7fffffff");
        assertImpossible(Types.FloatType.get(), "01 8000000000000001");
        assertImpossible(Types.DecimalType.of(18, 0), "01 8000000000000001 0000000000000000");
        // 10 to the 38th
        KeyEncoding decimals = KeyEncoding.of(ImmutableList.of(Types.DecimalType.of(38, 0)));
        assertFails(INDEX_CORRUPT, () -> decimals.decodeValue(0, bytes("01 cb3b4ca85a86c47a 098a224000000000"), 0));
    }

    @Test
    void testMalformedTextStaysBytes()
    {
        Block block = TypeUtils.writeNativeValue(VARCHAR, Slices.wrappedBuffer((byte) 0xC3));
        byte[] key = encodeBlock(Types.StringType.get(), block, 0);
        assertThat(key).isEqualTo(bytes("01 c3 0000"));
        KeyEncoding encoding = KeyEncoding.of(ImmutableList.of(Types.StringType.get()));
        RecordingValueSink sink = new RecordingValueSink();
        assertThat(encoding.decode(0, key, 0, sink)).isEqualTo(4);
        assertThat(sink.value()).isEqualTo(bytes("c3"));
        assertFails(INDEX_UNSUPPORTED, () -> encoding.decodeValue(0, key, 0));
    }

    private static void assertDamaged(Type type, String hex)
    {
        byte[] key = bytes(hex);
        assertImpossible(type, hex);
        assertFails(INDEX_CORRUPT, () -> KeyEncoding.of(ImmutableList.of(type)).skip(0, key, 0));
    }

    private static void assertImpossible(Type type, String hex)
    {
        byte[] key = bytes(hex);
        KeyEncoding encoding = KeyEncoding.of(ImmutableList.of(type));
        assertFails(INDEX_CORRUPT, () -> encoding.decode(0, key, 0, new RecordingValueSink()));
        assertFails(INDEX_CORRUPT, () -> encoding.decodeValue(0, key, 0));
    }

    private static void assertFails(ErrorCodeSupplier code, ThrowingCallable callable)
    {
        assertTrinoExceptionThrownBy(callable).hasErrorCode(code);
    }

    private static Block timestamp(long epochMicros, int picosOfMicro)
    {
        return TypeUtils.writeNativeValue(TIMESTAMP_NANOS, new LongTimestamp(epochMicros, picosOfMicro));
    }

    private static Block timestampWithZone(long epochMillis, int picosOfMilli)
    {
        return TypeUtils.writeNativeValue(TIMESTAMP_TZ_NANOS, LongTimestampWithTimeZone.fromEpochMillisAndFraction(epochMillis, picosOfMilli, getTimeZoneKey("UTC")));
    }
}
