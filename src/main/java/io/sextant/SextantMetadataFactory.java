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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.airlift.concurrent.BoundedExecutor;
import io.airlift.json.JsonCodec;
import io.sextant.catalog.JdbcCatalogTables;
import io.sextant.enforcement.DistributedValidation;
import io.trino.metastore.HiveMetastoreFactory;
import io.trino.metastore.RawHiveMetastoreFactory;
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.plugin.iceberg.ForIcebergFileDelete;
import io.trino.plugin.iceberg.ForIcebergMetadata;
import io.trino.plugin.iceberg.ForIcebergPlanning;
import io.trino.plugin.iceberg.ForIcebergSplitManager;
import io.trino.plugin.iceberg.IcebergConfig;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergMetadata;
import io.trino.plugin.iceberg.IcebergMetadataFactory;
import io.trino.plugin.iceberg.TableStatisticsReader;
import io.trino.plugin.iceberg.TableStatisticsWriter;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.plugin.iceberg.delete.DeletionVectorWriter;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.spi.type.TypeManager;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.Predicate;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static java.util.Objects.requireNonNull;

/// Creates [SextantMetadata] from the same parts as Trino's factory creates its own metadata.
public class SextantMetadataFactory
        extends IcebergMetadataFactory
{
    private final Optional<JdbcCatalogTables> catalogTables;
    private final Function<ConnectorIdentity, IcebergMetadata> factory;

    @Inject
    public SextantMetadataFactory(
            CatalogName catalogName,
            TypeManager typeManager,
            JsonCodec<CommitTaskData> commitTaskCodec,
            TrinoCatalogFactory catalogFactory,
            IcebergFileSystemFactory fileSystemFactory,
            TableStatisticsReader tableStatisticsReader,
            TableStatisticsWriter tableStatisticsWriter,
            DeletionVectorWriter deletionVectorWriter,
            @RawHiveMetastoreFactory Optional<HiveMetastoreFactory> metastoreFactory,
            @ForIcebergSplitManager ExecutorService icebergScanExecutor,
            @ForIcebergMetadata ExecutorService metadataExecutorService,
            @ForIcebergPlanning ExecutorService icebergPlanningExecutor,
            @ForIcebergFileDelete ExecutorService icebergFileDeleteExecutor,
            IcebergConfig config,
            ConnectorExpressionEvaluator evaluator,
            IndexServices indexes,
            DistributedValidation distributedValidation,
            Optional<JdbcCatalogTables> catalogTables)
    {
        super(catalogName,
                typeManager,
                commitTaskCodec,
                catalogFactory,
                fileSystemFactory,
                tableStatisticsReader,
                tableStatisticsWriter,
                deletionVectorWriter,
                metastoreFactory,
                icebergScanExecutor,
                metadataExecutorService,
                icebergPlanningExecutor,
                icebergFileDeleteExecutor,
                config,
                evaluator);
        this.catalogTables = requireNonNull(catalogTables, "catalogTables is null");
        this.factory = identity -> new SextantMetadata(
                catalogName,
                typeManager,
                commitTaskCodec,
                catalogFactory.create(identity),
                fileSystemFactory,
                tableStatisticsReader,
                tableStatisticsWriter,
                deletionVectorWriter,
                metastoreFactory,
                config.isAddFilesProcedureEnabled(),
                allowedExtraProperties(config),
                icebergScanExecutor,
                config.getMetadataParallelism() == 1 ? directExecutor() : new BoundedExecutor(metadataExecutorService, config.getMetadataParallelism()),
                icebergPlanningExecutor,
                icebergFileDeleteExecutor,
                config.getMaterializedViewRefreshMaxSnapshotsToExpire(),
                config.getMaterializedViewRefreshSnapshotRetentionPeriod(),
                evaluator,
                indexes,
                distributedValidation);
    }

    @Override
    public IcebergMetadata create(ConnectorIdentity identity)
    {
        catalogTables.ifPresent(JdbcCatalogTables::createMissing);
        return factory.apply(identity);
    }

    private static Predicate<String> allowedExtraProperties(IcebergConfig config)
    {
        if (config.getAllowedExtraProperties().equals(ImmutableList.of("*"))) {
            return _ -> true;
        }
        return ImmutableSet.copyOf(config.getAllowedExtraProperties())::contains;
    }
}
