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
import com.google.inject.Inject;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.plugin.iceberg.IcebergSplit;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.type.TypeManager;

import java.util.List;
import java.util.Optional;

import static io.trino.plugin.iceberg.IcebergUtil.getColumnHandle;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.MetadataColumns.ROW_POSITION;

/// Trino's page sources, restricted to the rows that an [IndexedSplit] names.
public class IndexedPageSourceProviderFactory
        implements ConnectorPageSourceProviderFactory
{
    private final IcebergPageSourceProviderFactory delegate;
    // Must equal the handle that the Iceberg connector itself adds where a file has position deletes
    private final IcebergColumnHandle rowPosition;
    private final DataFileRowGroups rowGroups;

    @Inject
    public IndexedPageSourceProviderFactory(IcebergPageSourceProviderFactory delegate, TypeManager typeManager, DataFileRowGroups rowGroups)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.rowGroups = requireNonNull(rowGroups, "rowGroups is null");
        this.rowPosition = getColumnHandle(ROW_POSITION, typeManager);
    }

    @Override
    public ConnectorPageSourceProvider createPageSourceProvider()
    {
        return new IndexedPageSourceProvider(delegate.createPageSourceProvider(), rowPosition, rowGroups);
    }

    private record IndexedPageSourceProvider(ConnectorPageSourceProvider delegate, IcebergColumnHandle rowPosition, DataFileRowGroups rowGroups)
            implements ConnectorPageSourceProvider
    {
        @Override
        public ConnectorPageSource createPageSource(
                ConnectorTransactionHandle transaction,
                ConnectorSession session,
                ConnectorSplit split,
                ConnectorTableHandle table,
                Optional<ConnectorTableCredentials> tableCredentials,
                List<ColumnHandle> columns,
                DynamicFilter dynamicFilter,
                MemoryContext memoryContext)
        {
            if (!(split instanceof IndexedSplit indexedSplit)) {
                return delegate.createPageSource(transaction, session, split, table, tableCredentials, columns, dynamicFilter, memoryContext);
            }
            Optional<RowGroupRange> range = rowGroups.wanted(session, (IcebergTableCredentials) tableCredentials.orElseThrow(), indexedSplit);
            IcebergSplit file = range.isPresent() ? withRange(indexedSplit.file(), range.orElseThrow()) : indexedSplit.file();
            List<ColumnHandle> withPosition = ImmutableList.<ColumnHandle>builderWithExpectedSize(columns.size() + 1)
                    .addAll(columns)
                    .add(rowPosition)
                    .build();
            return new RowPositionPageSource(
                    delegate.createPageSource(transaction, session, file, table, tableCredentials, withPosition, dynamicFilter, memoryContext),
                    indexedSplit.positions(),
                    columns.size(),
                    range);
        }

        private static IcebergSplit withRange(IcebergSplit split, RowGroupRange range)
        {
            return new IcebergSplit(
                    split.path(),
                    range.start(),
                    range.length(),
                    split.fileSize(),
                    split.fileRecordCount(),
                    split.fileFormat(),
                    split.specId(),
                    split.partitionValues(),
                    split.deletes(),
                    split.splitWeight(),
                    split.fileStatisticsDomain(),
                    split.affinityKey(),
                    split.dataSequenceNumber(),
                    split.fileFirstRowId(),
                    split.parquetFileDecryptionData());
        }

        @Override
        public long getMemoryUsage()
        {
            return delegate.getMemoryUsage();
        }
    }
}
