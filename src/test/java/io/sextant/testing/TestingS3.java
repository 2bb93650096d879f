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

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.sextant.testing.Processes.freePort;
import static io.trino.testing.assertions.Assert.assertEventually;
import static java.lang.ProcessBuilder.Redirect.DISCARD;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/// An S3 API over a local directory, with one bucket: S3Proxy, in a process of its own.
public final class TestingS3
        implements AutoCloseable
{
    private static final String BUCKET = "lake";
    private static final String ACCESS_KEY = "access";
    private static final String SECRET_KEY = "secretsecret";
    private static final Path LIBRARIES = Path.of("target/runtime/s3proxy/target/dependency");

    private final Path directory;
    private final int port;
    private final Process process;
    private final Thread stopAtExit = new Thread(this::stop);

    public TestingS3()
            throws IOException
    {
        if (!Files.isDirectory(LIBRARIES)) {
            throw new IllegalStateException("No S3Proxy in %s: run mvn clean generate-test-resources".formatted(LIBRARIES));
        }
        directory = Files.createTempDirectory("s3");
        Files.createDirectories(directory.resolve("data").resolve(BUCKET));
        port = freePort();
        process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Dlogback.configurationFile=" + write("logback.xml", "<configuration><root level=\"WARN\"/></configuration>"),
                "-cp",
                LIBRARIES + "/*",
                "org.gaul.s3proxy.Main",
                "--properties",
                write("s3proxy.properties", serverProperties()).toString())
                .redirectOutput(DISCARD)
                .redirectError(directory.resolve("log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(stopAtExit);
        awaitStart();
    }

    /// The properties of the file system; the warehouse is under [#location].
    public Map<String, String> fileSystemProperties()
    {
        return ImmutableMap.<String, String>builder()
                .put("fs.s3.enabled", "true")
                .put("s3.endpoint", endpoint())
                .put("s3.region", "us-east-1")
                .put("s3.path-style-access", "true")
                .put("s3.aws-access-key", ACCESS_KEY)
                .put("s3.aws-secret-key", SECRET_KEY)
                .buildOrThrow();
    }

    public String location()
    {
        return "s3://" + BUCKET;
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
        process.destroyForcibly().onExit().join();
    }

    private String endpoint()
    {
        return "http://127.0.0.1:" + port;
    }

    private String serverProperties()
    {
        return """
               s3proxy.endpoint=%s
               s3proxy.authorization=aws-v2-or-v4
               s3proxy.identity=%s
               s3proxy.credential=%s
               # Trino's list requests carry a header that S3Proxy does not know
               s3proxy.ignore-unknown-headers=true
               jclouds.provider=filesystem-nio2
               jclouds.identity=unused
               jclouds.credential=unused
               jclouds.filesystem.basedir=%s
               """.formatted(endpoint(), ACCESS_KEY, SECRET_KEY, directory.resolve("data"));
    }

    private Path write(String name, String content)
            throws IOException
    {
        return Files.writeString(directory.resolve(name), content);
    }

    private void awaitStart()
    {
        try {
            assertEventually(new Duration(60, SECONDS), new Duration(100, MILLISECONDS), () -> {
                try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    // The port answers
                }
            });
        }
        catch (AssertionError | IOException e) {
            throw new IllegalStateException("S3Proxy did not start: " + log(), e);
        }
    }

    private String log()
    {
        try {
            return Files.readString(directory.resolve("log"));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
