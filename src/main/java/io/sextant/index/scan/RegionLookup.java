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
package io.sextant.index.scan;

import io.airlift.slice.Slice;
import io.sextant.index.file.IndexFileReader;
import io.sextant.index.file.IndexFileScan;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.key.KeyRanges;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SourcePage;
import org.apache.iceberg.Schema;
import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Arrays.compareUnsigned;
import static java.util.Objects.requireNonNull;

/// Reads the matching entries of one region: key columns first, file and position only of what matches.
final class RegionLookup
{
    private final IndexFileReader reader;
    private final ConnectorSession session;
    private final IcebergTableCredentials credentials;
    private final EntryCollector collector;
    private final KeyRanges.Cursor cursor;
    private final LookupProjection projection;
    private final KeyEncoding keyEncoding;
    private final Schema schema;
    private final Map<Slice, Roaring64Bitmap> found = new HashMap<>();

    private byte[] previousKey = new byte[0];
    private int previousKeyLength;
    private long entries;

    RegionLookup(IndexFileReader reader, ConnectorSession session, IcebergTableCredentials credentials, IndexCandidate candidate, EntryCollector collector)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.session = requireNonNull(session, "session is null");
        this.credentials = requireNonNull(credentials, "credentials is null");
        this.collector = requireNonNull(collector, "collector is null");
        this.cursor = candidate.selection().keyRanges().cursor();
        this.projection = LookupProjection.of(candidate);
        this.keyEncoding = projection.keyEncoding();
        this.schema = candidate.columns().schema();
    }

    void read(TrackingEntry region)
            throws NotUsableException
    {
        IndexFileScan scan = IndexFileScan.of(region.file(), schema, projection.fieldIds()).withPredicate(projection.predicate());
        try (ConnectorPageSource pages = reader.open(session, credentials, newSimpleAggregatedMemoryContext(), scan)) {
            while (!pages.isFinished()) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new NotUsableException("the look-up was interrupted");
                }
                SourcePage page = pages.getNextSourcePage();
                if (page != null && page.getPositionCount() > 0 && !collectFrom(page, region)) {
                    break;
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        collector.add(found);
    }

    /// Returns whether later entries of the region may match.
    private boolean collectFrom(SourcePage page, TrackingEntry region)
            throws NotUsableException
    {
        int rows = page.getPositionCount();
        int[] selected = new int[rows];
        int count = 0;
        Block[] keyBlocks = new Block[keyEncoding.fieldCount()];
        for (int field = 0; field < keyBlocks.length; field++) {
            keyBlocks[field] = page.getBlock(field);
        }
        KeyBuffer key = new KeyBuffer();
        boolean more = true;
        for (int row = 0; row < rows && more; row++) {
            key.reset();
            for (int field = 0; field < keyBlocks.length; field++) {
                keyEncoding.encode(field, keyBlocks[field], row, key);
            }
            checkOrder(key, region);
            if (cursor.contains(key.array(), 0, key.length())) {
                selected[count] = row;
                count++;
            }
            else {
                more = !cursor.isExhausted();
            }
        }
        for (ResidualFilter filter : projection.residualFilters()) {
            count = filter.apply(page.getBlock(filter.channel()), selected, count);
        }
        if (count > 0) {
            page.selectPositions(selected, 0, count);
            addRows(page.getBlock(projection.fileChannel()), page.getBlock(projection.positionChannel()), count);
        }
        return more;
    }

    // Reading stops early and skips ahead by the order, so an entry out of order would be lost
    private void checkOrder(KeyBuffer key, TrackingEntry region)
    {
        if (compareUnsigned(previousKey, 0, previousKeyLength, key.array(), 0, key.length()) > 0) {
            throw new TrinoException(INDEX_CORRUPT, "Entries of region file %s are out of order; drop the index and create it again".formatted(region.file().location()));
        }
        if (previousKey.length < key.length()) {
            previousKey = new byte[Math.max(key.length(), 2 * previousKey.length)];
        }
        System.arraycopy(key.array(), 0, previousKey, 0, key.length());
        previousKeyLength = key.length();
    }

    private void addRows(Block files, Block positions, int count)
            throws NotUsableException
    {
        for (int row = 0; row < count; row++) {
            found.computeIfAbsent(VARCHAR.getSlice(files, row), _ -> new Roaring64Bitmap())
                    .addLong(BIGINT.getLong(positions, row));
        }
        entries += count;
        collector.checkLimit(entries);
    }

    /// A condition on a column that the key ranges do not span.
    record ResidualFilter(int channel, KeyEncoding encoding, KeyRanges ranges)
    {
        ResidualFilter
        {
            requireNonNull(encoding, "encoding is null");
            requireNonNull(ranges, "ranges is null");
        }

        int apply(Block block, int[] selected, int count)
        {
            KeyBuffer value = new KeyBuffer();
            int kept = 0;
            for (int i = 0; i < count; i++) {
                value.reset();
                encoding.encode(0, block, selected[i], value);
                if (ranges.contains(value.array(), 0, value.length())) {
                    selected[kept] = selected[i];
                    kept++;
                }
            }
            return kept;
        }
    }
}
