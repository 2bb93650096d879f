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
package io.sextant.index.region;

import com.google.common.collect.ImmutableMap;
import io.sextant.index.file.ColumnBuffer;
import io.sextant.index.file.ColumnarParquetWriter;
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;
import io.sextant.index.file.NewFile;
import io.sextant.index.file.OrdinalColumnBuffer;
import io.sextant.index.key.KeyEncoding;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.spi.TrinoException;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.Types.NestedField;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/// Writes one region file in memory, from encoded entries that come in index order.
///
/// The file is Parquet with the identity columns under their field IDs, one page per column and row group. The paths of a
/// row group's data files are its dictionary, so a row group is the larger the more data files there are: a look-up reads
/// one row group, and the region holds the path of a data file once per row group.
public final class RegionFileWriter
{
    /// Key of the file's metadata under which the extract schema stands that the file was written with, as Iceberg JSON.
    public static final String EXTRACT_SCHEMA_KEY = "sextant.extract-schema";

    private static final int MIN_ROW_GROUP_ENTRIES = 32 * 1024;
    private static final int MAX_ROW_GROUP_ENTRIES = 128 * 1024;
    private static final int ROW_GROUP_ENTRIES_PER_FILE = 16;
    private static final long MAX_ROW_GROUP_BYTES = 32 * 1024 * 1024;

    private final RegionSchema schema;
    private final KeyEncoding encoding;
    private final List<NestedField> entryColumns;
    private final IntFunction<String> paths;
    private final ColumnarParquetWriter writer;
    private final ColumnBuffer[] buffers;
    private final FieldStatsCollector[] collectors;
    private final Optional<OrdinalColumnBuffer> fileBuffer;
    private final boolean isEntryUnique;
    private byte[] lastEntry = new byte[64];
    private int lastEntryLength;
    private long recordCount;
    private int bufferedCount;
    private long bufferedBytes;

    /// @param paths the path of a data file by its ordinal in the entries; ordinals ascend with the UTF-8 bytes of the paths
    public RegionFileWriter(RegionSchema schema, IntFunction<String> paths)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.encoding = schema.entryEncoding();
        this.entryColumns = schema.entryColumns();
        // The pair of file and position names a row, and no row has two entries
        this.isEntryUnique = schema.fileFieldId().isPresent() && schema.positionFieldId().isPresent();

