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

import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/// The builds that run on this node, so that others can watch and cancel them, and how the last one of each index failed.
public class IndexBuilds
{
    private static final int MAX_FAILURES = 1000;
    private static final ThreadLocal<ConnectorTransactionHandle> CURRENT_TRANSACTION = new ThreadLocal<>();

    private final Set<Build> running = ConcurrentHashMap.newKeySet();
    private final Map<IndexName, String> failures = new ConcurrentHashMap<>();

    /// Notes the transaction of what this thread does next. The engine begins the transaction of a procedure in the thread
    /// that then calls the procedure.
    public void enter(ConnectorTransactionHandle transaction)
    {
        CURRENT_TRANSACTION.set(transaction);
    }

    /// Registers a build until it is closed.
    Build start(IndexName index)
    {
        Build build = new Build(Optional.ofNullable(CURRENT_TRANSACTION.get()), index);
        running.add(build);
        return build;
    }

    /// Asks the builds that were started in a transaction to stop.
    public void cancel(ConnectorTransactionHandle transaction)
    {
        running.stream()
                .filter(build -> build.transaction.equals(Optional.of(transaction)))
                .forEach(build -> build.progress.cancel());
    }

    public List<Build> running(SchemaTableName table)
    {
        return running.stream()
                .filter(build -> build.index.table().equals(table))
                .collect(toImmutableList());
    }

    /// Why the last build of the index failed; absent if it did not fail since the server started.
    public Optional<String> lastFailure(IndexName index)
    {
        return Optional.ofNullable(failures.get(index));
    }

    void failed(IndexName index, Throwable failure)
    {
        if (failures.size() < MAX_FAILURES) {
            failures.put(index, String.valueOf(failure.getMessage()));
        }
    }

    public record IndexName(SchemaTableName table, String name)
    {
        public IndexName
        {
            requireNonNull(table, "table is null");
            requireNonNull(name, "name is null");
        }
    }

    public final class Build
            implements AutoCloseable
    {
        private final Optional<ConnectorTransactionHandle> transaction;
        private final IndexName index;
        private final BuildProgress progress = new BuildProgress();

        private Build(Optional<ConnectorTransactionHandle> transaction, IndexName index)
        {
            this.transaction = requireNonNull(transaction, "transaction is null");
            this.index = requireNonNull(index, "index is null");
        }

        public IndexName index()
        {
            return index;
        }

        public BuildProgress progress()
        {
            return progress;
        }

        void failed(Throwable failure)
        {
            IndexBuilds.this.failed(index, failure);
        }

        void succeeded()
        {
            failures.remove(index);
        }

        @Override
        public void close()
        {
            running.remove(this);
        }
    }
}
