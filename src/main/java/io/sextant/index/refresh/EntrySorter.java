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
import io.trino.spi.TrinoException;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.error.SextantErrorCode.INDEX_BUILD_CANCELED;
import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;

/// Sorts entries, byte strings in unsigned order, in bounded memory: what does not fit goes to sorted runs on local disk.
///
/// Life: [#add] until all entries are in, [#finish], then [#merge] of one or several sorters, then [#close].
/// One thread adds and finishes; another may read [#memoryUsage] and merge afterwards. The memory limit covers all
/// buffers, scratch included; only entries longer than a buffer exceed it.
public class EntrySorter
        implements Closeable
{
    /// The least memory a sorter works with.
    public static final long MIN_MEMORY_LIMIT = 64 * 1024;

    private static final int MAX_READ_BUFFER = 1024 * 1024;

    private final SpillDirectory directory;
    private final long memoryLimit;
    private final int minReadBuffer;
    private final BooleanSupplier cancelled;

    private EntryBuffer buffer;
    private List<SortedRun> runs = new ArrayList<>();
    private long entryCount;
    private boolean finished;
    private boolean merging;
    private volatile long memoryUsage;
    private final AtomicLong spilledBytes = new AtomicLong();

    /// @param memoryLimit in bytes, at least [#MIN_MEMORY_LIMIT]
    /// @param cancelled asked often; once it is true, or the thread is interrupted, the sorter gives up with INDEX_BUILD_CANCELED
    public EntrySorter(SpillDirectory directory, long memoryLimit, BooleanSupplier cancelled)
    {
        this.directory = requireNonNull(directory, "directory is null");
        this.memoryLimit = memoryLimit;
        this.minReadBuffer = clamp(memoryLimit / 16, 4 * 1024, 64 * 1024);
        this.cancelled = requireNonNull(cancelled, "cancelled is null");
        this.buffer = new EntryBuffer(memoryLimit - minReadBuffer);
    }

    public void add(byte[] entry, int offset, int length)
    {
        checkState(!finished, "already finished");
        if (!buffer.add(entry, offset, length)) {
            spill();
            buffer.add(entry, offset, length);
        }
        entryCount++;
        if (entryCount % 1024 == 0) {
            checkpoint();
            memoryUsage = buffer.retainedBytes() + minReadBuffer;
        }
    }

    /// Sorts what is in memory, and leaves no more runs than one pass can merge within the memory limit.
    public void finish()
    {
        checkState(!finished, "already finished");
        finished = true;
        if (runs.isEmpty()) {
            buffer.sort(this::checkpoint);
            memoryUsage = buffer.retainedBytes() + minReadBuffer;
            return;
        }
        if (buffer.count() > 0) {
            spill();
        }
        buffer = new EntryBuffer(MIN_MEMORY_LIMIT);
        memoryUsage = memoryLimit;
        mergeRuns();
    }

    public long entryCount()
    {
        return entryCount;
    }

    /// The bytes of memory held now.
    public long memoryUsage()
    {
        return memoryUsage;
    }

    /// All bytes written to local disk so far.
    public long spilledBytes()
    {
        return spilledBytes.get();
    }

    /// All entries of finished sorters in one ascending sequence; can be called once. Closing it does not close the sorters.
    public static SortedEntries merge(List<EntrySorter> sorters)
    {
        ImmutableList.Builder<EntrySource> sources = ImmutableList.builder();
        for (EntrySorter sorter : sorters) {
            sources.addAll(sorter.sources());
        }
        return new EntryMerge(sources.build(), () -> sorters.forEach(EntrySorter::checkpoint));
    }

    /// The entries of a finished sorter in ascending sequences; can be called once.
    List<EntrySource> sources()
    {
        checkState(finished && !merging, "not finished, or merged before");
        merging = true;
        if (runs.isEmpty()) {
            return buffer.count() == 0 ? ImmutableList.of() : ImmutableList.of(buffer.source());
        }
        return readers(runs, runs.size());
    }

    private void spill()
    {
        buffer.sort(this::checkpoint);
        byte[] commonBytes = buffer.commonBytes();
        SortedRunWriter writer = new SortedRunWriter(directory, minReadBuffer);
        buffer.writeTo(writer, this::checkpoint);
        addRun(writer.finish(commonBytes));
        memoryUsage = buffer.retainedBytes() + minReadBuffer;
    }

    private void addRun(SortedRun run)
    {
        runs.add(run);
        spilledBytes.addAndGet(run.sizeInBytes());
    }

    private void mergeRuns()
    {
        // One buffer is for writing
        int fanIn = (int) max(2, memoryLimit / minReadBuffer - 1);
        while (runs.size() > fanIn) {
            // The smallest runs, and no more of them than needed, cost the least to copy
            runs.sort(comparingLong(SortedRun::sizeInBytes));
            int merged = min(fanIn, runs.size() - fanIn + 1);
            List<EntrySource> sources = readers(runs.subList(0, merged), merged + 1);
            SortedRunWriter writer = new SortedRunWriter(directory, minReadBuffer);
            try (SortedEntries entries = new EntryMerge(sources, this::checkpoint)) {
                while (entries.advance()) {
                    writer.write(entries.array(), entries.offset(), entries.length());
                }
            }
            runs = new ArrayList<>(runs.subList(merged, runs.size()));
            addRun(writer.finish(EntryMerge.commonBytes(sources)));
        }
    }

    private List<EntrySource> readers(List<SortedRun> inputs, int buffers)
    {
        int bufferSize = clamp(memoryLimit / buffers, minReadBuffer, MAX_READ_BUFFER);
        return inputs.stream()
                .map(run -> new SortedRunReader(directory, run, bufferSize))
                .collect(toImmutableList());
    }

    private void checkpoint()
    {
        if (cancelled.getAsBoolean() || Thread.currentThread().isInterrupted()) {
            throw new TrinoException(INDEX_BUILD_CANCELED, "The index build was cancelled");
        }
    }

    /// Gives back memory and deletes the runs.
    @Override
    public void close()
    {
        runs.forEach(run -> directory.delete(run.file()));
        runs = new ArrayList<>();
        buffer = new EntryBuffer(MIN_MEMORY_LIMIT);
        memoryUsage = 0;
    }
}
