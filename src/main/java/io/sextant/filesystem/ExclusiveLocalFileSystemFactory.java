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

import com.google.inject.Inject;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.filesystem.local.LocalFileSystemConfig;
import io.trino.filesystem.local.LocalFileSystemFactory;
import io.trino.filesystem.local.LocalOutputFile;
import io.trino.spi.security.ConnectorIdentity;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/// Trino's local file system with the exclusive creation that it lacks.
public class ExclusiveLocalFileSystemFactory
        extends LocalFileSystemFactory
{
    private final TrinoFileSystem fileSystem;

    @Inject
    public ExclusiveLocalFileSystemFactory(LocalFileSystemConfig config)
    {
        this(config.getLocation());
    }

    public ExclusiveLocalFileSystemFactory(Path rootPath)
    {
        super(rootPath);
        fileSystem = new ExclusiveLocalFileSystem(rootPath);
    }

    @Override
    public TrinoFileSystem create(ConnectorIdentity identity)
    {
        return fileSystem;
    }

    private static class ExclusiveLocalFileSystem
            extends LocalFileSystem
    {
        ExclusiveLocalFileSystem(Path rootPath)
        {
            super(rootPath);
        }

        @Override
        public TrinoOutputFile newOutputFile(Location location)
        {
            return new ExclusiveLocalOutputFile(location, toFilePath(location));
        }
    }

    private static class ExclusiveLocalOutputFile
            extends LocalOutputFile
    {
        private final Path path;

        ExclusiveLocalOutputFile(Location location, Path path)
        {
            super(location, path);
            this.path = requireNonNull(path, "path is null");
        }

        /// Writes the content aside and links it under its name. Linking fails if the name is taken, and shows the content
        /// whole or not at all; creating the file in place would show it half-written, and a rename lets two writers win.
        @Override
        public void createExclusive(byte[] data)
                throws IOException
        {
            Path directory = path.getParent();
            Files.createDirectories(directory);
            Path aside = directory.resolve(".%s-%s".formatted(path.getFileName(), UUID.randomUUID()));
            try {
                writeDurably(aside, data);
                Files.createLink(path, aside);
                syncDirectory(directory);
            }
            catch (FileAlreadyExistsException e) {
                FileAlreadyExistsException exists = new FileAlreadyExistsException(location().toString());
                exists.initCause(e);
                throw exists;
            }
            catch (UnsupportedOperationException e) {
                throw new UnsupportedOperationException("No hard links in the file system of " + location(), e);
            }
            finally {
                Files.deleteIfExists(aside);
            }
        }

        private static void writeDurably(Path file, byte[] data)
                throws IOException
        {
            try (FileChannel channel = FileChannel.open(file, CREATE_NEW, WRITE)) {
                ByteBuffer buffer = ByteBuffer.wrap(data);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                channel.force(true);
            }
        }

        private static void syncDirectory(Path directory)
                throws IOException
        {
            try (FileChannel channel = FileChannel.open(directory, READ)) {
                channel.force(true);
            }
        }
    }
}
