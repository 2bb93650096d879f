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
package io.sextant.expression.vector;

import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.Int128;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.DecimalType;
import org.apache.iceberg.types.Types.TimestampNanoType;
import org.apache.iceberg.types.Types.TimestampType;

import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;

import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static io.trino.spi.type.Decimals.MAX_SHORT_PRECISION;
import static io.trino.spi.type.Timestamps.MICROSECONDS_PER_MILLISECOND;
import static io.trino.spi.type.Timestamps.NANOSECONDS_PER_MICROSECOND;
import static io.trino.spi.type.Timestamps.NANOSECONDS_PER_MILLISECOND;
import static io.trino.spi.type.Timestamps.PICOSECONDS_PER_MICROSECOND;
import static io.trino.spi.type.Timestamps.PICOSECONDS_PER_NANOSECOND;
import static io.trino.spi.type.UuidType.UUID;

/// Reads blocks, which hold values as Trino represents them for the type that an Iceberg type maps to.
final class VectorReader
{
    private VectorReader() {}

    static Vector read(Type type, Block block)
    {
        return switch (block) {
            case ValueBlock values -> readValues(type, values);
            case RunLengthEncodedBlock repeated -> readValues(type, repeated.getValue()).select(new int[repeated.getPositionCount()], 0, repeated.getPositionCount());
            case DictionaryBlock dictionary when dictionary.getDictionary().getPositionCount() <= dictionary.getPositionCount() -> readValues(type, dictionary.getDictionary()).select(dictionary.getRawIds(), dictionary.getRawIdsOffset(), dictionary.getPositionCount());
            case DictionaryBlock dictionary -> readValues(type, dictionary.getDictionary().copyPositions(dictionary.getRawIds(), dictionary.getRawIdsOffset(), dictionary.getPositionCount()));
        };
    }

    private static Vector readValues(Type type, ValueBlock block)
    {
        return switch (type.typeId()) {
            case BOOLEAN -> readBytes((ByteArrayBlock) block);
            case INTEGER, DATE -> readInts((IntArrayBlock) block);
            case LONG -> readLongs((LongArrayBlock) block);
            case FLOAT -> doubles(block, position -> Float.intBitsToFloat(((IntArrayBlock) block).getInt(position)));
            case DOUBLE -> readDoubles((LongArrayBlock) block);
            case TIME -> longs(block, position -> ((LongArrayBlock) block).getLong(position) / PICOSECONDS_PER_MICROSECOND);
            case TIMESTAMP -> ((TimestampType) type).shouldAdjustToUTC() ? longs(block, position -> instantMicros((Fixed12Block) block, position)) : readLongs((LongArrayBlock) block);
            case TIMESTAMP_NANO -> ((TimestampNanoType) type).shouldAdjustToUTC() ?
                    longs(block, position -> instantNanos((Fixed12Block) block, position)) :
                    longs(block, position -> nanos((Fixed12Block) block, position));
            case DECIMAL -> ((DecimalType) type).precision() <= MAX_SHORT_PRECISION ? readLongs((LongArrayBlock) block) : objects(block, position -> int128((Int128ArrayBlock) block, position));
            case STRING, BINARY, FIXED -> objects(block, ((VariableWidthBlock) block)::getSlice);
            case UUID -> objects(block, position -> UUID.getSlice(block, position));
            case LIST -> objects(block, ((ArrayBlock) block)::getArray);
            case MAP -> objects(block, ((MapBlock) block)::getMap);
            case STRUCT -> objects(block, ((RowBlock) block)::getRow);
            // Only whether these are null can be asked
            case VARIANT, GEOMETRY, GEOGRAPHY, UNKNOWN -> objects(block, block::getSingleValueBlock);
        };
    }

    private static LongVector readBytes(ByteArrayBlock block)
    {
        return longs(block, block::getByte);
    }

    // Written out, so that the loops over the most frequent types stay free of calls whatever other types are read
    private static LongVector readInts(IntArrayBlock block)
    {
        long[] values = new long[block.getPositionCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = block.getInt(i);
        }
        return new LongVector(values, nulls(block));
    }

    private static LongVector readLongs(LongArrayBlock block)
    {
        long[] values = new long[block.getPositionCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = block.getLong(i);
        }
        return new LongVector(values, nulls(block));
    }

    private static DoubleVector readDoubles(LongArrayBlock block)
    {
        double[] values = new double[block.getPositionCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = Double.longBitsToDouble(block.getLong(i));
        }
        return new DoubleVector(values, nulls(block));
    }

    private static LongVector longs(ValueBlock block, IntToLongFunction reader)
    {
        long[] values = new long[block.getPositionCount()];
        for (int i = 0; i < values.length; i++) {
            if (!block.isNull(i)) {
                values[i] = reader.applyAsLong(i);
            }
        }
        return new LongVector(values, nulls(block));
    }

    private static DoubleVector doubles(ValueBlock block, IntToDoubleFunction reader)
    {
        double[] values = new double[block.getPositionCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = reader.applyAsDouble(i);
        }
        return new DoubleVector(values, nulls(block));
    }

    private static ObjectVector objects(ValueBlock block, IntFunction<Object> reader)
    {
        Object[] values = new Object[block.getPositionCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = block.isNull(i) ? null : reader.apply(i);
        }
        return new ObjectVector(values);
    }

    private static Optional<boolean[]> nulls(ValueBlock block)
    {
        if (!block.mayHaveNull()) {
            return Optional.empty();
        }
        boolean[] nulls = new boolean[block.getPositionCount()];
        for (int i = 0; i < nulls.length; i++) {
            nulls[i] = block.isNull(i);
        }
        return Optional.of(nulls);
    }

    private static Object int128(Int128ArrayBlock block, int position)
    {
        return Int128.valueOf(block.getInt128High(position), block.getInt128Low(position));
    }

    private static long instantMicros(Fixed12Block block, int position)
    {
        return unpackMillisUtc(block.getFixed12First(position)) * MICROSECONDS_PER_MILLISECOND + block.getFixed12Second(position) / PICOSECONDS_PER_MICROSECOND;
    }

    private static long instantNanos(Fixed12Block block, int position)
    {
        return saturatedNanos(unpackMillisUtc(block.getFixed12First(position)), NANOSECONDS_PER_MILLISECOND, block.getFixed12Second(position) / PICOSECONDS_PER_NANOSECOND);
    }

    private static long nanos(Fixed12Block block, int position)
    {
        return saturatedNanos(block.getFixed12First(position), NANOSECONDS_PER_MICROSECOND, block.getFixed12Second(position) / PICOSECONDS_PER_NANOSECOND);
    }

    // Trino's range of timestamps is wider than that of Iceberg's nanoseconds. What is outside cannot be stored, but must not fail here.
    private static long saturatedNanos(long units, int nanosPerUnit, int nanos)
    {
        long limit = Long.MAX_VALUE / nanosPerUnit - 1;
        if (units > limit) {
            return Long.MAX_VALUE;
        }
        return units < -limit ? Long.MIN_VALUE : units * nanosPerUnit + nanos;
    }
}
