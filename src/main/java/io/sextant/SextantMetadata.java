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

import io.airlift.json.JsonCodec;
import io.airlift.slice.Slice;
import io.airlift.units.Duration;
import io.sextant.collation.write.ReplacingWrite;
import io.sextant.enforcement.CheckedWrite;
import io.sextant.enforcement.ConstrainedTable;
import io.sextant.enforcement.DistributedValidation;
import io.sextant.enforcement.ValidationHandle;
import io.sextant.function.FoundRowsHandle;
import io.sextant.function.ThetaSketchStatistic;
import io.sextant.index.catalog.IndexRegistrations;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.system.CollatedEntries;
import io.sextant.system.SystemTables;
import io.trino.metastore.HiveMetastoreFactory;
import io.trino.plugin.base.classloader.ClassLoaderSafeSystemTable;
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergMergeTableHandle;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.plugin.iceberg.IcebergWritableTableHandle;
import io.trino.plugin.iceberg.TableStatisticsReader;
import io.trino.plugin.iceberg.TableStatisticsWriter;
import io.trino.plugin.iceberg.UnknownTableTypeException;
import io.trino.plugin.iceberg.aggregation.IcebergThetaSketchForStats;
import io.trino.plugin.iceberg.catalog.TrinoCatalog;
import io.trino.plugin.iceberg.delete.DeletionVectorWriter;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.BeginTableExecuteResult;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorAnalyzeMetadata;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorOutputMetadata;
import io.trino.spi.connector.ConnectorOutputTableHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableLayout;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorWritableTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.connector.TableNotFoundException;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.statistics.ColumnStatisticMetadata;
import io.trino.spi.statistics.ComputedStatistics;
import io.trino.spi.statistics.TableStatisticsMetadata;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/// Trino's Iceberg metadata, with the parts of Sextant that belong to a transaction.
public class SextantMetadata
        extends AlterationMetadata
{
    private static final FunctionName ICEBERG_THETA_SKETCH = new FunctionName(IcebergThetaSketchForStats.NAME);
    private static final FunctionName SEXTANT_THETA_SKETCH = new FunctionName(ThetaSketchStatistic.NAME);

    private final TypeManager typeManager;
    private final TrinoCatalog catalog;
    private final IcebergFileSystemFactory fileSystemFactory;
    private final ExecutorService icebergScanExecutor;
    private final IndexServices indexes;
    private final DistributedValidation distributedValidation;
    private Optional<IndexedTable> replacedTable = Optional.empty();
    private Optional<String> validatingQuery = Optional.empty();

    SextantMetadata(
            CatalogName catalogName,
            TypeManager typeManager,
            JsonCodec<CommitTaskData> commitTaskCodec,
            TrinoCatalog catalog,
            IcebergFileSystemFactory fileSystemFactory,
            TableStatisticsReader tableStatisticsReader,
            TableStatisticsWriter tableStatisticsWriter,
            DeletionVectorWriter deletionVectorWriter,
            Optional<HiveMetastoreFactory> metastoreFactory,
            boolean addFilesProcedureEnabled,
            Predicate<String> allowedExtraProperties,
            ExecutorService icebergScanExecutor,
            Executor metadataFetchingExecutor,
            ExecutorService icebergPlanningExecutor,
            ExecutorService icebergFileDeleteExecutor,
            int materializedViewRefreshMaxSnapshotsToExpire,
            Duration materializedViewRefreshSnapshotRetentionPeriod,
            ConnectorExpressionEvaluator evaluator,
            IndexServices indexes,
            DistributedValidation distributedValidation)
    {
        super(catalogName,
                typeManager,
                commitTaskCodec,
                catalog,
                fileSystemFactory,
                tableStatisticsReader,
                tableStatisticsWriter,
                deletionVectorWriter,
                metastoreFactory,
                addFilesProcedureEnabled,
                allowedExtraProperties,
                icebergScanExecutor,
                metadataFetchingExecutor,
                icebergPlanningExecutor,
                icebergFileDeleteExecutor,
                materializedViewRefreshMaxSnapshotsToExpire,
                materializedViewRefreshSnapshotRetentionPeriod,
                evaluator);
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.icebergScanExecutor = requireNonNull(icebergScanExecutor, "icebergScanExecutor is null");
        this.indexes = requireNonNull(indexes, "indexes is null");
        this.distributedValidation = requireNonNull(distributedValidation, "distributedValidation is null");
    }

    /// The table as this transaction sees it.
    BaseTable loadTable(ConnectorSession session, SchemaTableName name)
    {
        return catalog.loadTable(session, name);
    }

    @Override
    public Optional<SystemTable> getSystemTable(ConnectorSession session, SchemaTableName tableName)
    {
        SystemTables systemTables = indexes.systemTables();
        if (systemTables.contains(tableName)) {
            return systemTables.find(tableName, name -> indexedTable(session, name));
        }
        return CollatedEntries.find(tableName, name -> findTable(session, name), typeManager, icebergScanExecutor)
                .<SystemTable>map(table -> new ClassLoaderSafeSystemTable(table, getClass().getClassLoader()))
                .or(() -> super.getSystemTable(session, tableName));
    }

    private Optional<IndexedTable> indexedTable(ConnectorSession session, SchemaTableName name)
    {
        return findTable(session, name)
                .map(table -> new IndexedTable(session, name, table, fileSystemFactory.create(session.getIdentity(), IcebergTableCredentials.forFileIO(table.io()))));
    }

    private Optional<BaseTable> findTable(ConnectorSession session, SchemaTableName name)
    {
        try {
            return Optional.of(loadTable(session, name));
        }
        catch (TableNotFoundException | UnknownTableTypeException _) {
            return Optional.empty();
        }
    }

    @Override
    public ConnectorOutputTableHandle beginCreateTable(ConnectorSession session, ConnectorTableMetadata tableMetadata, Optional<ConnectorTableLayout> layout, RetryMode retryMode, boolean replace)
    {
        if (replace) {
            replacedTable = indexedTable(session, tableMetadata.getTable());
        }
        ConnectorOutputTableHandle handle = super.beginCreateTable(session, tableMetadata, layout, retryMode, replace);
        return replacedTable
                .<ConnectorOutputTableHandle>map(replaced -> ReplacingWrite.keepCollations((IcebergWritableTableHandle) handle, replaced.table().properties()))
                .orElse(handle);
    }

    @Override
    public Optional<ConnectorOutputMetadata> finishCreateTable(ConnectorSession session, ConnectorOutputTableHandle tableHandle, Collection<Slice> fragments, Collection<ComputedStatistics> computedStatistics)
    {
        Optional<ConnectorOutputMetadata> metadata = super.finishCreateTable(session, tableHandle, fragments, computedStatistics);
        replacedTable.filter(table -> IndexRegistrations.anyIn(table.table().properties())).ifPresent(this::deleteIndexes);
        return metadata;
    }

    private void deleteIndexes(IndexedTable replaced)
    {
        IndexRegistrations registrations = IndexRegistrations.fromTableProperties(replaced.table().properties());
        replaced.table().refresh();
        // Some catalogs keep the properties of a table that is replaced, and with them its indexes
        if (!IndexRegistrations.anyIn(replaced.table().properties())) {
            indexes.tableIndexes().deleteAll(replaced, registrations);
        }
    }

    @Override
    public void dropTable(ConnectorSession session, ConnectorTableHandle tableHandle)
    {
        // The properties are gone with the table
        Optional<IndexedTable> indexed = tableHandle instanceof IcebergTableHandle handle && IndexRegistrations.anyIn(handle.getStorageProperties())
                ? indexedTable(session, handle.getSchemaTableName())
                : Optional.empty();
        super.dropTable(session, tableHandle);
        indexed.ifPresent(table -> indexes.tableIndexes().deleteAll(table, IndexRegistrations.fromTableProperties(table.table().properties())));
    }

    @Override
    public Optional<ConnectorTableExecuteHandle> getTableHandleForExecute(
            ConnectorSession session,
            ConnectorAccessControl accessControl,
            ConnectorTableHandle tableHandle,
            String procedureName,
            Map<String, Object> executeProperties,
            RetryMode retryMode)
    {
        if (procedureName.equals(DistributedValidation.PROCEDURE)) {
            validatingQuery = Optional.of(session.getQueryId());
            return Optional.of(distributedValidation.plan((IcebergTableHandle) tableHandle, executeProperties, accessControl));
        }
        return super.getTableHandleForExecute(session, accessControl, tableHandle, procedureName, executeProperties, retryMode);
    }

    @Override
    public Set<ColumnHandle> getColumnHandlesForTableExecute(ConnectorSession session, ConnectorTableHandle tableHandle, ConnectorTableExecuteHandle tableExecuteHandle)
    {
        return tableExecuteHandle instanceof ValidationHandle validation
                ? distributedValidation.columns(validation)
                : super.getColumnHandlesForTableExecute(session, tableHandle, tableExecuteHandle);
    }

    @Override
    public Optional<ConnectorTableLayout> getLayoutForTableExecute(ConnectorSession session, ConnectorTableExecuteHandle tableExecuteHandle)
    {
        return tableExecuteHandle instanceof ValidationHandle validation
                ? Optional.of(DistributedValidation.layout(validation))
                : super.getLayoutForTableExecute(session, tableExecuteHandle);
    }

    @Override
    public Optional<ConstraintApplicationResult<ConnectorTableHandle>> applyFilter(ConnectorSession session, ConnectorTableHandle tableHandle, Constraint constraint)
    {
        if (isValidating(session)) {
            throw DistributedValidation.filterRefused((IcebergTableHandle) tableHandle);
        }
        return super.applyFilter(session, tableHandle, constraint);
    }

    /// Whether the query is a table procedure of ours, which scans one table and nothing else.
    boolean isValidating(ConnectorSession session)
    {
        return validatingQuery.equals(Optional.of(session.getQueryId()));
    }

    @Override
    public BeginTableExecuteResult<ConnectorTableExecuteHandle, ConnectorTableHandle> beginTableExecute(
            ConnectorSession session,
            ConnectorTableExecuteHandle tableExecuteHandle,
            ConnectorTableHandle sourceTableHandle)
    {
        return tableExecuteHandle instanceof ValidationHandle
                ? new BeginTableExecuteResult<>(tableExecuteHandle, sourceTableHandle)
                : super.beginTableExecute(session, tableExecuteHandle, sourceTableHandle);
    }

    @Override
    public Map<String, Long> finishTableExecute(ConnectorSession session, ConnectorTableExecuteHandle tableExecuteHandle, Collection<Slice> fragments, List<Object> splitSourceInfo)
    {
        if (tableExecuteHandle instanceof ValidationHandle validation) {
            return distributedValidation.finish(new ConstrainedTable(session, validation.table(), loadTable(session, validation.table())), validation, fragments);
        }
        return super.finishTableExecute(session, tableExecuteHandle, fragments, splitSourceInfo);
    }

    /// Workers that only look at rows need no credentials.
    @Override
    public Optional<ConnectorTableCredentials> getTableCredentials(ConnectorSession session, ConnectorWritableTableHandle tableHandle)
    {
        return tableHandle instanceof ValidationHandle ? Optional.empty() : super.getTableCredentials(session, tableHandle);
    }

    @Override
    public Optional<ConnectorTableCredentials> getTableCredentials(ConnectorSession session, ConnectorTableFunctionHandle functionHandle)
    {
        return functionHandle instanceof FoundRowsHandle ? Optional.empty() : super.getTableCredentials(session, functionHandle);
    }

    @Override
    public Optional<ConnectorOutputMetadata> finishInsert(
            ConnectorSession session,
            ConnectorInsertTableHandle insertHandle,
            List<ConnectorTableHandle> sourceTableHandles,
            Collection<Slice> fragments,
            Collection<ComputedStatistics> computedStatistics)
    {
        return CheckedWrite.commit(
                ((IcebergWritableTableHandle) insertHandle).storageProperties(),
                () -> super.finishInsert(session, insertHandle, sourceTableHandles, fragments, computedStatistics));
    }

    @Override
    public void finishMerge(
            ConnectorSession session,
            ConnectorMergeTableHandle mergeTableHandle,
            List<ConnectorTableHandle> sourceTableHandles,
            Collection<Slice> fragments,
            Collection<ComputedStatistics> computedStatistics)
    {
        CheckedWrite.commit(
                ((IcebergMergeTableHandle) mergeTableHandle).getInsertTableHandle().storageProperties(),
                () -> {
                    super.finishMerge(session, mergeTableHandle, sourceTableHandles, fragments, computedStatistics);
                    return Optional.empty();
                });
    }

    @Override
    public TableStatisticsMetadata getStatisticsCollectionMetadataForWrite(ConnectorSession session, ConnectorTableMetadata tableMetadata, boolean tableReplace)
    {
        return withOwnThetaSketch(super.getStatisticsCollectionMetadataForWrite(session, tableMetadata, tableReplace));
    }

    @Override
    public ConnectorAnalyzeMetadata getStatisticsCollectionMetadata(ConnectorSession session, ConnectorTableHandle tableHandle, Map<String, Object> analyzeProperties)
    {
        ConnectorAnalyzeMetadata metadata = super.getStatisticsCollectionMetadata(session, tableHandle, analyzeProperties);
        return new ConnectorAnalyzeMetadata(metadata.getTableHandle(), withOwnThetaSketch(metadata.getStatisticsMetadata()));
    }

    private static TableStatisticsMetadata withOwnThetaSketch(TableStatisticsMetadata statistics)
    {
        return new TableStatisticsMetadata(
                statistics.getColumnStatistics().stream()
                        .map(SextantMetadata::withOwnThetaSketch)
                        .collect(toImmutableSet()),
                statistics.getTableStatistics(),
                statistics.getGroupingColumns());
    }

    private static ColumnStatisticMetadata withOwnThetaSketch(ColumnStatisticMetadata statistic)
    {
        if (statistic.getAggregationIfPresent().equals(Optional.of(ICEBERG_THETA_SKETCH))) {
            return new ColumnStatisticMetadata(statistic.getColumnName(), statistic.getConnectorAggregationId(), SEXTANT_THETA_SKETCH);
        }
        return statistic;
    }
}
