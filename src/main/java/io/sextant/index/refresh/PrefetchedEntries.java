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

import com.google.common.util.concurrent.Uninterruptibles;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.util.Objects.requireNonNull;

/// Sorted entries that a thread of their own fetches ahead, some batches at most, so that they are merged while those before
/// are written. Once closed, nothing of the entries is touched any more.
final class PrefetchedEntries
        implements SortedEntries
{
    private static final int BATCH_SIZE = 256 * 1024;
    private static final int MAX_BATCHES = 4;

    private final SortedEntries entries;
    private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(MAX_BATCHES);
    private final Thread thread;
    private Batch batch = new Batch();
    private int index = -1;
    private boolean finished;

    PrefetchedEntries(SortedEntries entries)
    {
        this.entries = requireNonNull(entries, "entries is null");
        this.thread = daemonThreadsNamed("index-merge-%s").newThread(this::fetch);
        thread.start();
    }

    private void fetch()
    {
        try {
            Batch last = new Batch();
            try {
                boolean more = entries.advance();
                while (more) {
                    Batch full = new Batch();
                    do {
                        full.add(entries.array(), entries.offset(), entries.length());
                        more = entries.advance();
                    }
                    while (more && full.size < BATCH_SIZE);
                    batches.put(full);
                }
            }
            catch (RuntimeException | Error e) {
                last.failure = Optional.of(e);
            }
            batches.put(last);
        }
        catch (InterruptedException e) {
            // Closed: nobody waits for more
        }
    }

    @Override
    public boolean advance()
    {
        index++;
        if (index >= batch.count && !finished) {
            batch = take();
            index = 0;
            finished = batch.count == 0;
        }
        return !finished;
    }

    private Batch take()
    {
        try {
            Batch taken = batches.take();
            taken.failure.ifPresent(failure -> {
                throwIfUnchecked(failure);
                throw new IllegalStateException(failure);
            });
            return taken;
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BuildProgress.cancellation(e);
        }
    }

    @Override
    public byte[] array()
    {
        return batch.bytes;
    }

    @Override
    public int offset()
    {
        return index == 0 ? 0 : batch.ends[index - 1];
    }

    @Override
    public int length()
    {
        return batch.ends[index] - offset();
    }

    @Override
    public void close()
    {
        thread.interrupt();
        Uninterruptibles.joinUninterruptibly(thread);
        entries.close();
    }

    /// Entries one after the other. The last batch has none, and tells what went wrong, if anything did.
    private static final class Batch
    {
        private byte[] bytes = new byte[0];
        private int[] ends = new int[0];
        private int count;
        private int size;
        private Optional<Throwable> failure = Optional.empty();

        void add(byte[] entry, int offset, int length)
        {
            if (size + length > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(BATCH_SIZE + BATCH_SIZE / 8, size + length));
            }
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, Math.max(1024, 2 * count));
            }
            System.arraycopy(entry, offset, bytes, size, length);
            size += length;
            ends[count] = size;
            count++;
        }
    }
}
