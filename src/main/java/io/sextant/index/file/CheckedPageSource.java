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
package io.sextant.index.file;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;
import org.apache.iceberg.types.Types.NestedField;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.ObjLongConsumer;

import static io.sextant.index.file.IndexFileErrors.corrupt;
import static io.sextant.index.file.IndexFileErrors.translate;
import static java.util.Objects.requireNonNull;

/// Makes sure that the pages of an index file hold what the index says: all rows, and no null where none may be. Every
/// failure names the file.
final class CheckedPageSource
        implements ConnectorPageSource
{
    private final ConnectorPageSource delegate;
    private final IndexFile file;
    private final List<NestedField> fields;
    private final boolean isComplete;
    private long rowCount;
    private boolean isClosed;
    private boolean isVerified;

    /// @param isComplete whether the delegate gives every row of the file, rather than those a predicate or a range chose
    CheckedPageSource(ConnectorPageSource delegate, IndexFile file, List<NestedField> fields, boolean isComplete)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.file = requireNonNull(file, "file is null");
        this.fields = requireNonNull(fields, "fields is null");
        this.isComplete = isComplete;
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        SourcePage page;
        try {
            page = delegate.getNextSourcePage();
        }
        catch (RuntimeException e) {
            throw translate(file, e);
        }
        if (page == null) {
            // A caller need not ask, and the rows are to be counted all the same
            isFinished();
            return null;
        }
        rowCount += page.getPositionCount();
        if (rowCount > file.recordCount()) {
            throw corrupt(file, "it has more rows than the %s that the index says".formatted(file.recordCount()));
        }
        return new CheckedSourcePage(page);
    }

    @Override
    public boolean isFinished()
    {
        boolean finished;
        try {
            finished = delegate.isFinished();
        }
        catch (RuntimeException e) {
            throw translate(file, e);
        }
        if (finished && !isClosed && !isVerified) {
            isVerified = true;
            if (isComplete && rowCount != file.recordCount()) {
                throw corrupt(file, "it has %s rows, the index says %s".formatted(rowCount, file.recordCount()));
            }
        }
        return finished;
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
    @SuppressWarnings("deprecation")
    public long getMemoryUsage()
    {
        return delegate.getMemoryUsage();
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return delegate.isBlocked();
    }

    @Override
    public Metrics getMetrics()
    {
        return delegate.getMetrics();
    }

    @Override
    public void close()
            throws IOException
    {
        isClosed = true;
        delegate.close();
    }

    private Block check(int channel, Block block)
    {
        NestedField field = fields.get(channel);
        if (field.isRequired() && hasNull(block)) {
            throw corrupt(file, "column %s (field ID %s) has a null, and may have none".formatted(field.name(), field.fieldId()));
        }
        return block;
    }

    private static boolean hasNull(Block block)
    {
        // A dictionary block says yes also for a null that no position has
        if (!block.hasNull()) {
            return false;
        }
        for (int position = 0; position < block.getPositionCount(); position++) {
            if (block.isNull(position)) {
                return true;
            }
        }
        return false;
    }

    private final class CheckedSourcePage
            implements SourcePage
    {
        private final SourcePage delegate;

        private CheckedSourcePage(SourcePage delegate)
        {
            this.delegate = delegate;
        }

        @Override
        public int getPositionCount()
        {
            return delegate.getPositionCount();
        }

        @Override
        public long getSizeInBytes()
        {
            return delegate.getSizeInBytes();
        }

        @Override
        public long getRetainedSizeInBytes()
        {
            return delegate.getRetainedSizeInBytes();
        }

        @Override
        public void retainedBytesForEachPart(ObjLongConsumer<Object> consumer)
        {
            delegate.retainedBytesForEachPart(consumer);
        }

        @Override
        public int getChannelCount()
        {
            return delegate.getChannelCount();
        }

        @Override
        public Block getBlock(int channel)
        {
            try {
                return check(channel, delegate.getBlock(channel));
            }
            catch (RuntimeException e) {
                throw translate(file, e);
            }
        }

        @Override
        public Page getPage()
        {
            Block[] blocks = new Block[getChannelCount()];
            for (int channel = 0; channel < blocks.length; channel++) {
                blocks[channel] = getBlock(channel);
            }
            return new Page(getPositionCount(), blocks);
        }

        @Override
        public void selectPositions(int[] positions, int offset, int size)
        {
            try {
                delegate.selectPositions(positions, offset, size);
            }
            catch (RuntimeException e) {
                throw translate(file, e);
            }
        }
    }
}
