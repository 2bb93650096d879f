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

import io.trino.plugin.iceberg.IcebergSplit;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSplit;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/// A split of a data file of which an index names the rows that can match: no other row is read.
///
/// @param rowGroups how many parts of the file can be read apart, as its metadata tells; at least 1
public record IndexedSplit(IcebergSplit file, RowPositions positions, int rowGroups)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(IndexedSplit.class);

    public IndexedSplit
    {
        requireNonNull(file, "file is null");
        requireNonNull(positions, "positions is null");
        checkArgument(rowGroups > 0, "rowGroups is not positive: %s", rowGroups);
    }

    /// The split as the Iceberg connector knows it.
    public static ConnectorSplit unwrap(ConnectorSplit split)
    {
        return split instanceof IndexedSplit indexedSplit ? indexedSplit.file() : split;
    }

    @Override
    public Optional<String> getAffinityKey()
    {
        return file.getAffinityKey();
    }

    @Override
    public SplitWeight getSplitWeight()
    {
        return file.getSplitWeight();
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE + file.getRetainedSizeInBytes() + positions.retainedSizeInBytes();
    }
}
