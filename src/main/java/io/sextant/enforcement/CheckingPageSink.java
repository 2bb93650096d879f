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

import io.airlift.slice.Slice;
import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorPageSink;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;

/// Checks each page before it is written.
final class CheckingPageSink
        implements ConnectorPageSink
{
    private final ConnectorPageSink delegate;
    private final RowChecks checks;

    CheckingPageSink(ConnectorPageSink delegate, RowChecks checks)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.checks = requireNonNull(checks, "checks is null");
    }

    @Override
    public CompletableFuture<?> appendPage(Page page)
    {
        checks.check(page);
        return delegate.appendPage(page);
    }

    @Override
    public long getCompletedBytes()
    {
        return delegate.getCompletedBytes();
    }

    @Override
    public long getMemoryUsage()
    {
        return delegate.getMemoryUsage();
    }

    @Override
    public long getValidationCpuNanos()
    {
        return delegate.getValidationCpuNanos();
    }

    @Override
    public void closeIdleWriters()
    {
        delegate.closeIdleWriters();
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        return delegate.finish();
    }

    @Override
    public void abort()
    {
        delegate.abort();
    }
}
