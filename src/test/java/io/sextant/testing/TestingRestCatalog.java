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
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.plugin.iceberg.fileio.ForwardingFileIo;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.util.UUID.randomUUID;

/// Iceberg's own REST catalog, over a warehouse in a local directory.
public final class TestingRestCatalog
        implements AutoCloseable
{
    private final Path directory;
    private final JdbcCatalog catalog;
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    public TestingRestCatalog()
            throws Exception
    {
        directory = Files.createTempDirectory("rest");
        catalog = new JdbcCatalog(_ -> new ForwardingFileIo(new LocalFileSystem(Path.of("/")), true), null, true);
        catalog.initialize("rest", ImmutableMap.of(
                "uri", "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;DATABASE_TO_LOWER=TRUE".formatted(randomUUID()),
                "warehouse", "file://" + directory,
                "jdbc.schema-version", "V1"));

        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler handler = new ServletContextHandler();
        handler.addServlet(new ServletHolder(new RESTCatalogServlet(new RESTCatalogAdapter(catalog))), "/*");
        server.setHandler(handler);
        server.start();
    }

    public Map<String, String> catalogProperties()
    {
        return ImmutableMap.of(
                "iceberg.catalog.type", "rest",
                "iceberg.rest-catalog.uri", "http://127.0.0.1:" + connector.getLocalPort(),
                "fs.local.enabled", "true",
                "local.location", "/");
    }

    /// Where the tables are.
    public Path directory()
    {
        return directory;
    }

    @Override
    public void close()
            throws IOException
    {
        try {
            server.stop();
        }
        catch (Exception e) {
            throw new IOException("Could not stop the REST catalog", e);
        }
        catalog.close();
        deleteRecursively(directory, ALLOW_INSECURE);
    }
}
