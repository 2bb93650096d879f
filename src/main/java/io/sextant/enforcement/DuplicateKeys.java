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
package io.sextant.enforcement;

import com.google.common.collect.Streams;
import com.google.common.math.LongMath;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.predicate.TupleDomain;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.io.CloseableIterable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import static java.lang.Math.max;
import static java.lang.Math.toIntExact;
import static java.math.RoundingMode.CEILING;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Gatherers.mapConcurrent;

/// Finds the keys that more than one row of the current snapshot has, with the means of [KeyVerifier].
final class DuplicateKeys
{
    private static final int BATCH_SIZE = 8192;

    private final BaseTable table;
    private final KeyReader reader;
    private final long maxKeys;
    private final int threads;

    /// @param maxKeys whose hashes may be in memory
    DuplicateKeys(BaseTable table, KeyReader reader, long maxKeys, int threads)
    {
        this.table = requireNonNull(table, "table is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.maxKeys = maxKeys;
        this.threads = threads;
    }

    Violations find(int maxExamples)
    {
        int parts = toIntExact(max(1, LongMath.divide(rowCount(), maxKeys, CEILING)));
        long count = 0;
        List<Violations.Example> examples = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            LongOpenHashSet repeated = repeatedHashes(new HashPart(part, parts));
            if (repeated.isEmpty()) {
                continue;
            }
            // Of two keys with one hash neither may be repeated, so that at least one is read again
            LongOpenHashSet wanted = new LongOpenHashSet(LongStream.of(repeated.toLongArray()).limit(max(1, maxExamples - examples.size())).toArray());
            Map<Slice, Long> keys = countKeys(wanted);
            keys.values().removeIf(rows -> rows == 1);
            count += repeated.size() - wanted.size() + keys.size();
            keys.forEach((key, rows) -> {
                if (examples.size() < maxExamples) {
                    examples.add(new Violations.Example(reader.describe(key.getBytes()), rows));
                }
            });
        }
        return new Violations(count, examples);
    }

    private long rowCount()
    {
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            return Streams.stream(tasks).mapToLong(task -> task.file().recordCount()).sum();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private LongOpenHashSet repeatedHashes(HashPart part)
    {
        LongOpenHashSet hashes = new LongOpenHashSet();
        LongOpenHashSet repeated = new LongOpenHashSet();
        readAll(task -> {
            LongArrayList batch = new LongArrayList();
            Runnable add = () -> {
                synchronized (hashes) {
                    batch.forEach(hash -> {
                        if (!hashes.add(hash)) {
                            repeated.add(hash);
                        }
                    });
                }
                batch.clear();
            };
            reader.read(task.file(), task.deletes(), TupleDomain.all(), (_, hash) -> {
                if (part.contains(hash)) {
                    batch.add(hash);
                    if (batch.size() == BATCH_SIZE) {
                        add.run();
                    }
                }
            });
            add.run();
        });
        return repeated;
    }

    private Map<Slice, Long> countKeys(LongOpenHashSet hashes)
    {
        Map<Slice, Long> counts = new ConcurrentHashMap<>();
        readAll(task -> reader.read(task.file(), task.deletes(), TupleDomain.all(), (key, hash) -> {
            if (hashes.contains(hash)) {
                counts.merge(Slices.wrappedBuffer(key.toByteArray()), 1L, Long::sum);
            }
        }));
        return counts;
    }

    private void readAll(Consumer<FileScanTask> read)
    {
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            Streams.stream(tasks)
                    .gather(mapConcurrent(threads, task -> {
                        read.accept(task);
                        return task;
                    }))
                    .forEach(_ -> {});
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