        Set<Integer> searchedFieldIds = schema.keyFieldIds().stream()
                .filter(fieldId -> schema.isStored(fieldId) && !schema.isFile(fieldId))
                .collect(toImmutableSet());
        this.writer = new ColumnarParquetWriter(
                schema.schema(),
                searchedFieldIds,
                schema.fileFieldId().isPresent() ? ImmutableMap.of(schema.fileFieldId().getAsInt(), paths) : ImmutableMap.of(),
                ImmutableMap.of(EXTRACT_SCHEMA_KEY, SchemaParser.toJson(schema.schema())));
        this.buffers = entryColumns.stream()
                .map(field -> schema.isStored(field.fieldId())
                        ? writer.column(field.fieldId())
                        : ColumnarParquetWriter.bufferFor(field.type().asPrimitiveType()))
                .toArray(ColumnBuffer[]::new);
        this.collectors = entryColumns.stream()
                .map(field -> new FieldStatsCollector(field, hasBounds(schema, field.fieldId())))
                .toArray(FieldStatsCollector[]::new);
        this.fileBuffer = schema.fileFieldId().stream()
                .mapToObj(fieldId -> (OrdinalColumnBuffer) writer.column(fieldId))
                .findFirst();
    }

    private static boolean hasBounds(RegionSchema schema, int fieldId)
    {
        return schema.isKey(fieldId) || schema.isFile(fieldId) || !schema.isStored(fieldId);
    }

    /// A name for a region file that no other file has.
    public static String newFileName()
    {
        return "region-" + UUID.randomUUID() + ".parquet";
    }

    /// Adds the next entry. Fails with [io.sextant.error.SextantErrorCode#INDEX_BUILD_FAILED] if it is not in its place: before
    /// the entry added last, or the same row again. After a failure the writer is of no use.
    public void add(byte[] entry, int offset, int length)
    {
        checkOrder(entry, offset, length);
        int position = offset;
        for (int i = 0; i < buffers.length; i++) {
            position = encoding.decode(i, entry, position, buffers[i]);
        }
        if (position != offset + length) {
            throw new TrinoException(INDEX_BUILD_FAILED, "An entry has %s bytes, its fields have %s".formatted(length, position - offset));
        }
        remember(entry, offset, length);
        recordCount++;
        bufferedCount++;
        bufferedBytes += length;
        if (bufferedCount >= rowGroupEntries() || bufferedBytes >= MAX_ROW_GROUP_BYTES) {
            endRowGroup();
        }
    }

    private int rowGroupEntries()
    {
        long files = fileBuffer.map(OrdinalColumnBuffer::distinctInFile).orElse(0);
        return clamp(files * ROW_GROUP_ENTRIES_PER_FILE, MIN_ROW_GROUP_ENTRIES, MAX_ROW_GROUP_ENTRIES);
    }

    /// Whether an entry has the same key as the entry added last, so that no region may begin with it unless the index
    /// splits keys.
    public boolean continuesLastKey(byte[] entry, int offset, int length)
    {
        if (recordCount == 0) {
            return false;
        }
        int keyLength = keyLength(lastEntry);
        return length >= keyLength && Arrays.equals(entry, offset, offset + keyLength, lastEntry, 0, keyLength);
    }

    private int keyLength(byte[] entry)
    {
        int end = 0;
        for (int i = 0; i < schema.keyFieldIds().size(); i++) {
            end = encoding.skip(i, entry, end);
        }
        return end;
    }

    public long recordCount()
    {
        return recordCount;
    }

    /// About the size that the file would have if it were finished now.
    public long estimatedSizeInBytes()
    {
        long written = writer.writtenSizeInBytes();
        if (writer.writtenRowCount() == 0) {
            return written + bufferedBytes / 4;
        }
        return written + bufferedCount * written / writer.writtenRowCount();
    }

    /// Writes the file, which must have at least one entry, and describes it. The writer is of no use afterwards.
    ///
    /// Fails with [io.sextant.error.SextantErrorCode#INDEX_STORAGE_ERROR] when the file cannot be written.
    public RegionFile finish(TrinoOutputFile outputFile)
    {
        checkState(recordCount > 0, "a region has at least one entry");
        endRowGroup();
        byte[] content = writer.finish(outputFile.location().fileName());
        NewFile.write(outputFile, content);
        IndexFile file = new IndexFile(outputFile.location().toString(), FileFormat.PARQUET, content.length, recordCount);
        return new RegionFile(file, stats());
    }

    private Map<Integer, FieldStats> stats()
    {
        ImmutableMap.Builder<Integer, FieldStats> stats = ImmutableMap.builder();
        int offset = 0;
        for (int i = 0; i < collectors.length; i++) {
            int fieldId = entryColumns.get(i).fieldId();
            Object last = schema.isKey(fieldId) ? encoding.decodeValue(i, lastEntry, offset) : null;
            if (last != null && schema.isFile(fieldId)) {
                last = paths.apply((Integer) last);
            }
            stats.put(fieldId, collectors[i].finish(Optional.ofNullable(last)));
            offset = encoding.skip(i, lastEntry, offset);
        }
        return stats.buildOrThrow();
    }

    private void endRowGroup()
    {
        if (bufferedCount == 0) {
            return;
        }
        for (int i = 0; i < buffers.length; i++) {
            collectors[i].add(buffers[i].summarize());
        }
        writer.endRowGroup();
        for (int i = 0; i < buffers.length; i++) {
            if (!schema.isStored(entryColumns.get(i).fieldId())) {
                buffers[i].reset();
            }
        }
        bufferedCount = 0;
        bufferedBytes = 0;
    }

    private void checkOrder(byte[] entry, int offset, int length)
    {
        if (recordCount == 0) {
            return;
        }
        int order = Arrays.compareUnsigned(lastEntry, 0, lastEntryLength, entry, offset, offset + length);
        if (order > 0 || (order == 0 && isEntryUnique)) {
            HexFormat hex = HexFormat.of();
            throw new TrinoException(INDEX_BUILD_FAILED, "Entry %s of a region is %s: %s after %s".formatted(
                    recordCount,
                    order == 0 ? "there twice" : "out of order",
                    hex.formatHex(entry, offset, offset + length),
                    hex.formatHex(lastEntry, 0, lastEntryLength)));
        }
    }

    private void remember(byte[] entry, int offset, int length)
    {
        if (lastEntry.length < length) {
            lastEntry = new byte[max(length, 2 * lastEntry.length)];
        }
        System.arraycopy(entry, offset, lastEntry, 0, length);
        lastEntryLength = length;
    }
}
