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

import com.google.common.collect.ImmutableList;
import io.sextant.table.PrunedSplitSource;
import io.trino.plugin.iceberg.IcebergSplit;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/// Splits of which some have only the rows that an index has named.
public class IndexedSplitSource
        extends PrunedSplitSource
{
    private final IndexFilePruner pruner;

    public IndexedSplitSource(ConnectorSplitSource delegate, IndexFilePruner pruner)
    {
        super(delegate, ImmutableList.of(pruner));
        this.pruner = requireNonNull(pruner, "pruner is null");
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilterSnapshot)
    {
        return super.getNextBatch(maxSize, dynamicFilterSnapshot)
                .thenApply(splits -> splits.stream()
                        .map(this::withPositions)
                        .collect(toImmutableList()));
    }

    private ConnectorSplit withPositions(ConnectorSplit split)
    {
        IcebergSplit file = (IcebergSplit) split;
        return pruner.rowsToRead(file)
                .<ConnectorSplit>map(rows -> new IndexedSplit(file, rows.positions(), rows.rowGroups()))
                .orElse(file);
    }
}
