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
package io.sextant.index.file;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.cache.CacheFileSystem;
import io.trino.filesystem.cache.TrinoFileSystemCache;
import io.trino.spi.metrics.Metrics;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;

import static io.sextant.index.file.IndexFileErrors.corrupt;
import static java.util.Objects.requireNonNull;

/// Compares the column chunks of an index file with their checksums as they are read. It sits where a file system has its
/// cache, and keeps nothing.
final class ChunkVerification
        implements TrinoFileSystemCache
{
    private final IndexFile file;
    private final SealedChunks chunks;

    private ChunkVerification(IndexFile file, SealedChunks chunks)
    {
        this.file = requireNonNull(file, "file is null");
        this.chunks = requireNonNull(chunks, "chunks is null");
    }

    /// A file system that fails with [io.sextant.error.SextantErrorCode#INDEX_CORRUPT] once a chunk of the file is read that
    /// does not match its checksum. The reader of Parquet files reads whole chunks, unless they are larger than its buffer.
    static TrinoFileSystem verifying(TrinoFileSystem fileSystem, IndexFile file, SealedChunks chunks)
    {
        if (chunks.isEmpty()) {
            return fileSystem;
        }
        return new CacheFileSystem(
                fileSystem,
                new ChunkVerification(file, chunks),
                inputFile -> Optional.of(file.location()).filter(inputFile.location().toString()::equals));
    }

    @Override
    public TrinoInput cacheInput(TrinoInputFile delegate, String key)
            throws IOException
    {
        TrinoInput input = delegate.newInput();
        return new TrinoInput()
        {
            @Override
            public void readFully(long position, byte[] buffer, int bufferOffset, int bufferLength)
                    throws IOException
            {
                input.readFully(position, buffer, bufferOffset, bufferLength);
                Optional<String> problem = chunks.findProblem(position, buffer, bufferOffset, bufferLength);
                if (problem.isPresent()) {
                    throw corrupt(file, problem.orElseThrow());
                }
            }

            @Override
            public int readTail(byte[] buffer, int bufferOffset, int bufferLength)
                    throws IOException
            {
                return input.readTail(buffer, bufferOffset, bufferLength);
            }

            @Override
            public Metrics getMetrics()
            {
                return input.getMetrics();
            }

            @Override
            public void close()
                    throws IOException
            {
                input.close();
            }
        };
    }

    @Override
    public TrinoInputStream cacheStream(TrinoInputFile delegate, String key)
            throws IOException
    {
        return delegate.newStream();
    }

    @Override
    public long cacheLength(TrinoInputFile delegate, String key)
            throws IOException
    {
        return delegate.length();
    }

    @Override
    public void expire(Location location) {}

    @Override
    public void expire(Collection<Location> locations) {}
}
