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
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.sextant.index.refresh.BuildProgress.Phase;
import io.sextant.index.region.RegionFile;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.type.TypeManager;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.util.concurrent.Uninterruptibles.awaitTerminationUninterruptibly;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/// Builds the region files of an extract from the live rows of a snapshot, in one process: threads read data files and sort
/// their entries, then the sorted entries are merged and written. The table is only read.
///
/// Memory: sorting stays within `sextant.index.build.max-memory`; to it come the pages being read, the paths of all data
/// files, the one region that is being written, and a few batches of entries for it.
public class ExtractBuilder
{
    private static final Logger log = Logger.get(ExtractBuilder.class);

    private static final long MIN_RANGE_SIZE = 32L * 1024 * 1024;
    private static final long MAX_RANGE_SIZE = 512L * 1024 * 1024;
    private static final int RANGES_PER_THREAD = 8;

    private final IcebergPageSourceProviderFactory pageSourceProviderFactory;
    private final TypeManager typeManager;
    private final long maxMemory;
    private final Path spillPath;
    private final int threads;
    private final long minRangeSize;

    @Inject
    public ExtractBuilder(IcebergPageSourceProviderFactory pageSourceProviderFactory, TypeManager typeManager, IndexBuildConfig config)
    {
        this(pageSourceProviderFactory, typeManager, config, MIN_RANGE_SIZE);
    }

    ExtractBuilder(IcebergPageSourceProviderFactory pageSourceProviderFactory, TypeManager typeManager, IndexBuildConfig config, long minRangeSize)
    {
        this.pageSourceProviderFactory = requireNonNull(pageSourceProviderFactory, "pageSourceProviderFactory is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.maxMemory = config.getMaxMemory().toBytes();
        this.spillPath = config.getSpillPath();
        this.threads = config.getThreads();
        this.minRangeSize = minRangeSize;
    }

    /// Builds an extract. When it fails, also by cancelling the progress or interrupting the thread, neither region files nor
    /// sorted runs are left behind.
    ///
    /// Fails with INDEX_UNSUPPORTED if the snapshot cannot be indexed, INDEX_INVALID_DEFINITION if the schema does not fit
    /// the snapshot, INDEX_BUILD_CANCELED when cancelled, and INDEX_BUILD_FAILED or an error of the Iceberg connector otherwise.
    public BuiltExtract build(ExtractRequest request, BuildProgress progress)
    {
        RegionOutputs outputs = new RegionOutputs(request.fileSystem(), request.regionLocations());
        boolean built = false;
        try (SpillDirectory spill = new SpillDirectory(spillPath)) {
            BuiltExtract extract = build(request, progress, outputs, spill);
            built = true;
            return extract;
        }
        catch (RuntimeException e) {
            if (progress.isCancelled() || Thread.currentThread().isInterrupted()) {
                throw BuildProgress.cancellation(e);
            }
            throwIfInstanceOf(e, TrinoException.class);
            throw new TrinoException(INDEX_BUILD_FAILED, "An index of table %s could not be built: %s".formatted(request.table().name(), e.getMessage()), e);
        }
        finally {
            progress.setMemory(() -> 0);
            if (!built) {
                outputs.deleteAll();
            }
        }
    }

    private BuiltExtract build(ExtractRequest request, BuildProgress progress, RegionOutputs outputs, SpillDirectory spill)
    {
        SnapshotScan scan = new SnapshotScan(request.table(), request.snapshotId());
        DataFilePaths paths = scan.listFiles(progress);
        progress.enter(Phase.READING);
        // What is wrong with the definition shows before any thread starts
        List<Reader> readers = readers(request, scan, paths, progress, spill);
        RegionCutter cutter = new RegionCutter(request.schema(), paths, request.targetRegionSize().toBytes(), request.hotKeys(), outputs, progress);
        progress.setMemory(() -> readers.stream().mapToLong(Reader::memoryUsage).sum() + cutter.memoryUsage());
        read(scan, readers, progress);

        progress.enter(Phase.WRITING);
        List<EntrySorter> sorters = readers.stream().map(Reader::sorter).toList();
        List<RegionFile> regions;
        try (SortedEntries entries = merge(sorters)) {
            regions = cutter.write(entries);
        }
        progress.enter(Phase.FINISHED);
        return new BuiltExtract(regions, progress.totalFiles(), sorters.stream().mapToLong(EntrySorter::spilledBytes).sum());
    }

    private SortedEntries merge(List<EntrySorter> sorters)
    {
        SortedEntries entries = EntrySorter.merge(sorters);
        return threads > 1 ? new PrefetchedEntries(entries) : entries;
    }

    private List<Reader> readers(ExtractRequest request, SnapshotScan scan, DataFilePaths paths, BuildProgress progress, SpillDirectory spill)
    {
        DataFilePages pages = new DataFilePages(request.session(), request.table(), scan.schema(), pageSourceProviderFactory.createPageSourceProvider());
        long memoryPerThread = max(maxMemory / threads, EntrySorter.MIN_MEMORY_LIMIT);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        ImmutableList.Builder<Reader> readers = ImmutableList.builder();
        for (int i = 0; i < threads; i++) {
            EntryEncoder encoder = new EntryEncoder(request.schema(), scan.schema(), request.sourceIds(), request.functions(), typeManager);
            readers.add(new Reader(
                    new DataFileReader(request.table().name(), pages, encoder, paths, progress),
                    new EntrySorter(spill, memoryPerThread, () -> failure.get() != null || progress.isCancelled()),
                    failure));
        }
        return readers.build();
    }

    private void read(SnapshotScan scan, List<Reader> readers, BuildProgress progress)
    {
        long rangeSize = clamp(progress.totalBytes() / ((long) threads * RANGES_PER_THREAD), minRangeSize, MAX_RANGE_SIZE);
        try (SnapshotScan.Ranges ranges = scan.ranges(rangeSize)) {
            ExecutorService executor = newFixedThreadPool(threads, daemonThreadsNamed("index-build-%s"));
            try {
                CompletionService<Void> completion = new ExecutorCompletionService<>(executor);
                readers.forEach(reader -> completion.submit(() -> reader.readAll(ranges), null));
                for (int i = 0; i < readers.size(); i++) {
                    awaitOne(completion, progress).get();
                }
            }
            catch (ExecutionException e) {
                // The reader that failed first stopped the others
                throw failure(readers.getFirst().failure().get());
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw BuildProgress.cancellation(e);
            }
            finally {
                stop(executor);
            }
        }
    }

    private static RuntimeException failure(Throwable failure)
    {
        throwIfUnchecked(failure);
        return new IllegalStateException("A reader failed with a checked exception", failure);
    }

    private static Future<Void> awaitOne(CompletionService<Void> completion, BuildProgress progress)
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
        void readAll(SnapshotScan.Ranges ranges)
        {
            try (ThreadContextClassLoader _ = new ThreadContextClassLoader(ExtractBuilder.class.getClassLoader())) {
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
