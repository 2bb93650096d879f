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
import io.trino.plugin.iceberg.IcebergTypes;
import io.trino.spi.block.Block;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.type.TypeUtils;
import jakarta.annotation.Nullable;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import static io.trino.plugin.iceberg.TypeConverter.toTrinoType;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Arrays.asList;

/// Values of every type that a key may have, and the order of the index format spelled out on values, with nothing in
/// common with the encoding.
final class TestingKeyFields
{
    static final List<Type.PrimitiveType> TYPES = ImmutableList.of(
            Types.BooleanType.get(),
            Types.IntegerType.get(),
            Types.LongType.get(),
            Types.FloatType.get(),
            Types.DoubleType.get(),
            Types.DecimalType.of(5, 2),
            Types.DecimalType.of(18, 0),
            Types.DecimalType.of(19, 19),
            Types.DecimalType.of(38, 10),
            Types.DateType.get(),
            Types.TimeType.get(),
            Types.TimestampType.withoutZone(),
            Types.TimestampType.withZone(),
            Types.TimestampNanoType.withoutZone(),
            Types.TimestampNanoType.withZone(),
            Types.StringType.get(),
            Types.UUIDType.get(),
            Types.FixedType.ofLength(3),
            Types.FixedType.ofLength(17),
            Types.BinaryType.get());

    // The years 1 to 9999, which the Iceberg connector and Trino agree upon
    private static final long MAX_EPOCH_MICROS = 253_402_300_799_999_999L;

    private TestingKeyFields() {}

