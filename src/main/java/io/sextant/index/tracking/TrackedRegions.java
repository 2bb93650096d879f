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
import com.google.common.primitives.UnsignedLong;
import io.sextant.index.file.FieldStats;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.key.KeyRange;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IndexMetadata;
import org.apache.iceberg.Schema;

import java.util.Arrays;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Arrays.compareUnsigned;
import static java.util.Objects.requireNonNull;

/// The regions of an extract in index order, with the encoded key of the last entry of each.
public final class TrackedRegions
{
    private final List<TrackingEntry> entries;
    private final byte[][] lastKeys;
    private final long recordCount;

    /// The regions of an extract.
    ///
    /// @param entries of its tracking file
    public static TrackedRegions of(IndexMetadata metadata, Extract extract, List<TrackingEntry> entries)
    {
        Schema schema = metadata.schemaOf(extract);
        KeyEncoding keyEncoding = KeyEncoding.of(metadata.orderingKey().stream()
                .map(schema::findType)
                .collect(toImmutableList()));
        return new TrackedRegions(entries, keyEncoding, metadata.orderingKey());
    }

    /// Encodes the last key of each region.
    ///
    /// @param keyEncoding the encoding of the ordering key
    /// @param keyFieldIds the fields of the ordering key, each with statistics in every entry
    public TrackedRegions(List<TrackingEntry> entries, KeyEncoding keyEncoding, List<Integer> keyFieldIds)
    {
        this.entries = ImmutableList.copyOf(requireNonNull(entries, "entries is null"));
        lastKeys = new byte[entries.size()][];
        long records = 0;
        KeyBuffer buffer = new KeyBuffer();
        for (int region = 0; region < lastKeys.length; region++) {
            buffer.reset();
            for (int field = 0; field < keyFieldIds.size(); field++) {
                FieldStats stats = entries.get(region).contentStats().get(keyFieldIds.get(field));
                keyEncoding.encodeValue(field, stats.groupMax().orElse(null), buffer);
            }
            lastKeys[region] = buffer.toByteArray();
            records += entries.get(region).file().recordCount();
        }
        this.recordCount = records;
    }

    public int count()
    {
        return lastKeys.length;
    }

    public long recordCount()
    {
        return recordCount;
    }

    public TrackingEntry entry(int region)
    {
        return entries.get(region);
    }

    /// The first region that can hold a key of the range or a greater one; their number if there is none.
    public int firstRegion(KeyRange range)
    {
        return firstRegion(range.low(), 0, range.low().length);
    }

    /// The first region that can hold a key or a greater one; their number if there is none.
    public int firstRegion(byte[] key, int offset, int length)
    {
        int low = 0;
        int high = lastKeys.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compareLastKey(middle, key, offset, length) < 0) {
                low = middle + 1;
            }
            else {
                high = middle;
            }
        }
        return low;
    }

    /// How the last key of a region compares with a key, or a tuple of which the key is the beginning.
    public int compareLastKey(int region, byte[] key, int offset, int length)
    {
        return compareUnsigned(lastKeys[region], 0, lastKeys[region].length, key, offset, offset + length);
    }

    /// Whether the keys of a region, none of which is less than the last key of the region before, may reach into the range.
    /// One key may fill several regions, so a region may begin with the very key that ended the one before.
    public boolean startsBeforeEnd(int region, KeyRange range)
    {
        return region == 0 || range.high().isEmpty() || compareUnsigned(lastKeys[region - 1], range.high().orElseThrow()) < 0;
    }

    /// Whether the range begins at or before the last key of the region.
    public boolean endsAtOrAfterStart(int region, KeyRange range)
    {
        return compareUnsigned(lastKeys[region], range.low()) >= 0;
    }

    /// The share of a region's entries that the range may hold, as if keys were spread evenly over the key space; 0 to 1.
    public double overlap(int region, KeyRange range)
    {
        byte[] last = lastKeys[region];
        byte[] before = region == 0 ? new byte[0] : lastKeys[region - 1];
        int prefix = commonPrefix(before, last);
        long start = eightBytes(before, prefix);
        long end = eightBytes(last, prefix);
        long low = compareUnsigned(range.low(), before) <= 0 ? start : eightBytes(range.low(), prefix);
        long high = range.high().isEmpty() || compareUnsigned(range.high().orElseThrow(), last) >= 0 ? end : eightBytes(range.high().orElseThrow(), prefix);
        return start == end ? 1 : Math.clamp(distance(low, high) / distance(start, end), 0, 1);
    }

    private static int commonPrefix(byte[] left, byte[] right)
    {
        int mismatch = Arrays.mismatch(left, right);
        return mismatch < 0 ? left.length : mismatch;
    }

    /// Eight bytes from an offset as one number, with zeros for those after the end.
    private static long eightBytes(byte[] bytes, int offset)
    {
        long number = 0;
        for (int position = offset; position < offset + Long.BYTES; position++) {
            number = (number << Byte.SIZE) | (position < bytes.length ? bytes[position] & 0xFF : 0);
        }
        return number;
    }

    /// The difference of two unsigned numbers, of which the second is not less.
    private static double distance(long from, long to)
    {
        return UnsignedLong.fromLongBits(to - from).doubleValue();
    }
}
