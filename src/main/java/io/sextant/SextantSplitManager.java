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

import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.inject.Inject;
import io.sextant.collation.scan.CollationScanPlanner;
import io.sextant.enforcement.ValidationSplitSource;
import io.sextant.function.FoundRowsHandle;
import io.sextant.function.FunctionSearches;
import io.sextant.index.scan.IndexedScanPlanner;
import io.trino.filesystem.cache.SplitAffinityProvider;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorSplitSource;
import io.trino.plugin.iceberg.ForIcebergSplitManager;
import io.trino.plugin.iceberg.ForIcebergSplitSource;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergSplitManager;
import io.trino.plugin.iceberg.IcebergSplitSource;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.plugin.iceberg.IcebergTransactionManager;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CombinedScanTask;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Scan;
import org.apache.iceberg.Schema;
import org.apache.iceberg.metrics.InMemoryMetricsReporter;
import org.apache.iceberg.types.TypeUtil;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.plugin.iceberg.IcebergSessionProperties.getMinimumAssignedSplitWeight;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.util.SnapshotUtil.schemaFor;

/// Trino's Iceberg split manager, with indexes asked before files are planned.
public class SextantSplitManager
        extends IcebergSplitManager
{
    private final IcebergTransactionManager transactionManager;
    private final TypeManager typeManager;
    private final IcebergFileSystemFactory fileSystemFactory;
    private final ListeningExecutorService splitSourceExecutor;
    private final ExecutorService icebergPlanningExecutor;
    private final SplitAffinityProvider splitAffinityProvider;
    private final ConnectorExpressionEvaluator evaluator;
    private final IndexedScanPlanner indexedScanPlanner;
    private final FunctionSearches functionSearches;

    @Inject
    public SextantSplitManager(
            IcebergTransactionManager transactionManager,
            TypeManager typeManager,
            IcebergFileSystemFactory fileSystemFactory,
            @ForIcebergSplitSource ListeningExecutorService splitSourceExecutor,
            @ForIcebergSplitManager ExecutorService icebergPlanningExecutor,
            SplitAffinityProvider splitAffinityProvider,
            ConnectorExpressionEvaluator evaluator,
            IndexedScanPlanner indexedScanPlanner,
            FunctionSearches functionSearches)
    {
        super(transactionManager, typeManager, fileSystemFactory, splitSourceExecutor, icebergPlanningExecutor, splitAffinityProvider, evaluator);
        this.transactionManager = requireNonNull(transactionManager, "transactionManager is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.splitSourceExecutor = requireNonNull(splitSourceExecutor, "splitSourceExecutor is null");
        this.icebergPlanningExecutor = requireNonNull(icebergPlanningExecutor, "icebergPlanningExecutor is null");
        this.splitAffinityProvider = requireNonNull(splitAffinityProvider, "splitAffinityProvider is null");
        this.evaluator = requireNonNull(evaluator, "evaluator is null");
        this.indexedScanPlanner = requireNonNull(indexedScanPlanner, "indexedScanPlanner is null");
        this.functionSearches = requireNonNull(functionSearches, "functionSearches is null");
    }

    @Override
    public ConnectorSplitSource getSplits(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorTableHandle handle,
            Set<ColumnHandle> dynamicFilterColumns,
            Constraint constraint)
    {
        IcebergTableHandle table = (IcebergTableHandle) handle;
        SextantMetadata metadata = (SextantMetadata) transactionManager.get(transaction, session.getIdentity());
        if (metadata.isValidating(session)) {
            return new ValidationSplitSource(super.getSplits(transaction, session, handle, dynamicFilterColumns, constraint));
        }
        boolean mayUseIndex = indexedScanPlanner.mayUseIndex(session, table);
        boolean mayUseCollations = CollationScanPlanner.mayPrune(session, table);
        if (!(mayUseIndex || mayUseCollations) || !mayPrune(table) || metadata.getIncrementalRefreshFromSnapshot().isPresent()) {
            return super.getSplits(transaction, session, handle, dynamicFilterColumns, constraint);
        }

        BaseTable icebergTable = metadata.loadTable(session, table.getSchemaTableName());
        InMemoryMetricsReporter metricsReporter = new InMemoryMetricsReporter();
        Function<Scan<?, FileScanTask, CombinedScanTask>, ConnectorSplitSource> splitSourceOf = scan -> new IcebergSplitSource(
                fileSystemFactory,
                session,
                table,
                icebergTable,
                scan,
                table.getMaxScannedFileSize(),
                constraint,
                typeManager,
                table.isRecordScannedFiles(),
                getMinimumAssignedSplitWeight(session),
                splitAffinityProvider,
                metricsReporter,
                splitSourceExecutor,
                dynamicFilterColumns,
                evaluator);
        if (mayUseCollations) {
            Function<Scan<?, FileScanTask, CombinedScanTask>, ConnectorSplitSource> delegate = splitSourceOf;
            splitSourceOf = scan -> CollationScanPlanner.plan(table, icebergTable, dynamicFilterColumns, constraint, scan, delegate);
        }
        Scan<?, FileScanTask, CombinedScanTask> scan = scan(icebergTable, table, metricsReporter);
        ConnectorSplitSource splitSource = mayUseIndex
                ? indexedScanPlanner.plan(session, table, icebergTable, constraint, scan, splitSourceOf)
                : splitSourceOf.apply(scan);
        return new ClassLoaderSafeConnectorSplitSource(splitSource, getClass().getClassLoader());
    }

    @Override
    public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableFunctionHandle function)
    {
        return function instanceof FoundRowsHandle handle
                ? new ClassLoaderSafeConnectorSplitSource(functionSearches.splits(transaction, session, handle), getClass().getClassLoader())
                : super.getSplits(transaction, session, function);
    }

    private static boolean mayPrune(IcebergTableHandle table)
    {
        return table.getSnapshotId().isPresent()
                // Table procedures rewrite whole files, and statistics count all rows
                && !table.isRecordScannedFiles()
                && !table.getForAnalyze().orElse(false);
    }

    private Scan<?, FileScanTask, CombinedScanTask> scan(BaseTable icebergTable, IcebergTableHandle table, InMemoryMetricsReporter metricsReporter)
    {
        long snapshotId = table.getSnapshotId().orElseThrow();
        Schema schema = schemaFor(icebergTable, snapshotId);
        // A column added since has no field in the snapshot's schema
        Set<Integer> projectedIds = table.getProjectedColumns().stream()
                .map(IcebergColumnHandle::getId)
                .filter(id -> Objects.nonNull(schema.findField(id)))
                .collect(toImmutableSet());
        return icebergTable.newScan()
                .useSnapshot(snapshotId)
                .project(TypeUtil.select(schema, projectedIds))
                .planWith(icebergPlanningExecutor)
                .metricsReporter(metricsReporter);
    }
}
