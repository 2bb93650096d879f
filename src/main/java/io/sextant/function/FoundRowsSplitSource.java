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

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.ListeningExecutorService;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import static com.google.common.base.Preconditions.checkState;
import static io.airlift.concurrent.MoreFutures.toCompletableFuture;
import static java.util.Objects.requireNonNull;

/// One batch of splits, which takes long to find.
final class FoundRowsSplitSource
        implements ConnectorSplitSource
{
    private final ListeningExecutorService executor;
    private final Callable<List<ConnectorSplit>> search;
    private Optional<ListenableFuture<List<ConnectorSplit>>> batch = Optional.empty();
    private boolean closed;

    FoundRowsSplitSource(ListeningExecutorService executor, Callable<List<ConnectorSplit>> search)
    {
        this.executor = requireNonNull(executor, "executor is null");
        this.search = requireNonNull(search, "search is null");
    }

    @Override
    public synchronized CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilterSnapshot)
    {
        checkState(!closed, "already closed");
        checkState(batch.isEmpty(), "there is no other batch");
        batch = Optional.of(executor.submit(search));
        return toCompletableFuture(batch.orElseThrow());
    }

    @Override
    public synchronized boolean isFinished()
    {
        return batch.isPresent();
    }

    /// Stops the search of a query that was canceled.
    @Override
    public synchronized void close()
    {
        closed = true;
        batch.ifPresent(future -> future.cancel(true));
    }
}
