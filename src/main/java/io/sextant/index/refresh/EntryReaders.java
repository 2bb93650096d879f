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
import io.airlift.log.Logger;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.io.CloseableIterable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.util.concurrent.Uninterruptibles.awaitTerminationUninterruptibly;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/// Reads data files by several threads, each of which sorts the entries it makes.
///
/// Memory: sorting stays within the limit; to it come the pages being read.
final class EntryReaders
{
    private static final Logger log = Logger.get(EntryReaders.class);

    private static final long MIN_RANGE_SIZE = 32L * 1024 * 1024;
    private static final long MAX_RANGE_SIZE = 512L * 1024 * 1024;
    private static final int RANGES_PER_THREAD = 8;

    private final List<Reader> readers;
    private final BuildProgress progress;
    private final long minRangeSize;

    /// What the readers of one server have in common.
    ///
    /// @param maxMemory in bytes, of all threads of one build
    /// @param minRangeSize in bytes; smaller files, and smaller parts of files, are read in one go
    record Settings(IcebergPageSourceProviderFactory pageSourceProviderFactory, TypeManager typeManager, int threads, long maxMemory, long minRangeSize)
    {
        Settings
        {
            requireNonNull(pageSourceProviderFactory, "pageSourceProviderFactory is null");
            requireNonNull(typeManager, "typeManager is null");
        }

        Settings(IcebergPageSourceProviderFactory pageSourceProviderFactory, TypeManager typeManager, IndexBuildConfig config)
        {
            this(pageSourceProviderFactory, typeManager, config.getThreads(), config.getMaxMemory().toBytes(), MIN_RANGE_SIZE);
        }

        /// Opens the data files of a snapshot.
        DataFilePages pages(ExtractRequest request, Schema schema)
        {
            return new DataFilePages(request.session(), request.table(), schema, pageSourceProviderFactory.createPageSourceProvider());
        }

        IcebergColumnHandle rowPosition()
        {
            return IcebergUtil.getColumnHandle(MetadataColumns.ROW_POSITION, typeManager);
        }

        EntryEncoder encoder(ExtractRequest request, Schema schema)
        {
            return new EntryEncoder(request.schema(), schema, request.sourceIds(), request.functions(), typeManager);
        }
    }

    /// Fails at once if the definition of the index does not fit the snapshot.
    ///
    /// @param schema of the snapshot
    /// @param paths of all of its files
    EntryReaders(Settings settings, ExtractRequest request, Schema schema, DataFilePaths paths, SpillDirectory spill, BuildProgress progress)
    {
        this.progress = requireNonNull(progress, "progress is null");
        this.minRangeSize = settings.minRangeSize();
        DataFilePages pages = settings.pages(request, schema);
        long memoryPerThread = max(settings.maxMemory() / settings.threads(), EntrySorter.MIN_MEMORY_LIMIT);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        ImmutableList.Builder<Reader> readers = ImmutableList.builder();
        for (int i = 0; i < settings.threads(); i++) {
            readers.add(new Reader(
                    new DataFileReader(request.table().name(), pages, settings.encoder(request, schema), paths, progress),
                    new EntrySorter(spill, memoryPerThread, () -> failure.get() != null || progress.isCancelled()),
                    failure));
        }
        this.readers = readers.build();
    }

    long memoryUsage()
    {
        return readers.stream().mapToLong(Reader::memoryUsage).sum();
    }

    /// Bytes that sorting has written to local disk.
    long spilledBytes()
    {
        return readers.stream().mapToLong(reader -> reader.sorter().spilledBytes()).sum();
    }

    /// Reads files of the snapshot; can be called once.
    ///
    /// @return the entries of all their live rows, in order
    SortedEntries read(CloseableIterable<FileScanTask> files)
    {
        long rangeSize = clamp(progress.totalBytes() / ((long) readers.size() * RANGES_PER_THREAD), minRangeSize, MAX_RANGE_SIZE);
        try (FileRanges ranges = new FileRanges(files, rangeSize)) {
            read(ranges);
        }
        SortedEntries entries = EntrySorter.merge(readers.stream().map(Reader::sorter).toList());
        return readers.size() > 1 ? new PrefetchedEntries(entries) : entries;
    }

    private void read(FileRanges ranges)
    {
        ExecutorService executor = newFixedThreadPool(readers.size(), daemonThreadsNamed("index-build-%s"));
        try {
            CompletionService<Void> completion = new ExecutorCompletionService<>(executor);
            readers.forEach(reader -> completion.submit(() -> reader.readAll(ranges), null));
            for (int i = 0; i < readers.size(); i++) {
                awaitOne(completion).get();
            }
        }
        catch (ExecutionException e) {
            // The reader that failed first stopped the others
            Throwable failure = readers.getFirst().failure().get();
            throwIfUnchecked(failure);
            throw new IllegalStateException("A reader failed with a checked exception", failure);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BuildProgress.cancellation(e);
        }
        finally {
            stop(executor);
        }
    }

    private Future<Void> awaitOne(CompletionService<Void> completion)
            throws InterruptedException
    {
        while (true) {
            Optional<Future<Void>> future = Optional.ofNullable(completion.poll(100, MILLISECONDS));
            if (future.isPresent()) {
                return future.orElseThrow();
            }
            // A reader that waits for a file system does not look at the progress
            progress.checkpoint();
        }
    }

    private static void stop(ExecutorService executor)
    {
        executor.shutdownNow();
        if (!awaitTerminationUninterruptibly(executor, 60, SECONDS)) {
            log.warn("A thread of an index build does not stop; it can neither spill nor write any more");
        }
    }

    private record Reader(DataFileReader files, EntrySorter sorter, AtomicReference<Throwable> failure)
    {
        void readAll(FileRanges ranges)
        {
            try (ThreadContextClassLoader _ = new ThreadContextClassLoader(EntryReaders.class.getClassLoader())) {
                Optional<FileRange> range = ranges.next();
                while (range.isPresent()) {
                    files.read(range.orElseThrow(), sorter::add);
                    range = ranges.next();
                }
                sorter.finish();
            }
            catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
                throw e;
            }
        }

        long memoryUsage()
        {
            return files.memoryUsage() + sorter.memoryUsage();
        }
    }
}
