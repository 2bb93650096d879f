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
package io.sextant.testing;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.sextant.testing.Processes.freePort;
import static io.sextant.testing.Processes.run;

/// A PostgreSQL server with an empty database.
///
/// The programs come from Debian's package. When they are missing, they are installed if this process may do so.
public final class TestingPostgreSql
        implements AutoCloseable
{
    private static final Path INSTALLATIONS = Path.of("/usr/lib/postgresql");
    private static final String INSTALL_SCRIPT = ".ci/install-services";
    private static final String USER = "iceberg";

    // PostgreSQL refuses to run as root
    private final List<String> asUser = isRoot() ? ImmutableList.of("runuser", "-u", "postgres", "--") : ImmutableList.of();
    private final Path directory;
    private final Path programs;
    private final int port;
    private final Thread stopAtExit = new Thread(this::stop);

    public TestingPostgreSql()
            throws IOException
    {
        programs = programs();
        directory = Files.createTempDirectory("postgresql");
        port = freePort();
        if (isRoot()) {
            run(directory, ImmutableList.of("chown", "postgres", directory.toString()));
        }
        runProgram("initdb", "-D", database(), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
        Runtime.getRuntime().addShutdownHook(stopAtExit);
        runProgram(
                "pg_ctl",
                "-D",
                database(),
                "-w",
                "-l",
                directory.resolve("log").toString(),
                "-o",
                "-p %s -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off".formatted(port),
                "start");
    }

    /// The properties of a JDBC catalog in this database.
    public Map<String, String> catalogProperties()
    {
        return ImmutableMap.of(
                "iceberg.catalog.type", "jdbc",
                "iceberg.jdbc-catalog.catalog-name", "lake",
                "iceberg.jdbc-catalog.driver-class", "org.postgresql.Driver",
                "iceberg.jdbc-catalog.connection-url", "jdbc:postgresql://127.0.0.1:%s/postgres".formatted(port),
                "iceberg.jdbc-catalog.connection-user", USER,
                "iceberg.jdbc-catalog.connection-password", "");
    }

    @Override
    public void close()
            throws IOException
    {
        Runtime.getRuntime().removeShutdownHook(stopAtExit);
        stop();
        deleteRecursively(directory, ALLOW_INSECURE);
    }

    private void stop()
    {
        runProgram("pg_ctl", "-D", database(), "-w", "-m", "immediate", "stop");
    }

    private String database()
    {
        return directory.resolve("database").toString();
    }

    private void runProgram(String program, String... arguments)
    {
        run(directory, ImmutableList.<String>builder()
                .addAll(asUser)
                .add(programs.resolve(program).toString())
                .add(arguments)
                .build());
    }

    private static synchronized Path programs()
            throws IOException
    {
        Optional<Path> installed = newestInstallation();
        if (installed.isEmpty() && isRoot()) {
            run(Path.of(""), ImmutableList.of(INSTALL_SCRIPT));
            installed = newestInstallation();
        }
        return installed.orElseThrow(() -> new IllegalStateException("No PostgreSQL in %s: run %s as root".formatted(INSTALLATIONS, INSTALL_SCRIPT)));
    }

    private static Optional<Path> newestInstallation()
            throws IOException
    {
        if (!Files.isDirectory(INSTALLATIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLATIONS)) {
            return versions
                    .map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.comparingInt(bin -> Integer.parseInt(bin.getParent().getFileName().toString())));
        }
    }

    private static boolean isRoot()
    {
        return System.getProperty("user.name").equals("root");
    }
}
