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

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slices;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static java.lang.Math.floorDiv;
import static java.lang.Math.floorMod;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/// Where one row group of a Parquet file of our own stands, and the statistics of its columns.
///
/// @param start offset of the row group in the file
/// @param end offset at which it ends
/// @param statistics by field ID, for the columns that have any
record RowGroupBounds(long start, long end, long rowCount, Map<Integer, Statistics> statistics)
{
    RowGroupBounds
    {
        statistics = ImmutableMap.copyOf(statistics);
    }

    /// The row groups of a file that [ColumnarParquetWriter] has written.
    ///
    /// @param fieldIds the fields whose statistics are kept
    static List<RowGroupBounds> of(FileMetaData footer, Set<Integer> fieldIds)
    {
        Map<String, Integer> fieldIdsByName = new HashMap<>();
        for (SchemaElement element : footer.getSchema()) {
            if (element.isSetField_id() && fieldIds.contains(element.getField_id())) {
                fieldIdsByName.put(element.getName(), element.getField_id());
            }
        }
        return footer.getRow_groups().stream()
                .map(rowGroup -> of(rowGroup, fieldIdsByName))
                .collect(toImmutableList());
    }

    private static RowGroupBounds of(RowGroup rowGroup, Map<String, Integer> fieldIdsByName)
    {
        ImmutableMap.Builder<Integer, Statistics> statistics = ImmutableMap.builder();
        for (ColumnChunk chunk : rowGroup.getColumns()) {
            List<String> path = chunk.getMeta_data().getPath_in_schema();
            Integer fieldId = fieldIdsByName.get(path.getFirst());
            if (path.size() == 1 && fieldId != null && chunk.getMeta_data().isSetStatistics()) {
                statistics.put(fieldId, chunk.getMeta_data().getStatistics());
            }
        }
        return new RowGroupBounds(
                rowGroup.getFile_offset(),
                rowGroup.getFile_offset() + rowGroup.getTotal_compressed_size(),
                rowGroup.getNum_rows(),
                statistics.buildOrThrow());
    }

    /// Whether the connector does not prune row groups by columns of a type.
    static boolean isNeededFor(org.apache.iceberg.types.Type type)
    {
        return switch (type.typeId()) {
            case UUID, FIXED, BINARY, TIME -> true;
            case TIMESTAMP -> ((Types.TimestampType) type).shouldAdjustToUTC();
            case TIMESTAMP_NANO -> ((Types.TimestampNanoType) type).shouldAdjustToUTC();
            default -> false;
        };
    }

    /// Whether the row group may have a value that a domain includes.
    ///
    /// @param icebergType the type of the column, for which [#isNeededFor] holds
    boolean mayContain(int fieldId, org.apache.iceberg.types.Type icebergType, Domain domain)
    {
        Statistics columnStatistics = statistics.get(fieldId);
        if (columnStatistics == null) {
            return true;
        }
        if (columnStatistics.getNull_count() > 0 && domain.isNullAllowed()) {
            return true;
        }
        if (columnStatistics.getNull_count() == rowCount) {
            return false;
        }
        if (!columnStatistics.isSetMin_value() || !columnStatistics.isSetMax_value()) {
            return true;
        }
        Type type = domain.getType();
        ValueSet values = ValueSet.ofRanges(Range.range(
                type,
                nativeValue(icebergType, columnStatistics.getMin_value()),
                true,
                nativeValue(icebergType, columnStatistics.getMax_value()),
                true));
        return domain.getValues().overlaps(values);
    }

    private static Object nativeValue(org.apache.iceberg.types.Type type, byte[] value)
    {
        return switch (type.typeId()) {
            case UUID, FIXED, BINARY -> Slices.wrappedBuffer(value);
            case TIME -> littleEndianLong(value) * 1_000_000;
            case TIMESTAMP -> timestamp(littleEndianLong(value), 1_000);
            case TIMESTAMP_NANO -> timestamp(littleEndianLong(value), 1_000_000);
            default -> throw new IllegalArgumentException("Trino prunes by the type itself: " + type);
        };
    }

    private static LongTimestampWithTimeZone timestamp(long value, int unitsPerMillisecond)
    {
        int picosecondsPerUnit = 1_000_000_000 / unitsPerMillisecond;
        return LongTimestampWithTimeZone.fromEpochMillisAndFraction(
                floorDiv(value, unitsPerMillisecond),
                floorMod(value, unitsPerMillisecond) * picosecondsPerUnit,
                UTC_KEY);
    }

    private static long littleEndianLong(byte[] value)
    {
        return ByteBuffer.wrap(value).order(LITTLE_ENDIAN).getLong();
    }
}
