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

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IdentityField;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.BuildProgress.Phase;
import io.sextant.index.region.RegionFileReader;
import io.sextant.index.region.RegionSchema;
import io.sextant.index.tracking.TrackingEntry;
import io.sextant.index.tracking.TrackingFileReader;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.type.TypeManager;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Gatherers.mapConcurrent;

/// Compares an extract with the live rows of the snapshot that it indexes, which must be its entries, no more and no less, each
/// where a look-up seeks it.
///
/// Both are sorted like entries of a build, within `sextant.index.build.max-memory` together, and then merged.
public class ExtractVerifier
{
    private static final long RANGE_SIZE = 256L * 1024 * 1024;

    private final IcebergPageSourceProviderFactory pageSourceProviderFactory;
    private final TypeManager typeManager;
    private final TrackingFileReader trackingFileReader;
    private final RegionFileReader regionFileReader;
    private final IndexBuilds indexBuilds;
    private final long maxMemory;
    private final Path spillPath;
    private final int threads;

    @Inject
    public ExtractVerifier(
            IcebergPageSourceProviderFactory pageSourceProviderFactory,
            TypeManager typeManager,
            TrackingFileReader trackingFileReader,
            RegionFileReader regionFileReader,
            IndexBuilds indexBuilds,
            IndexBuildConfig config)
    {
        this.pageSourceProviderFactory = requireNonNull(pageSourceProviderFactory, "pageSourceProviderFactory is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.trackingFileReader = requireNonNull(trackingFileReader, "trackingFileReader is null");
        this.regionFileReader = requireNonNull(regionFileReader, "regionFileReader is null");
        this.indexBuilds = requireNonNull(indexBuilds, "indexBuilds is null");
        this.maxMemory = config.getMaxMemory().toBytes();
        this.spillPath = config.getSpillPath();
        this.threads = config.getThreads();
    }

    /// Fails with INDEX_CORRUPT if the extract is not exact, and as a build does if the snapshot cannot be read.
    public void verify(IndexedTable table, String indexName, IndexMetadata metadata, Extract extract)
    {
        RegionSchema schema = RegionSchema.of(metadata, metadata.schemaOf(extract));
        List<TrackingEntry> regions = trackingFileReader.read(table.fileSystem(), metadata, extract);
        try (IndexBuilds.Build build = indexBuilds.start(table.index(indexName)); SpillDirectory spill = new SpillDirectory(spillPath)) {
            SnapshotScan scan = new SnapshotScan(table.table(), extract.sourceTableSnapshotId());
            DataFilePaths paths = scan.listFiles(build.progress());
            build.progress().enter(Phase.READING);
            ExtractFindings findings = new ExtractFindings(schema, paths);
            Sorting sorting = new Sorting(spill, max(maxMemory / 2 / threads, EntrySorter.MIN_MEMORY_LIMIT), build.progress());
            List<EntrySorter> rows = readRows(table, metadata, scan, schema, paths, sorting);
            List<EntrySorter> entries = readEntries(table, regions, schema, paths, sorting, findings);
            compare(rows, entries, findings);
            build.progress().enter(Phase.FINISHED);
            Optional<String> problem = findings.problem();
            if (problem.isPresent()) {
                throw new TrinoException(INDEX_CORRUPT, "Index %s of table %s does not match snapshot %s: %s. Build it anew with CALL system.refresh_index(.., mode => 'full')".formatted(
                        indexName,
                        table.name(),
                        extract.sourceTableSnapshotId(),
                        problem.orElseThrow()));
            }
        }
    }

    private List<EntrySorter> readRows(IndexedTable table, IndexMetadata metadata, SnapshotScan scan, RegionSchema schema, DataFilePaths paths, Sorting sorting)
    {
        DataFilePages pages = new DataFilePages(table.session(), table.table(), scan.schema(), pageSourceProviderFactory.createPageSourceProvider());
        Map<Integer, Integer> sourceIds = metadata.identityFields().stream()
                .collect(toImmutableMap(IdentityField::fieldId, IdentityField::sourceId));
        try (FileRanges ranges = new FileRanges(scan.planFiles(), RANGE_SIZE)) {
            return sorting.run(sorter -> {
                DataFileReader reader = new DataFileReader(
                        table.table().name(),
                        pages,
                        new EntryEncoder(schema, scan.schema(), sourceIds, ImmutableMap.of(), typeManager),
                        paths,
                        sorting.progress());
                Optional<FileRange> range = ranges.next();
                while (range.isPresent()) {
                    reader.read(range.orElseThrow(), sorter::add);
                    range = ranges.next();
                }
            });
        }
    }

    private List<EntrySorter> readEntries(IndexedTable table, List<TrackingEntry> regions, RegionSchema schema, DataFilePaths paths, Sorting sorting, ExtractFindings findings)
    {
        AtomicInteger next = new AtomicInteger();
        return sorting.run(sorter -> {
            RegionVerifier verifier = new RegionVerifier(regionFileReader, table, schema, paths, findings, sorting.progress());
            int region = next.getAndIncrement();
            while (region < regions.size()) {
                verifier.verify(region == 0 ? Optional.empty() : Optional.of(regions.get(region - 1)), regions.get(region), sorter::add);
                region = next.getAndIncrement();
            }
        });
    }

    private static void compare(List<EntrySorter> expectedSorters, List<EntrySorter> actualSorters, ExtractFindings findings)
    {
        try (SortedEntries expected = EntrySorter.merge(expectedSorters); SortedEntries actual = EntrySorter.merge(actualSorters)) {
            boolean moreExpected = expected.advance();
            boolean moreActual = actual.advance();
            while (moreExpected || moreActual) {
                int order = moreExpected && moreActual ? compare(expected, actual) : moreExpected ? -1 : 1;
                if (order < 0) {
                    findings.addMissing(expected);
                }
                else if (order > 0) {
                    findings.addExtra(actual);
                }
                moreExpected = order <= 0 ? expected.advance() : moreExpected;
                moreActual = order >= 0 ? actual.advance() : moreActual;
            }
        }
    }

    private static int compare(SortedEntries left, SortedEntries right)
    {
        return Arrays.compareUnsigned(
                left.array(),
                left.offset(),
                left.offset() + left.length(),
                right.array(),
                right.offset(),
                right.offset() + right.length());
    }

    /// Sorts what several threads read, each with a sorter of its own.
    private final class Sorting
    {
        private final SpillDirectory spill;
        private final long memoryPerThread;
        private final BuildProgress progress;
        private final AtomicReference<Throwable> failure = new AtomicReference<>();

        private Sorting(SpillDirectory spill, long memoryPerThread, BuildProgress progress)
        {
            this.spill = requireNonNull(spill, "spill is null");
            this.memoryPerThread = memoryPerThread;
            this.progress = requireNonNull(progress, "progress is null");
        }

        BuildProgress progress()
        {
            return progress;
        }

        List<EntrySorter> run(Consumer<EntrySorter> work)
        {
            BooleanSupplier stopped = () -> failure.get() != null || progress.isCancelled();
            List<EntrySorter> sorters = Stream.generate(() -> new EntrySorter(spill, memoryPerThread, stopped))
                    .limit(threads)
                    .toList();
            try {
                return sorters.stream()
                        .gather(mapConcurrent(threads, sorter -> run(work, sorter)))
                        .toList();
            }
            catch (RuntimeException e) {
                // The thread that failed first stopped the others
                throw failure.get() instanceof RuntimeException first ? first : e;
            }
        }

        private EntrySorter run(Consumer<EntrySorter> work, EntrySorter sorter)
        {
            try (ThreadContextClassLoader _ = new ThreadContextClassLoader(ExtractVerifier.class.getClassLoader())) {
                work.accept(sorter);
                sorter.finish();
                return sorter;
            }
            catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
                throw e;
            }
        }
    }
}
