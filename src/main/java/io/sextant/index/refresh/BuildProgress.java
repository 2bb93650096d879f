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

import io.trino.spi.TrinoException;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import static io.sextant.error.SextantErrorCode.INDEX_BUILD_CANCELED;
import static java.util.Objects.requireNonNull;

/// How far one build of an extract has come, and the switch to cancel it. Any thread may read it and cancel.
public class BuildProgress
{
    private static final String MESSAGE = "The index build was cancelled";

    public enum Phase
    {
        /// Listing the data files of the snapshot.
        PLANNING,
        /// Reading data files, and sorting their entries in runs.
        READING,
        /// Merging the runs and writing region files.
        WRITING,
        FINISHED,
    }

    private final AtomicLong totalFiles = new AtomicLong();
    private final AtomicLong totalBytes = new AtomicLong();
    private final LongAdder readFiles = new LongAdder();
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder readEntries = new LongAdder();
    private final LongAdder writtenEntries = new LongAdder();
    private final LongAdder writtenRegions = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private volatile Phase phase = Phase.PLANNING;
    private volatile LongSupplier memory = () -> 0;
    private volatile boolean cancelled;

    public Phase phase()
    {
        return phase;
    }

    /// The data files of the snapshot; 0 while planning.
    public long totalFiles()
    {
        return totalFiles.get();
    }

    /// The size of all data files of the snapshot; 0 while planning.
    public long totalBytes()
    {
        return totalBytes.get();
    }

    /// Data files that were read to their end.
    public long readFiles()
    {
        return readFiles.sum();
    }

    /// The size of what was read, counted as parts of whole data files whatever columns were read of them.
    public long readBytes()
    {
        return readBytes.sum();
    }

    /// Live rows that were read.
    public long readEntries()
    {
        return readEntries.sum();
    }

    public long writtenEntries()
    {
        return writtenEntries.sum();
    }

    public long writtenRegions()
    {
        return writtenRegions.sum();
    }

    /// The size of the region files that were written.
    public long writtenBytes()
    {
        return writtenBytes.sum();
    }

    /// The bytes of memory that the build holds now: sorting, reading, and the region being written.
    public long memoryUsage()
    {
        return memory.getAsLong();
    }

    /// Asks the build to stop; it fails with INDEX_BUILD_CANCELED soon after and leaves nothing behind.
    public void cancel()
    {
        cancelled = true;
    }

    public boolean isCancelled()
    {
        return cancelled;
    }

    void enter(Phase phase)
    {
        this.phase = requireNonNull(phase, "phase is null");
    }

    void setMemory(LongSupplier memory)
    {
        this.memory = requireNonNull(memory, "memory is null");
    }

    void addPlannedFile(long bytes)
    {
        totalFiles.incrementAndGet();
        totalBytes.addAndGet(bytes);
    }

    void addReadRange(long bytes)
    {
        readBytes.add(bytes);
    }

    void addReadFile()
    {
        readFiles.increment();
    }

    void addReadEntries(long entries)
    {
        readEntries.add(entries);
    }

    void addWrittenEntries(long entries)
    {
        writtenEntries.add(entries);
    }

    void addWrittenRegion(long bytes)
    {
        writtenRegions.increment();
        writtenBytes.add(bytes);
    }

    /// Fails if the build was cancelled or the thread interrupted.
    void checkpoint()
    {
        if (cancelled || Thread.currentThread().isInterrupted()) {
            throw new TrinoException(INDEX_BUILD_CANCELED, MESSAGE);
        }
    }

    static TrinoException cancellation(Exception cause)
    {
        return new TrinoException(INDEX_BUILD_CANCELED, MESSAGE, cause);
    }
}
