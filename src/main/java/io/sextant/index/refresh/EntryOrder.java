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

import it.unimi.dsi.fastutil.longs.LongArrays;

import java.util.Arrays;

import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/// Sorts the addresses of entries by the entries' bytes, in place.
///
/// A group of entries that agree in their first bytes is sorted by the eight bytes that follow (in-place radix sort of
/// these prefixes, one byte at a time, insertion sort for few); groups that agree in these too are sorted in turn.
final class EntryOrder
{
    private static final int FEW = 48;
    private static final int VERY_FEW = 8;
    private static final int MAX_NESTING = 200;
    private static final int BUCKETS = 256;

    private final byte[][] chunks;
    private final long[] addresses;
    private final long[] prefixes;
    private final Runnable checkpoint;
    private final int[][] bucketStarts = new int[Long.BYTES][BUCKETS];
    private final int[] bucketEnds = new int[BUCKETS];

    /// @param prefixes scratch, at least as long as the sorted part of `addresses`
    /// @param checkpoint called often; throws to give up
    EntryOrder(byte[][] chunks, long[] addresses, long[] prefixes, Runnable checkpoint)
    {
        this.chunks = requireNonNull(chunks, "chunks is null");
        this.addresses = requireNonNull(addresses, "addresses is null");
        this.prefixes = requireNonNull(prefixes, "prefixes is null");
        this.checkpoint = requireNonNull(checkpoint, "checkpoint is null");
    }

    /// @param projection knows all these entries
    void sort(int count, EntryProjection projection)
    {
        if (count < 2) {
            return;
        }
        projection.choose();
        int covered = projection.coveredLength();
        boolean allGoOn = true;
        for (int i = 0; i < count; i++) {
            byte[] chunk = chunks[(int) (addresses[i] >>> Integer.SIZE)];
            int position = (int) addresses[i];
            int length = EntryBytes.readSize(chunk, position);
            int start = position + EntryBytes.sizeLength(length);
            prefixes[i] = projection.project(chunk, start, start + length);
            allGoOn &= length >= covered;
        }
        checkpoint.run();
        radixSort(0, count, Long.BYTES - 1);
        sortTies(0, count, covered, 0, allGoOn, 0);
    }

    /// Sorts entries that have at least `depth` bytes and agree in them.
    private void sortGroup(int from, int to, int depth, int nesting)
    {
        if (to - from <= VERY_FEW) {
            insertionSort(from, to, depth);
            return;
        }
        if (nesting > MAX_NESTING) {
            compareSort(from, to, depth);
            return;
        }
        checkpoint.run();
        boolean allGoOn = loadPrefixes(from, to, depth);
        long varying = varyingBits(from, to);
        if (varying == 0) {
            if (allGoOn) {
                sortGroup(from, to, commonLength(from, to, depth + Long.BYTES), nesting + 1);
            }
            else {
                compareSort(from, to, depth);
            }
            return;
        }
        radixSort(from, to, (Long.SIZE - 1 - Long.numberOfLeadingZeros(varying)) / Byte.SIZE);
        sortTies(from, to, depth + Long.BYTES, depth, allGoOn, nesting);
    }

    /// Sorts the groups of entries that have equal prefixes.
    ///
    /// @param agreed the number of first bytes in which entries with equal prefixes agree, if they have that many
    /// @param depth the number of first bytes that they have and agree in in any case
    private void sortTies(int from, int to, int agreed, int depth, boolean allGoOn, int nesting)
    {
        int start = from;
        while (start < to) {
            long prefix = prefixes[start];
            int end = start + 1;
            while (end < to && prefixes[end] == prefix) {
                end++;
            }
            if (end - start > 1) {
                if (end - start <= VERY_FEW) {
                    insertionSort(start, end, depth);
                }
                else if (allGoOn || allHaveLength(start, end, agreed)) {
                    sortGroup(start, end, agreed, nesting + 1);
                }
                else {
                    compareSort(start, end, depth);
                }
            }
            start = end;
        }
    }

