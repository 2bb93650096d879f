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

import com.google.inject.Inject;
import io.sextant.index.catalog.IndexCatalog;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.maintenance.ExpiryPolicy;
import io.sextant.index.maintenance.ExtractExpiry;
import io.sextant.index.maintenance.UsableExtract;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.index.scan.ServingExtract;
import io.sextant.index.tracking.TrackingEntry;
import io.sextant.index.tracking.TrackingFileReader;
import io.sextant.system.IndexStatus.Size;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;

/// Reads what extracts the indexes of a table have, and the regions of those that serve.
public class ExtractStatusReader
{
    private final IndexCatalog indexCatalog;
    private final TrackingFileReader trackingFileReader;

    @Inject
    public ExtractStatusReader(IndexCatalog indexCatalog, TrackingFileReader trackingFileReader)
    {
        this.indexCatalog = requireNonNull(indexCatalog, "indexCatalog is null");
        this.trackingFileReader = requireNonNull(trackingFileReader, "trackingFileReader is null");
    }

    /// All extracts of all indexes, those of one index the oldest first.
    List<ExtractStatus> readExtracts(IndexedTable table)
    {
        return IndexListing.list(
                table,
                registration -> readExtracts(table, registration),
                (name, _, reason) -> ExtractStatus.unreadable(name, reason));
    }

    private List<ExtractStatus> readExtracts(IndexedTable table, IndexRegistration registration)
    {
        IndexMetadata metadata = indexCatalog.load(table.fileSystem(), registration).metadata();
        Optional<Extract> serving = UsableExtract.serving(table, metadata).map(ServingExtract::extract);
        List<Extract> expirable = ExtractExpiry.expired(table, metadata, ExpiryPolicy.defaults(table.session()));
        return metadata.extracts().stream()
                .sorted(comparingLong(Extract::timestampMillis))
                .map(extract -> readExtract(table, registration.name(), metadata, extract, serving.equals(Optional.of(extract)), expirable.contains(extract)))
                .collect(toImmutableList());
    }

    private ExtractStatus readExtract(IndexedTable table, String indexName, IndexMetadata metadata, Extract extract, boolean serving, boolean expirable)
    {
        boolean snapshotExpired = UsableExtract.isSnapshotExpired(table, extract);
        try {
            List<TrackingEntry> regions = trackingFileReader.read(table.fileSystem(), metadata, extract);
            Size size = new Size(
                    regions.stream().mapToLong(region -> region.file().recordCount()).sum(),
                    regions.size(),
                    regions.stream().mapToLong(region -> region.file().sizeInBytes()).sum());
            return new ExtractStatus(indexName, Optional.of(extract), serving, snapshotExpired, expirable, Optional.of(size), Optional.empty());
        }
        catch (RuntimeException e) {
            return new ExtractStatus(indexName, Optional.of(extract), serving, snapshotExpired, expirable, Optional.empty(), Optional.of(IndexListing.reason(e)));
        }
    }

    /// The extracts that serve the current snapshot, each with its regions.
    List<ServingRegions> readServingRegions(IndexedTable table)
    {
        return IndexListing.list(
                table,
                registration -> readServingRegions(table, registration),
                (name, _, reason) -> new ServingRegions.Unreadable(name, reason));
    }

    private List<ServingRegions> readServingRegions(IndexedTable table, IndexRegistration registration)
    {
        IndexMetadata metadata = indexCatalog.load(table.fileSystem(), registration).metadata();
        return UsableExtract.serving(table, metadata)
                .map(ServingExtract::extract)
                .map(extract -> (ServingRegions) new ServingRegions.Listed(
                        registration.name(),
                        extract.extractId(),
                        RegionKeyColumn.of(table.table().schema(), metadata, metadata.schemaOf(extract)),
                        trackingFileReader.read(table.fileSystem(), metadata, extract)))
                .stream()
                .collect(toImmutableList());
    }
}
