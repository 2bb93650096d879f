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
import io.trino.spi.TrinoException;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestKeyHashes
{
    private static final int THREADS = 4;
    private static final int HASHES = 400_000;

    @TempDir
    private Path spillPath;

    @Test
    void testAllInMemory()
            throws Exception
    {
        checkRepeatedAndShared(10_000_000);
    }

    @Test
    void testPartsThatFitIntoMemory()
            throws Exception
    {
        checkRepeatedAndShared(20_000);
    }

    @Test
    void testPartsThatDoNotFitIntoMemory()
            throws Exception
    {
        checkRepeatedAndShared(1000);
    }

    private void checkRepeatedAndShared(long maxInMemory)
            throws Exception
    {
        Random random = new Random(7);
        LongArrayList added = new LongArrayList(random.longs(HASHES).toArray());
        LongOpenHashSet repeated = new LongOpenHashSet();
        for (int i = 0; i < 3000; i++) {
            long hash = added.getLong(random.nextInt(HASHES));
            added.add(hash);
            repeated.add(hash);
        }
        LongArrayList tested = new LongArrayList(random.longs(HASHES).toArray());
        LongOpenHashSet shared = new LongOpenHashSet();
        for (int i = 0; i < 2000; i++) {
            long hash = added.getLong(random.nextInt(added.size()));
            tested.add(hash);
            shared.add(hash);
        }

        try (KeyHashes hashes = new KeyHashes(new HashMemory(maxInMemory, spillPath))) {
            assertThat(hashes.isEmpty()).isTrue();
            inBatches(added, hashes::add);
            assertThat(hashes.isEmpty()).isFalse();
            assertThat(hashes.isInMemory()).isEqualTo(maxInMemory > HASHES);
            assertThat(hashes.repeated(Integer.MAX_VALUE)).isEqualTo(new KeyHashes.Repeated(repeated.size(), repeated));
            assertThat(hashes.repeated(10).count()).isEqualTo(repeated.size());
            assertThat(hashes.repeated(10).examples()).hasSize(10).isSubsetOf(repeated);

            try (KeyHashes.Probe probe = hashes.probe(Integer.MAX_VALUE)) {
                inBatches(tested, probe::test);
                assertThat(probe.found()).isEqualTo(shared);
            }
            try (KeyHashes.Probe probe = hashes.probe(5)) {
                inBatches(tested, probe::test);
                assertThat(probe.found()).hasSize(5).isSubsetOf(shared);
            }
        }
        assertThat(spilledFiles()).isEmpty();
    }

    @Test
    void testPathThatCannotBeWritten()
            throws IOException
    {
        Path file = Files.createFile(spillPath.resolve("file"));
        try (KeyHashes hashes = new KeyHashes(new HashMemory(1, file.resolve("below")))) {
            assertThatThrownBy(() -> hashes.add(LongArrayList.of(1, 2)))
                    .isInstanceOf(TrinoException.class)
                    .hasMessageContaining("Cannot keep the hashes of keys under " + file.resolve("below"))
                    .hasMessageContaining("sextant.constraint.spill-path");
        }
    }

    private List<Path> spilledFiles()
            throws IOException
    {
        try (Stream<Path> files = Files.list(spillPath)) {
            return files.toList();
        }
    }

    private static void inBatches(LongArrayList hashes, Consumer<LongArrayList> sink)
            throws InterruptedException, ExecutionException
    {
        try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> futures = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                futures.add(executor.submit(() -> {
                    try (HashBatch batch = new HashBatch(sink)) {
                        for (int i = first; i < hashes.size(); i += THREADS) {
                            batch.add(hashes.getLong(i));
                        }
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        }
    }
}
