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

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/// Merges sorted sources by a tree of losers: every inner node holds the loser of the match between the winners of its
/// two subtrees, so that the next entry costs one comparison per level. Comparisons look at the eight bytes after what
/// all entries share first.
final class EntryMerge
        implements SortedEntries
{
    private static final int CHECKPOINT_ENTRIES = 4096;

    private final List<? extends EntrySource> all;
    private final EntrySource[] sources;
    private final long[] prefixes;
    private final boolean[] exhausted;
    private final int[] losers;
    private final int commonLength;
    private final Runnable checkpoint;
    private int winner = -1;
    private long advances;
    private boolean started;

    /// @param checkpoint called often; throws to give up
    EntryMerge(List<? extends EntrySource> sources, Runnable checkpoint)
    {
        this.all = ImmutableList.copyOf(sources);
        this.sources = sources.toArray(EntrySource[]::new);
        this.prefixes = new long[sources.size()];
        this.exhausted = new boolean[sources.size()];
        this.losers = new int[sources.size()];
        this.commonLength = commonBytes(sources).length;
        this.checkpoint = requireNonNull(checkpoint, "checkpoint is null");
    }

    /// The bytes that all entries of all sources start with, as far as the sources know.
    static byte[] commonBytes(List<? extends EntrySource> sources)
    {
        if (sources.isEmpty()) {
            return new byte[0];
        }
        byte[] first = sources.getFirst().commonBytes();
        int length = first.length;
        for (EntrySource source : sources) {
            byte[] other = source.commonBytes();
            length = EntryBytes.commonLength(first, 0, other, 0, min(length, other.length));
        }
        return Arrays.copyOf(first, length);
    }

    @Override
    public boolean advance()
    {
        if (advances % CHECKPOINT_ENTRIES == 0) {
            checkpoint.run();
        }
        advances++;
        if (!started) {
            started = true;
            return start();
        }
        if (sources.length == 0 || exhausted[winner]) {
            return false;
        }
        advanceSource(winner);
        replay(winner);
        return !exhausted[winner];
    }

    private boolean start()
    {
        if (sources.length == 0) {
            return false;
        }
        IntStream.range(0, sources.length).forEach(this::advanceSource);
        winner = sources.length == 1 ? 0 : play(1);
        return !exhausted[winner];
    }

    /// Plays the matches below a node, 1 being the root; nodes from `sources.length` on are the sources.
    private int play(int node)
    {
        if (node >= sources.length) {
            return node - sources.length;
        }
        int left = play(2 * node);
        int right = play(2 * node + 1);
        boolean leftWins = wins(left, right);
        losers[node] = leftWins ? right : left;
        return leftWins ? left : right;
    }

    private void replay(int source)
    {
        int current = source;
        for (int node = (source + sources.length) / 2; node > 0; node /= 2) {
            int opponent = losers[node];
            if (wins(opponent, current)) {
                losers[node] = current;
                current = opponent;
            }
        }
        winner = current;
    }

    private boolean wins(int left, int right)
    {
        int comparison = Long.compareUnsigned(prefixes[left], prefixes[right]);
        if (comparison != 0) {
            return comparison < 0;
        }
        if (exhausted[left] || exhausted[right]) {
            return !exhausted[left];
        }
        EntrySource leftSource = sources[left];
        EntrySource rightSource = sources[right];
        return Arrays.compareUnsigned(
                leftSource.array,
                leftSource.offset + commonLength,
                leftSource.offset + leftSource.length,
                rightSource.array,
                rightSource.offset + commonLength,
                rightSource.offset + rightSource.length) <= 0;
    }

    private void advanceSource(int index)
    {
        EntrySource source = sources[index];
        if (source.advance()) {
            prefixes[index] = EntryBytes.window(source.array, source.offset + commonLength, source.offset + source.length);
        }
        else {
            exhausted[index] = true;
            // The highest prefix loses at once against almost every entry
            prefixes[index] = -1;
        }
    }

    @Override
    public byte[] array()
    {
        return sources[winner].array;
    }

    @Override
    public int offset()
    {
        return sources[winner].offset;
    }

    @Override
    public int length()
    {
        return sources[winner].length;
    }

    @Override
    public void close()
    {
        all.forEach(EntrySource::close);
    }
}
