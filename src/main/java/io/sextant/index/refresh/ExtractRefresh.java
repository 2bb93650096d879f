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
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import com.google.common.collect.Streams;
import com.google.common.io.Closer;
import io.sextant.index.refresh.BuildProgress.Phase;
import io.sextant.index.refresh.RegionPart.Reused;
import io.sextant.index.refresh.RegionPart.Rewritten;
import io.sextant.index.region.RegionFile;
import io.sextant.index.region.RegionFileReader;
import io.sextant.index.tracking.TrackingEntry;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorPageSource;
import org.apache.iceberg.io.CloseableIterable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static java.lang.Math.max;
import static java.lang.Math.round;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Gatherers.mapConcurrent;

/// Derives the extract of a snapshot from that of an earlier one: regions whose entries stay are reused, others are written
/// anew from their entries and those of added rows (index format, "Refresh"). Used once.
///
/// Memory: what [EntryReaders] takes, and for each thread a region that is read, one that is written, and a part of the
/// sorting memory for the entries that come in between.
final class ExtractRefresh
{
    private final EntryReaders.Settings settings;
    private final RegionFileReader regionFileReader;
    private final ExtractRequest request;
    private final BaseExtract base;
    private final RegionOutputs outputs;
    private final SpillDirectory spill;
    private final BuildProgress progress;

    private final LongAdder removedEntries = new LongAdder();

    ExtractRefresh(
            EntryReaders.Settings settings,
            RegionFileReader regionFileReader,
            ExtractRequest request,
            BaseExtract base,
            RegionOutputs outputs,
            SpillDirectory spill,
            BuildProgress progress)
    {
        this.settings = requireNonNull(settings, "settings is null");
        this.regionFileReader = requireNonNull(regionFileReader, "regionFileReader is null");
        this.request = requireNonNull(request, "request is null");
        this.base = requireNonNull(base, "base is null");
        this.outputs = requireNonNull(outputs, "outputs is null");
        this.spill = requireNonNull(spill, "spill is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    /// @throws NotReusableException if the index is to be built in full
    BuiltExtract run()
    {
        SnapshotScan earlier = new SnapshotScan(request.table(), base.snapshotId());
        SnapshotScan later = new SnapshotScan(request.table(), request.snapshotId());
        SnapshotDelta delta = SnapshotDelta.between(earlier, later, progress);
        if (delta.changedRecords() > delta.recordCount()) {
            throw new NotReusableException("%s rows are in files that came or went, and the table has %s".formatted(delta.changedRecords(), delta.recordCount()));
        }
        progress.enter(Phase.READING);
        DataFilePages before = settings.pages(request, earlier.schema());
        RowDelta rows = RowDelta.of(delta, settings.rowPosition(), before, settings.pages(request, later.schema()), settings.threads(), progress);
        long[] removed = new RemovedEntryFinder(request, base, regionFileReader, settings.threads(), progress)
                .find(rows.removed(), before, () -> settings.encoder(request.withSchema(base.schema()), earlier.schema()));

        rows.added().forEach(task -> progress.addPlannedFile(task.file().fileSizeInBytes()));
        EntryReaders readers = new EntryReaders(settings, request, later.schema(), delta.paths(), spill, progress);
        progress.setMemory(readers::memoryUsage);
        try (SortedEntries added = readers.read(CloseableIterable.withNoopClose(rows.added()))) {
            progress.enter(Phase.WRITING);
            BuiltExtract extract = write(removed, added, delta.paths(), rows.removed());
            rows.removed().count().ifPresent(this::checkRemovedEntries);
            progress.enter(Phase.FINISHED);
            return extract;
        }
    }

    /// An extract that had not exactly the rows of its snapshot would stay wrong for ever.
    private void checkRemovedEntries(long expected)
    {
        if (removedEntries.sum() != expected) {
            throw new NotReusableException("%s rows were removed from the table, and it has entries of %s of them".formatted(expected, removedEntries.sum()));
        }
    }

    private BuiltExtract write(long[] removed, SortedEntries added, DataFilePaths paths, RemovedRows removedRows)
    {
        long sorterMemory = max(settings.maxMemory() / (4L * settings.threads()), EntrySorter.MIN_MEMORY_LIMIT);
        RegionWalk walk = new RegionWalk(
                base.regions(),
                removed,
                added,
                request.schema(),
                request.targetRegionSize().toBytes(),
                () -> new EntrySorter(spill, sorterMemory, progress::isCancelled));
        ImmutableList.Builder<RegionFile> regions = ImmutableList.builder();
        ImmutableList.Builder<RegionFile> written = ImmutableList.builder();
        Streams.stream(walk)
                .gather(mapConcurrent(settings.threads(), part -> switch (part) {
                    case Reused reused -> Map.entry(part, ImmutableList.of(reuse(reused.region())));
                    case Rewritten rewritten -> Map.entry(part, rewrite(rewritten, paths, removedRows));
                }))
                .forEach(entry -> {
                    regions.addAll(entry.getValue());
                    if (entry.getKey() instanceof Rewritten) {
                        written.addAll(entry.getValue());
                    }
                });
        return new BuiltExtract(regions.build(), written.build(), paths.count(), 0);
    }

    /// The region with statistics of the types that columns have now.
    private RegionFile reuse(TrackingEntry region)
    {
        return new RegionFile(region.file(), ImmutableMap.copyOf(Maps.transformEntries(
                region.contentStats(),
                (fieldId, stats) -> stats.promotedTo(request.schema().type(fieldId)))));
    }

    private List<RegionFile> rewrite(Rewritten part, DataFilePaths paths, RemovedRows removedRows)
    {
        RegionCutter cutter = new RegionCutter(request.schema(), paths, regionSize(part), request.hotKeys(), outputs, progress);
        RetainedRows retained = new RetainedRows(paths::find, removedRows);
        ImmutableList.Builder<EntrySource> sources = ImmutableList.builder();
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader());
                EntrySorter added = part.added();
                Closer closer = Closer.create()) {
            for (TrackingEntry region : part.regions()) {
                sources.add(closer.register(open(region, retained)));
            }
            sources.addAll(added.sources());
            try (SortedEntries entries = new EntryMerge(sources.build(), progress::checkpoint)) {
                return cutter.write(entries);
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Regions of one part get about the same size, so that a few entries more do not leave a full region and a tiny one.
    private long regionSize(Rewritten part)
    {
        long target = request.targetRegionSize().toBytes();
        long regions = max(1, round((double) part.expectedSize() / target));
        return regions == 1 ? 2 * target : part.expectedSize() / regions * 11 / 10;
    }

    private RegionEntries open(TrackingEntry region, RetainedRows retained)
    {
        ConnectorPageSource pages = regionFileReader.open(
                request.session(),
                IcebergTableCredentials.forFileIO(request.table().io()),
                newSimpleAggregatedMemoryContext(),
                request.schema(),
                region.file());
        return new RegionEntries(region.file().location(), pages, request.schema(), request.functions(), retained, removedEntries::add);
    }
}
