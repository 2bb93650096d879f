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

import com.google.common.collect.ImmutableList;
import io.sextant.index.file.FieldStats;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.key.KeyRange;
import io.sextant.index.key.KeyRanges;
import io.sextant.index.tracking.TrackedRegions;
import io.sextant.index.tracking.TrackingEntry;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type.PrimitiveType;
import org.apache.iceberg.types.Type.TypeID;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// The regions of an extract that can hold entries of given key ranges, and a guess at how many.
///
/// @param regions ascending in index order
/// @param totalRegions how many regions the extract has
/// @param estimatedEntries from the ranges' share of each region
record RegionSelection(KeyRanges keyRanges, List<TrackingEntry> regions, int totalRegions, double estimatedEntries)
{
    private static final KeyRange NULL = KeyRange.prefix(new byte[] {0});

    RegionSelection
    {
        requireNonNull(keyRanges, "keyRanges is null");
        regions = ImmutableList.copyOf(requireNonNull(regions, "regions is null"));
    }

    /// The regions whose keys and statistics allow a match.
    ///
    /// @param filters the ranges of every column of the extract that the predicate binds, by extract field ID
    /// @param schema the extract schema, whose types the statistics have
    static RegionSelection select(TrackedRegions tracked, KeyRanges keyRanges, Map<Integer, ColumnRanges> filters, Schema schema)
    {
        ImmutableList.Builder<TrackingEntry> regions = ImmutableList.builder();
        double entries = 0;
        List<KeyRange> ranges = keyRanges.ranges();
        int range = 0;
        for (int region = ranges.isEmpty() ? tracked.count() : tracked.firstRegion(ranges.getFirst()); region < tracked.count(); region++) {
            while (range < ranges.size() && !tracked.startsBeforeEnd(region, ranges.get(range))) {
                range++;
            }
            double share = 0;
            int reaching = range;
            while (reaching < ranges.size() && tracked.endsAtOrAfterStart(region, ranges.get(reaching))) {
                share += tracked.overlap(region, ranges.get(reaching));
                reaching++;
            }
            TrackingEntry entry = tracked.entry(region);
            if (reaching > range && mayMatch(entry, filters, schema)) {
                regions.add(entry);
                entries += Math.max(1, Math.min(1, share) * entry.file().recordCount());
            }
        }
        return new RegionSelection(keyRanges, regions.build(), tracked.count(), entries);
    }

    private static boolean mayMatch(TrackingEntry region, Map<Integer, ColumnRanges> filters, Schema schema)
    {
        return filters.entrySet().stream().allMatch(filter -> {
            FieldStats stats = region.contentStats().get(filter.getKey());
            return stats == null || mayMatch(stats, region.file().recordCount(), filter.getValue(), schema.findType(filter.getKey()).asPrimitiveType());
        });
    }

    private static boolean mayMatch(FieldStats stats, long recordCount, ColumnRanges filter, PrimitiveType type)
    {
        if (stats.nullValueCount().orElse(recordCount) > 0 && filter.ranges().overlaps(NULL.low(), NULL.high())) {
            return true;
        }
        if (isFloatingPoint(type) && stats.nanValueCount().orElse(recordCount) > 0) {
            // Bounds leave NaN out
            return true;
        }
        if (stats.lower().isEmpty() || stats.upper().isEmpty()) {
            // Bounds are missing, or there is nothing that they could bound
            return stats.nullValueCount().isEmpty() || stats.nullValueCount().getAsLong() < recordCount;
        }
        Optional<byte[]> end = KeyRange.prefixSuccessor(encode(type, stats.upper().orElseThrow()));
        return filter.ranges().overlaps(encode(type, stats.lower().orElseThrow()), end);
    }

    private static boolean isFloatingPoint(PrimitiveType type)
    {
        return type.typeId() == TypeID.FLOAT || type.typeId() == TypeID.DOUBLE;
    }

    private static byte[] encode(PrimitiveType type, Object value)
    {
        KeyBuffer buffer = new KeyBuffer();
        KeyEncoding.of(ImmutableList.of(type)).encodeValue(0, value, buffer);
        return buffer.toByteArray();
    }
}
