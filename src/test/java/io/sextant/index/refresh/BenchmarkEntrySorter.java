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
import io.airlift.units.DataSize;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.IntUnaryOperator;

import static java.lang.Integer.parseInt;

/// Sorts entries of a bigint key, a file and a position, as pages of several files bring them.
/// Arguments: number of entries (default 18000000), memory (default 64MB).
final class BenchmarkEntrySorter
{
    private BenchmarkEntrySorter() {}

    static void main(String[] args)
    {
        int count = args.length > 0 ? parseInt(args[0]) : 18_000_000;
        DataSize memory = DataSize.valueOf(args.length > 1 ? args[1] : "64MB");
        Random random = new Random(1);
        for (int round = 0; round < 3; round++) {
            run("scattered", count, memory, _ -> random.nextInt(count / 30 + 1));
            run("clustered", count, memory, i -> i / 4);
            run("hot", count, memory, _ -> random.nextInt(10) == 0 ? random.nextInt(count) : 42);
        }
    }

    private static void run(String name, int count, DataSize memory, IntUnaryOperator key)
    {
        long start = System.nanoTime();
        try (SpillDirectory directory = new SpillDirectory(Path.of(System.getProperty("java.io.tmpdir")));
                EntrySorter sorter = new EntrySorter(directory, memory.toBytes(), () -> false)) {
            byte[] entry = new byte[27];
            ByteBuffer buffer = ByteBuffer.wrap(entry);
            for (int i = 0; i < count; i++) {
                // Pages of 8192 rows, one of each of 8 files in turn
                int page = i / 8192;
                buffer.put(0, (byte) 1).putLong(1, key.applyAsInt(i) ^ Long.MIN_VALUE)
                        .put(9, (byte) 1).putLong(10, page % 8 ^ Long.MIN_VALUE)
                        .put(18, (byte) 1).putLong(19, (page / 8 * 8192L + i % 8192) ^ Long.MIN_VALUE);
                sorter.add(entry, 0, entry.length);
            }
            long added = System.nanoTime();
            sorter.finish();
            long finished = System.nanoTime();
            long checksum = 0;
            try (SortedEntries entries = EntrySorter.merge(ImmutableList.of(sorter))) {
                while (entries.advance()) {
                    checksum += entries.array()[entries.offset() + 8];
                }
            }
            long merged = System.nanoTime();
            System.out.printf(
                    "%s: %,d entries in %,d ms (add %,d, finish %,d, merge %,d), spilled %,d bytes, checksum %d%n",
                    name,
                    count,
                    millis(start, merged),
                    millis(start, added),
                    millis(added, finished),
                    millis(finished, merged),
                    sorter.spilledBytes(),
                    checksum);
        }
    }

    private static long millis(long start, long end)
    {
        return (end - start) / 1_000_000;
    }
}
