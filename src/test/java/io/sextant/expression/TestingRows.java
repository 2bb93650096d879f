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
package io.sextant.expression;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.LongTimestampWithTimeZone;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StructType;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.iceberg.IcebergTypes.convertIcebergValueToTrino;
import static io.trino.plugin.iceberg.TypeConverter.toTrinoType;
import static io.trino.spi.type.TimeZoneKey.getTimeZoneKey;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.util.stream.IntStream.range;

/// Rows of a schema with all primitive types, as values of Iceberg by field ID and as pages of Trino.
public final class TestingRows
{
    public static final Schema SCHEMA = new Schema(
            NestedField.required(1, "id", Types.IntegerType.get()),
            NestedField.optional(2, "flag", Types.BooleanType.get()),
            NestedField.optional(3, "x", Types.IntegerType.get()),
            NestedField.optional(4, "y", Types.IntegerType.get()),
            NestedField.optional(5, "big", Types.LongType.get()),
            NestedField.optional(6, "r", Types.FloatType.get()),
            NestedField.optional(7, "d", Types.DoubleType.get()),
            NestedField.optional(8, "e", Types.DoubleType.get()),
            NestedField.optional(9, "price", Types.DecimalType.of(10, 2)),
            NestedField.optional(10, "rate", Types.DecimalType.of(12, 4)),
            NestedField.optional(11, "huge", Types.DecimalType.of(38, 0)),
            NestedField.optional(12, "wide", Types.DecimalType.of(30, 2)),
            NestedField.optional(13, "v", Types.StringType.get()),
            NestedField.optional(14, "w", Types.StringType.get()),
            NestedField.optional(15, "bin", Types.BinaryType.get()),
            NestedField.optional(16, "fix", Types.FixedType.ofLength(2)),
            NestedField.optional(17, "u", Types.UUIDType.get()),
            NestedField.optional(18, "day", Types.DateType.get()),
            NestedField.optional(19, "tm", Types.TimeType.get()),
            NestedField.optional(20, "ts", Types.TimestampType.withoutZone()),
            NestedField.optional(21, "tz", Types.TimestampType.withZone()),
            NestedField.optional(22, "tsn", Types.TimestampNanoType.withoutZone()),
            NestedField.optional(23, "tzn", Types.TimestampNanoType.withZone()),
            NestedField.optional(24, "s", StructType.of(
                    NestedField.optional(25, "a", Types.IntegerType.get()),
                    NestedField.optional(26, "t", StructType.of(
                            NestedField.optional(27, "b", Types.StringType.get()))))));

    private static final List<String> ZONES = ImmutableList.of("UTC", "+05:00", "America/New_York");

    private TestingRows() {}

    /// The fields that hold a value and no other fields.
    public static List<NestedField> leaves()
    {
        return range(1, 28)
                .mapToObj(SCHEMA::findField)
                .filter(field -> field.type().isPrimitiveType())
                .collect(toImmutableList());
    }

    public static List<Map<Integer, Object>> random(Random random, int count)
    {
        // A column with one value for all rows can be run-length encoded
        int repeated = 2 + random.nextInt(22);
        Optional<Object> repeatedValue = random.nextBoolean() ? Optional.empty() : Optional.of(randomValue(SCHEMA.findType(repeated), random));
        return range(0, count)
                .mapToObj(position -> {
                    Map<Integer, Object> row = new HashMap<>();
                    fill(row, SCHEMA.asStruct(), random);
                    row.put(1, position);
                    row.remove(repeated);
                    repeatedValue.ifPresent(value -> row.put(repeated, value));
                    return (Map<Integer, Object>) ImmutableMap.copyOf(row);
                })
                .collect(toImmutableList());
    }

    private static void fill(Map<Integer, Object> row, StructType struct, Random random)
    {
        for (NestedField field : struct.fields()) {
            if (random.nextInt(5) == 0) {
                continue;
            }
            if (field.type().isStructType()) {
                // Stands for a struct that is not null
                row.put(field.fieldId(), true);
                fill(row, field.type().asStructType(), random);
            }
            else {
                row.put(field.fieldId(), randomValue(field.type(), random));
            }
        }
    }

    public static Object randomValue(Type type, Random random)
    {
        List<Object> values = VALUES.get(type.toString());
        return values.get(random.nextInt(values.size()));
    }

    private static final Map<String, List<Object>> VALUES;

