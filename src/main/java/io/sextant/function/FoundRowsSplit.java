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
package io.sextant.function;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorSplit;

import java.util.Arrays;
import java.util.List;

import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;

/// Rows that were found, which a worker has only to pass on.
public record FoundRowsSplit(int rows, List<Block> columns)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(FoundRowsSplit.class);

    public FoundRowsSplit
    {
        columns = ImmutableList.copyOf(columns);
    }

    static FoundRowsSplit of(Page page)
    {
        Block[] columns = new Block[page.getChannelCount()];
        Arrays.setAll(columns, page::getBlock);
        return new FoundRowsSplit(page.getPositionCount(), ImmutableList.copyOf(columns));
    }

    Page toPage()
    {
        return new Page(rows, columns.toArray(Block[]::new));
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE + estimatedSizeOf(columns, Block::getRetainedSizeInBytes);
    }
}
