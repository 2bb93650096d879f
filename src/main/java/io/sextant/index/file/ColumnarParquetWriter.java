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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import io.sextant.index.file.ColumnChunkEncoder.EncodedChunk;
import io.sextant.index.file.ColumnChunkEncoder.EncodedDictionary;
import org.apache.iceberg.Schema;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static java.util.function.Function.identity;
import static org.apache.parquet.format.Encoding.PLAIN;
import static org.apache.parquet.format.Encoding.RLE;
import static org.apache.parquet.schema.Type.Repetition.OPTIONAL;

/// Writes one Parquet file in memory, column by column: the caller fills the buffer of each column, ends the row group, and
/// so on. Columns are primitive, alone or in structs that are required; there are no lists and maps.
///
/// Each row group has one data page (version 1) per column, compressed with ZSTD where that makes it smaller. The same values
/// always give the same bytes. Not thread-safe.
public final class ColumnarParquetWriter
{
    // Packed numbers without order cannot be compressed, which shows in a small part of them
    private static final int SAMPLE_SIZE = 8 * 1024;
    private static final double WORTHWHILE_RATIO = 0.95;

    private static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);
    private static final int FORMAT_VERSION = 1;
    // Readers skip the statistics of writers whose name and version they cannot tell
    private static final String CREATED_BY = "sextant version 1 (build 1)";

    private final MessageType messageType;
    private final List<Column> columns;
    private final Map<Integer, Column> columnsById;
    private final Map<String, String> keyValueMetadata;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final List<RowGroup> rowGroups = new ArrayList<>();
    private final CheckedOutputStream chunkOutput = new CheckedOutputStream(output, new CRC32C());
    private final List<Integer> chunkChecksums = new ArrayList<>();
    // The implementation in Java gives the same bytes on every machine, and a checksum with each page
    private final ZstdJavaCompressor compressor = new ZstdJavaCompressor();
    private long rowCount;
    private boolean finished;

    /// @param statisticsFieldIds fields whose chunks get statistics; they are searched, so they have no dictionary
    /// @param ordinalColumns string fields that are given as ordinals, with the string of each ordinal
    public ColumnarParquetWriter(Schema schema, Set<Integer> statisticsFieldIds, Map<Integer, IntFunction<String>> ordinalColumns, Map<String, String> keyValueMetadata)
    {
        requireNonNull(schema, "schema is null");
        requireNonNull(statisticsFieldIds, "statisticsFieldIds is null");
        requireNonNull(ordinalColumns, "ordinalColumns is null");
        this.keyValueMetadata = ImmutableSortedMap.copyOf(keyValueMetadata);
        this.messageType = ParquetSchemaUtil.convert(schema, "table");
        checkNames(messageType);
        this.columns = messageType.getColumns().stream()
                .map(descriptor -> column(descriptor, schema, statisticsFieldIds, ordinalColumns))
                .collect(toImmutableList());
        this.columnsById = columns.stream().collect(toImmutableMap(Column::fieldId, identity()));
        output.writeBytes(MAGIC);
    }

    /// Whether the footer is that of a file that this class has written.
    static boolean isWriterOf(FileMetaData footer)
    {
        return CREATED_BY.equals(footer.getCreated_by());
    }

    /// Where the column chunks of a file that this class has written end; the footer follows.
    static long endOfChunks(FileMetaData footer)
    {
        if (footer.getRow_groups().isEmpty()) {
            return MAGIC.length;
        }
        RowGroup last = footer.getRow_groups().getLast();
        return last.getFile_offset() + last.getTotal_compressed_size();
    }

    private static Column column(ColumnDescriptor descriptor, Schema schema, Set<Integer> statisticsFieldIds, Map<Integer, IntFunction<String>> ordinalColumns)
    {
        PrimitiveType parquetType = descriptor.getPrimitiveType();
        boolean isOptional = parquetType.isRepetition(OPTIONAL);
        checkArgument(descriptor.getMaxRepetitionLevel() == 0, "column is in a list or map: %s", descriptor);
        checkArgument(descriptor.getMaxDefinitionLevel() == (isOptional ? 1 : 0), "column is in an optional struct: %s", descriptor);
        int fieldId = parquetType.getId().intValue();
        Type.PrimitiveType type = schema.findType(fieldId).asPrimitiveType();
        boolean hasStatistics = statisticsFieldIds.contains(fieldId);
        return new Column(
                fieldId,
                parquetType,
                ImmutableList.copyOf(descriptor.getPath()),
                hasStatistics,
                buffer(type, parquetType, Optional.ofNullable(ordinalColumns.get(fieldId))),
                new ColumnChunkEncoder(parquetType, isOptional, !hasStatistics));
    }

    private static ColumnBuffer buffer(Type.PrimitiveType type, PrimitiveType parquetType, Optional<IntFunction<String>> strings)
    {
        if (strings.isPresent()) {
            checkArgument(type.typeId() == Type.TypeID.STRING, "ordinals stand for strings, not for %s", type);
            return new OrdinalColumnBuffer(strings.orElseThrow());
        }
        return switch (parquetType.getPrimitiveTypeName()) {
            case BOOLEAN, INT32, FLOAT -> new LongColumnBuffer(type, true);
            case INT64, DOUBLE -> new LongColumnBuffer(type, false);
            case BINARY -> new BytesColumnBuffer(type, OptionalInt.empty());
            case FIXED_LEN_BYTE_ARRAY -> new BytesColumnBuffer(type, OptionalInt.of(parquetType.getTypeLength()));
            case INT96 -> throw new IllegalArgumentException("No column is written as INT96");
        };
    }

    // Trino takes the names of Parquet columns in lower case
    private static void checkNames(GroupType group)
    {
        Set<String> names = new HashSet<>();
        for (org.apache.parquet.schema.Type field : group.getFields()) {
            checkArgument(names.add(field.getName().toLowerCase(ENGLISH)), "two columns differ in case only: %s", field.getName());
            if (!field.isPrimitive()) {
                checkNames(field.asGroupType());
            }
        }
    }

    /// A buffer for values that have a type but no column, to be summarized as those of a column are.
    public static ColumnBuffer bufferFor(Type.PrimitiveType type)
    {
        Schema schema = new Schema(org.apache.iceberg.types.Types.NestedField.optional(1, "value", type));
        return buffer(type, ParquetSchemaUtil.convert(schema, "table").getColumns().getFirst().getPrimitiveType(), Optional.empty());
    }

    /// The buffer of a column, to be filled with as many values as every other column has. It stays the same for all row
    /// groups of the file.
    public ColumnBuffer column(int fieldId)
    {
        Column column = columnsById.get(fieldId);
        checkArgument(column != null, "no column has field ID %s", fieldId);
        return column.buffer();
    }

    /// Bytes of the row groups that have ended.
    public long writtenSizeInBytes()
    {
        return output.size();
    }

    /// Rows of the row groups that have ended.
    public long writtenRowCount()
    {
        return rowCount;
    }

    /// About the memory that the values of the current row group take.
    public long bufferedSizeInBytes()
    {
        return columns.stream().map(Column::buffer).mapToLong(ColumnBuffer::sizeInBytes).sum();
    }

    /// Writes the row group that the buffers hold and empties them. Without rows it does nothing.
    public void endRowGroup()
    {
        checkState(!finished, "the file is finished");
        int rows = columns.getFirst().buffer().rowCount();
        for (Column column : columns) {
            checkState(column.buffer().rowCount() == rows, "column %s has %s rows, another has %s", column.path(), column.buffer().rowCount(), rows);
            checkState(column.parquetType().isRepetition(OPTIONAL) || column.buffer().nullCount() == 0, "column %s has a null, but is required", column.path());
        }
        if (rows == 0) {
            return;
        }
        long start = output.size();
        long uncompressedSize = 0;
        List<ColumnChunk> chunks = new ArrayList<>(columns.size());
        for (Column column : columns) {
            ColumnChunk chunk = writeChunk(column);
            uncompressedSize += chunk.getMeta_data().getTotal_uncompressed_size();
            chunks.add(chunk);
            column.buffer().reset();
        }
        RowGroup rowGroup = new RowGroup(chunks, uncompressedSize, rows);
        rowGroup.setFile_offset(start);
        rowGroup.setTotal_compressed_size(output.size() - start);
        if (rowGroups.size() <= Short.MAX_VALUE) {
            rowGroup.setOrdinal((short) rowGroups.size());
        }
        rowGroups.add(rowGroup);
        rowCount += rows;
    }

    /// Ends the last row group and returns the whole file, which may be stored under any name. The writer is of no use
    /// afterwards.
    public byte[] finish()
    {
        return finish(Optional.empty());
    }

    /// Ends the last row group and returns the whole file. The writer is of no use afterwards.
    ///
    /// @param fileName the last part of the location where the file will be; under another it counts as damaged
    public byte[] finish(String fileName)
    {
        return finish(Optional.of(fileName));
    }

    private byte[] finish(Optional<String> fileName)
    {
        endRowGroup();
        finished = true;
        FileMetaData footer = new FileMetaData(FORMAT_VERSION, ParquetSchemaElements.of(messageType), rowCount, rowGroups);
        footer.setCreated_by(CREATED_BY);
        footer.setColumn_orders(columns.stream()
                .map(_ -> ColumnOrder.TYPE_ORDER(new TypeDefinedOrder()))
                .collect(toImmutableList()));
        footer.setKey_value_metadata(keyValueMetadata.entrySet().stream()
                .map(entry -> new KeyValue(entry.getKey()).setValue(entry.getValue()))
                .collect(toImmutableList()));
        FileSeal.apply(footer, chunkChecksums, fileName);
        int start = output.size();
        try {
            Util.writeFileMetaData(footer, output);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        output.writeBytes(ByteBuffer.allocate(Integer.BYTES).order(LITTLE_ENDIAN).putInt(output.size() - start).array());
        output.writeBytes(MAGIC);
        return output.toByteArray();
    }

    private ColumnChunk writeChunk(Column column)
    {
        ColumnBuffer buffer = column.buffer();
        EncodedChunk encoded = column.encoder().encode(buffer);
        Encoding encoding = Encoding.valueOf(encoded.encoding().name());
        boolean isCompressed = encoded.dictionary().isPresent() || isCompressible(encoded.data());

        int start = output.size();
        chunkOutput.getChecksum().reset();
        long headerSize = 0;
        long uncompressedSize = 0;
        ImmutableList.Builder<PageEncodingStats> encodingStats = ImmutableList.builder();
        if (encoded.dictionary().isPresent()) {
            EncodedDictionary dictionary = encoded.dictionary().orElseThrow();
            PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, dictionary.data().length, 0);
            header.setDictionary_page_header(new DictionaryPageHeader(dictionary.valueCount(), PLAIN));
            headerSize += writePage(header, dictionary.data(), isCompressed);
            uncompressedSize += dictionary.data().length;
            encodingStats.add(new PageEncodingStats(PageType.DICTIONARY_PAGE, PLAIN, 1));
        }
        int dataPageStart = output.size();
        PageHeader header = new PageHeader(PageType.DATA_PAGE, encoded.data().length, 0);
        header.setData_page_header(new DataPageHeader(buffer.rowCount(), encoding, RLE, RLE));
        headerSize += writePage(header, encoded.data(), isCompressed);
        uncompressedSize += encoded.data().length;
        encodingStats.add(new PageEncodingStats(PageType.DATA_PAGE, encoding, 1));

        ColumnMetaData metadata = new ColumnMetaData(
                ParquetSchemaElements.physicalType(column.parquetType().getPrimitiveTypeName()),
                encoded.dictionary().isPresent() ? ImmutableList.of(RLE, PLAIN, encoding) : ImmutableList.of(RLE, encoding),
                column.path(),
                isCompressed ? CompressionCodec.ZSTD : CompressionCodec.UNCOMPRESSED,
                buffer.rowCount(),
                headerSize + uncompressedSize,
                output.size() - start,
                dataPageStart);
        if (encoded.dictionary().isPresent()) {
            metadata.setDictionary_page_offset(start);
        }
        if (column.hasStatistics()) {
            metadata.setStatistics(ChunkStatistics.of(column.parquetType(), buffer.summarize()));
        }
        metadata.setEncoding_stats(encodingStats.build());
        chunkChecksums.add((int) chunkOutput.getChecksum().getValue());
        return new ColumnChunk(start).setMeta_data(metadata);
    }

    private boolean isCompressible(byte[] page)
    {
        if (page.length <= 2 * SAMPLE_SIZE) {
            return true;
        }
        byte[] compressed = new byte[compressor.maxCompressedLength(SAMPLE_SIZE)];
        int compressedSize = compressor.compress(page, (page.length - SAMPLE_SIZE) / 2, SAMPLE_SIZE, compressed, 0, compressed.length);
        return compressedSize < WORTHWHILE_RATIO * SAMPLE_SIZE;
    }

    // Returns the size of the header
    private int writePage(PageHeader header, byte[] page, boolean isCompressed)
    {
        byte[] content = page;
        int size = page.length;
        if (isCompressed) {
            content = new byte[compressor.maxCompressedLength(page.length)];
            size = compressor.compress(page, 0, page.length, content, 0, content.length);
        }
        header.setCompressed_page_size(size);
        int start = output.size();
        try {
            Util.writePageHeader(header, chunkOutput);
            chunkOutput.write(content, 0, size);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return output.size() - start - size;
    }

    private record Column(int fieldId, PrimitiveType parquetType, List<String> path, boolean hasStatistics, ColumnBuffer buffer, ColumnChunkEncoder encoder) {}
}
