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

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.iceberg.catalog.jdbc.IcebergJdbcCatalogConfig;
import io.trino.plugin.iceberg.catalog.jdbc.IcebergJdbcCatalogModule;
import io.trino.spi.HostAddress;
import io.trino.spi.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

import static io.trino.plugin.iceberg.IcebergErrorCode.ICEBERG_CATALOG_ERROR;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

final class TestJdbcCatalogTables
{
    @TempDir
    private Path directory;

    @Test
    void testCreatesMissingTables()
            throws SQLException
    {
        Path database = directory.resolve("catalog.db");
        catalogTables(database, true).createMissing();
        assertThat(tables(database)).containsExactlyInAnyOrder("iceberg_tables", "iceberg_namespace_properties");
    }

    @Test
    void testKeepsWhatIsThere()
            throws SQLException
    {
        Path database = directory.resolve("catalog.db");
        catalogTables(database, true).createMissing();
        execute(database, "INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, iceberg_type) VALUES ('lake', 'demo', 'cities', 'TABLE')");
        catalogTables(database, true).createMissing();
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT table_name FROM iceberg_tables")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("cities");
        }
    }

    @Test
    void testWorksOnceTheDatabaseDoes()
            throws IOException, SQLException
    {
        // SQLite cannot create a file in a directory that is missing
        Path database = directory.resolve("later").resolve("catalog.db");
        JdbcCatalogTables tables = catalogTables(database, true);
        assertTrinoExceptionThrownBy(tables::createMissing)
                .hasErrorCode(ICEBERG_CATALOG_ERROR)
                .hasMessageStartingWith("Cannot reach or create the tables of JDBC catalog 'lake': check iceberg.jdbc-catalog.connection-url");
        Files.createDirectory(database.getParent());
        tables.createMissing();
        assertThat(tables(database)).contains("iceberg_tables");
    }

    @Test
    void testAsksTheDatabaseOnce()
            throws IOException
    {
        Path database = directory.resolve("catalog.db");
        JdbcCatalogTables tables = catalogTables(database, true);
        tables.createMissing();
        Files.delete(database);
        tables.createMissing();
        assertThat(database).doesNotExist();
    }

    @Test
    void testWorkerStaysAway()
    {
        Path database = directory.resolve("catalog.db");
        catalogTables(database, false).createMissing();
        assertThat(database).doesNotExist();
    }

    private static JdbcCatalogTables catalogTables(Path database, boolean coordinator)
    {
        IcebergJdbcCatalogConfig config = new IcebergJdbcCatalogConfig()
                .setDriverClass("org.sqlite.JDBC")
                .setConnectionUrl(url(database))
                .setCatalogName("lake")
                .setDefaultWarehouseDir("local:///warehouse");
        return new JdbcCatalogTables(config, IcebergJdbcCatalogModule.createIcebergJdbcClient(config), new TestingNode(coordinator));
    }

    private static Set<String> tables(Path database)
            throws SQLException
    {
        ImmutableSet.Builder<String> tables = ImmutableSet.builder();
        try (Connection connection = connect(database);
                ResultSet rows = connection.getMetaData().getTables(null, null, "iceberg%", null)) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_NAME"));
            }
        }
        return tables.build();
    }

    private static void execute(Path database, String sql)
            throws SQLException
    {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect(Path database)
            throws SQLException
    {
        return DriverManager.getConnection(url(database));
    }

    private static String url(Path database)
    {
        return "jdbc:sqlite:" + database;
    }

    private record TestingNode(boolean coordinator)
            implements Node
    {
        @Override
        public String getHost()
        {
            return "localhost";
        }

        @Override
        public HostAddress getHostAndPort()
        {
            return HostAddress.fromParts("localhost", 8080);
        }

        @Override
        public String getNodeIdentifier()
        {
            return "test";
        }

        @Override
        public String getVersion()
        {
            return "483";
        }

        @Override
        public boolean isCoordinator()
        {
            return coordinator;
        }
    }
}
