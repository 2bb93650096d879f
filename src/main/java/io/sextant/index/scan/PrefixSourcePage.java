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

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.SourcePage;

import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;

import static java.util.Objects.checkIndex;
import static java.util.Objects.requireNonNull;

/// The first channels of a page; the others stay unread.
final class PrefixSourcePage
        implements SourcePage
{
    private final SourcePage delegate;
    private final int channelCount;

    PrefixSourcePage(SourcePage delegate, int channelCount)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.channelCount = channelCount;
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
        return channelCount;
    }

    @Override
    public Block getBlock(int channel)
    {
        return delegate.getBlock(checkIndex(channel, channelCount));
    }

    @Override
    public Page getPage()
    {
        return delegate.getColumns(IntStream.range(0, channelCount).toArray());
    }

    @Override
    public void selectPositions(int[] positions, int offset, int size)
    {
        delegate.selectPositions(positions, offset, size);
    }
}