    private boolean allHaveLength(int from, int to, int length)
    {
        for (int i = from; i < to; i++) {
            if (end(addresses[i]) - start(addresses[i]) < length) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether every entry has all the bytes of its prefix: if so, equal prefixes mean equal bytes.
    private boolean loadPrefixes(int from, int to, int depth)
    {
        boolean allGoOn = true;
        for (int i = from; i < to; i++) {
            byte[] chunk = chunks[(int) (addresses[i] >>> Integer.SIZE)];
            int position = (int) addresses[i];
            int length = EntryBytes.readSize(chunk, position);
            int start = position + EntryBytes.sizeLength(length);
            prefixes[i] = EntryBytes.window(chunk, start + depth, start + length);
            allGoOn &= length >= depth + Long.BYTES;
        }
        return allGoOn;
    }

    private long varyingBits(int from, int to)
    {
        long varying = 0;
        for (int i = from + 1; i < to; i++) {
            varying |= prefixes[i] ^ prefixes[from];
        }
        return varying;
    }

    private int commonLength(int from, int to, int depth)
    {
        byte[] first = chunks[(int) (addresses[from] >>> Integer.SIZE)];
        int firstStart = start(addresses[from]);
        int common = end(addresses[from]) - firstStart;
        for (int i = from + 1; i < to && common > depth; i++) {
            int start = start(addresses[i]);
            int limit = min(common, end(addresses[i]) - start);
            common = depth + EntryBytes.commonLength(
                    first,
                    firstStart + depth,
                    chunks[(int) (addresses[i] >>> Integer.SIZE)],
                    start + depth,
                    limit - depth);
        }
        return common;
    }

    /// Sorts by prefix, knowing that the prefixes agree in the bytes above `digit` (0 is the lowest byte).
    private void radixSort(int from, int to, int digit)
    {
        if (to - from <= FEW) {
            insertionSortPrefixes(from, to);
            return;
        }
        int shift = digit * Byte.SIZE;
        int[] starts = bucketStarts[digit];
        countBuckets(from, to, shift, starts);
        permute(starts, shift);
        if (digit == 0) {
            return;
        }
        // After the permutation a bucket's start is its end, which is where the next bucket begins
        int bucketFrom = from;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int bucketTo = starts[bucket];
            if (bucketTo - bucketFrom > 1) {
                radixSort(bucketFrom, bucketTo, digit - 1);
            }
            bucketFrom = bucketTo;
        }
    }

    private void countBuckets(int from, int to, int shift, int[] starts)
    {
        Arrays.fill(bucketEnds, 0);
        for (int i = from; i < to; i++) {
            bucketEnds[(int) (prefixes[i] >>> shift) & 0xFF]++;
        }
        int position = from;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            starts[bucket] = position;
            position += bucketEnds[bucket];
            bucketEnds[bucket] = position;
        }
    }

    private void permute(int[] starts, int shift)
    {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int end = bucketEnds[bucket];
            while (starts[bucket] < end) {
                int slot = starts[bucket];
                long prefix = prefixes[slot];
                long address = addresses[slot];
                int home = (int) (prefix >>> shift) & 0xFF;
                while (home != bucket) {
                    int target = starts[home];
                    starts[home]++;
                    long displacedPrefix = prefixes[target];
                    long displacedAddress = addresses[target];
                    prefixes[target] = prefix;
                    addresses[target] = address;
                    prefix = displacedPrefix;
                    address = displacedAddress;
                    home = (int) (prefix >>> shift) & 0xFF;
                }
                prefixes[slot] = prefix;
                addresses[slot] = address;
                starts[bucket]++;
            }
        }
    }

    private void insertionSortPrefixes(int from, int to)
    {
        for (int i = from + 1; i < to; i++) {
            long prefix = prefixes[i];
            long address = addresses[i];
            int slot = i;
            while (slot > from && Long.compareUnsigned(prefixes[slot - 1], prefix) > 0) {
                prefixes[slot] = prefixes[slot - 1];
                addresses[slot] = addresses[slot - 1];
                slot--;
            }
            prefixes[slot] = prefix;
            addresses[slot] = address;
        }
    }

    private void insertionSort(int from, int to, int depth)
    {
        for (int i = from + 1; i < to; i++) {
            long address = addresses[i];
            int slot = i;
            while (slot > from && compare(addresses[slot - 1], address, depth) > 0) {
                addresses[slot] = addresses[slot - 1];
                slot--;
            }
            addresses[slot] = address;
        }
    }

    private void compareSort(int from, int to, int depth)
    {
        LongArrays.quickSort(addresses, from, to, (left, right) -> compare(left, right, depth));
    }

    private int compare(long left, long right, int depth)
    {
        return Arrays.compareUnsigned(
                chunks[(int) (left >>> Integer.SIZE)],
                start(left) + depth,
                end(left),
                chunks[(int) (right >>> Integer.SIZE)],
                start(right) + depth,
                end(right));
    }

    private int start(long address)
    {
        int size = EntryBytes.readSize(chunks[(int) (address >>> Integer.SIZE)], (int) address);
        return (int) address + EntryBytes.sizeLength(size);
    }

    private int end(long address)
    {
        int size = EntryBytes.readSize(chunks[(int) (address >>> Integer.SIZE)], (int) address);
        return (int) address + EntryBytes.sizeLength(size) + size;
    }
}
