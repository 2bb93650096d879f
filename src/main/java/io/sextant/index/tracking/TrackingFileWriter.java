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

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.index.file.ColumnarParquetWriter;
import io.sextant.index.file.FieldStats;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.metadata.IndexMetadata;
import io.trino.filesystem.TrinoOutputFile;
import jakarta.annotation.Nullable;
import org.apache.iceberg.Schema;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.sextant.index.file.NewFile.write;
import static io.sextant.index.tracking.TrackedField.AVERAGE_VALUE_SIZE;
import static io.sextant.index.tracking.TrackedField.GROUP_MAX_VALUE;
import static io.sextant.index.tracking.TrackedField.LOWER_BOUND;
import static io.sextant.index.tracking.TrackedField.NAN_VALUE_COUNT;
import static io.sextant.index.tracking.TrackedField.NULL_VALUE_COUNT;
import static io.sextant.index.tracking.TrackedField.TIGHT_BOUNDS;
import static io.sextant.index.tracking.TrackedField.UPPER_BOUND;
import static io.sextant.index.tracking.TrackedField.VALUE_COUNT;
import static java.util.Objects.requireNonNull;

/// Writes a tracking file, in Parquet, with the columns of [TrackingSchema].
///
/// The struct of each key field is always there, with null members where a value is null. Another field has a struct if any
/// entry has statistics of it.
public final class TrackingFileWriter
{
    private static final int ENTRIES_PER_ROW_GROUP = 8_192;

    private final TrackingSchema schema;

    private final Map<String, String> metadata;

    TrackingFileWriter(TrackingSchema schema)
    {
        this(schema, ImmutableMap.of());
    }

    private TrackingFileWriter(TrackingSchema schema, Map<String, String> metadata)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.metadata = ImmutableMap.copyOf(metadata);
    }

    /// A writer for the tracking file of one extract.
    ///
    /// @param schema the extract schema, which the metadata need not have yet
    public static TrackingFileWriter of(IndexMetadata metadata, Schema schema, long snapshotId)
    {
        return new TrackingFileWriter(TrackingSchema.of(metadata, schema), ExtractSeal.toMetadata(metadata, schema, snapshotId));
    }

    /// Writes all entries of an extract, perhaps none, to a new file.
    ///
    /// @param entries in index order: ascending by the tuples of group_max_value
    /// @return the size of the file in bytes, which the extract states
    /// @throws IllegalArgumentException if the entries are out of order, or a key field has no statistics
    public long writeFile(TrinoOutputFile file, List<TrackingEntry> entries)
    {
        byte[] content = fill(entries).finish(file.location().fileName());
        write(file, content);
        return content.length;
    }

    byte[] toParquet(List<TrackingEntry> entries)
    {
        return fill(entries).finish();
    }

    private ColumnarParquetWriter fill(List<TrackingEntry> entries)
    {
        checkOrder(entries);
        Set<Integer> fieldIds = entries.stream()
                .flatMap(entry -> entry.contentStats().keySet().stream())
                .collect(toImmutableSet());
        checkArgument(schema.fields().keySet().containsAll(fieldIds), "fields %s cannot all have statistics, only %s can", fieldIds, schema.fields().keySet());
        Schema columns = schema.columns(fieldIds);
        ColumnarParquetWriter writer = new ColumnarParquetWriter(columns, ImmutableSet.of(), ImmutableMap.of(), metadata);
        int count = 0;
        for (TrackingEntry entry : entries) {
            writeEntry(writer, fieldIds, entry);
            count++;
            if (count % ENTRIES_PER_ROW_GROUP == 0) {
                writer.endRowGroup();
            }
        }
        return writer;
    }

    private void writeEntry(ColumnarParquetWriter writer, Set<Integer> fieldIds, TrackingEntry entry)
    {
        append(writer, TrackingSchema.LOCATION, entry.file().location());
        append(writer, TrackingSchema.FILE_FORMAT, entry.file().format().name().toLowerCase(Locale.ENGLISH));
        append(writer, TrackingSchema.RECORD_COUNT, entry.file().recordCount());
        append(writer, TrackingSchema.FILE_SIZE, entry.file().sizeInBytes());
        append(writer, TrackingSchema.KEY_METADATA, entry.keyMetadata().map(ByteBuffer::wrap).orElse(null));
        for (TrackedField field : schema.fields().values()) {
            if (field.inKey() || fieldIds.contains(field.fieldId())) {
                writeStats(writer, field, entry.contentStats().get(field.fieldId()));
            }
        }
    }

    private static void writeStats(ColumnarParquetWriter writer, TrackedField field, @Nullable FieldStats stats)
    {
        boolean known = stats != null;
        append(writer, field.memberId(LOWER_BOUND), known ? stats.lower().orElse(null) : null);
        append(writer, field.memberId(UPPER_BOUND), known ? stats.upper().orElse(null) : null);
        append(writer, field.memberId(TIGHT_BOUNDS), known ? stats.tightBounds() : null);
        append(writer, field.memberId(VALUE_COUNT), known ? orNull(stats.valueCount()) : null);
        if (field.isOptional()) {
            append(writer, field.memberId(NULL_VALUE_COUNT), known ? orNull(stats.nullValueCount()) : null);
        }
        if (field.hasNanCount()) {
            append(writer, field.memberId(NAN_VALUE_COUNT), known ? orNull(stats.nanValueCount()) : null);
        }
        if (field.hasVariableLength()) {
            append(writer, field.memberId(AVERAGE_VALUE_SIZE), known && stats.averageSize().isPresent() ? stats.averageSize().getAsInt() : null);
        }
        if (field.inKey()) {
            append(writer, field.memberId(GROUP_MAX_VALUE), known ? stats.groupMax().orElse(null) : null);
        }
    }

    private void checkOrder(List<TrackingEntry> entries)
    {
        byte[] previous = null;
        for (TrackingEntry entry : entries) {
            KeyBuffer buffer = new KeyBuffer();
            for (int i = 0; i < schema.keyFields().size(); i++) {
                TrackedField field = schema.keyFields().get(i);
                FieldStats stats = entry.contentStats().get(field.fieldId());
                checkArgument(stats != null, "key field %s has no statistics in the entry of %s", field.fieldId(), entry.file().location());
                schema.keyEncoding().encodeValue(i, stats.groupMax().orElse(null), buffer);
            }
            byte[] groupMax = buffer.toByteArray();
            checkArgument(previous == null || Arrays.compareUnsigned(previous, groupMax) <= 0, "the entry of %s is not in index order", entry.file().location());
            previous = groupMax;
        }
    }

    @Nullable
    private static Long orNull(OptionalLong value)
    {
        return value.isPresent() ? value.getAsLong() : null;
    }

    private static void append(ColumnarParquetWriter writer, int fieldId, @Nullable Object value)
    {
        writer.column(fieldId).append(value);
    }
}
