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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/// Reads a [SortedRun] through one buffer, and deletes its file once it is exhausted or closed.
/// The buffer grows to hold an entry that is longer.
final class SortedRunReader
        extends EntrySource
{
    private final SpillDirectory directory;
    private final SortedRun run;
    private long filePosition;
    private int position;
    private int limit;

    SortedRunReader(SpillDirectory directory, SortedRun run, int bufferSize)
    {
        this.directory = requireNonNull(directory, "directory is null");
        this.run = requireNonNull(run, "run is null");
        array = new byte[max(bufferSize, EntryBytes.MAX_SIZE_LENGTH)];
    }

    @Override
    boolean advance()
    {
        int remaining = limit - position;
        if (remaining < EntryBytes.MAX_SIZE_LENGTH && filePosition < run.sizeInBytes()) {
            fill(EntryBytes.MAX_SIZE_LENGTH);
        }
        else if (remaining == 0) {
            close();
            return false;
        }
        int size = EntryBytes.readSize(array, position);
        position += EntryBytes.sizeLength(size);
        if (limit - position < size) {
            fill(size);
        }
        offset = position;
        length = size;
        position += size;
        return true;
    }

    private void fill(int needed)
    {
        byte[] target = needed > array.length ? new byte[needed] : array;
        int remaining = limit - position;
        System.arraycopy(array, position, target, 0, remaining);
        array = target;
        position = 0;
        limit = remaining;
        int wanted = (int) min(array.length - limit, run.sizeInBytes() - filePosition);
        ByteBuffer bytes = ByteBuffer.wrap(array, limit, wanted);
        try {
            while (bytes.hasRemaining()) {
                int read = run.file().channel().read(bytes, filePosition);
                if (read < 0) {
                    throw new EOFException("%s ends at byte %s instead of %s".formatted(run.file().path(), filePosition, run.sizeInBytes()));
                }
                filePosition += read;
                limit += read;
            }
        }
        catch (IOException e) {
            throw directory.spillFailure("read a sorted run", e);
        }
    }

    @Override
    byte[] commonBytes()
    {
        return run.commonBytes();
    }

    @Override
    public void close()
    {
        directory.delete(run.file());
    }
}
