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

import io.sextant.enforcement.ConstraintConfig.HashMemory;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongIterator;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

import java.io.Closeable;
import java.util.Optional;
import java.util.function.Consumer;

import static java.lang.Math.ceilDiv;
import static java.lang.Math.floorMod;
import static java.util.Objects.requireNonNull;

/// The hashes of keys, among which others are looked for. What does not fit into memory goes to local disk, all of it, and is
/// compared there part by part. Thread-safe.
final class KeyHashes
        implements Closeable
{
    private final HashMemory memory;
    private final LongOpenHashSet hashes = new LongOpenHashSet();
    private final LongOpenHashSet repeated = new LongOpenHashSet();
    private Optional<SpilledHashes> spilled = Optional.empty();

    KeyHashes(HashMemory memory)
    {
        this.memory = requireNonNull(memory, "memory is null");
    }

    /// Hashes that were added more than once.
    ///
    /// @param count of different ones
    /// @param examples some of them
    record Repeated(long count, LongOpenHashSet examples) {}

    synchronized void add(LongArrayList batch)
    {
        for (int i = 0; i < batch.size(); i++) {
            add(batch.getLong(i));
        }
        if (spilled.isEmpty() && hashes.size() + repeated.size() > memory.maxHashes()) {
            spill();
        }
    }

    private void add(long hash)
    {
        if (spilled.isPresent()) {
            spilled.orElseThrow().add(hash);
        }
        else if (!hashes.add(hash)) {
            repeated.add(hash);
        }
    }

    private void spill()
    {
        SpilledHashes disk = new SpilledHashes(memory.spillPath());
        spilled = Optional.of(disk);
        drain(hashes, disk);
        // Each for the second time
        drain(repeated, disk);
    }

    private static void drain(LongOpenHashSet from, SpilledHashes to)
    {
        for (LongIterator iterator = from.iterator(); iterator.hasNext(); ) {
            to.add(iterator.nextLong());
        }
        from.clear();
        from.trim();
    }

    synchronized long memoryUsage()
    {
        return (long) HashMemory.BYTES_PER_HASH * (hashes.size() + repeated.size()) + spilled.map(_ -> SpilledHashes.MEMORY_USAGE).orElse(0L);
    }

    synchronized boolean isEmpty()
    {
        return spilled.isEmpty() && hashes.isEmpty();
    }

    /// Whether all hashes are in memory, so that one can ask for a single one.
    synchronized boolean isInMemory()
    {
        return spilled.isEmpty();
    }

    /// Whether a hash is here. Nothing may be added meanwhile, and all must be in memory.
    boolean contains(long hash)
    {
        return hashes.contains(hash);
    }

    synchronized Repeated repeated(int maxExamples)
    {
        Counter counter = new Counter(maxExamples);
        forEachGroup(group -> counter.count(group.repeated()));
        return new Repeated(counter.count, counter.examples);
    }

    /// Looks for hashes among all those that are here now. No more may be added meanwhile.
    ///
    /// @param maxFound after which no more are looked for
    Probe probe(int maxFound)
    {
        return new Probe(maxFound);
    }

    /// Hashes that can be compared in memory.
    ///
    /// @param part of the spilled hashes to which they belong
    private record Group(int part, LongOpenHashSet distinct, LongOpenHashSet repeated) {}

    private void forEachGroup(Consumer<Group> consumer)
    {
        if (spilled.isEmpty()) {
            consumer.accept(new Group(0, hashes, repeated));
            return;
        }
        SpilledHashes disk = spilled.orElseThrow();
        for (int part = 0; part < SpilledHashes.PARTS; part++) {
            long groups = ceilDiv(disk.size(part), memory.maxHashes());
            for (long remainder = 0; remainder < groups; remainder++) {
                Group group = new Group(part, new LongOpenHashSet(), new LongOpenHashSet());
                long wanted = remainder;
                disk.forEach(part, hash -> {
                    if (floorMod(hash, groups) == wanted && !group.distinct().add(hash)) {
                        group.repeated().add(hash);
                    }
                });
                consumer.accept(group);
            }
        }
    }

    @Override
    public synchronized void close()
    {
        spilled.ifPresent(SpilledHashes::close);
    }

    private static final class Counter
    {
        private final int maxExamples;
        private final LongOpenHashSet examples = new LongOpenHashSet();
        private long count;

        private Counter(int maxExamples)
        {
            this.maxExamples = maxExamples;
        }

        private void count(LongOpenHashSet hashes)
        {
            count += hashes.size();
            for (LongIterator iterator = hashes.iterator(); iterator.hasNext() && examples.size() < maxExamples; ) {
                examples.add(iterator.nextLong());
            }
        }
    }

    /// Takes other hashes, and finds those that are among these. Thread-safe.
    final class Probe
            implements Closeable
    {
        private final int maxFound;
        private final LongOpenHashSet found = new LongOpenHashSet();
        private final Optional<SpilledHashes> others = spilled.map(_ -> new SpilledHashes(memory.spillPath()));

        private Probe(int maxFound)
        {
            this.maxFound = maxFound;
        }

        void test(LongArrayList batch)
        {
            if (others.isPresent()) {
                spill(batch, others.orElseThrow());
                return;
            }
            for (int i = 0; i < batch.size(); i++) {
                if (contains(batch.getLong(i))) {
                    find(batch.getLong(i));
                }
            }
        }

        private synchronized void spill(LongArrayList batch, SpilledHashes disk)
        {
            for (int i = 0; i < batch.size(); i++) {
                disk.add(batch.getLong(i));
            }
        }

        private synchronized void find(long hash)
        {
            if (found.size() < maxFound) {
                found.add(hash);
            }
        }

        synchronized LongOpenHashSet found()
        {
            others.ifPresent(disk -> forEachGroup(group -> disk.forEach(group.part(), hash -> {
                if (group.distinct().contains(hash)) {
                    find(hash);
                }
            })));
            return found;
        }

        @Override
        public void close()
        {
            others.ifPresent(SpilledHashes::close);
        }
    }
}
