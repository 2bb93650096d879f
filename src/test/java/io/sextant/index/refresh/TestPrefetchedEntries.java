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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
final class TestPrefetchedEntries
{
    @Test
    void testSameEntries()
    {
        Random random = new Random(3);
        List<byte[]> entries = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            // Some are longer than a batch
            byte[] entry = new byte[i % 50_000 == 7 ? 1_000_000 : random.nextInt(30)];
            random.nextBytes(entry);
            entries.add(entry);
        }
        for (int count : new int[] {0, 1, 5000, entries.size()}) {
            ListedEntries listed = new ListedEntries(entries.subList(0, count), Integer.MAX_VALUE);
            try (PrefetchedEntries prefetched = new PrefetchedEntries(listed)) {
                for (byte[] entry : entries.subList(0, count)) {
                    assertThat(prefetched.advance()).isTrue();
                    assertThat(Arrays.equals(entry, 0, entry.length, prefetched.array(), prefetched.offset(), prefetched.offset() + prefetched.length())).isTrue();
                }
                assertThat(prefetched.advance()).isFalse();
                assertThat(prefetched.advance()).isFalse();
            }
            assertThat(listed.isClosed).isTrue();
        }
    }

    @Test
    void testFailure()
    {
        ListedEntries failing = new ListedEntries(List.of(new byte[] {1}, new byte[] {2}), 1);
        try (PrefetchedEntries prefetched = new PrefetchedEntries(failing)) {
            assertThatThrownBy(() -> {
                while (prefetched.advance()) {
                    assertThat(prefetched.length()).isEqualTo(1);
                }
            }).hasMessage("injected");
        }
        assertThat(failing.isClosed).isTrue();
    }

    @Test
    void testCloseBeforeEnd()
    {
        ListedEntries entries = new ListedEntries(Collections.nCopies(10_000, new byte[100_000]), Integer.MAX_VALUE);
        PrefetchedEntries prefetched = new PrefetchedEntries(entries);
        assertThat(prefetched.advance()).isTrue();
        prefetched.close();
        assertThat(entries.isClosed).isTrue();
        int index = entries.index;
        assertThat(index).as("entries fetched ahead").isLessThan(100);
    }

    private static final class ListedEntries
            implements SortedEntries
    {
        private final List<byte[]> entries;
        private final int failAt;
        private int index = -1;
        private volatile boolean isClosed;

        private ListedEntries(List<byte[]> entries, int failAt)
        {
            this.entries = entries;
            this.failAt = failAt;
        }

        @Override
        public boolean advance()
        {
            assertThat(isClosed).isFalse();
            index++;
            if (index == failAt) {
                throw new IllegalStateException("injected");
            }
            return index < entries.size();
        }

        @Override
        public byte[] array()
        {
            return entries.get(index);
        }

        @Override
        public int offset()
        {
            return 0;
        }

        @Override
        public int length()
        {
            return entries.get(index).length;
        }

        @Override
        public void close()
        {
            isClosed = true;
        }
    }
}
