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
package io.sextant.system;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.sextant.index.catalog.IndexCatalog;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.maintenance.UsableExtract;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.ExtractSchemas;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.IndexBuilds;
import io.sextant.index.refresh.IndexBuilds.Build;
import io.sextant.index.refresh.IndexBuilds.IndexName;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.index.scan.ServingExtract;
import io.sextant.index.tracking.TrackingEntry;
import io.sextant.index.tracking.TrackingFileReader;
import io.sextant.system.IndexStatus.Reach;
import io.sextant.system.IndexStatus.Size;
import io.sextant.system.IndexStatus.State;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// Finds out the state of each index of a table.
public class IndexStatusReader
{
    private final IndexCatalog indexCatalog;
    private final TrackingFileReader trackingFileReader;
    private final IndexBuilds indexBuilds;

    @Inject
    public IndexStatusReader(IndexCatalog indexCatalog, TrackingFileReader trackingFileReader, IndexBuilds indexBuilds)
    {
        this.indexCatalog = requireNonNull(indexCatalog, "indexCatalog is null");
        this.trackingFileReader = requireNonNull(trackingFileReader, "trackingFileReader is null");
        this.indexBuilds = requireNonNull(indexBuilds, "indexBuilds is null");
    }

    List<IndexStatus> read(IndexedTable table, List<Build> builds)
    {
        return IndexListing.list(
                table,
                registration -> ImmutableList.of(read(table, registration, progress(builds, registration.name()))),
                IndexStatus::unusable);
    }

    private static Optional<String> progress(List<Build> builds, String indexName)
    {
        return builds.stream()
                .filter(build -> build.index().name().equals(indexName))
                .findFirst()
                .map(build -> build.progress().toString());
    }

    private IndexStatus read(IndexedTable table, IndexRegistration registration, Optional<String> progress)
    {
        IndexMetadata metadata = indexCatalog.load(table.fileSystem(), registration).metadata();
        Schema schema = table.table().schema();
        List<String> key = IndexColumnNames.ofKey(schema, metadata);
        List<String> include = IndexColumnNames.ofIncluded(schema, metadata);
        Optional<String> location = Optional.of(registration.location());
        Optional<String> unusable = UsableExtract.unusableReason(table, metadata);
        if (unusable.isPresent()) {
            return IndexStatus.withoutExtract(registration.name(), State.UNUSABLE, key, include, location, progress, unusable);
        }
        Optional<String> lastError = ExtractSchemas.droppedColumnReason(metadata, schema)
                .or(() -> indexBuilds.lastFailure(new IndexName(table.name(), registration.name())));
        Optional<ServingExtract> serving = UsableExtract.serving(table, metadata);
        if (serving.isEmpty()) {
            State state = metadata.extracts().isEmpty() ? State.UNBUILT : State.STALE;
            return IndexStatus.withoutExtract(registration.name(), state, key, include, location, progress, lastError);
        }
        return new IndexStatus(
                registration.name(),
                serving.orElseThrow().coverage().isComplete() ? State.CURRENT : State.LAGGING,
                key,
                include,
                Optional.of(reach(table.table(), serving.orElseThrow())),
                Optional.of(size(table, metadata, serving.orElseThrow().extract())),
                location,
                progress,
                lastError);
    }

    private static Reach reach(Table table, ServingExtract serving)
    {
        long snapshotId = serving.extract().sourceTableSnapshotId();
        if (serving.coverage().isComplete()) {
            return new Reach(snapshotId, 0, 0, 1, 1);
        }
        Snapshot current = table.currentSnapshot();
        long rows = 0;
        long coveredRows = 0;
        long files = 0;
        long coveredFiles = 0;
        try (CloseableIterable<FileScanTask> tasks = table.newScan().useSnapshot(current.snapshotId()).planFiles()) {
            for (FileScanTask task : tasks) {
                boolean covered = serving.coverage().covers(task.file());
                rows += task.file().recordCount();
                coveredRows += covered ? task.file().recordCount() : 0;
                files++;
                coveredFiles += covered ? 1 : 0;
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Reach(
                snapshotId,
                SnapshotUtil.snapshotIdsBetween(table, snapshotId, current.snapshotId()).size(),
                rows - coveredRows,
                part(coveredRows, rows),
                part(coveredFiles, files));
    }

    private static double part(long covered, long all)
    {
        return all == 0 ? 1 : (double) covered / all;
    }

    private Size size(IndexedTable table, IndexMetadata metadata, Extract extract)
    {
        List<TrackingEntry> regions = trackingFileReader.read(table.fileSystem(), metadata, extract);
        return new Size(
                regions.stream().mapToLong(region -> region.file().recordCount()).sum(),
                regions.size(),
                extract.trackingFileSizeInBytes() + regions.stream().mapToLong(region -> region.file().sizeInBytes()).sum());
    }
}
