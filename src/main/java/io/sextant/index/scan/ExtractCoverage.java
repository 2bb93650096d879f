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
package io.sextant.index.scan;

import com.google.common.collect.ImmutableSet;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import static io.trino.plugin.iceberg.IcebergUtil.TRINO_QUERY_ID_NAME;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.SnapshotSummary.REMOVED_DELETE_FILES_PROP;

/// Tells which data files of a snapshot an extract covers: those that its own snapshot, an ancestor or the same, held
/// already. A file added since is not covered and must be scanned (spec/index.md section 11).
public sealed interface ExtractCoverage
{
    /// How many snapshots since the extract may be searched for added files where files carry no sequence number.
    int MAX_SNAPSHOTS_SEARCHED = 100;

    boolean covers(DataFile file);

    /// Whether the extract is of the very snapshot that is read.
    default boolean isComplete()
    {
        return false;
    }

    /// Absent if the extract says nothing on the snapshot that is read, or it would take too long to find out what.
    static Optional<ExtractCoverage> of(Table table, Snapshot extracted, Snapshot read)
    {
        if (extracted.snapshotId() == read.snapshotId()) {
            return Optional.of(new AllFiles());
        }
        if (!SnapshotUtil.isAncestorOf(table, read.snapshotId(), extracted.snapshotId()) || mayRestoreRows(table, extracted, read)) {
            return Optional.empty();
        }
        if (extracted.sequenceNumber() > 0) {
            return Optional.of(new FilesUpTo(extracted.sequenceNumber()));
        }
        return filesAddedBetween(table, extracted, read).map(FilesBut::new);
    }

    // A row that was deleted when the extract was made has no entry, so it must not be live again in a file that the extract
    // covers. Deletes go for good with their data file, in a rewrite that keeps the rows, or into a vector that replaces them:
    // Trino's has all rows of the one before, others' need not
    private static boolean mayRestoreRows(Table table, Snapshot extracted, Snapshot read)
    {
        int searched = 0;
        for (Snapshot snapshot : SnapshotUtil.ancestorsBetween(read.snapshotId(), extracted.snapshotId(), table::snapshot)) {
            if (DataOperations.REPLACE.equals(snapshot.operation()) || !snapshot.summary().containsKey(REMOVED_DELETE_FILES_PROP)) {
                continue;
            }
            searched++;
            if (searched > MAX_SNAPSHOTS_SEARCHED || removesDeletesOfLiveRows(SnapshotChanges.builderFor(table).snapshot(snapshot).build(), snapshot.summary().containsKey(TRINO_QUERY_ID_NAME))) {
                return true;
            }
        }
        return false;
    }

    private static boolean removesDeletesOfLiveRows(SnapshotChanges changes, boolean vectorsGrow)
    {
        Set<String> settled = new HashSet<>();
        changes.removedDataFiles().forEach(file -> settled.add(file.location()));
        changes.addedDeleteFiles().forEach(file -> {
            if (vectorsGrow && file.referencedDataFile() != null) {
                settled.add(file.referencedDataFile());
            }
        });
        for (DeleteFile file : changes.removedDeleteFiles()) {
            if (file.referencedDataFile() == null || !settled.contains(file.referencedDataFile())) {
                return true;
            }
        }
        return false;
    }

    // Format version 1 counts no sequence numbers: ask the snapshots in between what they added
    private static Optional<Set<String>> filesAddedBetween(Table table, Snapshot extracted, Snapshot read)
    {
        ImmutableSet.Builder<String> added = ImmutableSet.builder();
        int snapshots = 0;
        for (Snapshot snapshot : SnapshotUtil.ancestorsBetween(read.snapshotId(), extracted.snapshotId(), table::snapshot)) {
            snapshots++;
            if (snapshots > MAX_SNAPSHOTS_SEARCHED) {
                return Optional.empty();
            }
            SnapshotChanges.builderFor(table).snapshot(snapshot).build().addedDataFiles().forEach(file -> added.add(file.location()));
        }
        return Optional.of(added.build());
    }

    record AllFiles()
            implements ExtractCoverage
    {
        @Override
        public boolean covers(DataFile file)
        {
            return true;
        }

        @Override
        public boolean isComplete()
        {
            return true;
        }
    }

    record FilesUpTo(long sequenceNumber)
            implements ExtractCoverage
    {
        @Override
        public boolean covers(DataFile file)
        {
            Long added = file.fileSequenceNumber();
            return added != null && added <= sequenceNumber;
        }
    }

    record FilesBut(Set<String> addedSince)
            implements ExtractCoverage
    {
        public FilesBut
        {
            addedSince = ImmutableSet.copyOf(requireNonNull(addedSince, "addedSince is null"));
        }

        @Override
        public boolean covers(DataFile file)
        {
            return !addedSince.contains(file.location());
        }
    }
}
