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
package io.sextant.index.scan;

import com.google.common.collect.ImmutableMap;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;
import org.roaringbitmap.longlong.PeekableLongIterator;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;

/// Keeps the rows at given positions. The delegate yields the row position in its last channel, ascending; columns are
/// decoded on demand, so that pages and row groups without a chosen row are never read.
final class RowPositionPageSource
        implements ConnectorPageSource
{
    private final ConnectorPageSource delegate;
    private final RowPositions positions;
    private final int channelCount;
    private final Optional<RowGroupRange> rowGroups;
    private boolean finished;

    RowPositionPageSource(ConnectorPageSource delegate, RowPositions positions, int channelCount, Optional<RowGroupRange> rowGroups)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.positions = requireNonNull(positions, "positions is null");
        this.channelCount = channelCount;
        this.rowGroups = requireNonNull(rowGroups, "rowGroups is null");
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        SourcePage page = delegate.getNextSourcePage();
        if (page == null || page.getPositionCount() == 0) {
            return null;
        }
        Block rowPositions = page.getBlock(channelCount);
        int rows = page.getPositionCount();
        long lastInPage = BIGINT.getLong(rowPositions, rows - 1);
        if (lastInPage >= positions.last()) {
            finished = true;
        }
        int[] selected = new int[rows];
        int selectedCount = select(rowPositions, lastInPage, selected);
        if (selectedCount == 0) {
            return null;
        }
        page.selectPositions(selected, 0, selectedCount);
        return new PrefixSourcePage(page, channelCount);
    }

    private int select(Block rowPositions, long lastInPage, int[] selected)
    {
        PeekableLongIterator wanted = positions.iteratorFrom(BIGINT.getLong(rowPositions, 0));
        int count = 0;
        int from = 0;
        while (wanted.hasNext() && wanted.peekNext() <= lastInPage) {
            from = firstAtOrAfter(rowPositions, from, wanted.peekNext());
            long position = BIGINT.getLong(rowPositions, from);
            if (position == wanted.peekNext()) {
                selected[count] = from;
                count++;
                wanted.next();
            }
            else {
                // The wanted row is deleted
                wanted.advanceIfNeeded(position);
            }
        }
        return count;
    }

    private static int firstAtOrAfter(Block rowPositions, int from, long wanted)
    {
        int low = from;
        int high = rowPositions.getPositionCount() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (BIGINT.getLong(rowPositions, middle) < wanted) {
                low = middle + 1;
            }
            else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public boolean isFinished()
    {
        return finished || delegate.isFinished();
    }

    @Override
    public long getCompletedBytes()
    {
        return delegate.getCompletedBytes();
    }

    @Override
    public OptionalLong getCompletedPositions()
    {
        return delegate.getCompletedPositions();
    }

    @Override
    public long getReadTimeNanos()
    {
        return delegate.getReadTimeNanos();
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return delegate.isBlocked();
    }

    @Override
    public Metrics getMetrics()
    {
        return rowGroups
                .map(range -> new Metrics(ImmutableMap.of(
                        "index: row groups read", new LongCount(range.wanted()),
                        "index: row groups pruned", new LongCount(range.total() - range.wanted()))))
                .orElse(Metrics.EMPTY)
                .mergeWith(delegate.getMetrics());
    }

    @Override
    public void close()
            throws IOException
    {
        delegate.close();
    }
}
