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
package io.sextant.collation.maintenance;

import com.google.common.collect.ImmutableSet;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/// Lets the writing of one new file of a table fail, and all else go through.
final class FaultyWrites
{
    static final String MESSAGE = "injected fault";

    private FaultyWrites() {}

    /// @param call `create` before there is a file, `write` amid its content, or `close` at its end
    /// @param succeeding number of files that are written first
    static TableOperations of(TableOperations operations, String call, int succeeding)
    {
        AtomicInteger opened = new AtomicInteger();
        FileIO io = proxy(FileIO.class, operations.io(), (_, answer) -> answer instanceof OutputFile file && opened.getAndIncrement() == succeeding
                ? faulty(file, call)
                : answer);
        return proxy(TableOperations.class, operations, (method, answer) -> method.equals("io") ? io : answer);
    }

    private static OutputFile faulty(OutputFile file, String call)
    {
        return proxy(OutputFile.class, file, (method, answer) -> {
            if (!ImmutableSet.of("create", "createOrOverwrite").contains(method)) {
                return answer;
            }
            PositionOutputStream stream = (PositionOutputStream) answer;
            if (call.equals("create")) {
                stream.close();
                throw new UncheckedIOException(new IOException(MESSAGE));
            }
            return new FaultyStream(stream, call);
        });
    }

    private static <T> T proxy(Class<T> type, T delegate, Interceptor interceptor)
    {
        return type.cast(Proxy.newProxyInstance(FaultyWrites.class.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
            try {
                return interceptor.intercept(method.getName(), method.invoke(delegate, arguments));
            }
            catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private interface Interceptor
    {
        Object intercept(String method, Object answer)
                throws IOException;
    }

    private static class FaultyStream
            extends PositionOutputStream
    {
        private final PositionOutputStream delegate;
        private final String call;

        FaultyStream(PositionOutputStream delegate, String call)
        {
            this.delegate = delegate;
            this.call = call;
        }

        @Override
        public long getPos()
                throws IOException
        {
            return delegate.getPos();
        }

        @Override
        public void write(int value)
                throws IOException
        {
            delegate.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length)
                throws IOException
        {
            delegate.write(bytes, offset, length / 2);
            failOn("write");
            delegate.write(bytes, offset + length / 2, length - length / 2);
        }

        @Override
        public void close()
                throws IOException
        {
            delegate.close();
            failOn("close");
        }

        private void failOn(String method)
                throws IOException
        {
            if (call.equals(method)) {
                throw new IOException(MESSAGE);
            }
        }
    }
}
