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
import io.sextant.index.refresh.RemovedRows.RemovedFromFile;
import io.sextant.index.refresh.SnapshotDelta.ChangedFile;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.FileScanTask;
import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Gatherers.mapConcurrent;

/// What a refresh has to take out of an extract and put into it: the difference of two snapshots, in rows.
///
/// @param added files whose live rows are added
record RowDelta(List<FileScanTask> added, RemovedRows removed)
{
    /// A range costs as much to add as some single positions.
    private static final int MIN_RANGE = 64;

    RowDelta
    {
        added = ImmutableList.copyOf(added);
        requireNonNull(removed, "removed is null");
    }

    /// Finds the positions of files from which other rows are deleted now. A file of which rows came back, or whose earlier
    /// deletes cannot be read any more, is taken as removed and added.
    ///
    /// @param position the column of row positions
    /// @param before opens files of the earlier snapshot
    /// @param after opens files of the later one
    static RowDelta of(SnapshotDelta delta, IcebergColumnHandle position, DataFilePages before, DataFilePages after, int threads, BuildProgress progress)
    {
        List<FileScanTask> added = new ArrayList<>(delta.added());
        List<RemovedFromFile> removed = new ArrayList<>();
        delta.removed().forEach(task -> removed.add(new RemovedFromFile(task, Optional.empty())));
        delta.reduced().stream()
                .gather(mapConcurrent(threads, file -> {
                    progress.checkpoint();
                    return Map.entry(file, removedPositions(file, position, before, after));
                }))
                .forEach(entry -> {
                    FileScanTask task = entry.getKey().before();
                    Optional<Roaring64Bitmap> positions = entry.getValue();
                    if (positions.isEmpty()) {
                        added.add(entry.getKey().after());
                        removed.add(new RemovedFromFile(task, Optional.empty()));
                    }
                    else if (!positions.orElseThrow().isEmpty()) {
                        removed.add(new RemovedFromFile(task, positions));
                    }
                });
        return new RowDelta(added, new RemovedRows(removed));
    }

    private static Optional<Roaring64Bitmap> removedPositions(ChangedFile file, IcebergColumnHandle position, DataFilePages before, DataFilePages after)
    {
        Roaring64Bitmap now = livePositions(after, file.after(), position);
        Roaring64Bitmap removed;
        try {
            removed = livePositions(before, file.before(), position);
        }
        catch (RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return Optional.empty();
        }
        long countBefore = removed.getLongCardinality();
        removed.andNot(now);
        boolean cameBack = countBefore - removed.getLongCardinality() < now.getLongCardinality();
        return cameBack ? Optional.empty() : Optional.of(removed);
    }

    private static Roaring64Bitmap livePositions(DataFilePages pages, FileScanTask task, IcebergColumnHandle position)
    {
        Roaring64Bitmap live = new Roaring64Bitmap();
        pages.read(task.file(), task.deletes(), ImmutableList.of(position), TupleDomain.all(), page -> {
            Block positions = page.getBlock(0);
            int row = 0;
            while (row < positions.getPositionCount()) {
                long first = BIGINT.getLong(positions, row);
                int end = row + 1;
                while (end < positions.getPositionCount() && BIGINT.getLong(positions, end) == first + end - row) {
                    end++;
                }
                if (end - row < MIN_RANGE) {
                    for (long added = first; added < first + end - row; added++) {
                        live.addLong(added);
                    }
                }
                else {
                    live.addRange(first, first + end - row);
                }
                row = end;
            }
        });
        return live;
    }
}
