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

import io.airlift.slice.Slice;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.refresh.EntryEncoder.EntrySink;
import io.sextant.index.region.RegionFileReader;
import io.sextant.index.region.RegionSchema;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import org.apache.iceberg.types.Types.NestedField;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Arrays.compareUnsigned;
import static java.util.Objects.requireNonNull;

/// Reads regions, checks that their entries stand where the tracking file says, and passes the entries on. Used by one thread.
final class RegionVerifier
{
    private final RegionFileReader reader;
    private final IndexedTable table;
    private final RegionSchema schema;
    private final DataFilePaths paths;
    private final ExtractFindings findings;
    private final BuildProgress progress;
    private final List<NestedField> columns;
    private final KeyEncoding entryEncoding;
    private final KeyEncoding keyEncoding;
    private final int[] keyChannels;
    private final int fileChannel;
    private final Map<Slice, OptionalInt> ordinals = new HashMap<>();

    private final KeyBuffer entry = new KeyBuffer();
    private final KeyBuffer key = new KeyBuffer();
    private byte[] previousKey = new byte[0];
    private boolean first;

    RegionVerifier(RegionFileReader reader, IndexedTable table, RegionSchema schema, DataFilePaths paths, ExtractFindings findings, BuildProgress progress)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.table = requireNonNull(table, "table is null");
        this.schema = requireNonNull(schema, "schema is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.findings = requireNonNull(findings, "findings is null");
        this.progress = requireNonNull(progress, "progress is null");
        this.columns = RegionFileReader.storedColumns(schema);
        this.entryEncoding = schema.entryEncoding();
        this.keyEncoding = KeyEncoding.of(schema.keyFieldIds().stream()
                .map(fieldId -> schema.schema().findType(fieldId))
                .collect(toImmutableList()));
        this.keyChannels = schema.keyFieldIds().stream()
                .mapToInt(schema::entryIndex)
                .toArray();
        this.fileChannel = schema.fileFieldId().isPresent() ? schema.entryIndex(schema.fileFieldId().getAsInt()) : -1;
    }

    /// @param before the region before, whose last key no key of this one may be less than
    void verify(Optional<TrackingEntry> before, TrackingEntry region, EntrySink sink)
    {
        RegionStatsVerifier stats = new RegionStatsVerifier(region, columns, findings);
        Optional<byte[]> low = before.map(this::lastKey);
        byte[] high = lastKey(region);
        first = true;
        try (ConnectorPageSource pages = reader.open(table.session(), table.credentials(), newSimpleAggregatedMemoryContext(), schema, region.file())) {
            while (!pages.isFinished()) {
                progress.checkpoint();
                SourcePage page = pages.getNextSourcePage();
                if (page != null) {
                    verify(page, low, high, region, stats, sink);
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        stats.finish();
        if (first || compareUnsigned(previousKey, high) != 0) {
            findings.addWrongRegion(region.file().location(), "group_max_value is not the last key");
        }
    }

    private void verify(SourcePage page, Optional<byte[]> low, byte[] high, TrackingEntry region, RegionStatsVerifier stats, EntrySink sink)
    {
        Block[] blocks = new Block[columns.size()];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = page.getBlock(i);
        }
        stats.add(blocks, page.getPositionCount());
        for (int position = 0; position < page.getPositionCount(); position++) {
            boolean known = encode(blocks, position, region);
            key.reset();
            for (int i = 0; i < keyChannels.length; i++) {
                keyEncoding.encode(i, blocks[keyChannels[i]], position, key);
            }
            byte[] currentKey = key.toByteArray();
            if (known) {
                sink.accept(entry.array(), 0, entry.length());
                place(currentKey, low, high).ifPresent(place -> findings.addMisplaced(entry.toByteArray(), "%s in %s".formatted(place, region.file().location())));
            }
            previousKey = currentKey;
            first = false;
        }
    }

    private Optional<String> place(byte[] currentKey, Optional<byte[]> low, byte[] high)
    {
        if (!first && compareUnsigned(currentKey, previousKey) < 0) {
            return Optional.of("after a greater key");
        }
        if (low.isPresent() && compareUnsigned(currentKey, low.orElseThrow()) < 0) {
            return Optional.of("below the last key of the region before");
        }
        if (compareUnsigned(currentKey, high) > 0) {
            return Optional.of("above the group_max_value");
        }
        return Optional.empty();
    }

    /// Whether the snapshot has the data file of the entry.
    private boolean encode(Block[] blocks, int position, TrackingEntry region)
    {
        entry.reset();
        for (int i = 0; i < blocks.length; i++) {
            if (i != fileChannel) {
                entryEncoding.encode(i, blocks[i], position, entry);
                continue;
            }
            if (blocks[i].isNull(position)) {
                findings.addForeign("null", region.file().location());
                return false;
            }
            Slice path = VARCHAR.getSlice(blocks[i], position);
            OptionalInt ordinal = ordinals.computeIfAbsent(path, unknown -> paths.find(unknown.toStringUtf8()));
            if (ordinal.isEmpty()) {
                findings.addForeign(path.toStringUtf8(), region.file().location());
                return false;
            }
            entryEncoding.encodeValue(i, ordinal.getAsInt(), entry);
        }
        return true;
    }

    private byte[] lastKey(TrackingEntry region)
    {
        KeyBuffer buffer = new KeyBuffer();
        for (int i = 0; i < schema.keyFieldIds().size(); i++) {
            keyEncoding.encodeValue(i, region.contentStats().get(schema.keyFieldIds().get(i)).groupMax().orElse(null), buffer);
        }
        return buffer.toByteArray();
    }
}
