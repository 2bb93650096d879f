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
package io.sextant.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.inject.Key;
import io.sextant.SextantPlugin;
import io.trino.plugin.iceberg.IcebergConnector;
import io.trino.plugin.iceberg.IcebergPlugin;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.Plugin;
import io.trino.testing.TestingConnectorContext;
import org.junit.jupiter.api.Test;

import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static com.google.common.collect.Streams.stream;
import static org.assertj.core.api.Assertions.assertThat;

/// Builds the connector on each type of catalog. Nothing is asked of the catalog.
final class TestGuardedCatalogModule
{
    private static final Map<String, String> GLUE = ImmutableMap.of("iceberg.catalog.type", "glue", "hive.metastore.glue.region", "us-east-1");
    private static final List<Map<String, String>> CATALOGS = ImmutableList.of(
            GLUE,
            ImmutableMap.of("iceberg.catalog.type", "hive_metastore", "hive.metastore.uri", "thrift://localhost:1"),
            ImmutableMap.of("iceberg.catalog.type", "testing_file_metastore", "hive.metastore.catalog.dir", "local:///", "fs.local.enabled", "true", "local.location", "/tmp"),
            ImmutableMap.of("iceberg.catalog.type", "rest", "iceberg.rest-catalog.uri", "http://localhost:1"),
            ImmutableMap.of(
                    "iceberg.catalog.type", "jdbc",
                    "iceberg.jdbc-catalog.catalog-name", "lake",
                    "iceberg.jdbc-catalog.driver-class", "org.sqlite.JDBC",
                    "iceberg.jdbc-catalog.connection-url", "jdbc:sqlite::memory:",
                    "iceberg.jdbc-catalog.default-warehouse-dir", "local:///"),
            ImmutableMap.of(
                    "iceberg.catalog.type", "nessie",
                    "iceberg.nessie-catalog.uri", "http://localhost:1/api/v2",
                    "iceberg.nessie-catalog.default-warehouse-dir", "local:///"),
            ImmutableMap.of(
                    "iceberg.catalog.type", "snowflake",
                    "iceberg.snowflake-catalog.account-uri", "jdbc:snowflake://account.snowflakecomputing.com",
                    "iceberg.snowflake-catalog.user", "user",
                    "iceberg.snowflake-catalog.password", "password",
                    "iceberg.snowflake-catalog.database", "lake"));

    @Test
    void testEveryTypeOfCatalogIsGuarded()
    {
        for (Map<String, String> properties : CATALOGS) {
            IcebergConnector guarded = create(new SextantPlugin(), "guarded", properties);
            IcebergConnector plain = create(new IcebergPlugin(), "plain", properties);
            try {
                TrinoCatalogFactory factory = guarded.getInjector().getInstance(TrinoCatalogFactory.class);
                assertThat(factory).isInstanceOf(GuardedCatalogFactory.class);
                assertThat(((GuardedCatalogFactory) factory).getDelegate())
                        .isSameAs(guarded.getInjector().getInstance(Key.get(TrinoCatalogFactory.class, Unguarded.class)))
                        .hasSameClassAs(plain.getInjector().getInstance(TrinoCatalogFactory.class));
            }
            finally {
                guarded.shutdown();
                plain.shutdown();
            }
        }
    }

    @Test
    void testManagedAttributesAreKept()
            throws JMException
    {
        IcebergConnector guarded = create(new SextantPlugin(), "guarded", GLUE);
        IcebergConnector plain = create(new IcebergPlugin(), "plain", GLUE);
        try {
            assertThat(attributes("plain")).isNotEmpty();
            assertThat(attributes("guarded")).isEqualTo(attributes("plain"));
        }
        finally {
            guarded.shutdown();
            plain.shutdown();
        }
    }

    private static IcebergConnector create(Plugin plugin, String catalog, Map<String, String> properties)
    {
        return (IcebergConnector) stream(plugin.getConnectorFactories()).collect(onlyElement()).create(catalog, ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put("bootstrap.quiet", "true")
                .buildOrThrow(), new TestingConnectorContext());
    }

    private static Set<String> attributes(String catalog)
            throws JMException
    {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = server.queryNames(new ObjectName("*:type=TrinoCatalogFactory,name=" + catalog + ",*"), null).stream().collect(onlyElement());
        return Arrays.stream(server.getMBeanInfo(name).getAttributes())
                .map(MBeanAttributeInfo::getName)
                .collect(toImmutableSet());
    }
}
