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
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.inject.Module;
import io.trino.plugin.iceberg.IcebergPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.testing.DistributedQueryRunner;
import io.trino.tpch.TpchTable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static io.trino.plugin.tpch.TpchMetadata.TINY_SCHEMA_NAME;
import static io.trino.testing.QueryAssertions.copyTpchTables;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.Objects.requireNonNull;

/// Starts a query runner whose catalog `sextant` is Sextant and whose catalog `plain` is Trino's own Iceberg connector,
/// both on the same tables.
public final class SextantQueryRunner
{
    public static final String CATALOG = "sextant";
    public static final String PLAIN_CATALOG = "plain";
    public static final String SCHEMA = "tpch";

    private SextantQueryRunner() {}

    public static Builder builder()
            throws Exception
    {
        return new Builder();
    }

    public static final class Builder
            extends DistributedQueryRunner.Builder<Builder>
    {
        private final Map<String, String> catalogProperties = new HashMap<>();
        private boolean plainCatalog = true;
        private Module extension = _ -> {};
        private List<TpchTable<?>> initialTables = ImmutableList.of();

        private Builder()
                throws Exception
        {
            super(testSessionBuilder().setCatalog(CATALOG).setSchema(SCHEMA).build());
            setWorkerCount(0);
            Path directory = Files.createTempDirectory("lake");
            directory.toFile().deleteOnExit();
            catalogProperties.putAll(ImmutableMap.of(
                    "iceberg.catalog.type", "TESTING_FILE_METASTORE",
                    "hive.metastore.catalog.dir", "local:///",
                    "fs.local.enabled", "true",
                    "local.location", directory.toString()));
        }

        @CanIgnoreReturnValue
        public Builder addCatalogProperty(String name, String value)
        {
            catalogProperties.put(name, value);
            return this;
        }

        /// Replaces the default file metastore by another catalog.
        @CanIgnoreReturnValue
        public Builder setCatalogProperties(Map<String, String> properties)
        {
            catalogProperties.clear();
            catalogProperties.putAll(properties);
            return this;
        }

        /// Leaves out the catalog of Trino's own connector: tests that list all catalogs would find every table twice.
        @CanIgnoreReturnValue
        public Builder withoutPlainCatalog()
        {
            plainCatalog = false;
            return this;
        }

        /// Binds more in the catalog `sextant`.
        @CanIgnoreReturnValue
        public Builder setExtension(Module extension)
        {
            this.extension = requireNonNull(extension, "extension is null");
            return this;
        }

        /// Copies these tables from the `tpch` catalog, scale `tiny`.
        @CanIgnoreReturnValue
        public Builder setInitialTables(List<TpchTable<?>> tables)
        {
            initialTables = ImmutableList.copyOf(tables);
            return this;
        }

        @Override
        public DistributedQueryRunner build()
                throws Exception
        {
            DistributedQueryRunner queryRunner = super.build();
            try {
                queryRunner.installPlugin(new IcebergPlugin());
                queryRunner.installPlugin(new SextantPlugin(extension));
                queryRunner.createCatalog(CATALOG, "sextant", catalogProperties);
                if (plainCatalog) {
                    Map<String, String> plain = new HashMap<>(catalogProperties);
                    plain.keySet().removeIf(name -> name.startsWith("sextant."));
                    queryRunner.createCatalog(PLAIN_CATALOG, "iceberg", plain);
                }
                queryRunner.execute("CREATE SCHEMA %s.%s".formatted(CATALOG, SCHEMA));
                queryRunner.installPlugin(new TpchPlugin());
                queryRunner.createCatalog("tpch", "tpch");
                copyTpchTables(queryRunner, "tpch", TINY_SCHEMA_NAME, initialTables);
                return queryRunner;
            }
            catch (Throwable e) {
                queryRunner.close();
                throw e;
            }
        }
    }
}
