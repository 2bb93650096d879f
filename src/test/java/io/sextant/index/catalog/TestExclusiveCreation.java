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
package io.sextant.index.catalog;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.filesystem.local.LocalOutputFile;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_UNSUITABLE;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestExclusiveCreation
{
    private static final Location DIRECTORY = Location.of("local:///t.indexes/i/metadata");

    @TempDir
    private Path root;

    @Test
    @Tag("IX-32")
    void testFileSystemWithout()
    {
        TestingIndex index = TestingIndex.at(Location.of("local:///t.indexes"));
        assertTrinoExceptionThrownBy(() -> index.create(new LocalFileSystem(root)))
                .hasErrorCode(INDEX_STORAGE_UNSUITABLE)
                .hasMessage("The file system at %s/metadata cannot hold an index, for it does not create files exclusively (it has no exclusive creation); give the index a location on another one".formatted(index.registration().location()));
        assertNothingIsLeft();
    }

    @Test
    @Tag("IX-32")
    void testFileSystemThatPretends()
    {
        // As an object store does that does not know the condition on a write
        TrinoFileSystem fileSystem = fileSystem(path -> data -> {
            Files.createDirectories(path.getParent());
            Files.write(path, data);
        });
        assertTrinoExceptionThrownBy(() -> ExclusiveCreation.verify(fileSystem, DIRECTORY))
                .hasErrorCode(INDEX_STORAGE_UNSUITABLE)
                .hasMessage("The file system at local:///t.indexes/i/metadata cannot hold an index, for it does not create files exclusively (8 of 8 writers created the same file); give the index a location on another one");
        assertTrinoExceptionThrownBy(() -> TestingIndex.at(Location.of("local:///t.indexes")).create(fileSystem)).hasErrorCode(INDEX_STORAGE_UNSUITABLE);
        assertNothingIsLeft();
    }

    @Test
    @Tag("IX-32")
    void testFileSystemThatTellsTheWrongWriter()
    {
        AtomicInteger calls = new AtomicInteger();
        TrinoFileSystem fileSystem = fileSystem(path -> data -> {
            Files.createDirectories(path.getParent());
            boolean first = calls.getAndIncrement() == 0;
            synchronized (calls) {
                Files.write(path, data);
            }
            if (!first) {
                throw new FileAlreadyExistsException(path.toString());
            }
            synchronized (calls) {
                Files.writeString(path, "writer of another content");
            }
        });
        // Whoever wrote last, it was not the winner
        assertTrinoExceptionThrownBy(() -> ExclusiveCreation.verify(fileSystem, DIRECTORY)).hasErrorCode(INDEX_STORAGE_UNSUITABLE);
    }

    @Test
    void testWriteThatIsRepeatedByTheClient()
            throws IOException
    {
        // The winner is told that its own file exists
        TrinoFileSystem fileSystem = fileSystem(path -> data -> {
            Files.createDirectories(path.getParent());
            Path aside = Files.createTempFile(path.getParent(), "aside", null);
            Files.write(aside, data);
            try {
                Files.createLink(path, aside);
            }
            catch (FileAlreadyExistsException _) {
                // as below
            }
            finally {
                Files.delete(aside);
            }
            throw new FileAlreadyExistsException(path.toString());
        });
        ExclusiveCreation.verify(fileSystem, DIRECTORY);
    }

    @Test
    void testStorageFailure()
    {
        TrinoFileSystem fileSystem = fileSystem(_ -> _ -> {
            throw new IOException("out of order");
        });
        assertThatThrownBy(() -> ExclusiveCreation.verify(fileSystem, DIRECTORY)).isInstanceOf(IOException.class).hasMessage("out of order");
        assertTrinoExceptionThrownBy(() -> TestingIndex.at(Location.of("local:///t.indexes")).create(fileSystem)).hasErrorCode(INDEX_STORAGE_ERROR);
    }

    @Test
    void testProbesAreDeleted()
            throws IOException
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        ExclusiveCreation.verify(fileSystem, Location.of("memory:///i/metadata"));
        assertThat(fileSystem.isEmpty()).isTrue();
    }

    private void assertNothingIsLeft()
    {
        assertThat(root).isDirectoryNotContaining(path -> Files.isRegularFile(path));
    }

    private TrinoFileSystem fileSystem(Function<Path, Creation> creation)
    {
        return new LocalFileSystem(root)
        {
            @Override
            public TrinoOutputFile newOutputFile(Location location)
            {
                Path path = toFilePath(location);
                return new LocalOutputFile(location, path)
                {
                    @Override
                    public void createExclusive(byte[] data)
                            throws IOException
                    {
                        creation.apply(path).create(data);
                    }
                };
            }
        };
    }

    private interface Creation
    {
        void create(byte[] data)
                throws IOException;
    }
}
