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
import io.trino.spi.connector.ConnectorMergeSink;
import io.trino.spi.connector.MergePage;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;

/// Checks the rows of each page that are to be added, before any row of the page is written.
final class CheckingMergeSink
        implements ConnectorMergeSink
{
    private final ConnectorMergeSink delegate;
    private final RowChecks checks;
    private final int columnCount;

    /// @param columnCount columns of the table, which come first in each page
    CheckingMergeSink(ConnectorMergeSink delegate, RowChecks checks, int columnCount)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.checks = requireNonNull(checks, "checks is null");
        this.columnCount = columnCount;
    }

    @Override
    public void storeMergedRows(Page page)
    {
        MergePage.createDeleteAndInsertPages(page, columnCount).getInsertionsPage().ifPresent(checks::check);
        delegate.storeMergedRows(page);
    }

    @Override
    public long getCompletedBytes()
    {
        return delegate.getCompletedBytes();
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
