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
import org.apache.iceberg.FileScanTask;
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

import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.FileFormat.AVRO;

/// Hands out data files to several threads, larger ones in several ranges.
final class FileRanges
        implements Closeable
{
    private final CloseableIterable<FileScanTask> tasks;
    private final CloseableIterator<FileScanTask> iterator;
    private final long rangeSize;
    private final Queue<FileRange> next = new ArrayDeque<>();

    /// @param rangeSize the least size of a range, in bytes
    FileRanges(CloseableIterable<FileScanTask> tasks, long rangeSize)
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
