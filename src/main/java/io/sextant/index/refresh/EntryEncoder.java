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
package io.sextant.index.refresh;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slices;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.region.RegionSchema;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/// Turns pages of a table into entries: it says which columns the pages must have, and encodes each row.
/// Not thread-safe; it is made for one thread that reads.
public class EntryEncoder
{
    private static final int NO_CHANNEL = -1;

    private final RegionSchema schema;
    private final Map<Integer, Integer> sourceIds;
    private final Map<Integer, FieldFunction> functions;
    private final KeyEncoding encoding;
    private final List<NestedField> fields;
    private final List<IcebergColumnHandle> columns;
    private final int[] channels;
    private final Block[] blocks;
    private final KeyBuffer entry = new KeyBuffer();

    /// Takes the encoded entries; the bytes are lent for the time of the call.
    @FunctionalInterface
    public interface EntrySink
    {
        void accept(byte[] entry, int offset, int length);
    }

    /// Fails with INDEX_INVALID_DEFINITION if the table has no such source, or one of another type.
    ///
    /// @param tableSchema the schema of the indexed snapshot
    /// @param sourceIds for every identity column, by its ID, the ID of the table field or metadata column that it copies
    /// @param functions for every stats-only field, by its ID, how it is computed
    public EntryEncoder(RegionSchema schema, Schema tableSchema, Map<Integer, Integer> sourceIds, Map<Integer, FieldFunction> functions, TypeManager typeManager)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.sourceIds = requireNonNull(sourceIds, "sourceIds is null");
        this.functions = requireNonNull(functions, "functions is null");
        this.encoding = schema.entryEncoding();
        this.fields = schema.entryColumns();
        for (Map.Entry<Integer, Integer> source : sourceIds.entrySet()) {
            checkArgument(isFile(source.getKey()) == (source.getValue() == MetadataColumns.FILE_PATH.fieldId()), "column %s and the data file's path do not belong together", source.getKey());
        }
        this.channels = new int[fields.size()];
        this.blocks = new Block[fields.size()];

        Map<IcebergColumnHandle, Integer> channelsByColumn = new HashMap<>();
        Set<IcebergColumnHandle> distinctColumns = new LinkedHashSet<>();
        for (int i = 0; i < channels.length; i++) {
            channels[i] = NO_CHANNEL;
            if (isRead(fields.get(i))) {
                IcebergColumnHandle column = sourceColumn(fields.get(i), tableSchema, typeManager);
                distinctColumns.add(column);
                channels[i] = channelsByColumn.computeIfAbsent(column, _ -> channelsByColumn.size());
            }
        }
        this.columns = ImmutableList.copyOf(distinctColumns);
    }

    private boolean isRead(NestedField field)
    {
        if (functions.containsKey(field.fieldId())) {
            return false;
        }
        int sourceId = sourceIds.get(field.fieldId());
        return sourceId != MetadataColumns.FILE_PATH.fieldId() && sourceId != MetadataColumns.SPEC_ID.fieldId();
    }

    private IcebergColumnHandle sourceColumn(NestedField field, Schema tableSchema, TypeManager typeManager)
    {
        int sourceId = sourceIds.get(field.fieldId());
        // Deletes are applied by columns that must equal these exactly
        if (sourceId == MetadataColumns.ROW_POSITION.fieldId()) {
            return IcebergUtil.getColumnHandle(MetadataColumns.ROW_POSITION, typeManager);
        }
        if (sourceId == MetadataColumns.ROW_ID.fieldId()) {
            return IcebergColumnHandle.rowIdColumnHandle();
        }
        if (sourceId == MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER.fieldId()) {
            return IcebergColumnHandle.lastUpdatedSequenceNumberColumnHandle();
        }
        Type sourceType = tableSchema.findType(sourceId);
        if (sourceType == null) {
            throw new TrinoException(INDEX_INVALID_DEFINITION, "The source of index column %s (field %s) is not in the table's schema any more; drop the index".formatted(field.name(), sourceId));
        }
        if (!sourceType.equals(field.type())) {
            throw new TrinoException(INDEX_INVALID_DEFINITION, "Index column %s has type %s, its source %s has %s".formatted(field.name(), field.type(), tableSchema.findColumnName(sourceId), sourceType));
        }
        return IcebergUtil.getProjectedColumns(tableSchema, typeManager, Set.of(sourceId)).getFirst();
    }

    /// The columns that pages must have, in this order.
    public List<IcebergColumnHandle> columns()
    {
        return columns;
    }

    /// The place of the row's position among the columns.
    int positionChannel()
    {
        return channels[schema.entryIndex(schema.positionFieldId().orElseThrow())];
    }

    /// Encodes every row of a page of one data file.
    ///
    /// @param fileOrdinal the data file's place among all data files in the order of their paths
    public void encode(SourcePage page, String path, int fileOrdinal, int specId, EntrySink sink)
    {
        int positionCount = page.getPositionCount();
        for (int i = 0; i < channels.length; i++) {
            blocks[i] = channels[i] == NO_CHANNEL ? null : page.getBlock(channels[i]);
        }
        for (int i = 0; i < channels.length; i++) {
            int fieldId = fields.get(i).fieldId();
            if (functions.containsKey(fieldId)) {
                blocks[i] = functions.get(fieldId).compute(id -> identityColumn(id, path, specId, positionCount), positionCount);
            }
            else if (channels[i] == NO_CHANNEL) {
                // A file stands in an entry as its ordinal
                int value = isFile(fieldId) ? fileOrdinal : specId;
                blocks[i] = RunLengthEncodedBlock.create(writeNativeValue(INTEGER, (long) value), positionCount);
            }
        }
        for (int position = 0; position < positionCount; position++) {
            entry.reset();
            for (int i = 0; i < blocks.length; i++) {
                encoding.encode(i, blocks[i], position, entry);
            }
            sink.accept(entry.array(), 0, entry.length());
        }
    }

    private Block identityColumn(int fieldId, String path, int specId, int positionCount)
    {
        int index = schema.entryIndex(fieldId);
        if (channels[index] != NO_CHANNEL) {
            return blocks[index];
        }
        Block value = isFile(fieldId)
                ? writeNativeValue(VARCHAR, Slices.utf8Slice(path))
                : writeNativeValue(INTEGER, (long) specId);
        return RunLengthEncodedBlock.create(value, positionCount);
    }

    private boolean isFile(int fieldId)
    {
        return schema.fileFieldId().isPresent() && schema.fileFieldId().getAsInt() == fieldId;
    }
}
