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

import com.google.common.collect.AbstractIterator;
import io.sextant.index.file.IndexFile;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.refresh.RegionPart.Reused;
import io.sextant.index.refresh.RegionPart.Rewritten;
import io.sextant.index.region.RegionSchema;
import io.sextant.index.tracking.TrackedRegions;
import io.sextant.index.tracking.TrackingEntry;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/// Goes through the regions of an earlier extract in index order, and says which stay as they are and which are written anew.
/// A region is written anew if entries are taken out of it or come into it. So is a small one next to such a region, that
/// small regions vanish over time; and a small last one before entries with greater keys.
///
/// The parts together have all regions, and all added entries. NOT safe for use by several threads, but parts are.
final class RegionWalk
        extends AbstractIterator<RegionPart>
{
    private final TrackedRegions regions;
    private final long[] removed;
    private final SortedEntries added;
    private final RegionSchema schema;
    private final KeyEncoding encoding;
    private final long targetSize;
    private final Supplier<EntrySorter> sorters;

    private int region;
    private boolean hasAdded;
    private int keyLength;
    private Optional<PendingPart> pending = Optional.empty();

    /// @param removed how many entries, about, are taken out of each region
    /// @param added entries of added rows, with the schema of the new extract
    /// @param targetSize the size at which a region is full, in bytes
    /// @param sorters gives a sorter for the entries that go into one part
    RegionWalk(TrackedRegions regions, long[] removed, SortedEntries added, RegionSchema schema, long targetSize, Supplier<EntrySorter> sorters)
    {
        this.regions = requireNonNull(regions, "regions is null");
        this.removed = requireNonNull(removed, "removed is null");
        this.added = requireNonNull(added, "added is null");
        this.schema = requireNonNull(schema, "schema is null");
        this.encoding = schema.entryEncoding();
        this.targetSize = targetSize;
        this.sorters = requireNonNull(sorters, "sorters is null");
        nextAdded();
    }

    @Override
    protected RegionPart computeNext()
    {
        while (region < regions.count()) {
            if (!changes() && !joins()) {
                if (pending.isPresent()) {
                    return finishPending();
                }
                region++;
                return new Reused(regions.entry(region - 1));
            }
            PendingPart part = pendingPart();
            part.addRegion(regions.entry(region), expectedSize());
            while (entersRegion()) {
                part.addEntry();
            }
            region++;
            if (part.expectedSize >= targetSize) {
                return finishPending();
            }
        }
        while (hasAdded) {
            pendingPart().addEntry();
        }
        return pending.isPresent() ? finishPending() : endOfData();
    }

    private boolean changes()
    {
        boolean isExtended = hasAdded && region == regions.count() - 1 && isSmall();
        return removed[region] > 0 || entersRegion() || isExtended;
    }

    private boolean joins()
    {
        return pending
                .filter(part -> part.expectedSize < targetSize / 4 || expectedSize() < targetSize / 4)
                .filter(part -> part.expectedSize + expectedSize() <= targetSize)
                .isPresent();
    }

    private boolean isSmall()
    {
        return expectedSize() < targetSize / 2;
    }

    private boolean entersRegion()
    {
        return hasAdded && regions.compareLastKey(region, added.array(), added.offset(), keyLength) >= 0;
    }

    private long expectedSize()
    {
        IndexFile file = regions.entry(region).file();
        return (long) (file.sizeInBytes() * max(0, 1 - (double) removed[region] / file.recordCount()));
    }

    private void nextAdded()
    {
        hasAdded = added.advance();
        if (hasAdded) {
            int end = added.offset();
            for (int field = 0; field < schema.keyFieldIds().size(); field++) {
                end = encoding.skip(field, added.array(), end);
            }
            keyLength = end - added.offset();
        }
    }

    private PendingPart pendingPart()
    {
        if (pending.isEmpty()) {
            pending = Optional.of(new PendingPart(sorters.get()));
        }
        return pending.orElseThrow();
    }

    private RegionPart finishPending()
    {
        PendingPart part = pending.orElseThrow();
        pending = Optional.empty();
        part.added.finish();
        return new Rewritten(part.regions, part.added, part.expectedSize);
    }

    private final class PendingPart
    {
        // What Parquet makes of an entry, roughly
        private static final int COMPRESSION = 4;

        private final List<TrackingEntry> regions = new ArrayList<>();
        private final EntrySorter added;
        private long expectedSize;

        private PendingPart(EntrySorter added)
        {
            this.added = requireNonNull(added, "added is null");
        }

        private void addRegion(TrackingEntry entry, long size)
        {
            regions.add(entry);
            expectedSize += size;
        }

        private void addEntry()
        {
            SortedEntries entries = RegionWalk.this.added;
            added.add(entries.array(), entries.offset(), entries.length());
            expectedSize += entries.length() / COMPRESSION;
            nextAdded();
        }
    }
}
