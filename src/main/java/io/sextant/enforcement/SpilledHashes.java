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
package io.sextant.enforcement;

import io.trino.spi.TrinoException;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongConsumer;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

import static io.trino.spi.StandardErrorCode.GENERIC_INSUFFICIENT_RESOURCES;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/// Hashes on local disk, in [#PARTS] parts by their first bits, so that equal hashes lie in the same part. Not thread-safe.
final class SpilledHashes
        implements Closeable
{
    static final int PARTS = 64;

    private static final int BLOCK_SIZE = 8 * 1024;
    static final long MEMORY_USAGE = (long) PARTS * BLOCK_SIZE;

    private final Path directory;
    private final FileChannel channel;
    private final Part[] parts = new Part[PARTS];
    private long end;

    /// @param directory is created if it does not exist
    SpilledHashes(Path directory)
    {
        this.directory = requireNonNull(directory, "directory is null");
        for (int part = 0; part < PARTS; part++) {
            parts[part] = new Part();
        }
        try {
            Files.createDirectories(directory);
            channel = FileChannel.open(Files.createTempFile(directory, "sextant-keys-", ""), READ, WRITE, DELETE_ON_CLOSE);
        }
        catch (IOException e) {
            throw spillFailure(e);
        }
    }

    void add(long hash)
    {
        Part part = parts[(int) (hash >>> (Long.SIZE - Integer.numberOfTrailingZeros(PARTS)))];
        part.size++;
        part.tail.putLong(hash);
        if (!part.tail.hasRemaining()) {
            append(part);
        }
    }

    long size(int part)
    {
        return parts[part].size;
    }

    void forEach(int part, LongConsumer consumer)
    {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_SIZE);
        for (int i = 0; i < parts[part].blocks.size(); i++) {
            read(parts[part].blocks.getLong(i), block.clear());
            drain(block.flip(), consumer);
        }
        drain(parts[part].tail.duplicate().flip(), consumer);
    }

    private static void drain(ByteBuffer hashes, LongConsumer consumer)
    {
        while (hashes.hasRemaining()) {
            consumer.accept(hashes.getLong());
        }
    }

    private void append(Part part)
    {
        part.blocks.add(end);
        part.tail.flip();
        try {
            while (part.tail.hasRemaining()) {
                end += channel.write(part.tail, end);
            }
        }
        catch (IOException e) {
            throw spillFailure(e);
        }
        part.tail.clear();
    }

    private void read(long offset, ByteBuffer block)
    {
        try {
            while (block.hasRemaining()) {
                if (channel.read(block, offset + block.position()) < 0) {
                    throw new IOException("the file was cut short");
                }
            }
        }
        catch (IOException e) {
            throw spillFailure(e);
        }
    }

    private TrinoException spillFailure(IOException cause)
    {
        return new TrinoException(
                GENERIC_INSUFFICIENT_RESOURCES,
                "Cannot keep the hashes of keys under %s: %s; check space and permissions there, or set sextant.constraint.spill-path".formatted(directory, cause.getMessage()),
                cause);
    }

    @Override
    public void close()
    {
        try {
            channel.close();
        }
        catch (IOException e) {
            throw spillFailure(e);
        }
    }

    private static final class Part
    {
        private final LongArrayList blocks = new LongArrayList();
        private final ByteBuffer tail = ByteBuffer.allocate(BLOCK_SIZE);
        private long size;
    }
}
