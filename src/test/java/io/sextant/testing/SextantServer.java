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
import io.airlift.units.Duration;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

import static com.google.common.base.Preconditions.checkState;
import static io.trino.testing.assertions.Assert.assertEventually;
import static java.time.Duration.ofSeconds;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

/// A Trino server in a process of its own, with the packaged plugin and the catalog `lake`, configured by `etc/server`.
///
/// All data is kept below its working directory, where another server may find it later.
public final class SextantServer
        implements AutoCloseable
{
    private static final Path CONFIGURATION = Path.of("etc/server").toAbsolutePath();
    private static final Path LIBRARIES = Path.of("target/runtime/server/target/dependency").toAbsolutePath();
    private static final Path PLUGINS = Path.of("target/plugin").toAbsolutePath();

    private final URI uri;
    private final Path log;
    private final Process process;
    private final Thread stopAtExit = new Thread(this::stop);

    /// Starts the server and waits until it answers.
    public SextantServer(Path workingDirectory, int port)
            throws IOException
    {
        checkState(Files.isDirectory(LIBRARIES) && Files.isDirectory(PLUGINS), "The server is not built: run mvn package");
        uri = URI.create("http://127.0.0.1:" + port);
        Files.createDirectories(workingDirectory.resolve("lake"));
        log = Files.createDirectories(workingDirectory.resolve("log")).resolve("server.log").toAbsolutePath();
        process = new ProcessBuilder(ImmutableList.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + CONFIGURATION.resolve("jvm.config"),
                "-Dconfig=" + CONFIGURATION.resolve("config.properties"),
                "-Dcatalog.config-dir=" + CONFIGURATION.resolve("catalog"),
                "-Dplugin.dir=" + PLUGINS,
                "-Dserver.owner=" + ProcessHandle.current().pid(),
                "-Dhttp-server.http.port=" + port,
                "-Ddiscovery.uri=" + uri,
                "-cp",
                LIBRARIES + "/*",
                CONFIGURATION.resolve("TrinoServer.java").toString()))
                .directory(workingDirectory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(stopAtExit);
        awaitStart();
    }

    public static int freePort()
            throws IOException
    {
        return Processes.freePort();
    }

    public URI uri()
    {
        return uri;
    }

    public String jdbcUrl()
    {
        return "jdbc:trino://%s:%s/lake".formatted(uri.getHost(), uri.getPort());
    }

    public Path log()
    {
        return log;
    }

    /// Blocks until the server ends, be it by itself.
    public void join()
            throws InterruptedException
    {
        process.waitFor();
    }

    @Override
    public void close()
    {
        Runtime.getRuntime().removeShutdownHook(stopAtExit);
        stop();
    }

    private void stop()
    {
        process.destroy();
        try {
            if (!process.waitFor(1, MINUTES)) {
                process.destroyForcibly();
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    private void awaitStart()
    {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(uri.resolve("/v1/info")).timeout(ofSeconds(10)).build();
            assertEventually(new Duration(5, MINUTES), new Duration(200, MILLISECONDS), () -> {
                if (process.isAlive() && !client.send(request, BodyHandlers.ofString()).body().contains("\"starting\":false")) {
                    throw new IOException("The server is starting");
                }
            });
        }
        catch (AssertionError | Exception e) {
            close();
            throw new IllegalStateException("The server did not start, see " + log, e);
        }
        checkState(process.isAlive(), "The server did not start, see %s", log);
    }
}
