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

import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.refresh.RetainedRows.FileRows;
import io.sextant.index.region.RegionFileReader;
import io.sextant.index.region.RegionSchema;
import io.trino.spi.block.Block;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import org.apache.iceberg.types.Types.NestedField;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;

/// The entries of one region of an earlier extract without those of removed rows, encoded anew: data files may have other
/// ordinals in the later snapshot, though in the same order.
final class RegionEntries
        extends EntrySource
{
    private final String location;
    private final ConnectorPageSource pages;
    private final RegionSchema schema;
    private final KeyEncoding encoding;
    private final Map<Integer, FieldFunction> functions;
    private final RetainedRows rows;
    private final LongConsumer removedCount;

    private final List<NestedField> columns;
    private final int[] channels;
    private final Block[] blocks;
    private int[] retained = new int[0];
    private int count;
    private int next;
    private KeyBuffer entry = new KeyBuffer();
    private KeyBuffer previous = new KeyBuffer();

    /// @param pages of the region, as [io.sextant.index.region.RegionFileReader] gives them
    /// @param removedCount told how many entries are left out, page by page
    RegionEntries(String location, ConnectorPageSource pages, RegionSchema schema, Map<Integer, FieldFunction> functions, RetainedRows rows, LongConsumer removedCount)
    {
        this.location = requireNonNull(location, "location is null");
        this.pages = requireNonNull(pages, "pages is null");
        this.schema = requireNonNull(schema, "schema is null");
        this.encoding = schema.entryEncoding();
        this.functions = requireNonNull(functions, "functions is null");
        this.rows = requireNonNull(rows, "rows is null");
        this.removedCount = requireNonNull(removedCount, "removedCount is null");
        this.columns = schema.entryColumns();
        List<Integer> stored = RegionFileReader.storedColumns(schema).stream()
                .map(NestedField::fieldId)
                .toList();
        this.channels = columns.stream()
                .mapToInt(column -> stored.indexOf(column.fieldId()))
                .toArray();
        this.blocks = new Block[channels.length];
    }

    @Override
    boolean advance()
    {
        while (next == count) {
            if (pages.isFinished()) {
                return false;
            }
            load(pages.getNextSourcePage());
        }
        KeyBuffer free = previous;
        previous = entry;
        entry = free;
        entry.reset();
        for (int i = 0; i < blocks.length; i++) {
            encoding.encode(i, blocks[i], retained[next], entry);
        }
        next++;
        array = entry.array();
        length = entry.length();
        // The merge relies on the order, and another writer need not order entries of one key as we do
        if (Arrays.compareUnsigned(previous.array(), 0, previous.length(), array, 0, length) > 0) {
            throw new NotReusableException("entries of region file %s are not in the order of key, file and position".formatted(location));
        }
        return true;
    }

    private void load(SourcePage page)
    {
        next = 0;
        count = 0;
        if (page == null) {
            return;
        }
        int positionCount = page.getPositionCount();
        Block files = page.getBlock(channels[schema.entryIndex(schema.fileFieldId().orElseThrow())]);
        Block positions = page.getBlock(channels[schema.entryIndex(schema.positionFieldId().orElseThrow())]);
        int[] ordinals = new int[positionCount];
        retained = new int[positionCount];
        for (int position = 0; position < positionCount; position++) {
            FileRows file = rows.find(files, position);
            if (file.retains(BIGINT.getLong(positions, position))) {
                ordinals[position] = file.ordinal();
                retained[count] = position;
                count++;
            }
        }
        removedCount.accept(positionCount - count);
        for (int i = 0; i < channels.length; i++) {
            int fieldId = columns.get(i).fieldId();
            if (schema.fileFieldId().orElseThrow() == fieldId) {
                blocks[i] = new IntArrayBlock(positionCount, Optional.empty(), ordinals);
            }
            else if (channels[i] >= 0) {
                blocks[i] = page.getBlock(channels[i]);
            }
            else {
                blocks[i] = functions.get(fieldId).compute(id -> page.getBlock(channels[schema.entryIndex(id)]), positionCount);
            }
        }
    }

    @Override
    byte[] commonBytes()
    {
        return new byte[0];
    }

    @Override
    public void close()
    {
        try {
            pages.close();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