    static Arbitrary<Object> values(Type type)
    {
        return switch (type.typeId()) {
            case BOOLEAN -> Arbitraries.of(true, false);
            case INTEGER, DATE -> Arbitraries.oneOf(Arbitraries.of(Integer.MIN_VALUE, -1, 0, 1, 255, 256, Integer.MAX_VALUE), Arbitraries.integers()).map(Function.identity());
            case LONG, TIMESTAMP_NANO -> Arbitraries.oneOf(Arbitraries.of(Long.MIN_VALUE, -1L, 0L, 1L, 255L, 256L, Long.MAX_VALUE), Arbitraries.longs()).map(Function.identity());
            case TIME -> Arbitraries.longs().between(0, 86_399_999_999L).map(Function.identity());
            case TIMESTAMP -> Arbitraries.longs().between(-MAX_EPOCH_MICROS, MAX_EPOCH_MICROS).map(Function.identity());
            case FLOAT -> Arbitraries.oneOf(
                    Arbitraries.of(0.0f, -0.0f, 1.0f, -1.0f, Float.MIN_VALUE, -Float.MIN_VALUE, Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, Float.intBitsToFloat(0xFFC0_0000)),
                    Arbitraries.integers().map(Float::intBitsToFloat)).map(Function.identity());
            case DOUBLE -> Arbitraries.oneOf(
                    Arbitraries.of(0.0, -0.0, 1.0, -1.0, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, Double.longBitsToDouble(0xFFF8_0000_0000_0000L)),
                    Arbitraries.longs().map(Double::longBitsToDouble)).map(Function.identity());
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                BigInteger limit = BigInteger.TEN.pow(decimal.precision()).subtract(BigInteger.ONE);
                yield Arbitraries.bigIntegers().between(limit.negate(), limit).map(unscaled -> new BigDecimal(unscaled, decimal.scale()));
            }
            case STRING -> Arbitraries.of("\0", "a", "b", "\u007F", "\u0080", "\uD7FF", "\uE000", "\uFFFF", "\uD83D\uDE00", "\uDBFF\uDFFF")
                    .list().ofMaxSize(20)
                    .map(characters -> String.join("", characters));
            case UUID -> Arbitraries.longs().tuple2().map(bits -> new UUID(bits.get1(), bits.get2()));
            case FIXED -> someBytes().array(byte[].class).ofSize(((Types.FixedType) type).length()).map(ByteBuffer::wrap);
            case BINARY -> someBytes().array(byte[].class).ofMaxSize(20).map(ByteBuffer::wrap);
            default -> throw new IllegalArgumentException("no values of type %s".formatted(type));
        };
    }

    private static Arbitrary<Byte> someBytes()
    {
        return Arbitraries.oneOf(Arbitraries.of((byte) 0, (byte) 1, (byte) 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF), Arbitraries.bytes());
    }

    /// The order of the index format, section "Ordering".
    static int compare(Type type, @Nullable Object left, @Nullable Object right)
    {
        if (left == null || right == null) {
            return Boolean.compare(left != null, right != null);
        }
        return switch (type.typeId()) {
            case BOOLEAN -> Boolean.compare((boolean) left, (boolean) right);
            case INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO -> Long.compare(((Number) left).longValue(), ((Number) right).longValue());
            case FLOAT -> compareFloatingPoint((float) left, Float.floatToRawIntBits((float) left) < 0, (float) right, Float.floatToRawIntBits((float) right) < 0);
            case DOUBLE -> compareFloatingPoint((double) left, Double.doubleToRawLongBits((double) left) < 0, (double) right, Double.doubleToRawLongBits((double) right) < 0);
            case DECIMAL -> ((BigDecimal) left).compareTo((BigDecimal) right);
            case STRING -> compareBytes(((String) left).getBytes(UTF_8), ((String) right).getBytes(UTF_8));
            // Hexadecimal digits stand in their order in the character set
            case UUID -> left.toString().compareTo(right.toString());
            case FIXED, BINARY -> compareBytes(((ByteBuffer) left).array(), ((ByteBuffer) right).array());
            default -> throw new IllegalArgumentException("no order of type %s".formatted(type));
        };
    }

    static int compareTuples(List<? extends Type> types, List<Object> left, List<Object> right)
    {
        for (int field = 0; field < types.size(); field++) {
            int order = compare(types.get(field), left.get(field), right.get(field));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static int compareFloatingPoint(double left, boolean leftNegative, double right, boolean rightNegative)
    {
        if (Double.isNaN(left) || Double.isNaN(right)) {
            return Integer.compare(nanRank(left, leftNegative), nanRank(right, rightNegative));
        }
        if (left == right) {
            return Boolean.compare(rightNegative, leftNegative);
        }
        return left < right ? -1 : 1;
    }

    private static int nanRank(double value, boolean negative)
    {
        if (!Double.isNaN(value)) {
            return 0;
        }
        return negative ? -1 : 1;
    }

    private static int compareBytes(byte[] left, byte[] right)
    {
        for (int index = 0; index < Math.min(left.length, right.length); index++) {
            int order = Integer.compare(left[index] & 0xFF, right[index] & 0xFF);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    /// A block with one value, made by the means of Trino and of its Iceberg connector.
    static Block block(Type.PrimitiveType type, @Nullable Object value)
    {
        // These conversions lose the sign of a NaN
        if (value instanceof Float floatValue) {
            return new IntArrayBlock(1, Optional.empty(), new int[] {Float.floatToRawIntBits(floatValue)});
        }
        if (value instanceof Double doubleValue) {
            return new LongArrayBlock(1, Optional.empty(), new long[] {Double.doubleToRawLongBits(doubleValue)});
        }
        // The connector converts no fixed values; their Trino type is that of binary
        Type.PrimitiveType convertedType = type.typeId() == Type.TypeID.FIXED ? Types.BinaryType.get() : type;
        return TypeUtils.writeNativeValue(toTrinoType(type, TESTING_TYPE_MANAGER), IcebergTypes.convertIcebergValueToTrino(convertedType, value));
    }

    /// Both a value that was encoded and the value decoded, if they are the same, come out alike.
    @Nullable
    static Object normalized(@Nullable Object value)
    {
        return switch (value) {
            case Float floatValue when Float.isNaN(floatValue) -> Float.floatToRawIntBits(floatValue) < 0 ? "-NaN" : "+NaN";
            case Double doubleValue when Double.isNaN(doubleValue) -> Double.doubleToRawLongBits(doubleValue) < 0 ? "-NaN" : "+NaN";
            case null, default -> value;
        };
    }

    static byte[] encode(KeyEncoding encoding, List<Object> tuple)
    {
        KeyBuffer buffer = new KeyBuffer();
        for (int field = 0; field < tuple.size(); field++) {
            encoding.encodeValue(field, tuple.get(field), buffer);
        }
        return buffer.toByteArray();
    }

    static byte[] encodeValue(Type type, @Nullable Object value)
    {
        return encode(KeyEncoding.of(ImmutableList.of(type)), asList(new Object[] {value}));
    }

    static byte[] encodeBlock(Type type, Block block, int position)
    {
        KeyBuffer buffer = new KeyBuffer();
        KeyEncoding.of(ImmutableList.of(type)).encode(0, block, position, buffer);
        return buffer.toByteArray();
    }

    /// The bytes given by hexadecimal digits, among which may be spaces.
    static byte[] bytes(String hex)
    {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }
}
