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
package io.sextant.filesystem;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystemConfig;
import io.trino.spi.security.ConnectorIdentity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestExclusiveLocalFileSystemFactory
{
    private static final Location FILE = Location.of("local:///directory/file");

    @TempDir
    private Path root;

    private TrinoFileSystem fileSystem;

    @BeforeEach
    void setUp()
    {
        fileSystem = new ExclusiveLocalFileSystemFactory(new LocalFileSystemConfig().setLocation(root)).create(ConnectorIdentity.ofUser("test"));
    }

    @Test
    void testFileIsCreatedOnce()
            throws IOException
    {
        fileSystem.newOutputFile(FILE).createExclusive("first".getBytes(UTF_8));
        assertThatThrownBy(() -> fileSystem.newOutputFile(FILE).createExclusive("second".getBytes(UTF_8)))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessage("local:///directory/file");
        assertThat(root.resolve("directory/file")).hasContent("first");
        assertThat(root.resolve("directory")).isDirectoryNotContaining(path -> path.getFileName().toString().startsWith("."));
    }

    @Test
    void testOneOfManyWritersWins()
            throws Exception
    {
        int writers = 16;
        try (ExecutorService executor = Executors.newFixedThreadPool(writers)) {
            for (int round = 0; round < 50; round++) {
                Location file = Location.of("local:///directory/file" + round);
                CyclicBarrier start = new CyclicBarrier(writers);
                List<Future<Boolean>> futures = new ArrayList<>();
                for (int writer = 0; writer < writers; writer++) {
                    byte[] content = ("content of writer " + writer).repeat(1000).getBytes(UTF_8);
                    futures.add(executor.submit(() -> {
                        start.await();
                        try {
                            fileSystem.newOutputFile(file).createExclusive(content);
                            return true;
                        }
                        catch (FileAlreadyExistsException _) {
                            // Whoever is told that the file exists can read the whole of it
                            assertThat(Files.size(root.resolve(file.path()))).isIn(19_000L, 20_000L);
                            return false;
                        }
                    }));
                }
                int winner = -1;
                for (int writer = 0; writer < writers; writer++) {
                    if (futures.get(writer).get()) {
                        assertThat(winner).isEqualTo(-1);
                        winner = writer;
                    }
                }
                assertThat(root.resolve(file.path())).hasContent(("content of writer " + winner).repeat(1000));
            }
        }
    }

    @Test
    void testAllElseIsTheLocalFileSystem()
            throws IOException
    {
        fileSystem.newOutputFile(FILE).createOrOverwrite("first".getBytes(UTF_8));
        fileSystem.newOutputFile(FILE).createOrOverwrite("second".getBytes(UTF_8));
        assertThat(fileSystem.newInputFile(FILE).newStream().readAllBytes()).isEqualTo("second".getBytes(UTF_8));
    }
}
