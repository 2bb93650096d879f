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
package io.sextant.index.maintenance;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.sextant.index.catalog.IndexCatalog;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.ExtractProperties;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.IndexedTable;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;

/// Removes extracts that have grown old, and the files that no other extract refers to.
public class ExtractExpiry
{
    private static final Logger log = Logger.get(ExtractExpiry.class);

    private final IndexCatalog indexCatalog;

    @Inject
    public ExtractExpiry(IndexCatalog indexCatalog)
    {
        this.indexCatalog = requireNonNull(indexCatalog, "indexCatalog is null");
    }

    /// The extracts that are to go: those whose snapshot the table has lost, and of the others those that are too old, save the
    /// latest ones and the one that serves the current snapshot.
    public static List<Extract> expired(IndexedTable table, IndexMetadata metadata, ExpiryPolicy policy)
    {
        if (!metadata.tableUuid().equals(table.uuid())) {
            return List.of();
        }
        Set<Long> kept = new HashSet<>();
        UsableExtract.serving(table, metadata).ifPresent(serving -> kept.add(serving.extract().extractId()));
        metadata.extracts().stream()
                .filter(extract -> !UsableExtract.isSnapshotExpired(table, extract))
                .sorted(comparingLong(Extract::timestampMillis).reversed())
                .limit(policy.retainLast())
                .forEach(extract -> kept.add(extract.extractId()));
        return metadata.extracts().stream()
                // A copy of a table has the UUID and the registrations of the original, whose extracts are none of its business
                .filter(extract -> ExtractProperties.isOfTableAt(extract, table.table().location()))
                .filter(extract -> UsableExtract.isSnapshotExpired(table, extract)
                        || (!kept.contains(extract.extractId()) && extract.timestampMillis() < policy.olderThan().toEpochMilli()))
                .collect(toImmutableList());
    }

    /// Removes the expired extracts from the metadata of an index, then deletes the files that only they referred to, and files of
    /// the same age that nothing refers to. Whoever still reads one of them falls back to the table.
    public void expire(IndexedTable table, IndexRegistration registration, ExpiryPolicy policy)
    {
        indexCatalog.commit(table.fileSystem(), registration, current -> withoutExpired(table, registration, current, policy));
        List<Location> orphans = indexCatalog.deleteOrphanFiles(table.fileSystem(), registration, policy.olderThan());
        if (!orphans.isEmpty()) {
            log.info("Deleted %s files of index %s of table %s that nothing referred to", orphans.size(), registration.name(), table.name());
        }
    }

    /// Logs what [#expire] would do, and changes nothing.
    public void logExpired(IndexedTable table, IndexRegistration registration, ExpiryPolicy policy)
    {
        indexCatalog.refresh(registration);
        IndexMetadata current = indexCatalog.load(table.fileSystem(), registration).metadata();
        IndexMetadata remaining = withoutExpired(table, registration, current, policy);
        List<Location> orphans = indexCatalog.orphanFiles(table.fileSystem(), registration, policy.olderThan());
        List<Location> files = indexCatalog.filesOfDroppedExtracts(table.fileSystem(), registration, current, remaining);
        log.info(
                "Dry run: expire_extracts would leave %s of %s extracts of index %s of table %s, without extracts %s, and delete %s files of theirs: %s, and %s files that nothing refers to: %s",
                remaining.extracts().size(),
                current.extracts().size(),
                registration.name(),
                table.name(),
                current.extracts().stream()
                        .map(Extract::extractId)
                        .filter(id -> remaining.extract(id).isEmpty())
                        .collect(toImmutableList()),
                files.size(),
                files,
                orphans.size(),
                orphans);
    }

    private static IndexMetadata withoutExpired(IndexedTable table, IndexRegistration registration, IndexMetadata current, ExpiryPolicy policy)
    {
        if (!current.tableUuid().equals(table.uuid())) {
            throw new TrinoException(INDEX_UNSUPPORTED, "The files at %s, where table %s has its index %s, belong to another table; they are left as they are".formatted(
                    registration.location(),
                    table.name(),
                    registration.name()));
        }
        // An extract of the current metadata may be of a snapshot that is newer than the table as it was loaded
        table.table().refresh();
        Set<Long> expired = expired(table, current, policy).stream()
                .map(Extract::extractId)
                .collect(toImmutableSet());
        return expired.isEmpty() ? current : current.withoutExtracts(expired);
    }
}
