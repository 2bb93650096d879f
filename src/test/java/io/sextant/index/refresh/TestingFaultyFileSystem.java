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

import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoOutputFile;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/// Lets one call fail, in the order in which files are opened, all else goes through.
final class TestingFaultyFileSystem
{
    enum Fault
    {
        OPEN_INPUT,
        CREATE_OUTPUT,
        WRITE_OUTPUT,
        CLOSE_OUTPUT,
    }

    static final String MESSAGE = "injected fault";

    private final Fault fault;
    private final AtomicInteger callsUntilFailure;

    /// @param succeeding the number of calls that succeed first
    TestingFaultyFileSystem(Fault fault, int succeeding)
    {
        this.fault = fault;
        this.callsUntilFailure = new AtomicInteger(succeeding);
    }

    boolean hasFailed()
    {
        return callsUntilFailure.get() < 0;
    }

    TrinoFileSystem wrap(TrinoFileSystem delegate)
    {
        return proxy(TrinoFileSystem.class, delegate, (_, result) -> switch (result) {
            case TrinoInputFile file -> proxy(TrinoInputFile.class, file, (call, answer) -> {
                if (call.equals("newInput") || call.equals("newStream")) {
                    failIfDue(Fault.OPEN_INPUT);
                }
                return answer;
            });
            case TrinoOutputFile file -> proxy(TrinoOutputFile.class, file, (call, answer) -> {
                if (!call.equals("create")) {
                    return answer;
                }
                failIfDue(Fault.CREATE_OUTPUT);
                return new FaultyOutputStream((OutputStream) answer);
            });
            case null, default -> result;
        });
    }

    private void failIfDue(Fault call)
            throws IOException
    {
        if (call == fault && callsUntilFailure.getAndDecrement() == 0) {
            throw new IOException(MESSAGE);
        }
    }

    private static <T> T proxy(Class<T> type, T delegate, Interceptor interceptor)
    {
        return type.cast(Proxy.newProxyInstance(TestingFaultyFileSystem.class.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
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
        Object intercept(String method, Object result)
                throws IOException;
    }

    private class FaultyOutputStream
            extends FilterOutputStream
    {
        FaultyOutputStream(OutputStream delegate)
        {
            super(delegate);
        }

        @Override
        public void write(byte[] bytes, int offset, int length)
                throws IOException
        {
            out.write(bytes, offset, length / 2);
            failIfDue(Fault.WRITE_OUTPUT);
            out.write(bytes, offset + length / 2, length - length / 2);
        }

        @Override
        public void close()
                throws IOException
        {
            super.close();
            failIfDue(Fault.CLOSE_OUTPUT);
        }
    }
}
