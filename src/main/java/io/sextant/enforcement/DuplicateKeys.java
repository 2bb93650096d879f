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

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.sextant.enforcement.ConstraintConfig.HashMemory;
import io.sextant.table.DataFilePages;
import io.trino.spi.predicate.TupleDomain;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.apache.iceberg.BaseTable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/// Finds the keys that more than one row of the current snapshot has, with the means of [KeyVerifier].
final class DuplicateKeys
{
    private final BaseTable table;
    private final KeyReader reader;
    private final HashMemory memory;
    private final int threads;

    DuplicateKeys(BaseTable table, KeyReader reader, HashMemory memory, int threads)
    {
        this.table = requireNonNull(table, "table is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.memory = requireNonNull(memory, "memory is null");
        this.threads = threads;
    }

    /// Keys that more than one row has.
    ///
    /// @param count of all of them
    /// @param examples some of them, encoded, with the number of rows that have each
    record Repeated(long count, Map<Slice, Long> examples)
    {
        static final Repeated NONE = new Repeated(0, ImmutableMap.of());
    }

    Repeated find(int maxExamples)
    {
        // Of two keys with one hash neither may be repeated, so that at least one is read again
        KeyHashes.Repeated repeated = repeatedHashes(max(1, maxExamples));
        if (repeated.count() == 0) {
            return Repeated.NONE;
        }
        Map<Slice, Long> keys = repeatedKeys(repeated.examples());
        return new Repeated(
                repeated.count() - repeated.examples().size() + keys.size(),
                keys.entrySet().stream()
                        .limit(maxExamples)
                        .collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /// How many keys with one of some hashes more than one row has.
    long count(LongOpenHashSet hashes)
    {
        return repeatedKeys(hashes).size();
    }

    private KeyHashes.Repeated repeatedHashes(int maxExamples)
    {
        try (KeyHashes hashes = new KeyHashes(memory)) {
            DataFilePages.forEachFile(table.newScan(), threads, task -> {
                try (HashBatch batch = new HashBatch(hashes::add)) {
                    reader.read(task.file(), task.deletes(), TupleDomain.all(), (_, hash) -> batch.add(hash));
                }
            });
            return hashes.repeated(maxExamples);
        }
    }

    private Map<Slice, Long> repeatedKeys(LongOpenHashSet hashes)
    {
        Map<Slice, Long> counts = new ConcurrentHashMap<>();
        DataFilePages.forEachFile(table.newScan(), threads, task -> reader.read(task.file(), task.deletes(), TupleDomain.all(), (key, hash) -> {
            if (hashes.contains(hash)) {
                counts.merge(Slices.wrappedBuffer(key.toByteArray()), 1L, Long::sum);
            }
        }));
        counts.values().removeIf(rows -> rows == 1);
        return counts;
    }
}
