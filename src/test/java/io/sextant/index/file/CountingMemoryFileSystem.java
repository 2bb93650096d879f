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
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.memory.MemoryFileSystem;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Keeps files in memory and counts what a store would count: ranges read, streams opened and questions for the length.
public final class CountingMemoryFileSystem
        extends MemoryFileSystem
{
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicLong bytesRead = new AtomicLong();
    private final AtomicInteger otherRequests = new AtomicInteger();

    public int reads()
    {
        return reads.get();
    }

    public long bytesRead()
    {
        return bytesRead.get();
    }

    public int otherRequests()
    {
        return otherRequests.get();
    }

    public void resetCounts()
    {
        reads.set(0);
        bytesRead.set(0);
        otherRequests.set(0);
    }

    public void write(String location, byte[] content)
    {
        try {
            Location target = Location.of(location);
            deleteFile(target);
            try (OutputStream output = newOutputFile(target).create()) {
                output.write(content);
            }
        }
        catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public TrinoInputFile newInputFile(Location location)
    {
        return new CountingInputFile(super.newInputFile(location), false);
    }

    @Override
    public TrinoInputFile newInputFile(Location location, long length)
    {
        return new CountingInputFile(super.newInputFile(location, length), true);
    }

    private void countRead(int length)
    {
        reads.incrementAndGet();
        bytesRead.addAndGet(length);
    }

    private final class CountingInputFile
            implements TrinoInputFile
    {
        private final TrinoInputFile delegate;
        private final boolean isLengthKnown;

        private CountingInputFile(TrinoInputFile delegate, boolean isLengthKnown)
        {
            this.delegate = delegate;
            this.isLengthKnown = isLengthKnown;
        }

        @Override
        public TrinoInput newInput()
                throws IOException
        {
            return new CountingInput(delegate.newInput());
        }

        @Override
        public TrinoInputStream newStream()
                throws IOException
        {
            reads.incrementAndGet();
            return delegate.newStream();
        }

        @Override
        public long length()
                throws IOException
        {
            if (!isLengthKnown) {
                otherRequests.incrementAndGet();
            }
            return delegate.length();
        }

        @Override
        public Instant lastModified()
                throws IOException
        {
            otherRequests.incrementAndGet();
            return delegate.lastModified();
        }

        @Override
        public boolean exists()
                throws IOException
        {
            otherRequests.incrementAndGet();
            return delegate.exists();
        }

        @Override
        public Location location()
        {
            return delegate.location();
        }
    }

    private final class CountingInput
            implements TrinoInput
    {
        private final TrinoInput delegate;

        private CountingInput(TrinoInput delegate)
        {
            this.delegate = delegate;
        }

        @Override
        public void readFully(long position, byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            countRead(length);
            delegate.readFully(position, buffer, bufferOffset, length);
        }

        @Override
        public int readTail(byte[] buffer, int bufferOffset, int maxLength)
                throws IOException
        {
            countRead(maxLength);
            return delegate.readTail(buffer, bufferOffset, maxLength);
        }

        @Override
        public void close()
                throws IOException
        {
            delegate.close();
        }
    }
}
