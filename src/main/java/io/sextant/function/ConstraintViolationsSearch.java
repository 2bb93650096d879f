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

import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.inject.Inject;
import io.sextant.constraint.TableConstraint;
import io.sextant.enforcement.ConstrainedTable;
import io.sextant.enforcement.ViolationFinder;
import io.sextant.table.TransactionTables;
import io.trino.plugin.iceberg.ForIcebergSplitSource;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTransactionHandle;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.util.Objects.requireNonNull;

/// Makes the splits of [ConstraintViolationsFunction], which have the rows that the coordinator has found. Only there all of a
/// table can be seen.
public class ConstraintViolationsSearch
{
    private final TransactionTables tables;
    private final ViolationFinder finder;
    private final ListeningExecutorService executor;

    @Inject
    public ConstraintViolationsSearch(TransactionTables tables, ViolationFinder finder, @ForIcebergSplitSource ListeningExecutorService executor)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.finder = requireNonNull(finder, "finder is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    public ConnectorSplitSource splits(ConnectorTransactionHandle transaction, ConnectorSession session, ConstraintViolationsHandle handle)
    {
        ConstrainedTable table = new ConstrainedTable(session, handle.table(), tables.loadTable(transaction, session, handle.table()));
        TableConstraint constraint = table.constraints().constraints().stream()
                .filter(candidate -> candidate.id() == handle.constraintId())
                .collect(onlyElement());
        return new FoundRowsSplitSource(executor, () -> find(table, constraint, handle.rowLimit()));
    }

    private List<ConnectorSplit> find(ConstrainedTable table, TableConstraint constraint, int rowLimit)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            return finder.find(table, constraint, rowLimit).stream()
                    .map(FoundRowsSplit::of)
                    .collect(toImmutableList());
        }
    }
}