    static {
        ImmutableMap.Builder<String, List<Object>> values = ImmutableMap.builder();
        values.put("boolean", ImmutableList.of(true, false));
        values.put("int", ImmutableList.of(0, 1, 2, -1, 5, Integer.MAX_VALUE, Integer.MIN_VALUE));
        values.put("long", ImmutableList.of(0L, 1L, 2L, -1L, 5L, 3_000_000_000L, (1L << 53) + 1, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE));
        values.put("float", ImmutableList.of(0.0f, -0.0f, 1.0f, 2.0f, 1.5f, 0.1f, -1.0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY));
        values.put("double", ImmutableList.of(0.0, -0.0, 1.0, 2.0, 1.5, 0.1, (double) 0.1f, -1.0, 9_007_199_254_740_992.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
        values.put("decimal(10, 2)", decimals("0.00", "1.00", "1.50", "1.51", "-1.00", "99999999.99"));
        values.put("decimal(12, 4)", decimals("0.0000", "1.0000", "1.5000", "1.5001", "-1.0000", "0.1000"));
        values.put("decimal(38, 0)", decimals("0", "1", "2", "-1", "9".repeat(38), "-" + "9".repeat(38)));
        values.put("decimal(30, 2)", decimals("0.00", "1.00", "1.50", "-1.00", "9".repeat(28) + ".99"));
        values.put("string", ImmutableList.of("", "a", "ab", "abc", "b", " a ", "Ä", "ä", "\uFFFF", "\uD83D\uDE00", "a_b", "a%b"));
        values.put("binary", ImmutableList.of(bytes(), bytes(0), bytes(1), bytes(1, 2), bytes(0x80), bytes(0xFF)));
        values.put("fixed[2]", ImmutableList.of(bytes(0, 0), bytes(1, 2), bytes(0x80, 0), bytes(0x7F, 0xFF)));
        values.put("uuid", ImmutableList.of(new UUID(0, 0), new UUID(0, 1), new UUID(Long.MIN_VALUE, 0), new UUID(1, Long.MIN_VALUE), new UUID(-1, -1)));
        values.put("date", ImmutableList.of(0, 1, -1, 18_262, 18_261, -1000, 20_000));
        values.put("time", ImmutableList.of(0L, 1L, 3_600_000_000L, 86_399_999_999L));
        List<Object> micros = ImmutableList.of(0L, 1L, -1L, -3_600_000_000L, 1_577_836_800_000_000L, 1_577_836_799_999_999L, 1_577_836_800_000_000L + 3_600_000_000L);
        values.put("timestamp", micros);
        values.put("timestamptz", micros);
        List<Object> nanos = ImmutableList.of(0L, 1L, -1L, 999L, -3_600_000_000_000L, 1_577_836_800_000_000_000L, 1_577_836_799_999_999_999L);
        values.put("timestamp_ns", nanos);
        values.put("timestamptz_ns", nanos);
        VALUES = values.buildOrThrow();
    }

    private static List<Object> decimals(String... values)
    {
        return Arrays.stream(values).map(value -> (Object) new BigDecimal(value)).collect(toImmutableList());
    }

    private static ByteBuffer bytes(int... values)
    {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return ByteBuffer.wrap(bytes);
    }

    /// A page of the rows, each column of which is encoded in one of the ways that Trino has.
    public static Page page(List<Map<Integer, Object>> rows, Random random)
    {
        return new Page(rows.size(), SCHEMA.columns().stream()
                .map(column -> encode(block(column, rows, random), rows.stream().map(row -> Optional.ofNullable(row.get(column.fieldId()))).distinct().count() == 1, random))
                .toArray(Block[]::new));
    }

    private static Block block(NestedField field, List<Map<Integer, Object>> rows, Random random)
    {
        if (field.type().isStructType()) {
            BitSet valid = new BitSet();
            range(0, rows.size()).filter(position -> rows.get(position).containsKey(field.fieldId())).forEach(valid::set);
            Block[] fields = field.type().asStructType().fields().stream()
                    .map(child -> block(child, rows, random))
                    .toArray(Block[]::new);
            return RowBlock.fromNotNullSuppressedFieldBlocks(rows.size(), Optional.of(Arrays.copyOf(valid.toLongArray(), (rows.size() + Long.SIZE - 1) / Long.SIZE)), fields);
        }
        Type icebergType = field.type().typeId() == TypeID.FIXED ? Types.BinaryType.get() : field.type();
        io.trino.spi.type.Type type = toTrinoType(field.type(), TESTING_TYPE_MANAGER);
        BlockBuilder builder = type.createBlockBuilder(null, rows.size());
        rows.forEach(row -> writeNativeValue(type, builder, inSomeZone(convertIcebergValueToTrino(icebergType, row.get(field.fieldId())), random)));
        return builder.build();
    }

    // Trino keeps the zone that a value was written in, although the instant alone counts
    private static Object inSomeZone(Object value, Random random)
    {
        return value instanceof LongTimestampWithTimeZone timestamp ?
                LongTimestampWithTimeZone.fromEpochMillisAndFraction(timestamp.getEpochMillis(), timestamp.getPicosOfMilli(), getTimeZoneKey(ZONES.get(random.nextInt(ZONES.size())))) :
                value;
    }

    private static Block encode(Block block, boolean repeated, Random random)
    {
        int count = block.getPositionCount();
        if (repeated && block instanceof ValueBlock && !(block instanceof RowBlock)) {
            return RunLengthEncodedBlock.create(block.getSingleValueBlock(0), count);
        }
        return switch (random.nextInt(3)) {
            case 0 -> {
                int[] reversed = range(0, count).map(position -> count - 1 - position).toArray();
                yield DictionaryBlock.create(count, block.copyPositions(reversed, 0, count), reversed);
            }
            // A part of a larger dictionary
            case 1 -> {
                int[] twice = range(0, 2 * count).map(position -> position % count).toArray();
                int[] second = range(count, 2 * count).toArray();
                yield DictionaryBlock.create(count, block.copyPositions(twice, 0, twice.length), second);
            }
            default -> block;
        };
    }
}
