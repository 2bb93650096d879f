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
import io.sextant.index.catalog.IndexRegistrations;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.ExtractSchemas;
import io.sextant.index.metadata.IdentityField;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.IndexBuilds;
import io.sextant.index.refresh.IndexBuilds.Build;
import io.sextant.index.refresh.IndexBuilds.IndexName;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.index.scan.ExtractCoverage;
import io.sextant.index.scan.ServingExtract;
import io.sextant.index.tracking.TrackingEntry;
import io.sextant.index.tracking.TrackingFileReader;
import io.sextant.system.IndexStatus.Size;
import io.sextant.system.IndexStatus.State;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

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
        IndexRegistrations registrations = IndexRegistrations.fromTableProperties(table.table().properties());
        ImmutableList.Builder<IndexStatus> statuses = ImmutableList.builder();
        registrations.malformed().forEach((name, reason) -> statuses.add(IndexStatus.unusable(name, Optional.empty(), reason)));
        for (IndexRegistration registration : registrations.indexes().values()) {
            try {
                Optional<String> progress = builds.stream()
                        .filter(build -> build.index().name().equals(registration.name()))
                        .findFirst()
                        .map(build -> build.progress().toString());
                statuses.add(read(table, registration, progress));
            }
            catch (RuntimeException e) {
                // Whatever is wrong with one index, the others can be shown
                statuses.add(IndexStatus.unusable(registration.name(), Optional.of(registration.location()), requireNonNullElse(e.getMessage(), e.toString())));
            }
        }
        return statuses.build();
    }

    private IndexStatus read(IndexedTable table, IndexRegistration registration, Optional<String> progress)
    {
        IndexMetadata metadata = indexCatalog.load(table.fileSystem(), registration).metadata();
        Schema schema = table.table().schema();
        List<String> key = names(schema, metadata, metadata.orderingKey());
        List<String> include = names(schema, metadata, includedFields(metadata));
        Optional<String> location = Optional.of(registration.location());
        Optional<String> unusable = metadata.unusableReason(schema);
        if (unusable.isPresent()) {
            return IndexStatus.withoutExtract(registration.name(), State.UNUSABLE, key, include, location, progress, unusable);
        }
        Optional<String> lastError = ExtractSchemas.droppedColumnReason(metadata, schema)
                .or(() -> indexBuilds.lastFailure(new IndexName(table.name(), registration.name())));
        Snapshot current = table.table().currentSnapshot();
        Optional<ServingExtract> serving = current == null ? Optional.empty() : ServingExtract.find(metadata, table.table(), current);
        if (serving.isEmpty()) {
            State state = metadata.extracts().isEmpty() ? State.UNBUILT : State.STALE;
            return IndexStatus.withoutExtract(registration.name(), state, key, include, location, progress, lastError);
        }
        Extract extract = serving.orElseThrow().extract();
        boolean complete = serving.orElseThrow().coverage().isComplete();
        return new IndexStatus(
                registration.name(),
                complete ? State.CURRENT : State.LAGGING,
                key,
                include,
                OptionalLong.of(extract.sourceTableSnapshotId()),
                OptionalLong.of(complete ? 0 : SnapshotUtil.snapshotIdsBetween(table.table(), extract.sourceTableSnapshotId(), current.snapshotId()).size()),
                OptionalDouble.of(complete ? 1 : coverage(table.table(), current, serving.orElseThrow().coverage())),
                Optional.of(size(table, metadata, extract)),
                location,
                progress,
                lastError);
    }

    private static List<String> names(Schema table, IndexMetadata metadata, List<Integer> fieldIds)
    {
        return fieldIds.stream()
                .map(fieldId -> name(table, metadata, fieldId))
                .collect(toImmutableList());
    }

    /// The name that a column has in the table by now, else the one it had when the index was created.
    private static String name(Schema table, IndexMetadata metadata, int fieldId)
    {
        return metadata.identityFieldOfColumn(fieldId)
                .map(field -> table.findColumnName(field.sourceId()))
                .or(() -> Optional.ofNullable(metadata.latestSchema().findColumnName(fieldId)))
                .orElseGet(() -> "expression %s".formatted(fieldId));
    }

    private static List<Integer> includedFields(IndexMetadata metadata)
    {
        return metadata.identityFields().stream()
                .filter(field -> !MetadataColumns.metadataFieldIds().contains(field.sourceId()))
                .map(IdentityField::fieldId)
                .filter(fieldId -> !metadata.orderingKey().contains(fieldId))
                .collect(toImmutableList());
    }

    private static double coverage(Table table, Snapshot snapshot, ExtractCoverage coverage)
    {
        long rows = 0;
        long covered = 0;
        try (CloseableIterable<FileScanTask> files = table.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
            for (FileScanTask file : files) {
                rows += file.file().recordCount();
                covered += coverage.covers(file.file()) ? file.file().recordCount() : 0;
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows == 0 ? 1 : (double) covered / rows;
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
