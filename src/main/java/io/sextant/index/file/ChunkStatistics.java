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
package io.sextant.index.file;

import org.apache.parquet.format.Statistics;
import org.apache.parquet.internal.column.columnindex.BinaryTruncator;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType;

import java.nio.ByteBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BINARY;

/// Parquet statistics of one column chunk: the null count, and bounds where the format gives them a meaning.
final class ChunkStatistics
{
    // A row group of a region has one of these per key column, and a reader takes in all of them at once
    private static final int MAX_BOUND_LENGTH = 128;

    private ChunkStatistics() {}

    static Statistics of(PrimitiveType type, ColumnSummary summary)
    {
        Statistics statistics = new Statistics();
        statistics.setNull_count(summary.nullCount());
        // Readers may compare with a NaN in any way they like, so a chunk that has one has no bounds
        if (summary.nanCount() > 0 || summary.min().isEmpty()) {
            return statistics;
        }
        byte[] min = bytes(minBound(summary.min().orElseThrow()), type);
        byte[] max = bytes(maxBound(summary.max().orElseThrow()), type);
        byte[] shortMin = truncatedMin(type, min);
        byte[] shortMax = truncatedMax(type, max);
        if (shortMin.length > MAX_BOUND_LENGTH || shortMax.length > MAX_BOUND_LENGTH) {
            return statistics;
        }
        statistics.setMin_value(shortMin);
        statistics.setMax_value(shortMax);
        statistics.setIs_min_value_exact(shortMin.length == min.length);
        statistics.setIs_max_value_exact(shortMax.length == max.length);
        return statistics;
    }

    // Readers need not tell -0.0 from +0.0, so a bound must take in both (parquet.thrift, ColumnOrder)
    private static Object minBound(Object min)
    {
        return switch (min) {
            case Float value when value == 0 -> -0.0f;
            case Double value when value == 0 -> -0.0;
            default -> min;
        };
    }

    private static Object maxBound(Object max)
    {
        return switch (max) {
            case Float value when value == 0 -> 0.0f;
            case Double value when value == 0 -> 0.0;
            default -> max;
        };
    }

    private static byte[] bytes(Object value, PrimitiveType type)
    {
        return switch (type.getPrimitiveTypeName()) {
            case BOOLEAN -> new byte[] {(byte) (long) (Long) value};
            case INT32 -> littleEndian(Integer.BYTES).putInt((int) (long) (Long) value).array();
            case INT64 -> littleEndian(Long.BYTES).putLong((Long) value).array();
            case FLOAT -> littleEndian(Float.BYTES).putFloat((Float) value).array();
            case DOUBLE -> littleEndian(Double.BYTES).putDouble((Double) value).array();
            case BINARY, FIXED_LEN_BYTE_ARRAY -> (byte[]) value;
            case INT96 -> throw new IllegalStateException("No column is written as INT96");
        };
    }

    private static ByteBuffer littleEndian(int size)
    {
        return ByteBuffer.allocate(size).order(LITTLE_ENDIAN);
    }

    private static byte[] truncatedMin(PrimitiveType type, byte[] min)
    {
        if (type.getPrimitiveTypeName() != BINARY || min.length <= MAX_BOUND_LENGTH) {
            return min;
        }
        return BinaryTruncator.getTruncator(type).truncateMin(Binary.fromConstantByteArray(min), MAX_BOUND_LENGTH).getBytes();
    }

    private static byte[] truncatedMax(PrimitiveType type, byte[] max)
    {
        if (type.getPrimitiveTypeName() != BINARY || max.length <= MAX_BOUND_LENGTH) {
            return max;
        }
        return BinaryTruncator.getTruncator(type).truncateMax(Binary.fromConstantByteArray(max), MAX_BOUND_LENGTH).getBytes();
    }
}
