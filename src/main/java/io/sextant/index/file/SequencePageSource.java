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

import com.google.common.collect.ImmutableList;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// Several page sources one after the other, each opened when the one before has ended.
final class SequencePageSource
        implements ConnectorPageSource
{
    private final Iterator<Supplier<ConnectorPageSource>> sources;
    private Optional<ConnectorPageSource> current = Optional.empty();
    private long completedBytes;
    private long readTimeNanos;
    private Metrics metrics = Metrics.EMPTY;
    private boolean isClosed;

    SequencePageSource(List<Supplier<ConnectorPageSource>> sources)
    {
        this.sources = ImmutableList.copyOf(sources).iterator();
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (isFinished()) {
            return null;
        }
        if (current.isEmpty()) {
            current = Optional.of(sources.next().get());
        }
        return current.orElseThrow().getNextSourcePage();
    }

    @Override
    public boolean isFinished()
    {
        if (current.isPresent() && current.orElseThrow().isFinished()) {
            closeCurrent();
        }
        return isClosed || (current.isEmpty() && !sources.hasNext());
    }

    @Override
    public long getCompletedBytes()
    {
        return completedBytes + current.map(ConnectorPageSource::getCompletedBytes).orElse(0L);
    }

    @Override
    public long getReadTimeNanos()
    {
        return readTimeNanos + current.map(ConnectorPageSource::getReadTimeNanos).orElse(0L);
    }

    @Override
    @SuppressWarnings("deprecation")
    public long getMemoryUsage()
    {
        return current.map(ConnectorPageSource::getMemoryUsage).orElse(0L);
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return current.<CompletableFuture<?>>map(ConnectorPageSource::isBlocked).orElse(NOT_BLOCKED);
    }

    @Override
    public Metrics getMetrics()
    {
        return current.map(source -> metrics.mergeWith(source.getMetrics())).orElse(metrics);
    }

    @Override
    public void close()
    {
        isClosed = true;
        closeCurrent();
    }

    private void closeCurrent()
    {
        if (current.isEmpty()) {
            return;
        }
        ConnectorPageSource source = current.orElseThrow();
        completedBytes += source.getCompletedBytes();
        readTimeNanos += source.getReadTimeNanos();
        metrics = metrics.mergeWith(source.getMetrics());
        current = Optional.empty();
        try {
            source.close();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
