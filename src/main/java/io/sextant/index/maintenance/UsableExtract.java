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

import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.index.scan.ServingExtract;
import org.apache.iceberg.Snapshot;

import java.util.Optional;

/// Tells which extracts queries on a table use, or ever can.
public final class UsableExtract
{
    private UsableExtract() {}

    /// Why no query on the table can use the index; empty if some can.
    public static Optional<String> unusableReason(IndexedTable table, IndexMetadata metadata)
    {
        if (!metadata.tableUuid().equals(table.uuid())) {
            return Optional.of("it indexes another table, %s".formatted(metadata.tableUuid()));
        }
        return metadata.unusableReason(table.table().schema());
    }

    /// The extract that queries on the current snapshot use, if they can use the index at all.
    public static Optional<ServingExtract> serving(IndexedTable table, IndexMetadata metadata)
    {
        Snapshot current = table.table().currentSnapshot();
        if (current == null || unusableReason(table, metadata).isPresent()) {
            return Optional.empty();
        }
        return ServingExtract.find(metadata, table.table(), current);
    }

    /// Whether the table has lost the snapshot of an extract, so that no query can use it. The table that is at hand may be older
    /// than the extract, and not know its snapshot yet.
    public static boolean isSnapshotExpired(IndexedTable table, Extract extract)
    {
        return table.table().snapshot(extract.sourceTableSnapshotId()) == null
                && extract.timestampMillis() <= table.table().operations().current().lastUpdatedMillis();
    }
}
