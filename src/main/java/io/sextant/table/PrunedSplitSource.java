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
package io.sextant.table;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;

/// The splits of a [PrunedScan]: hands the dynamic filter to its pruners, and their metrics on.
public class PrunedSplitSource
        implements ConnectorSplitSource
{
    private final ConnectorSplitSource delegate;
    private final List<FilePruner> pruners;

    public PrunedSplitSource(ConnectorSplitSource delegate, List<? extends FilePruner> pruners)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.pruners = ImmutableList.copyOf(pruners);
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilterSnapshot)
    {
        TupleDomain<IcebergColumnHandle> dynamicFilter = dynamicFilterSnapshot.currentPredicate().<IcebergColumnHandle>transformKeys(IcebergColumnHandle.class::cast);
        pruners.forEach(pruner -> pruner.setDynamicFilter(dynamicFilter));
        return delegate.getNextBatch(maxSize, dynamicFilterSnapshot);
    }

    @Override
    public void close()
    {
        delegate.close();
    }

    @Override
    public boolean isFinished()
    {
        return delegate.isFinished();
    }

    @Override
    public Optional<List<Object>> getTableExecuteSplitsInfo()
    {
        return delegate.getTableExecuteSplitsInfo();
    }

    @Override
    public long getRequestedDynamicFilterWaitTimeoutMillis()
    {
        return delegate.getRequestedDynamicFilterWaitTimeoutMillis();
    }

    @Override
    public Metrics getMetrics()
    {
        Metrics metrics = delegate.getMetrics();
        for (FilePruner pruner : pruners) {
            metrics = metrics.mergeWith(pruner.metrics());
        }
        return metrics;
    }
}
