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

import com.google.inject.Inject;
import io.sextant.index.refresh.BuildProgress.Phase;
import io.sextant.index.region.RegionFile;
import io.sextant.index.region.RegionFileReader;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.type.TypeManager;

import java.nio.file.Path;
import java.util.List;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static java.util.Objects.requireNonNull;

/// Builds the region files of an extract from the live rows of a snapshot, in one process: threads read data files and sort
/// their entries, then the sorted entries are merged and written. The table is only read.
///
/// Memory: sorting stays within `sextant.index.build.max-memory`; to it come the pages being read, the paths of all data
/// files, the one region that is being written, and a few batches of entries for it.
public class ExtractBuilder
{
    private final EntryReaders.Settings settings;
    private final RegionFileReader regionFileReader;
    private final Path spillPath;

    @Inject
    public ExtractBuilder(IcebergPageSourceProviderFactory pageSourceProviderFactory, TypeManager typeManager, RegionFileReader regionFileReader, IndexBuildConfig config)
    {
        this(new EntryReaders.Settings(pageSourceProviderFactory, typeManager, config), regionFileReader, config.getSpillPath());
    }

    ExtractBuilder(EntryReaders.Settings settings, RegionFileReader regionFileReader, Path spillPath)
    {
        this.settings = requireNonNull(settings, "settings is null");
        this.regionFileReader = requireNonNull(regionFileReader, "regionFileReader is null");
        this.spillPath = requireNonNull(spillPath, "spillPath is null");
    }

    /// Builds an extract. When it fails, also by cancelling the progress or interrupting the thread, neither region files nor
    /// sorted runs are left behind.
    ///
    /// Fails with INDEX_UNSUPPORTED if the snapshot cannot be indexed, INDEX_INVALID_DEFINITION if the schema does not fit
    /// the snapshot, INDEX_BUILD_CANCELED when cancelled, and INDEX_BUILD_FAILED or an error of the Iceberg connector otherwise.
    public BuiltExtract build(ExtractRequest request, BuildProgress progress)
    {
        return run(request, progress, (outputs, spill) -> build(request, progress, outputs, spill));
    }

    /// Derives an extract from that of an earlier snapshot, and reuses what it can of it. Fails as [#build] does.
    ///
    /// @throws NotReusableException if the extract is to be built in full
    BuiltExtract refresh(ExtractRequest request, BaseExtract base, BuildProgress progress)
    {
        return run(request, progress, (outputs, spill) -> new ExtractRefresh(settings, regionFileReader, request, base, outputs, spill, progress).run());
    }

    private interface Build
    {
        BuiltExtract run(RegionOutputs outputs, SpillDirectory spill);
    }

    private BuiltExtract run(ExtractRequest request, BuildProgress progress, Build build)
    {
        RegionOutputs outputs = new RegionOutputs(request.fileSystem(), request.regionLocations());
        boolean built = false;
        try (SpillDirectory spill = new SpillDirectory(spillPath)) {
            BuiltExtract extract = build.run(outputs, spill);
            built = true;
            return extract;
        }
        catch (RuntimeException e) {
            if (progress.isCancelled() || Thread.currentThread().isInterrupted()) {
                throw BuildProgress.cancellation(e);
            }
            throwIfInstanceOf(e, TrinoException.class);
            throwIfInstanceOf(e, NotReusableException.class);
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
        EntryReaders readers = new EntryReaders(settings, request, scan.schema(), paths, spill, progress);
        RegionCutter cutter = new RegionCutter(request.schema(), paths, request.targetRegionSize().toBytes(), request.hotKeys(), outputs, progress);
        progress.setMemory(() -> readers.memoryUsage() + cutter.memoryUsage());

        List<RegionFile> regions;
        try (SortedEntries entries = readers.read(scan.planFiles())) {
            progress.enter(Phase.WRITING);
            regions = cutter.write(entries);
        }
        progress.enter(Phase.FINISHED);
        return new BuiltExtract(regions, regions, paths.count(), readers.spilledBytes());
    }
}
