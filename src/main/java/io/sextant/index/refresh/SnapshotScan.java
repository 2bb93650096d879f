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
import io.sextant.index.refresh.FileRange.FileCount;
import io.trino.spi.TrinoException;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.FileFormat.AVRO;

/// The data files of one snapshot with the deletes that apply to them, listed as often as asked for; it holds none of them.
final class SnapshotScan
{
    private final BaseTable table;
    private final Snapshot snapshot;
    private final Schema schema;

    /// Fails with INDEX_UNSUPPORTED if the snapshot is encrypted, or does not tell its schema.
    SnapshotScan(BaseTable table, long snapshotId)
    {
        this.table = requireNonNull(table, "table is null");
        this.snapshot = Optional.ofNullable(table.snapshot(snapshotId))
                .orElseThrow(() -> new TrinoException(INDEX_BUILD_FAILED, "Table %s has no snapshot %s; it may have expired".formatted(table.name(), snapshotId)));
        if (snapshot.keyId() != null) {
            throw encrypted("snapshot %s".formatted(snapshotId));
        }
        // Index format, "Extracts": the extract names the schema of the snapshot
        this.schema = Optional.ofNullable(snapshot.schemaId())
                .map(table.schemas()::get)
                .orElseThrow(() -> new TrinoException(INDEX_UNSUPPORTED, "Snapshot %s of table %s does not tell its schema, as old writers left it out; write to the table and index the new snapshot".formatted(snapshotId, table.name())));
    }

    /// The schema of the snapshot.
    Schema schema()
    {
        return schema;
    }

    DataFilePaths listFiles(BuildProgress progress)
    {
        List<String> paths = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks = planFiles()) {
            for (FileScanTask task : tasks) {
                progress.checkpoint();
                checkNotEncrypted(task.file());
                task.deletes().forEach(this::checkNotEncrypted);
                progress.addPlannedFile(task.file().fileSizeInBytes());
                paths.add(task.file().location());
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new DataFilePaths(paths);
    }

    /// All files again, larger ones in several ranges of at least the given size.
    Ranges ranges(long rangeSize)
    {
        return new Ranges(planFiles(), rangeSize);
    }

    private CloseableIterable<FileScanTask> planFiles()
    {
        return table.newScan()
                .useSnapshot(snapshot.snapshotId())
                .planFiles();
    }

    private void checkNotEncrypted(ContentFile<?> file)
    {
        if (file.keyMetadata() != null) {
            throw encrypted("file %s".formatted(file.location()));
        }
    }

    private TrinoException encrypted(String what)
    {
        return new TrinoException(
                INDEX_UNSUPPORTED,
                "Table %s cannot be indexed: %s is encrypted, and an index would hold its keys in plain text".formatted(table.name(), what));
    }

    /// Hands out ranges to several threads.
    static final class Ranges
            implements Closeable
    {
        private final CloseableIterable<FileScanTask> tasks;
        private final CloseableIterator<FileScanTask> iterator;
        private final long rangeSize;
        private final Queue<FileRange> next = new ArrayDeque<>();

        private Ranges(CloseableIterable<FileScanTask> tasks, long rangeSize)
        {
            this.tasks = requireNonNull(tasks, "tasks is null");
            this.iterator = tasks.iterator();
            this.rangeSize = rangeSize;
        }

        synchronized Optional<FileRange> next()
        {
            if (next.isEmpty() && iterator.hasNext()) {
                next.addAll(split(iterator.next(), rangeSize));
            }
            return Optional.ofNullable(next.poll());
        }

        @Override
        public synchronized void close()
        {
            try (tasks) {
                iterator.close();
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static List<FileRange> split(FileScanTask task, long rangeSize)
    {
        long fileSize = task.file().fileSizeInBytes();
        List<Long> starts = new ArrayList<>();
        starts.add(0L);
        // Avro blocks do not tell the positions of their rows, so such a file is read from its beginning
        if (task.file().splitOffsets() != null && task.file().format() != AVRO) {
            task.file().splitOffsets().stream()
                    .skip(1)
                    .filter(offset -> offset < fileSize)
                    .forEach(offset -> {
                        if (offset >= starts.getLast() + rangeSize) {
                            starts.add(offset);
                        }
                    });
        }
        FileCount count = new FileCount(starts.size());
        ImmutableList.Builder<FileRange> ranges = ImmutableList.builder();
        for (int i = 0; i < starts.size(); i++) {
            long end = i + 1 < starts.size() ? starts.get(i + 1) : fileSize;
            ranges.add(new FileRange(task, starts.get(i), end - starts.get(i), count));
        }
        return ranges.build();
    }
}
