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

import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.memory.context.AggregatedMemoryContext;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.util.Objects.requireNonNull;

/// Notes what is done with a file system, and lets a test act before and after it, by failing for instance.
final class TestingFileSystem
        implements TrinoFileSystem
{
    enum Operation
    {
        READ,
        EXISTS,
        LIST,
        CREATE,
        CREATE_EXCLUSIVE,
        OVERWRITE,
        DELETE,
    }

    @FunctionalInterface
    interface Action
    {
        void run(Operation operation, Location location)
                throws IOException;
    }

    private final TrinoFileSystem delegate;
    private final List<String> operations = new CopyOnWriteArrayList<>();
    private volatile Action before = (_, _) -> {};
    private volatile Action after = (_, _) -> {};

    TestingFileSystem(TrinoFileSystem delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    TestingFileSystem before(Action action)
    {
        before = requireNonNull(action, "action is null");
        return this;
    }

    TestingFileSystem after(Action action)
    {
        after = requireNonNull(action, "action is null");
        return this;
    }

    /// What was done since the last call, such as `READ version-hint.text`.
    List<String> takeOperations()
    {
        List<String> taken = List.copyOf(operations);
        operations.clear();
        return taken;
    }

    private void begin(Operation operation, Location location)
            throws IOException
    {
        operations.add(operation + " " + location.path().substring(location.path().lastIndexOf('/') + 1));
        before.run(operation, location);
    }

    private void end(Operation operation, Location location)
            throws IOException
    {
        after.run(operation, location);
    }

    @Override
    public TrinoInputFile newInputFile(Location location)
    {
        return new InputFile(delegate.newInputFile(location));
    }

    @Override
    public TrinoInputFile newInputFile(Location location, long length)
    {
        return new InputFile(delegate.newInputFile(location, length));
    }

    @Override
    public TrinoInputFile newInputFile(Location location, long length, Instant lastModified)
    {
        return new InputFile(delegate.newInputFile(location, length, lastModified));
    }

    @Override
    public TrinoOutputFile newOutputFile(Location location)
    {
        return new OutputFile(delegate.newOutputFile(location));
    }

    @Override
    public void deleteFile(Location location)
            throws IOException
    {
        begin(Operation.DELETE, location);
        delegate.deleteFile(location);
        end(Operation.DELETE, location);
    }

    @Override
    public void deleteFiles(Collection<Location> locations)
            throws IOException
    {
        for (Location location : locations) {
            deleteFile(location);
        }
    }

    @Override
    public void deleteDirectory(Location location)
            throws IOException
    {
        begin(Operation.DELETE, location);
        delegate.deleteDirectory(location);
        end(Operation.DELETE, location);
    }

    @Override
    public void renameFile(Location source, Location target)
            throws IOException
    {
        delegate.renameFile(source, target);
    }

    @Override
    public FileIterator listFiles(Location location)
            throws IOException
    {
        begin(Operation.LIST, location);
        FileIterator files = delegate.listFiles(location);
        end(Operation.LIST, location);
        return files;
    }

    @Override
    public Optional<Boolean> directoryExists(Location location)
            throws IOException
    {
        return delegate.directoryExists(location);
    }

    @Override
    public void createDirectory(Location location)
            throws IOException
    {
        delegate.createDirectory(location);
    }

    @Override
    public void renameDirectory(Location source, Location target)
            throws IOException
    {
        delegate.renameDirectory(source, target);
    }

    @Override
    public Set<Location> listDirectories(Location location)
            throws IOException
    {
        return delegate.listDirectories(location);
    }

    @Override
    public Optional<Location> createTemporaryDirectory(Location targetPath, String temporaryPrefix, String relativePrefix)
            throws IOException
    {
        return delegate.createTemporaryDirectory(targetPath, temporaryPrefix, relativePrefix);
    }

    private final class InputFile
            implements TrinoInputFile
    {
        private final TrinoInputFile file;

        private InputFile(TrinoInputFile file)
        {
            this.file = requireNonNull(file, "file is null");
        }

        @Override
        public TrinoInput newInput()
                throws IOException
        {
            begin(Operation.READ, file.location());
            return file.newInput();
        }

        @Override
        public TrinoInputStream newStream()
                throws IOException
        {
            begin(Operation.READ, file.location());
            return file.newStream();
        }

        @Override
        public long length()
                throws IOException
        {
            begin(Operation.EXISTS, file.location());
            return file.length();
        }

        @Override
        public Instant lastModified()
                throws IOException
        {
            begin(Operation.EXISTS, file.location());
            return file.lastModified();
        }

        @Override
        public boolean exists()
                throws IOException
        {
            begin(Operation.EXISTS, file.location());
            return file.exists();
        }

        @Override
        public Location location()
        {
            return file.location();
        }
    }

    private final class OutputFile
            implements TrinoOutputFile
    {
        private final TrinoOutputFile file;

        private OutputFile(TrinoOutputFile file)
        {
            this.file = requireNonNull(file, "file is null");
        }

        @Override
        public void createOrOverwrite(byte[] data)
                throws IOException
        {
            begin(Operation.OVERWRITE, file.location());
            file.createOrOverwrite(data);
            end(Operation.OVERWRITE, file.location());
        }

        @Override
        public void createExclusive(byte[] data)
                throws IOException
        {
            begin(Operation.CREATE_EXCLUSIVE, file.location());
            file.createExclusive(data);
            end(Operation.CREATE_EXCLUSIVE, file.location());
        }

        @Override
        public OutputStream create(AggregatedMemoryContext memoryContext)
                throws IOException
        {
            begin(Operation.CREATE, file.location());
            return file.create(memoryContext);
        }

        @Override
        public Location location()
        {
            return file.location();
        }
    }
}
