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
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/// What happened to the data files of a table from one snapshot to another: rows of files that are gone, or of which rows
/// were given back, are removed; rows of files that are new are added.
///
/// @param added files with rows that the earlier snapshot does not have
/// @param removed files, with the deletes of the earlier snapshot, that are gone; or that are among the added, too
/// @param reduced files of both snapshots whose deletes are not the same
/// @param paths of all files of the later snapshot
/// @param recordCount rows in all files of the later snapshot, deleted ones included
record SnapshotDelta(List<FileScanTask> added, List<FileScanTask> removed, List<ChangedFile> reduced, DataFilePaths paths, long recordCount)
{
    SnapshotDelta
    {
        added = ImmutableList.copyOf(added);
        removed = ImmutableList.copyOf(removed);
        reduced = ImmutableList.copyOf(reduced);
        requireNonNull(paths, "paths is null");
    }

    record ChangedFile(FileScanTask before, FileScanTask after)
    {
        ChangedFile
        {
            requireNonNull(before, "before is null");
            requireNonNull(after, "after is null");
        }

        String path()
        {
            return after.file().location();
        }
    }

    static SnapshotDelta between(SnapshotScan earlier, SnapshotScan later, BuildProgress progress)
    {
        Map<String, FileScanTask> before = new HashMap<>();
        earlier.forEachFile(progress, task -> before.put(task.file().location(), task));
        ImmutableList.Builder<FileScanTask> added = ImmutableList.builder();
        ImmutableList.Builder<FileScanTask> removed = ImmutableList.builder();
        ImmutableList.Builder<ChangedFile> reduced = ImmutableList.builder();
        List<String> paths = new ArrayList<>();
        AtomicLong recordCount = new AtomicLong();
        later.forEachFile(progress, after -> {
            paths.add(after.file().location());
            recordCount.addAndGet(after.file().recordCount());
            FileScanTask same = before.remove(after.file().location());
            if (same == null) {
                added.add(after);
            }
            else if (!hasSameMetadata(same.file(), after.file())) {
                removed.add(same);
                added.add(after);
            }
            else if (!deletes(same).equals(deletes(after))) {
                reduced.add(new ChangedFile(same, after));
            }
        });
        removed.addAll(before.values());
        return new SnapshotDelta(added.build(), removed.build(), reduced.build(), new DataFilePaths(paths), recordCount.get());
    }

    /// Whether the metadata columns of the rows are the same.
    private static boolean hasSameMetadata(DataFile before, DataFile after)
    {
        return Objects.equals(before.firstRowId(), after.firstRowId()) &&
                Objects.equals(before.dataSequenceNumber(), after.dataSequenceNumber()) &&
                before.specId() == after.specId();
    }

    /// Deletion vectors of several data files are parts of one file.
    private static Set<List<Object>> deletes(FileScanTask task)
    {
        return task.deletes().stream()
                .map(delete -> Arrays.<Object>asList(delete.location(), delete.contentOffset()))
                .collect(toImmutableSet());
    }

    /// Rows in all files that came or went.
    long changedRecords()
    {
        return Stream.of(added, removed)
                .flatMap(Collection::stream)
                .mapToLong(task -> task.file().recordCount())
                .sum();
    }
}
