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
import io.sextant.index.file.FileSeal;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.trino.filesystem.Location;
import io.trino.parquet.AbstractParquetDataSource;
import io.trino.parquet.Column;
import io.trino.parquet.ParquetDataSource;
import io.trino.parquet.ParquetDataSourceId;
import io.trino.parquet.ParquetReaderOptions;
import io.trino.parquet.metadata.ParquetMetadata;
import io.trino.parquet.predicate.TupleDomainParquetPredicate;
import io.trino.parquet.reader.MetadataReader;
import io.trino.parquet.reader.ParquetReader;
import io.trino.parquet.reader.RowGroupInfo;
import io.trino.plugin.iceberg.ColumnIdentity;
import io.trino.plugin.iceberg.IcebergParquetColumnIOConverter;
import io.trino.plugin.iceberg.IcebergParquetColumnIOConverter.FieldContext;
import io.trino.spi.block.Block;
import io.trino.spi.block.SqlRow;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.RowType;
import io.trino.spi.type.TypeManager;
import jakarta.annotation.Nullable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.parquet.ParquetTypeUtils.getColumnIO;
import static io.trino.parquet.ParquetTypeUtils.getDescriptors;
import static io.trino.parquet.ParquetTypeUtils.lookupColumnById;
import static io.trino.parquet.predicate.PredicateUtils.getFilteredRowGroups;
import static io.trino.plugin.iceberg.TypeConverter.toTrinoType;
import static java.util.Objects.requireNonNull;
import static org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit.NANOS;
import static org.joda.time.DateTimeZone.UTC;

