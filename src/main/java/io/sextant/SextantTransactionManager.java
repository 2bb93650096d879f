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
package io.sextant;

import com.google.inject.Inject;
import io.sextant.index.refresh.IndexBuilds;
import io.sextant.table.TransactionTables;
import io.trino.plugin.iceberg.IcebergMetadataFactory;
import io.trino.plugin.iceberg.IcebergTransactionManager;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.BaseTable;

import static java.util.Objects.requireNonNull;

/// Trino's transactions, whose end by failure or cancellation stops the index builds begun in them. A procedure is not
/// told otherwise that its query has been canceled.
public class SextantTransactionManager
        extends IcebergTransactionManager
        implements TransactionTables
{
    private final IndexBuilds indexBuilds;

    @Inject
    public SextantTransactionManager(IcebergMetadataFactory metadataFactory, IndexBuilds indexBuilds)
    {
        super(metadataFactory);
        this.indexBuilds = requireNonNull(indexBuilds, "indexBuilds is null");
    }

    @Override
    public BaseTable loadTable(ConnectorTransactionHandle transaction, ConnectorSession session, SchemaTableName name)
    {
        return ((SextantMetadata) get(transaction, session.getIdentity())).loadTable(session, name);
    }

    @Override
    public void begin(ConnectorTransactionHandle transaction)
    {
        super.begin(transaction);
        indexBuilds.enter(transaction);
    }

    @Override
    public void rollback(ConnectorTransactionHandle transaction)
    {
        indexBuilds.cancel(transaction);
        super.rollback(transaction);
    }
}
