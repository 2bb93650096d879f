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
package io.sextant.index.refresh;

import io.airlift.log.Logger;
import io.trino.spi.TrinoException;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkState;
import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/// The private local directory of one build's sorted runs. It is created with the first run and removed on close,
/// with every run in it; no run can be created afterwards. Thread-safe.
public class SpillDirectory
        implements Closeable
{
    private static final Logger log = Logger.get(SpillDirectory.class);

    private final Path parent;
    private final Map<Path, Optional<FileChannel>> files = new HashMap<>();
    private Optional<Path> directory = Optional.empty();
    private long created;
    private boolean closed;

    /// @param parent the directory to create this one in; created when it does not exist
    public SpillDirectory(Path parent)
    {
        this.parent = requireNonNull(parent, "parent is null");
    }

    synchronized SpillFile create()
    {
        checkState(!closed, "spill directory is closed");
        try {
            Path path = directory().resolve("run-" + created);
            created++;
            files.put(path, Optional.empty());
            FileChannel channel = open(path);
            files.put(path, Optional.of(channel));
            return new SpillFile(path, channel);
        }
        catch (IOException e) {
            throw spillFailure("create a sorted run", e);
        }
    }

    private Path directory()
            throws IOException
    {
        if (directory.isEmpty()) {
            Files.createDirectories(parent);
            // A temporary directory is readable by its owner only
            directory = Optional.of(Files.createTempDirectory(parent, "sextant-build-"));
        }
        return directory.orElseThrow();
    }

    FileChannel open(Path path)
            throws IOException
    {
        return FileChannel.open(path, CREATE_NEW, READ, WRITE);
    }

    /// Deletes a run; when that fails, it is tried again on close.
    synchronized void delete(SpillFile file)
    {
        if (files.containsKey(file.path()) && deleted(file.path(), Optional.of(file.channel()))) {
            files.remove(file.path());
        }
    }

    TrinoException spillFailure(String action, IOException cause)
    {
        return new TrinoException(
                INDEX_BUILD_FAILED,
                "Cannot %s under %s: %s; check space and permissions there, or set sextant.index.build.spill-path".formatted(action, parent, cause.getMessage()),
                cause);
    }

    @Override
    public synchronized void close()
    {
        closed = true;
        files.entrySet().removeIf(file -> deleted(file.getKey(), file.getValue()));
        directory = directory.filter(path -> !deleted(path, Optional.empty()));
    }

    private static boolean deleted(Path path, Optional<FileChannel> channel)
    {
        try {
            // A channel that cannot be closed is no reason to keep its file
            try (FileChannel _ = channel.orElse(null)) {
                Files.deleteIfExists(path);
            }
            return true;
        }
        catch (IOException e) {
            log.warn(e, "Cannot delete %s; delete it by hand", path);
            return !Files.exists(path);
        }
    }
}
