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
package io.sextant.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.sextant.testing.SextantServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Starts a server on the loopback interface, loads sample data into a table of many files, builds an index, compares
/// queries without and with it, and keeps the server up until it is interrupted.
///
/// Tables are kept in `var`, so that the next start finds them.
public final class Demo
{
    private static final int DEFAULT_PORT = 8080;
    private static final int FILES = 60;

    private Demo() {}

    static void main()
            throws IOException, SQLException, InterruptedException
    {
        // Interrupting a build ends this process too, whoever receives the signal
        CompletableFuture<Void> _ = ProcessHandle.current().parent().orElseThrow().onExit().thenRun(() -> System.exit(0));

        System.out.println("Starting a Trino server with Sextant ...");
        try (SextantServer server = new SextantServer(Path.of("var"), freePort())) {
            System.out.printf("Trino is at %s, its log in %s%n", server.uri(), server.log());
            try (Connection connection = DriverManager.getConnection(server.jdbcUrl() + "/demo", "demo", null);
                    Statement statement = connection.createStatement()) {
                loadIfMissing(statement);
                indexIfMissing(statement);
                new Comparison(connection).print(queries(statement));
            }
            System.out.printf("%nThe table is lake.demo.cities. Connect with the Trino CLI:%n  trino --server %s --catalog lake --schema demo%n", server.uri());
            if (Boolean.getBoolean("demo.stay")) {
                System.out.println("Ctrl-C ends the server");
                server.join();
            }
        }
    }

    private static List<String> queries(Statement statement)
            throws SQLException
    {
        List<String> names = names(statement);
        return ImmutableList.of(
                "SELECT * FROM cities WHERE name = %s".formatted(names.get(0)),
                "SELECT * FROM cities WHERE name IN (%s, %s) ORDER BY 1, 2, 3".formatted(names.get(1), names.get(2)),
                "SELECT country, count(*) FROM cities WHERE name = %s GROUP BY 1 ORDER BY 1".formatted(names.get(3)),
                "SELECT count(*) FROM cities WHERE name BETWEEN 'B' AND 'Ba'",
                "SELECT count(*) FROM cities WHERE name = 'Nowhere at all'");
    }

    /// Three names that occur once, and the one that occurs most often.
    private static List<String> names(Statement statement)
            throws SQLException
    {
        ImmutableList.Builder<String> names = ImmutableList.builder();
        for (String query : ImmutableList.of(
                "SELECT name FROM cities GROUP BY 1 HAVING count(*) = 1 ORDER BY length(name), name LIMIT 3",
                "SELECT name FROM cities GROUP BY 1 ORDER BY count(*) DESC, name LIMIT 1")) {
            try (ResultSet rows = statement.executeQuery(query)) {
                while (rows.next()) {
                    names.add(literal(rows.getString(1)));
                }
            }
        }
        return names.build();
    }

    private static void loadIfMissing(Statement statement)
            throws IOException, SQLException
    {
        statement.execute("CREATE SCHEMA IF NOT EXISTS demo");
        // The comment is the last thing that loading does
        if (!isEmpty(statement, "SELECT 1 FROM system.metadata.table_comments WHERE catalog_name = 'lake' AND schema_name = 'demo' AND table_name = 'cities' AND comment IS NOT NULL")) {
            System.out.println("Found the table of an earlier start");
            return;
        }
        Cities cities = Cities.load();
        System.out.printf("Loading %,d rows into %s files ...%n", cities.rows().size(), FILES);
        statement.execute("DROP TABLE IF EXISTS cities");
        statement.execute("CREATE TABLE cities (name varchar, country varchar, region varchar, latitude double, longitude double)");
        for (List<Cities.City> batch : Lists.partition(cities.rows(), (cities.rows().size() + FILES - 1) / FILES)) {
            // One long literal is planned much faster than many rows of VALUES
            statement.execute(
                    """
                    INSERT INTO cities
                    SELECT * FROM UNNEST(CAST(json_parse(%s) AS array(row(name varchar, country varchar, region varchar, latitude double, longitude double))))
                    """.formatted(literal(json(batch))));
        }
        statement.execute("COMMENT ON TABLE cities IS " + literal(cities.credit()));
        System.out.println("Loaded: " + cities.credit());
    }

    private static String json(List<Cities.City> cities)
            throws IOException
    {
        return new ObjectMapper().writeValueAsString(cities.stream()
                .map(city -> ImmutableList.of(city.name(), city.country(), city.region(), city.latitude(), city.longitude()))
                .toList());
    }

    private static void indexIfMissing(Statement statement)
            throws SQLException
    {
        if (!isEmpty(statement, "SELECT 1 FROM \"cities$properties\" WHERE key = 'sextant.index.by_name'")) {
            return;
        }
        System.out.println("Building an index on name ...");
        statement.execute(
                """
                CALL lake.system.create_index(
                    schema_name => 'demo',
                    table_name => 'cities',
                    index_name => 'by_name',
                    key => ARRAY['name'],
                    include => ARRAY['country', 'region'])
                """);
    }

    private static boolean isEmpty(Statement statement, String query)
            throws SQLException
    {
        try (ResultSet rows = statement.executeQuery(query)) {
            return !rows.next();
        }
    }

    private static String literal(String value)
    {
        return "'" + value.replace("'", "''") + "'";
    }

    private static int freePort()
            throws IOException
    {
        for (int port = DEFAULT_PORT; port < DEFAULT_PORT + 100; port++) {
            try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            }
            catch (IOException _) {
                // In use: try the next one
            }
        }
        throw new IOException("No free port from %s on".formatted(DEFAULT_PORT));
    }
}
