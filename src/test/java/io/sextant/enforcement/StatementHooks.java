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
package io.sextant.enforcement;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.sextant.catalog.CommitAttempt;
import io.sextant.catalog.CommitGuard;
import io.sextant.catalog.TableGuard;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import static java.util.Objects.requireNonNull;

/// Lets a test act in the midst of a statement, and keeps what was about to be committed.
///
/// It must be bound after the guard of constraints: then that guard has made up its mind when the test acts.
final class StatementHooks
        implements CommitGuard
{
    private final Map<SchemaTableName, Hook> onLoad = new ConcurrentHashMap<>();
    private final Map<SchemaTableName, Hook> onCommit = new ConcurrentHashMap<>();
    private final Map<SchemaTableName, List<AddedRows>> attempts = new ConcurrentHashMap<>();
    private volatile IcebergPageSourceProviderFactory pageSourceProviderFactory;
    private volatile TypeManager typeManager;

    private record Hook(AtomicInteger countdown, Runnable action)
    {
        void pass()
        {
            if (countdown.decrementAndGet() == 0) {
                action.run();
            }
        }
    }

    @Inject
    void setServices(IcebergPageSourceProviderFactory pageSourceProviderFactory, TypeManager typeManager)
    {
        this.pageSourceProviderFactory = requireNonNull(pageSourceProviderFactory, "pageSourceProviderFactory is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    IcebergPageSourceProviderFactory pageSourceProviderFactory()
    {
        return pageSourceProviderFactory;
    }

    TypeManager typeManager()
    {
        return typeManager;
    }

    /// Acts once, after the table was loaded for this number of times from now on.
    void onLoad(SchemaTableName table, int number, Runnable action)
    {
        onLoad.put(table, new Hook(new AtomicInteger(number), action));
    }

    /// Acts once, right before this attempt to commit from now on.
    void onCommit(SchemaTableName table, int number, Runnable action)
    {
        onCommit.put(table, new Hook(new AtomicInteger(number), action));
    }

    /// The rows of each attempt to commit a snapshot, from now on.
    List<AddedRows> recordAttempts(SchemaTableName table)
    {
        List<AddedRows> recorded = new CopyOnWriteArrayList<>();
        attempts.put(table, recorded);
        return recorded;
    }

    @Override
    public TableGuard guardTable(ConnectorSession session, SchemaTableName table)
    {
        pass(onLoad, table);
        return attempt -> beforeCommit(session, table, attempt);
    }

    private TableMetadata beforeCommit(ConnectorSession session, SchemaTableName table, CommitAttempt attempt)
    {
        if (attempts.containsKey(table) && attempt.candidate().currentSnapshot() != null) {
            BaseTable candidate = new BaseTable(new StaticTableOperations(attempt.candidate(), attempt.operations().io()), table.toString());
            Snapshot snapshot = candidate.currentSnapshot();
            List<DataFile> files = ImmutableList.copyOf(SnapshotChanges.builderFor(candidate).snapshot(snapshot).build().addedDataFiles());
            attempts.get(table).add(new AddedRows(session, candidate, snapshot, files));
        }
        pass(onCommit, table);
        return attempt.candidate();
    }

    private static void pass(Map<SchemaTableName, Hook> hooks, SchemaTableName table)
    {
        Hook hook = hooks.get(table);
        if (hook != null) {
            hook.pass();
        }
    }
}
