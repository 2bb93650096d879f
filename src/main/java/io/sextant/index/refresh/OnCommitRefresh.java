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

import com.google.inject.Inject;
import com.google.inject.Provider;
import io.airlift.log.Logger;
import io.sextant.catalog.CommitAttempt;
import io.sextant.catalog.CommitGuard;
import io.sextant.catalog.TableGuard;
import io.sextant.index.catalog.IndexCatalog;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.catalog.IndexRegistrations;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;

import static java.util.Objects.requireNonNull;

/// Refreshes indexes in the mode `on-commit` when a commit has given their table another current snapshot, on the thread of the
/// commit. What goes wrong is logged and shown as the index's last error; the commit stands, and the index lags behind.
public class OnCommitRefresh
        implements CommitGuard
{
    private static final Logger log = Logger.get(OnCommitRefresh.class);

    // The catalogs ask for the guards first
    private final Provider<TrinoCatalogFactory> catalogFactory;
    private final IcebergFileSystemFactory fileSystemFactory;
    private final IndexCatalog indexCatalog;
    private final TableIndexes tableIndexes;
    private final IndexBuilds indexBuilds;

    @Inject
    public OnCommitRefresh(
            Provider<TrinoCatalogFactory> catalogFactory,
            IcebergFileSystemFactory fileSystemFactory,
            IndexCatalog indexCatalog,
            TableIndexes tableIndexes,
            IndexBuilds indexBuilds)
    {
        this.catalogFactory = requireNonNull(catalogFactory, "catalogFactory is null");
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.indexCatalog = requireNonNull(indexCatalog, "indexCatalog is null");
        this.tableIndexes = requireNonNull(tableIndexes, "tableIndexes is null");
        this.indexBuilds = requireNonNull(indexBuilds, "indexBuilds is null");
    }

    @Override
    public TableGuard guardTable(ConnectorSession session, SchemaTableName table)
    {
        return new TableGuard()
        {
            @Override
            public TableMetadata beforeCommit(CommitAttempt attempt)
            {
                return attempt.candidate();
            }

            @Override
            public void afterCommit(CommitAttempt attempt)
            {
                IndexRegistrations registrations = IndexRegistrations.fromTableProperties(attempt.candidate().properties());
                if (!registrations.indexes().isEmpty() && changesSnapshot(attempt)) {
                    refresh(session, table, registrations);
                }
            }
        };
    }

    private static boolean changesSnapshot(CommitAttempt attempt)
    {
        Snapshot after = attempt.candidate().currentSnapshot();
        return after != null && attempt.base()
                .map(TableMetadata::currentSnapshot)
                .filter(before -> before.snapshotId() == after.snapshotId())
                .isEmpty();
    }

    private void refresh(ConnectorSession session, SchemaTableName name, IndexRegistrations registrations)
    {
        BaseTable table = catalogFactory.get().create(session.getIdentity()).loadTable(session, name);
        IndexedTable indexedTable = new IndexedTable(session, name, table, fileSystemFactory.create(session.getIdentity(), IcebergTableCredentials.forFileIO(table.io())));
        for (IndexRegistration registration : registrations.indexes().values()) {
            try {
                if (MaintenanceMode.of(indexCatalog.load(indexedTable.fileSystem(), registration).metadata().properties()) == MaintenanceMode.ON_COMMIT) {
                    tableIndexes.refresh(indexedTable, registration);
                }
            }
            catch (RuntimeException e) {
                log.warn(e, "Index %s of table %s lags behind: it could not be refreshed after a commit", registration.name(), name);
                indexBuilds.failed(indexedTable.index(registration.name()), e);
            }
        }
    }
}
