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

import io.trino.filesystem.FileMayHaveAlreadyExistedException;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputStream;
import io.trino.spi.TrinoException;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_UNSUITABLE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/// Tries whether a file system creates a file for one writer only. Some do not, and some object stores silently ignore that
/// condition; an index there would lose updates, which nobody would notice.
public final class ExclusiveCreation
{
    private static final int WRITERS = 8;
    private static final int ROUNDS = 3;

    private ExclusiveCreation() {}

    /// Lets writers race for probe files in a directory, and deletes these.
    ///
    /// @throws TrinoException with `INDEX_STORAGE_UNSUITABLE` if the file system has no exclusive creation or two writers win
    /// @throws IOException if it fails for another reason
    public static void verify(TrinoFileSystem fileSystem, Location directory)
            throws IOException
    {
        requireNonNull(fileSystem, "fileSystem is null");
        requireNonNull(directory, "directory is null");
        try (ExecutorService executor = Executors.newFixedThreadPool(WRITERS, daemonThreadsNamed("exclusive-creation-%s"))) {
            for (int round = 0; round < ROUNDS; round++) {
                Location probe = directory.appendPath("probe-" + UUID.randomUUID());
                try {
                    race(fileSystem, probe, executor);
                }
                finally {
                    fileSystem.deleteFile(probe);
                }
            }
        }
    }

    private static void race(TrinoFileSystem fileSystem, Location probe, ExecutorService executor)
            throws IOException
    {
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        List<Future<Result>> futures = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            byte[] content = ("writer " + writer).getBytes(UTF_8);
            futures.add(executor.submit(() -> create(fileSystem, probe, content, start)));
        }

        List<String> winners = new ArrayList<>();
        boolean unclear = false;
        for (int writer = 0; writer < WRITERS; writer++) {
            switch (result(futures.get(writer))) {
                case CREATED -> winners.add("writer " + writer);
                case UNCLEAR -> unclear = true;
                case EXISTS -> {}
            }
        }
        if (winners.size() > 1) {
            throw unsuitable(probe, "%s of %s writers created the same file".formatted(winners.size(), WRITERS));
        }
        String content;
        try (TrinoInputStream stream = fileSystem.newInputFile(probe).newStream()) {
            content = new String(stream.readAllBytes(), UTF_8);
        }
        // A request that a client library repeats tells its writer that the file exists, so perhaps nobody knows to have won
        boolean expected = winners.isEmpty() ? content.startsWith("writer ") : winners.contains(content) || unclear;
        if (!expected) {
            throw unsuitable(probe, "a file created by %s holds '%s'".formatted(winners, content));
        }
    }

    private static Result create(TrinoFileSystem fileSystem, Location probe, byte[] content, CyclicBarrier start)
            throws IOException, BrokenBarrierException, InterruptedException
    {
        start.await();
        try {
            fileSystem.newOutputFile(probe).createExclusive(content);
            return Result.CREATED;
        }
        catch (FileAlreadyExistsException _) {
            return Result.EXISTS;
        }
        catch (FileMayHaveAlreadyExistedException _) {
            return Result.UNCLEAR;
        }
        catch (UnsupportedOperationException e) {
            throw new TrinoException(INDEX_STORAGE_UNSUITABLE, message(probe, "it has no exclusive creation"), e);
        }
    }

    private static Result result(Future<Result> future)
            throws IOException
    {
        try {
            return future.get();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
        catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case TrinoException cause -> throw cause;
                default -> throw new IOException(e.getCause());
            }
        }
    }

    private static TrinoException unsuitable(Location probe, String reason)
    {
        return new TrinoException(INDEX_STORAGE_UNSUITABLE, message(probe, reason));
    }

    private static String message(Location probe, String reason)
    {
        return "The file system at %s cannot hold an index, for it does not create files exclusively (%s); give the index a location on another one".formatted(probe.parentDirectory(), reason);
    }

    private enum Result
    {
        CREATED,
        EXISTS,
        UNCLEAR,
    }
}
