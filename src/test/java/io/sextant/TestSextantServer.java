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
import io.sextant.testing.SextantServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import static io.sextant.testing.SextantServer.freePort;
import static org.assertj.core.api.Assertions.assertThat;

/// The packaged plugin in a real server: its own class loader, the libraries of its package and nothing else.
final class TestSextantServer
{
    @Test
    void testTablesOutliveTheServer(@TempDir Path directory)
            throws IOException, SQLException
    {
        try (SextantServer server = new SextantServer(directory, freePort());
                Connection connection = DriverManager.getConnection(server.jdbcUrl(), "test", null);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA demo");
            statement.execute("CREATE TABLE demo.cities (name varchar, country varchar)");
            statement.execute("INSERT INTO demo.cities VALUES ('Vienna', 'AT'), ('Lima', 'PE')");
            statement.execute("INSERT INTO demo.cities VALUES ('Vienna', 'US')");
            statement.execute("CALL lake.system.create_index('demo', 'cities', 'by_name', ARRAY['name'])");
            statement.execute("DELETE FROM demo.cities WHERE country = 'PE'");
            assertThat(countries(statement, "Vienna")).containsExactly("AT", "US");
        }

        try (SextantServer server = new SextantServer(directory, freePort());
                Connection connection = DriverManager.getConnection(server.jdbcUrl(), "test", null);
                Statement statement = connection.createStatement()) {
            assertThat(countries(statement, "Vienna")).containsExactly("AT", "US");
            assertThat(countries(statement, "Lima")).isEmpty();
        }
    }

    private static List<String> countries(Statement statement, String city)
            throws SQLException
    {
        ImmutableList.Builder<String> countries = ImmutableList.builder();
        try (ResultSet rows = statement.executeQuery("SELECT country FROM demo.cities WHERE name = '%s' ORDER BY country".formatted(city))) {
            while (rows.next()) {
                countries.add(rows.getString(1));
            }
        }
        return countries.build();
    }
}
