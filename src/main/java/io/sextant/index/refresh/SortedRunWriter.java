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

import java.io.IOException;
import java.nio.ByteBuffer;

import static java.util.Objects.requireNonNull;

/// Writes one [SortedRun]; its file belongs to the spill directory from before its first byte.
final class SortedRunWriter
{
    private final SpillDirectory directory;
    private final SpillFile file;
    private final byte[] buffer;
    private int used;
    private long written;

    SortedRunWriter(SpillDirectory directory, int bufferSize)
    {
        this.directory = requireNonNull(directory, "directory is null");
        this.buffer = new byte[bufferSize];
        this.file = directory.create();
    }

    void write(byte[] array, int offset, int length)
    {
        reserve(EntryBytes.MAX_SIZE_LENGTH);
        used = EntryBytes.writeSize(length, buffer, used);
        writeSized(array, offset, length);
    }

    /// Writes bytes that already start with the size of the entry.
    void writeSized(byte[] array, int offset, int length)
    {
        reserve(length);
        if (length > buffer.length) {
            flush(array, offset, length);
            return;
        }
        System.arraycopy(array, offset, buffer, used, length);
        used += length;
    }

    SortedRun finish(byte[] commonBytes)
    {
        flush(buffer, 0, used);
        used = 0;
        return new SortedRun(file, written, commonBytes);
    }

    private void reserve(int length)
    {
        if (used + length > buffer.length) {
            flush(buffer, 0, used);
            used = 0;
        }
    }

    private void flush(byte[] array, int offset, int length)
    {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(array, offset, length);
            while (bytes.hasRemaining()) {
                written += file.channel().write(bytes, written);
            }
        }
        catch (IOException e) {
            throw directory.spillFailure("write a sorted run", e);
        }
    }
}
