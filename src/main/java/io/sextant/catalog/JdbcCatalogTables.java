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

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.trino.plugin.iceberg.catalog.jdbc.IcebergJdbcCatalogConfig;
import io.trino.plugin.iceberg.catalog.jdbc.IcebergJdbcClient;
import io.trino.spi.Node;
import io.trino.spi.TrinoException;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.jdbc.UncheckedSQLException;

import java.util.Map;

import static io.trino.plugin.iceberg.IcebergErrorCode.ICEBERG_CATALOG_ERROR;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.CatalogProperties.URI;
import static org.apache.iceberg.CatalogProperties.WAREHOUSE_LOCATION;
import static org.apache.iceberg.jdbc.JdbcCatalog.PROPERTY_PREFIX;

/// The two tables of an Iceberg JDBC catalog, which Trino's Iceberg connector expects to find in the database.
///
/// They are created by Iceberg's own statements on the first use of the catalog, not when the catalog is loaded: a server
/// then starts while the database is down, its statements fail with the error of the database, and they work again when
/// the database does. Once the tables are known to exist, nothing more is asked of the database.
///
/// Only the coordinator creates them. A worker has no business in the database, and some databases let one process in.
public class JdbcCatalogTables
{
    private final boolean coordinator;
    private final String catalogName;
    private final Map<String, String> properties;

    private volatile boolean complete;

    /// Opens no connection yet.
    ///
    /// @param driver is not used: a connection can only be opened once the provider of this client has loaded the driver
    @Inject
    public JdbcCatalogTables(IcebergJdbcCatalogConfig config, IcebergJdbcClient driver, Node node)
    {
        requireNonNull(driver, "driver is null");
        coordinator = node.isCoordinator();
        catalogName = config.getCatalogName();
        ImmutableMap.Builder<String, String> properties = ImmutableMap.<String, String>builder()
                .put(URI, config.getConnectionUrl())
                .put(WAREHOUSE_LOCATION, config.getDefaultWarehouseDir())
                .put(PROPERTY_PREFIX + "schema-version", config.getSchemaVersion().toString());
        config.getConnectionUser().ifPresent(user -> properties.put(PROPERTY_PREFIX + "user", user));
        config.getConnectionPassword().ifPresent(password -> properties.put(PROPERTY_PREFIX + "password", password));
        this.properties = properties.buildOrThrow();
    }

    /// Creates the tables that are missing, and adds what the configured schema version has and the tables have not.
    public void createMissing()
    {
        if (!coordinator || complete) {
            return;
        }
        create();
    }

    private synchronized void create()
    {
        if (complete) {
            return;
        }
        try (JdbcCatalog catalog = new JdbcCatalog(_ -> new InMemoryFileIO(), null, true)) {
            catalog.initialize(catalogName, properties);
        }
        catch (UncheckedSQLException e) {
            throw new TrinoException(
                    ICEBERG_CATALOG_ERROR,
                    "Cannot reach or create the tables of JDBC catalog '%s': check iceberg.jdbc-catalog.connection-url, and that the database is up: %s"
                            .formatted(catalogName, e.getCause() == null ? e.getMessage() : e.getCause().getMessage()),
                    e);
        }
        complete = true;
    }
}
