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
package io.sextant.index.tracking;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.tracking.TrackingRows.Row;
import io.trino.spi.TrinoException;
import jakarta.annotation.Nullable;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.types.Type;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static io.sextant.index.tracking.TrackedField.AVERAGE_VALUE_SIZE;
import static io.sextant.index.tracking.TrackedField.GROUP_MAX_VALUE;
import static io.sextant.index.tracking.TrackedField.LOWER_BOUND;
import static io.sextant.index.tracking.TrackedField.NAN_VALUE_COUNT;
import static io.sextant.index.tracking.TrackedField.NULL_VALUE_COUNT;
import static io.sextant.index.tracking.TrackedField.TIGHT_BOUNDS;
import static io.sextant.index.tracking.TrackedField.UPPER_BOUND;
import static io.sextant.index.tracking.TrackedField.VALUE_COUNT;
import static io.sextant.index.tracking.TrackingFileReader.corrupt;
import static java.util.Objects.requireNonNull;

/// Turns the rows of one tracking file into entries, widening values to the types of the extract schema, and refuses rows
/// that contradict the format, themselves or the row before.
final class EntryDecoder
{
    /// A size or count beyond this is taken for a damaged number.
    private static final long MAX_NUMBER = 1L << 50;

    private final String trackingFile;
    private final TrackingColumns columns;
    private final UnaryOperator<String> resolver;
    private final EntryOrder order;

    EntryDecoder(String trackingFile, TrackingColumns columns, UnaryOperator<String> resolver)
    {
        this.trackingFile = requireNonNull(trackingFile, "trackingFile is null");
        this.columns = requireNonNull(columns, "columns is null");
        this.resolver = requireNonNull(resolver, "resolver is null");
        this.order = new EntryOrder(columns.schema());
    }

    /// Decodes the next row of the file.
    TrackingEntry decode(Row row)
    {
        String regionFile = text(row, TrackingSchema.LOCATION);
        IndexFile file = new IndexFile(
                resolver.apply(regionFile),
                format(regionFile, text(row, TrackingSchema.FILE_FORMAT)),
                number(row, TrackingSchema.FILE_SIZE, 1, MAX_NUMBER),
                number(row, TrackingSchema.RECORD_COUNT, 0, MAX_NUMBER));
        if (row.value(TrackingSchema.CONTENT_STATS) == null) {
            throw corrupt(trackingFile, "content_stats of %s is null".formatted(regionFile));
        }
        ImmutableMap.Builder<Integer, FieldStats> contentStats = ImmutableMap.builder();
        for (TrackedField field : columns.fields()) {
            stats(regionFile, row, field).ifPresent(stats -> contentStats.put(field.fieldId(), stats));
        }
        Optional<byte[]> keyMetadata = columns.has(TrackingSchema.KEY_METADATA)
                ? Optional.ofNullable((ByteBuffer) row.value(TrackingSchema.KEY_METADATA)).map(EntryDecoder::bytes)
                : Optional.empty();
        TrackingEntry entry = new TrackingEntry(file, contentStats.buildOrThrow(), keyMetadata);
        order.add(entry).ifPresent(reason -> {
            throw corrupt(trackingFile, "the entry of %s %s".formatted(regionFile, reason));
        });
        return entry;
    }

    private Optional<FieldStats> stats(String regionFile, Row row, TrackedField field)
    {
        if (row.value(field.baseId()) == null) {
            if (field.inKey()) {
                throw corrupt(trackingFile, "field %s (%s) of %s is null".formatted(field.baseId(), field.name(), regionFile));
            }
            return Optional.empty();
        }
        Optional<Object> lower = bound(row, field, LOWER_BOUND);
        Optional<Object> upper = bound(row, field, UPPER_BOUND);
        OptionalLong valueCount = count(row, field, VALUE_COUNT);
        OptionalLong nullCount = count(row, field, NULL_VALUE_COUNT);
        OptionalLong nanCount = count(row, field, NAN_VALUE_COUNT);
        OptionalLong averageSize = count(row, field, AVERAGE_VALUE_SIZE);
        Optional<Object> groupMax = field.inKey() ? bound(row, field, GROUP_MAX_VALUE) : Optional.empty();
        boolean tight = columns.has(field.memberId(TIGHT_BOUNDS)) && Boolean.TRUE.equals(row.value(field.memberId(TIGHT_BOUNDS)));

        StatsCheck check = new StatsCheck(field, lower, upper, groupMax, valueCount, nullCount, nanCount);
        Optional<String> contradiction = check.contradiction();
        if (contradiction.isPresent()) {
            throw corrupt(trackingFile, "statistics of field %s (%s) of %s: %s".formatted(field.fieldId(), field.name(), regionFile, contradiction.orElseThrow()));
        }
        if (!field.inKey() && !check.boundsAreKnown()) {
            return Optional.empty();
        }
        return Optional.of(new FieldStats(
                lower,
                upper,
                groupMax,
                tight,
                valueCount,
                nullCount,
                nanCount,
                averageSize.isPresent() ? OptionalInt.of((int) averageSize.getAsLong()) : OptionalInt.empty()));
    }

    private OptionalLong count(Row row, TrackedField field, int offset)
    {
        int fieldId = field.memberId(offset);
        if (!columns.has(fieldId) || row.value(fieldId) == null) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(number(row, fieldId, 0, offset == AVERAGE_VALUE_SIZE ? Integer.MAX_VALUE : MAX_NUMBER));
    }

    private Optional<Object> bound(Row row, TrackedField field, int offset)
    {
        int fieldId = field.memberId(offset);
        return Optional.ofNullable(widen(row.value(fieldId), columns.types().get(fieldId), field.type()));
    }

    /// Promotion keeps the bytes of a value, so decoding them as the promoted type promotes it.
    @Nullable
    private static Object widen(@Nullable Object value, Type from, Type.PrimitiveType to)
    {
        if (value == null) {
            return null;
        }
        KeyBuffer buffer = new KeyBuffer();
        KeyEncoding.of(ImmutableList.of(from)).encodeValue(0, value, buffer);
        return KeyEncoding.of(ImmutableList.of(to)).decodeValue(0, buffer.toByteArray(), 0);
    }

    private String text(Row row, int fieldId)
    {
        Object value = row.value(fieldId);
        if (value == null || value.toString().isEmpty()) {
            throw corrupt(trackingFile, "field %s of an entry is null or empty".formatted(name(fieldId)));
        }
        return value.toString();
    }

    private long number(Row row, int fieldId, long min, long max)
    {
        Object value = row.value(fieldId);
        if (value == null) {
            throw corrupt(trackingFile, "field %s of an entry is null".formatted(name(fieldId)));
        }
        long number = ((Number) value).longValue();
        if (number < min || number > max) {
            throw corrupt(trackingFile, "field %s of an entry is %s, not between %s and %s".formatted(name(fieldId), number, min, max));
        }
        return number;
    }

    private String name(int fieldId)
    {
        return "%s (%s)".formatted(fieldId, columns.projection().findColumnName(fieldId));
    }

    private FileFormat format(String regionFile, String name)
    {
        return switch (name.toLowerCase(Locale.ENGLISH)) {
            case "parquet" -> FileFormat.PARQUET;
            case "avro" -> FileFormat.AVRO;
            case "orc" -> FileFormat.ORC;
            default -> throw new TrinoException(INDEX_UNSUPPORTED, "Region file %s, listed in %s, has the unknown format '%s'".formatted(regionFile, trackingFile, name));
        };
    }

    private static byte[] bytes(ByteBuffer buffer)
    {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
