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

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.sextant.collation.maintenance.CollationMaintenanceModule;
import io.sextant.collation.scan.CollationScanModule;
import io.sextant.collation.write.CollatingFileWriterFactory;
import io.sextant.enforcement.EnforcementModule;
import io.sextant.function.FunctionModule;
import io.sextant.index.catalog.IndexCacheKeyProvider;
import io.sextant.index.catalog.IndexCatalogModule;
import io.sextant.index.file.IndexFileModule;
import io.sextant.index.maintenance.IndexMaintenanceModule;
import io.sextant.index.refresh.IndexRefreshModule;
import io.sextant.index.region.RegionFileModule;
import io.sextant.index.scan.IndexScanModule;
import io.sextant.index.scan.IndexedPageSourceProviderFactory;
import io.sextant.procedure.ProcedureModule;
import io.sextant.system.ExtractStatusReader;
import io.sextant.system.IndexStatusReader;
import io.sextant.system.SystemTables;
import io.sextant.table.TransactionTables;
import io.trino.filesystem.cache.CacheKeyProvider;
import io.trino.plugin.base.classloader.ForClassLoaderSafe;
import io.trino.plugin.iceberg.IcebergFileWriterFactory;
import io.trino.plugin.iceberg.IcebergMetadataFactory;
import io.trino.plugin.iceberg.IcebergTransactionManager;
import io.trino.spi.connector.ConnectorNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSplitManager;

import static com.google.inject.multibindings.OptionalBinder.newOptionalBinder;

/// Binds the seams of the Iceberg connector to Sextant's decorators and installs the modules of its features.
public class SextantModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(SextantTransactionManager.class).in(Scopes.SINGLETON);
        binder.bind(IcebergTransactionManager.class).to(SextantTransactionManager.class);
        binder.bind(TransactionTables.class).to(SextantTransactionManager.class);
        binder.bind(IcebergMetadataFactory.class).to(SextantMetadataFactory.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorSplitManager.class).annotatedWith(ForClassLoaderSafe.class).to(SextantSplitManager.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorPageSourceProviderFactory.class).annotatedWith(ForClassLoaderSafe.class).to(IndexedPageSourceProviderFactory.class).in(Scopes.SINGLETON);
        binder.bind(IcebergFileWriterFactory.class).to(CollatingFileWriterFactory.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorNodePartitioningProvider.class).annotatedWith(ForClassLoaderSafe.class).to(SextantNodePartitioningProvider.class).in(Scopes.SINGLETON);
        newOptionalBinder(binder, CacheKeyProvider.class).setBinding().to(IndexCacheKeyProvider.class).in(Scopes.SINGLETON);
        binder.bind(IndexServices.class).in(Scopes.SINGLETON);
        binder.bind(IndexStatusReader.class).in(Scopes.SINGLETON);
        binder.bind(ExtractStatusReader.class).in(Scopes.SINGLETON);
        binder.bind(SystemTables.class).in(Scopes.SINGLETON);

        binder.install(new IndexFileModule());
        binder.install(new RegionFileModule());
        binder.install(new IndexCatalogModule());
        binder.install(new IndexRefreshModule());
        binder.install(new IndexScanModule());
        binder.install(new IndexMaintenanceModule());
        binder.install(new EnforcementModule());
        binder.install(new CollationMaintenanceModule());
        binder.install(new CollationScanModule());
        binder.install(new ProcedureModule());
        binder.install(new FunctionModule());
    }
}