/// Reads a Parquet file by Trino's reader.
final class ParquetTrackingRows
        implements TrackingRows
{
    private static final ParquetReaderOptions OPTIONS = ParquetReaderOptions.defaultOptions();

    private final ParquetDataSource dataSource;
    private final TypeManager typeManager;
    private final ParquetMetadata metadata;
    private final MessageType messageType;
    private final Schema schema;

    ParquetTrackingRows(String location, byte[] content, TypeManager typeManager)
            throws IOException
    {
        this.dataSource = new MemoryDataSource(location, content);
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        metadata = MetadataReader.readFooter(dataSource, OPTIONS, Optional.empty(), Optional.empty());
        Optional<String> problem = FileSeal.findProblem(metadata.getParquetMetadata(), content, Location.of(location).fileName());
        if (problem.isPresent()) {
            throw TrackingFileReader.corrupt(location, problem.orElseThrow());
        }
        messageType = metadata.getFileMetaData().getSchema();
        schema = new Schema(withTypes(ParquetSchemaUtil.convertAndPrune(messageType).asStruct(), annotatedTypes(messageType)).fields());
    }

    @Override
    public Schema schema()
    {
        return schema;
    }

    @Override
    public Map<String, String> metadata()
    {
        return metadata.getFileMetaData().getKeyValueMetaData();
    }

    @Override
    public long rowCount()
            throws IOException
    {
        FileMetaData footer = metadata.getParquetMetadata();
        long rows = 0;
        for (RowGroup rowGroup : footer.getRow_groups()) {
            for (ColumnChunk chunk : rowGroup.getColumns()) {
                if (rowGroup.getNum_rows() <= 0 || chunk.getMeta_data().getNum_values() != rowGroup.getNum_rows()) {
                    throw new IOException("A row group has %s rows, and a column of it %s values".formatted(rowGroup.getNum_rows(), chunk.getMeta_data().getNum_values()));
                }
            }
            rows += rowGroup.getNum_rows();
        }
        if (rows != footer.getNum_rows()) {
            throw new IOException("The footer says %s rows, and its row groups %s".formatted(footer.getNum_rows(), rows));
        }
        return rows;
    }

    @Override
    public void read(Schema columns, Consumer<Row> consumer)
            throws IOException
    {
        MessageType requested = ParquetSchemaUtil.pruneColumns(messageType, columns);
        MessageColumnIO columnIo = getColumnIO(messageType, requested);
        List<Column> readerColumns = new ArrayList<>();
        Map<Integer, ColumnAccess> accesses = new HashMap<>();
        for (NestedField column : columns.columns()) {
            io.trino.spi.type.Type type = toTrinoType(column.type(), typeManager);
            ColumnIdentity identity = ColumnIdentity.createColumnIdentity(column);
            IcebergParquetColumnIOConverter.constructField(new FieldContext(type, identity), lookupColumnById(columnIo, column.fieldId())).ifPresent(field -> {
                accesses.put(column.fieldId(), ColumnAccess.of(column, type, readerColumns.size()));
                readerColumns.add(new Column(column.name(), field));
            });
        }
        Map<Integer, ColumnAccess> allAccesses = withMembers(accesses, columns);
        try (ParquetReader reader = reader(requested, readerColumns)) {
            for (SourcePage page = reader.nextPage(); page != null; page = reader.nextPage()) {
                List<Block> blocks = new ArrayList<>();
                for (int channel = 0; channel < readerColumns.size(); channel++) {
                    blocks.add(page.getBlock(channel));
                }
                for (int position = 0; position < page.getPositionCount(); position++) {
                    int row = position;
                    consumer.accept(fieldId -> requireNonNull(allAccesses.get(fieldId), "access is null").value(blocks, row));
                }
            }
        }
    }

    private ParquetReader reader(MessageType requested, List<Column> columns)
            throws IOException
    {
        Map<List<String>, ColumnDescriptor> descriptors = getDescriptors(messageType, requested);
        List<RowGroupInfo> rowGroups = getFilteredRowGroups(
                0,
                dataSource.getEstimatedSize(),
                dataSource,
                metadata,
                ImmutableList.of(TupleDomain.all()),
                ImmutableList.of(new TupleDomainParquetPredicate(TupleDomain.all(), ImmutableList.of(), UTC)),
                descriptors,
                UTC,
                1,
                OPTIONS);
        return new ParquetReader(
                Optional.ofNullable(metadata.getFileMetaData().getCreatedBy()),
                columns,
                false,
                rowGroups,
                dataSource,
                UTC,
                newSimpleAggregatedMemoryContext(),
                OPTIONS,
                e -> new IllegalArgumentException(e.getMessage(), e),
                Optional.empty(),
                Optional.empty(),
                metadata.getDecryptionContext());
    }

    /// The types that Iceberg's own conversion does not tell from others, by the ID of the column.
    private static Map<Integer, Type> annotatedTypes(MessageType messageType)
    {
        ImmutableMap.Builder<Integer, Type> types = ImmutableMap.builder();
        for (ColumnDescriptor column : messageType.getColumns()) {
            PrimitiveType type = column.getPrimitiveType();
            if (type.getId() == null) {
                continue;
            }
            switch (type.getLogicalTypeAnnotation()) {
                case UUIDLogicalTypeAnnotation _ -> types.put(type.getId().intValue(), Types.UUIDType.get());
                case TimestampLogicalTypeAnnotation timestamp when timestamp.getUnit() == NANOS -> types.put(type.getId().intValue(), timestamp.isAdjustedToUTC() ? Types.TimestampNanoType.withZone() : Types.TimestampNanoType.withoutZone());
                case null, default -> {}
            }
        }
        return types.buildOrThrow();
    }

    private static Types.StructType withTypes(Types.StructType struct, Map<Integer, Type> types)
    {
        return Types.StructType.of(struct.fields().stream()
                .map(field -> {
                    Type type = field.type() instanceof Types.StructType nested ? withTypes(nested, types) : types.getOrDefault(field.fieldId(), field.type());
                    return NestedField.from(field).ofType(type).build();
                })
                .collect(toImmutableList()));
    }

    private static Map<Integer, ColumnAccess> withMembers(Map<Integer, ColumnAccess> accesses, Schema columns)
    {
        Map<Integer, ColumnAccess> all = new HashMap<>(accesses);
        columns.columns().forEach(column -> {
            if (accesses.containsKey(column.fieldId())) {
                addMembers(accesses.get(column.fieldId()), all);
            }
        });
        return all;
    }

    private static void addMembers(ColumnAccess parent, Map<Integer, ColumnAccess> all)
    {
        if (!parent.field().type().isStructType()) {
            return;
        }
        List<NestedField> members = parent.field().type().asStructType().fields();
        RowType rowType = (RowType) parent.trinoType();
        for (int i = 0; i < members.size(); i++) {
            ColumnAccess member = ColumnAccess.member(parent, members.get(i), rowType.getFieldTypes().get(i), i);
            all.put(members.get(i).fieldId(), member);
            addMembers(member, all);
        }
    }

    /// The way from the blocks of a page to the value of a column.
    ///
    /// @param path the channel, then the index of the member in each struct
    private record ColumnAccess(NestedField field, io.trino.spi.type.Type trinoType, List<Integer> path, List<RowType> structs, Optional<KeyEncoding> encoding)
    {
        static ColumnAccess of(NestedField field, io.trino.spi.type.Type trinoType, int channel)
        {
            return new ColumnAccess(field, trinoType, ImmutableList.of(channel), ImmutableList.of(), encoding(field));
        }

        static ColumnAccess member(ColumnAccess parent, NestedField field, io.trino.spi.type.Type trinoType, int index)
        {
            return new ColumnAccess(
                    field,
                    trinoType,
                    ImmutableList.<Integer>builder().addAll(parent.path()).add(index).build(),
                    ImmutableList.<RowType>builder().addAll(parent.structs()).add((RowType) parent.trinoType()).build(),
                    encoding(field));
        }

        private static Optional<KeyEncoding> encoding(NestedField field)
        {
            return field.type().isPrimitiveType() ? Optional.of(KeyEncoding.of(ImmutableList.of(field.type()))) : Optional.empty();
        }

        @Nullable
        Object value(List<Block> blocks, int row)
        {
            Block block = blocks.get(path.getFirst());
            int position = row;
            for (int depth = 0; depth < structs.size(); depth++) {
                if (block.isNull(position)) {
                    return null;
                }
                SqlRow struct = structs.get(depth).getObject(block, position);
                block = struct.getRawFieldBlock(path.get(depth + 1));
                position = struct.getRawIndex();
            }
            if (block.isNull(position)) {
                return null;
            }
            if (encoding.isEmpty()) {
                return field;
            }
            KeyBuffer buffer = new KeyBuffer();
            encoding.orElseThrow().encode(0, block, position, buffer);
            return encoding.orElseThrow().decodeValue(0, buffer.toByteArray(), 0);
        }
    }

    private static final class MemoryDataSource
            extends AbstractParquetDataSource
    {
        private final byte[] content;

        private MemoryDataSource(String location, byte[] content)
        {
            super(new ParquetDataSourceId(location), content.length, OPTIONS);
            this.content = requireNonNull(content, "content is null");
        }

        @Override
        protected void readInternal(long position, byte[] buffer, int bufferOffset, int bufferLength)
                throws IOException
        {
            if (position < 0 || position > content.length - bufferLength) {
                throw new IOException("Bytes %s to %s are not in the file".formatted(position, position + bufferLength));
            }
            System.arraycopy(content, (int) position, buffer, bufferOffset, bufferLength);
        }

        @Override
        public void close() {}
    }
}
