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

import java.util.Arrays;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.lang.Math.min;

/// Entries in memory: their bytes, each entry after its size, in chunks of one size (a longer entry gets a chunk of its
/// own), and for every entry its address and a sort prefix. [#retainedBytes] counts all of it, also what only sorting uses.
final class EntryBuffer
{
    private static final int MIN_CHUNK_SIZE = 4 * 1024;
    private static final int MAX_CHUNK_SIZE = 1024 * 1024;
    private static final int MAX_COMMON_LENGTH = 64;
    /// The common bytes, their copies, and the counters of the sort.
    private static final int FIXED_BYTES = 12 * 1024;
    private static final int INITIAL_CAPACITY = 256;
    private static final int BYTES_PER_SLOT = 2 * Long.BYTES;

    private final long memoryLimit;
    private final int chunkSize;

    private byte[][] chunks = new byte[8][];
    private int chunkCount;
    private int currentChunk = -1;
    private int chunkUsed;
    private long chunkBytes;

    private long[] addresses = new long[INITIAL_CAPACITY];
    private long[] prefixes = new long[0];
    private int count;
    private long entryBytes;

    private final EntryProjection projection = new EntryProjection();
    private byte[] firstBytes = new byte[0];
    private int shortestLength;

    EntryBuffer(long memoryLimit)
    {
        this.memoryLimit = memoryLimit - FIXED_BYTES;
        checkArgument(this.memoryLimit >= 8 * MIN_CHUNK_SIZE, "memory limit is too small: %s", memoryLimit);
        this.chunkSize = clamp(Long.highestOneBit(memoryLimit / 16), MIN_CHUNK_SIZE, MAX_CHUNK_SIZE);
    }

    /// Takes a copy of the entry, or returns false when the memory limit leaves no room for it.
    /// An empty buffer takes any entry.
    boolean add(byte[] entry, int offset, int length)
    {
        int size = EntryBytes.sizeLength(length) + length;
        if (!reserveSlot() || !reserveBytes(size)) {
            return false;
        }
        look(entry, offset, length);
        byte[] chunk = chunks[currentChunk];
        addresses[count] = ((long) currentChunk << Integer.SIZE) | chunkUsed;
        int position = EntryBytes.writeSize(length, chunk, chunkUsed);
        System.arraycopy(entry, offset, chunk, position, length);
        chunkUsed += size;
        entryBytes += size;
        count++;
        return true;
    }

    private boolean reserveSlot()
    {
        if (count < addresses.length) {
            return true;
        }
        // Leave room for the bytes of the entries that the new slots are for
        long average = entryBytes / count + 1;
        long affordable = count + (memoryLimit - chunkBytes - (long) BYTES_PER_SLOT * count) / (average + BYTES_PER_SLOT);
        int capacity = (int) min(min(2L * count, affordable), Integer.MAX_VALUE - 8);
        if (capacity <= count) {
            return false;
        }
        prefixes = new long[0];
        addresses = Arrays.copyOf(addresses, capacity);
        return true;
    }

    private boolean reserveBytes(int size)
    {
        if (currentChunk >= 0 && chunkUsed + size <= chunks[currentChunk].length) {
            return true;
        }
        if (size <= chunkSize && currentChunk + 1 < chunkCount) {
            currentChunk++;
            chunkUsed = 0;
            return true;
        }
        int length = max(size, chunkSize);
        if (count > 0 && chunkBytes + slotBytes() + length > memoryLimit) {
            return false;
        }
        // A long entry must not stand behind chunks that are still unused
        chunkCount = currentChunk + 1;
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
        }
        Arrays.fill(chunks, chunkCount, chunks.length, null);
        chunks[chunkCount] = new byte[length];
        currentChunk = chunkCount;
        chunkCount++;
        chunkUsed = 0;
        countChunkBytes();
        return true;
    }

    private void countChunkBytes()
    {
        chunkBytes = 0;
        for (int i = 0; i < chunkCount; i++) {
            chunkBytes += chunks[i].length;
        }
    }

    private void look(byte[] entry, int offset, int length)
    {
        if (count == 0) {
            firstBytes = Arrays.copyOfRange(entry, offset, offset + min(length, MAX_COMMON_LENGTH));
            shortestLength = firstBytes.length;
            projection.reset();
        }
        shortestLength = min(shortestLength, length);
        projection.add(entry, offset, length);
    }

    int count()
    {
        return count;
    }

    long retainedBytes()
    {
        return chunkBytes + slotBytes() + FIXED_BYTES;
    }

    private long slotBytes()
    {
        return (long) BYTES_PER_SLOT * addresses.length;
    }

    byte[] commonBytes()
    {
        return Arrays.copyOf(firstBytes, projection.commonLength(shortestLength));
    }

    void sort(Runnable checkpoint)
    {
        if (prefixes.length < count) {
            prefixes = new long[addresses.length];
        }
        new EntryOrder(chunks, addresses, prefixes, checkpoint).sort(count, projection);
    }

    /// Writes the sorted entries and empties the buffer, keeping its memory.
    void writeTo(SortedRunWriter writer, Runnable checkpoint)
    {
        for (int i = 0; i < count; i++) {
            if (i % 4096 == 0) {
                checkpoint.run();
            }
            byte[] chunk = chunks[(int) (addresses[i] >>> Integer.SIZE)];
            int position = (int) addresses[i];
            int length = EntryBytes.readSize(chunk, position);
            writer.writeSized(chunk, position, EntryBytes.sizeLength(length) + length);
        }
        reset();
    }

    private void reset()
    {
        int kept = 0;
        for (int i = 0; i < chunkCount; i++) {
            if (chunks[i].length == chunkSize) {
                chunks[kept] = chunks[i];
                kept++;
            }
        }
        Arrays.fill(chunks, kept, chunks.length, null);
        chunkCount = kept;
        countChunkBytes();
        currentChunk = -1;
        chunkUsed = 0;
        count = 0;
        entryBytes = 0;
    }

    /// The entries in order; the buffer must be sorted and must not change any more.
    EntrySource source()
    {
        return new EntrySource()
        {
            private int next;

            @Override
            boolean advance()
            {
                if (next == count) {
                    return false;
                }
                long address = addresses[next];
                next++;
                array = chunks[(int) (address >>> Integer.SIZE)];
                length = EntryBytes.readSize(array, (int) address);
                offset = (int) address + EntryBytes.sizeLength(length);
                return true;
            }

            @Override
            byte[] commonBytes()
            {
                return EntryBuffer.this.commonBytes();
            }

            @Override
            public void close() {}
        };
    }
}
