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

import com.google.common.base.Throwables;
import io.airlift.json.JsonCodec;
import io.airlift.units.Duration;
import io.sextant.catalog.CommitRefusedException;
import io.trino.metastore.HiveMetastoreFactory;
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergMetadata;
import io.trino.plugin.iceberg.TableStatisticsReader;
import io.trino.plugin.iceberg.TableStatisticsWriter;
import io.trino.plugin.iceberg.catalog.TrinoCatalog;
import io.trino.plugin.iceberg.delete.DeletionVectorWriter;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ColumnPosition;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeManager;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;

/// Trino's Iceberg metadata, whose alterations of tables fail with the reason for which a guard has refused them.
abstract class AlterationMetadata
        extends IcebergMetadata
{
    AlterationMetadata(
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
            ConnectorExpressionEvaluator evaluator)
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
    }

    @Override
    public void setTableComment(ConnectorSession session, ConnectorTableHandle tableHandle, Optional<String> comment)
    {
        alter(() -> super.setTableComment(session, tableHandle, comment));
    }

    @Override
    public void setColumnComment(ConnectorSession session, ConnectorTableHandle tableHandle, ColumnHandle column, Optional<String> comment)
    {
        alter(() -> super.setColumnComment(session, tableHandle, column, comment));
    }

    @Override
    public void addColumn(ConnectorSession session, ConnectorTableHandle tableHandle, ColumnMetadata column, ColumnPosition position)
    {
        alter(() -> super.addColumn(session, tableHandle, column, position));
    }

    @Override
    public void setDefaultValue(ConnectorSession session, ConnectorTableHandle tableHandle, ColumnHandle column, String defaultValue)
    {
        alter(() -> super.setDefaultValue(session, tableHandle, column, defaultValue));
    }

    @Override
    public void dropDefaultValue(ConnectorSession session, ConnectorTableHandle tableHandle, ColumnHandle column)
    {
        alter(() -> super.dropDefaultValue(session, tableHandle, column));
    }

    @Override
    public void addField(ConnectorSession session, ConnectorTableHandle tableHandle, List<String> parentPath, String fieldName, Type type, boolean ignoreExisting)
    {
        alter(() -> super.addField(session, tableHandle, parentPath, fieldName, type, ignoreExisting));
    }

    @Override
    public void dropColumn(ConnectorSession session, ConnectorTableHandle tableHandle, ColumnHandle column)
    {
        alter(() -> super.dropColumn(session, tableHandle, column));
    }

    @Override
    public void dropField(ConnectorSession session, ConnectorTableHandle tableHandle, ColumnHandle column, List<String> fieldPath)
    {
        alter(() -> super.dropField(session, tableHandle, column, fieldPath));
    }

    @Override
    public void renameColumn(ConnectorSession session, ConnectorTableHandle tableHandle, ColumnHandle source, String target)
    {
        alter(() -> super.renameColumn(session, tableHandle, source, target));
    }

    @Override
    public void renameField(ConnectorSession session, ConnectorTableHandle tableHandle, List<String> fieldPath, String target)
    {
        alter(() -> super.renameField(session, tableHandle, fieldPath, target));
    }

    @Override
    public void setColumnType(ConnectorSession session, ConnectorTableHandle tableHandle, ColumnHandle columnHandle, Type type)
    {
        alter(() -> super.setColumnType(session, tableHandle, columnHandle, type));
    }

    @Override
    public void setFieldType(ConnectorSession session, ConnectorTableHandle tableHandle, List<String> fieldPath, Type type)
    {
        alter(() -> super.setFieldType(session, tableHandle, fieldPath, type));
    }

    @Override
    public void dropNotNullConstraint(ConnectorSession session, ConnectorTableHandle tableHandle, ColumnHandle columnHandle)
    {
        alter(() -> super.dropNotNullConstraint(session, tableHandle, columnHandle));
    }

    @Override
    public Map<String, Long> executeTableExecute(ConnectorSession session, ConnectorTableExecuteHandle tableExecuteHandle)
    {
        try {
            return super.executeTableExecute(session, tableExecuteHandle);
        }
        catch (TrinoException e) {
            throw refusalOr(e);
        }
    }

    private static void alter(Runnable alteration)
    {
        try {
            alteration.run();
        }
        catch (TrinoException e) {
            throw refusalOr(e);
        }
    }

    /// Iceberg's metadata reports whatever stops an alteration as an error of the commit, also what was refused for a reason
    /// that the user must know.
    private static TrinoException refusalOr(TrinoException failure)
    {
        for (Throwable cause : Throwables.getCausalChain(failure)) {
            if (cause instanceof CommitRefusedException refusal) {
                return refusal;
            }
        }
        return failure;
    }
}
