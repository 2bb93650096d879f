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
import io.trino.spi.TrinoException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import static io.sextant.error.SextantErrorCode.INDEX_BUILD_CANCELED;
import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static io.sextant.index.refresh.EntrySorter.MIN_MEMORY_LIMIT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestEntrySorter
{
    @TempDir
    Path parent;

    private SpillDirectory directory;

    @BeforeEach
    void createDirectory()
    {
        directory = new SpillDirectory(parent);
    }

    @AfterEach
    void closeDirectory()
    {
        directory.close();
    }

    @Test
    void testNoEntries()
    {
        try (EntrySorter sorter = new EntrySorter(directory, MIN_MEMORY_LIMIT, TestEntrySorter::never)) {
            sorter.finish();
            assertThat(sorted(sorter)).isEmpty();
            assertThat(sorter.entryCount()).isZero();
        }
        assertThat(EntrySorter.merge(ImmutableList.of()).advance()).isFalse();
    }

    @Test
    void testUnsignedOrderWithPrefixesFirst()
    {
        List<byte[]> entries = ImmutableList.of(
                bytes(0xFF),
                bytes(0x80, 0),
                bytes(0x7F, 0xFF),
                bytes(),
                bytes(0x80),
                bytes(0, 0),
                bytes(0));
        assertThat(hex(sort(entries, MIN_MEMORY_LIMIT, 1)))
                .containsExactly("", "00", "0000", "7fff", "80", "8000", "ff");
    }

    @Test
    void testInMemorySpillsNothing()
            throws IOException
    {
        assertSorts(randomEntries(1000, 0, 20, 256), 1024 * 1024, 2);
        assertThat(directory.create().path()).hasFileName("run-0");
    }

    @Test
    void testRandomLengthsWithManyRuns()
    {
        for (int seed = 1; seed <= 5; seed++) {
            assertSorts(randomEntries(seed, 30_000, 0, 60, 256), MIN_MEMORY_LIMIT, 1);
            assertSorts(randomEntries(seed, 30_000, 0, 30, 2), 100_000, 3);
        }
    }

    @Test
    void testSeveralMergePasses()
    {
        // Some 60 runs, of which 15 can be merged at once
        EntrySorter sorter = fill(randomEntries(7, 60_000, 20, 40, 256), MIN_MEMORY_LIMIT);
        long spilledBefore = sorter.spilledBytes();
        sorter.finish();
        assertThat(sorter.spilledBytes()).isGreaterThan(spilledBefore + MIN_MEMORY_LIMIT);
        assertThat(hex(sorted(sorter))).isEqualTo(hex(oracle(randomEntries(7, 60_000, 20, 40, 256))));
    }

    @Test
    void testFixedLayoutLikeBigintKeys()
    {
        Random random = new Random(11);
        List<byte[]> entries = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            entries.add(ByteBuffer.allocate(27)
                    .put((byte) 1).putLong(random.nextInt(5_000) ^ Long.MIN_VALUE)
                    .put((byte) 1).putLong(random.nextInt(8) ^ Long.MIN_VALUE)
                    .put((byte) 1).putLong(i ^ Long.MIN_VALUE)
                    .array());
        }
        assertSorts(entries, 256 * 1024, 2);
        assertSorts(entries, 64 * 1024 * 1024, 1);
    }

    @Test
    void testLongCommonPrefixesAndHotKeys()
    {
        Random random = new Random(3);
        List<byte[]> entries = new ArrayList<>();
        String prefix = "customers/of/the/northern/region/".repeat(5);
        for (int i = 0; i < 20_000; i++) {
            String key = i % 10 == 0 ? "x" + random.nextInt(100) : prefix + random.nextInt(3);
            entries.add((key + "/" + random.nextInt(1000)).getBytes(UTF_8));
        }
        assertSorts(entries, 8 * 1024 * 1024, 1);
        assertSorts(entries, 300_000, 2);
    }

    @Test
    void testEachEntryIsAPrefixOfTheNext()
    {
        List<byte[]> entries = new ArrayList<>();
        for (int length = 2_000; length > 0; length--) {
            entries.add(new byte[length]);
        }
        assertSorts(entries, 16 * 1024 * 1024, 1);
        // Long equal beginnings, one byte of difference each: as deep as a sort by windows can get
        List<byte[]> staircase = new ArrayList<>();
        for (int length = 4_000; length > 0; length--) {
            byte[] entry = new byte[length];
            entry[length - 1] = 1;
            staircase.add(entry);
        }
        assertSorts(staircase, 64 * 1024 * 1024, 1);
    }

    @Test
    void testEqualEntries()
    {
        List<byte[]> entries = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            entries.add(bytes(1, 2, 3, 4, 5, 6, 7, 8, 9, i % 3));
        }
        assertSorts(entries, 8 * 1024 * 1024, 1);
        assertSorts(entries, MIN_MEMORY_LIMIT, 2);
    }

    @Test
    void testEntriesLongerThanChunksAndBuffers()
    {
        Random random = new Random(5);
        List<byte[]> entries = new ArrayList<>(randomEntries(6, 3_000, 0, 40, 256));
        for (int i = 0; i < 40; i++) {
            byte[] entry = new byte[random.nextInt(20_000)];
            random.nextBytes(entry);
            entries.add(random.nextInt(entries.size()), entry);
        }
        assertSorts(entries, MIN_MEMORY_LIMIT, 1);
        assertSorts(entries, MIN_MEMORY_LIMIT, 3);
    }

    @Test
    void testOneHugeEntry()
    {
        byte[] huge = new byte[3 * 1024 * 1024];
        new Random(1).nextBytes(huge);
        assertSorts(ImmutableList.of(huge), MIN_MEMORY_LIMIT, 1);
        assertSorts(ImmutableList.of(bytes(1), huge, bytes(), huge, bytes(0xFF)), MIN_MEMORY_LIMIT, 1);
    }

    @Test
    void testSizesAroundTheLengthEncoding()
    {
        List<byte[]> entries = new ArrayList<>();
        for (int length : new int[] {0, 1, 126, 127, 128, 129, 16_382, 16_383, 16_384, 16_385, 2_097_151, 2_097_152}) {
            entries.add(new byte[length]);
        }
        assertSorts(entries.reversed(), MIN_MEMORY_LIMIT, 1);
    }

    @Test
    void testMemoryStaysWithinLimit()
    {
        long limit = 1024 * 1024;
        try (EntrySorter sorter = new EntrySorter(directory, limit, TestEntrySorter::never)) {
            long most = 0;
            for (byte[] entry : randomEntries(9, 200_000, 0, 50, 256)) {
                sorter.add(entry, 0, entry.length);
                most = Math.max(most, sorter.memoryUsage());
            }
            assertThat(most).isBetween(limit / 2, limit);
            // The limit is used well: a run is not much smaller than the memory
            assertThat(sorter.spilledBytes()).isGreaterThan(200_000L * 20);
            sorter.finish();
            assertThat(sorter.memoryUsage()).isLessThanOrEqualTo(limit);
        }
    }

    @Test
    void testRunsLieInAPrivateDirectoryAndVanish()
            throws IOException
    {
        EntrySorter sorter = fill(randomEntries(2, 20_000, 20, 40, 256), MIN_MEMORY_LIMIT);
        List<Path> directories = list(parent);
        assertThat(directories).hasSize(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directories.getFirst()))).isEqualTo("rwx------");
        assertThat(list(directories.getFirst())).isNotEmpty();
        sorter.finish();

        SortedEntries entries = EntrySorter.merge(ImmutableList.of(sorter));
        assertThat(entries.advance()).isTrue();
        entries.close();
        sorter.close();
        assertThat(list(directories.getFirst())).isEmpty();
        directory.close();
        assertThat(list(parent)).isEmpty();
    }

    @Test
    void testDirectoryRemovesRunsOfAbandonedSorters()
            throws IOException
    {
        fill(randomEntries(2, 20_000, 20, 40, 256), MIN_MEMORY_LIMIT);
        assertThat(list(parent)).isNotEmpty();
        directory.close();
        assertThat(list(parent)).isEmpty();
        assertThatThrownBy(() -> directory.create())
                .isInstanceOf(IllegalStateException.class);
        assertThat(list(parent)).isEmpty();
    }

    @Test
    void testCancel()
            throws IOException
    {
        AtomicBoolean cancelled = new AtomicBoolean();
        List<byte[]> entries = randomEntries(2, 20_000, 20, 40, 256);
        EntrySorter sorter = new EntrySorter(directory, MIN_MEMORY_LIMIT, cancelled::get);
        entries.forEach(entry -> sorter.add(entry, 0, entry.length));
        cancelled.set(true);
        assertTrinoExceptionThrownBy(() -> entries.forEach(entry -> sorter.add(entry, 0, entry.length)))
                .hasErrorCode(INDEX_BUILD_CANCELED);
        assertTrinoExceptionThrownBy(sorter::finish)
                .hasErrorCode(INDEX_BUILD_CANCELED);
        directory.close();
        assertThat(list(parent)).isEmpty();
    }

    @Test
    void testInterrupt()
            throws IOException
    {
        EntrySorter sorter = fill(randomEntries(2, 20_000, 20, 40, 256), MIN_MEMORY_LIMIT);
        Thread.currentThread().interrupt();
        try {
            assertTrinoExceptionThrownBy(sorter::finish)
                    .hasErrorCode(INDEX_BUILD_CANCELED);
            directory.close();
        }
        finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(list(parent)).isEmpty();
    }

    @Test
    void testFullDiskAtEveryRun()
            throws IOException
    {
        List<byte[]> entries = randomEntries(2, 40_000, 20, 40, 256);
        int failures = 0;
        for (int failingRun = 0; failingRun < 60; failingRun++) {
            try (FaultySpillDirectory faulty = new FaultySpillDirectory(parent, failingRun)) {
                EntrySorter sorter = new EntrySorter(faulty, MIN_MEMORY_LIMIT, TestEntrySorter::never);
                try {
                    entries.forEach(entry -> sorter.add(entry, 0, entry.length));
                    sorter.finish();
                    assertThat(hex(sorted(sorter))).isEqualTo(hex(oracle(entries)));
                }
                catch (TrinoException e) {
                    failures++;
                    assertThat(e.getErrorCode()).isEqualTo(INDEX_BUILD_FAILED.toErrorCode());
                    assertThat(e).hasMessageContaining("sextant.index.build.spill-path").hasCauseInstanceOf(IOException.class);
                }
            }
            assertThat(list(parent)).isEmpty();
        }
        assertThat(failures).isBetween(20, 59);
    }

    @Test
    void testUnusableSpillPath()
            throws IOException
    {
        Path file = Files.createFile(parent.resolve("file"));
        EntrySorter sorter = new EntrySorter(new SpillDirectory(file), MIN_MEMORY_LIMIT, TestEntrySorter::never);
        assertTrinoExceptionThrownBy(() -> randomEntries(2, 20_000, 20, 40, 256).forEach(entry -> sorter.add(entry, 0, entry.length)))
                .hasErrorCode(INDEX_BUILD_FAILED)
                .hasMessageContaining(file.toString());
    }

    private static boolean never()
    {
        return false;
    }

    private void assertSorts(List<byte[]> entries, long memoryLimit, int sorters)
    {
        assertThat(hex(sort(entries, memoryLimit, sorters))).isEqualTo(hex(oracle(entries)));
    }

    private List<byte[]> sort(List<byte[]> entries, long memoryLimit, int sorterCount)
    {
        List<EntrySorter> sorters = Stream.generate(() -> new EntrySorter(directory, memoryLimit, TestEntrySorter::never)).limit(sorterCount).toList();
        for (int i = 0; i < entries.size(); i++) {
            // Not at the start of its array, as in a reused buffer
            byte[] entry = entries.get(i);
            byte[] padded = new byte[entry.length + 5];
            System.arraycopy(entry, 0, padded, 3, entry.length);
            sorters.get(i * 31 % sorterCount).add(padded, 3, entry.length);
        }
        sorters.forEach(EntrySorter::finish);
        assertThat(sorters.stream().mapToLong(EntrySorter::entryCount).sum()).isEqualTo(entries.size());
        List<byte[]> result = sorted(sorters.toArray(EntrySorter[]::new));
        sorters.forEach(EntrySorter::close);
        return result;
    }

    private EntrySorter fill(List<byte[]> entries, long memoryLimit)
    {
        EntrySorter sorter = new EntrySorter(directory, memoryLimit, TestEntrySorter::never);
        entries.forEach(entry -> sorter.add(entry, 0, entry.length));
        return sorter;
    }

    private static List<byte[]> sorted(EntrySorter... sorters)
    {
        List<byte[]> result = new ArrayList<>();
        try (SortedEntries entries = EntrySorter.merge(ImmutableList.copyOf(sorters))) {
            while (entries.advance()) {
                result.add(Arrays.copyOfRange(entries.array(), entries.offset(), entries.offset() + entries.length()));
            }
            assertThat(entries.advance()).isFalse();
        }
        return result;
    }

    private static List<byte[]> oracle(List<byte[]> entries)
    {
        return entries.stream().sorted(TestEntrySorter::compareByteByByte).toList();
    }

    private static int compareByteByByte(byte[] left, byte[] right)
    {
        for (int i = 0; i < left.length && i < right.length; i++) {
            if (left[i] != right[i]) {
                return (left[i] & 0xFF) - (right[i] & 0xFF);
            }
        }
        return left.length - right.length;
    }

    private static List<byte[]> randomEntries(int seed, int count, int minLength, int maxLength, int alphabet)
    {
        Random random = new Random(seed);
        return Stream.generate(() -> {
            byte[] entry = new byte[random.nextInt(minLength, maxLength + 1)];
            for (int i = 0; i < entry.length; i++) {
                entry[i] = (byte) random.nextInt(alphabet);
            }
            return entry;
        }).limit(count).toList();
    }

    private static List<byte[]> randomEntries(int count, int minLength, int maxLength, int alphabet)
    {
        return randomEntries(1, count, minLength, maxLength, alphabet);
    }

    private static List<String> hex(List<byte[]> entries)
    {
        return entries.stream().map(HexFormat.of()::formatHex).toList();
    }

    private static byte[] bytes(int... values)
    {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static List<Path> list(Path path)
            throws IOException
    {
        try (Stream<Path> files = Files.list(path)) {
            return files.toList();
        }
    }

    /// Gives one run a channel that cannot be written.
    private static class FaultySpillDirectory
            extends SpillDirectory
    {
        private int runsUntilFailure;

        FaultySpillDirectory(Path parent, int runsUntilFailure)
        {
            super(parent);
            this.runsUntilFailure = runsUntilFailure;
        }

        @Override
        FileChannel open(Path path)
                throws IOException
        {
            FileChannel channel = super.open(path);
            if (runsUntilFailure == 0) {
                channel.close();
            }
            runsUntilFailure--;
            return channel;
        }
    }
}
