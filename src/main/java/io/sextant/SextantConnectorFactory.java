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
import com.google.inject.Injector;
import com.google.inject.Module;
import com.google.inject.Scopes;
import com.google.inject.util.Modules;
import io.airlift.bootstrap.Bootstrap;
import io.airlift.configuration.AbstractConfigurationAwareModule;
import io.airlift.json.JsonModule;
import io.sextant.catalog.GuardedCatalogModule;
import io.sextant.catalog.JdbcCatalogTablesModule;
import io.sextant.filesystem.ExclusiveLocalFileSystemFactory;
import io.trino.filesystem.local.LocalFileSystemFactory;
import io.trino.filesystem.manager.FileSystemConfig;
import io.trino.filesystem.manager.FileSystemModule;
import io.trino.plugin.base.ConnectorContextModule;
import io.trino.plugin.base.jmx.ConnectorObjectNameGeneratorModule;
import io.trino.plugin.base.jmx.MBeanServerModule;
import io.trino.plugin.iceberg.IcebergConfig;
import io.trino.plugin.iceberg.IcebergConnector;
import io.trino.plugin.iceberg.IcebergModule;
import io.trino.plugin.iceberg.IcebergSecurityModule;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;
import org.weakref.jmx.guice.MBeanModule;

import java.util.Map;

import static io.trino.plugin.base.Versions.checkStrictSpiVersionMatch;
import static java.util.Objects.requireNonNull;

/// Builds the same application as Trino's Iceberg connector factory, with [SextantModule] bound over it.
public class SextantConnectorFactory
        implements ConnectorFactory
{
    private final Module extension;

    /// @param extension binds what tests add to the connector
    SextantConnectorFactory(Module extension)
    {
        this.extension = requireNonNull(extension, "extension is null");
    }

    @Override
    public String getName()
    {
        return "sextant";
    }

    @Override
    public Connector create(String catalogName, Map<String, String> config, ConnectorContext context)
    {
        checkStrictSpiVersionMatch(context, this);
        ClassLoader classLoader = SextantConnectorFactory.class.getClassLoader();
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(classLoader)) {
            Bootstrap app = new Bootstrap(
                    "io.trino.bootstrap.catalog." + catalogName,
                    new MBeanModule(),
                    new ConnectorObjectNameGeneratorModule("io.trino.plugin.iceberg", "trino.plugin.iceberg"),
                    new JsonModule(),
                    Modules.override(new IcebergModule()).with(new SextantModule()),
                    new IcebergSecurityModule(),
                    new GuardedCatalogModule(),
                    new JdbcCatalogTablesModule(),
                    new MBeanServerModule(),
                    new TableFileSystemModule(catalogName, context),
                    new ConnectorContextModule(catalogName, context),
                    extension,
                    binder -> binder.bind(ClassLoader.class).toInstance(classLoader));

            Injector injector = app
                    .doNotInitializeLogging()
                    .disableSystemProperties()
                    .setRequiredConfigurationProperties(config)
                    .initialize();
            return injector.getInstance(IcebergConnector.class);
        }
    }

    private static class TableFileSystemModule
            extends AbstractConfigurationAwareModule
    {
        private final String catalogName;
        private final ConnectorContext context;

        TableFileSystemModule(String catalogName, ConnectorContext context)
        {
            this.catalogName = requireNonNull(catalogName, "catalogName is null");
            this.context = requireNonNull(context, "context is null");
        }

        @Override
        protected void setup(Binder binder)
        {
            install(new FileSystemModule(catalogName, context, buildConfigObject(IcebergConfig.class).isMetadataCacheEnabled()));
            if (buildConfigObject(FileSystemConfig.class).isLocalEnabled()) {
                binder.bind(LocalFileSystemFactory.class).to(ExclusiveLocalFileSystemFactory.class).in(Scopes.SINGLETON);
            }
        }
    }
}
