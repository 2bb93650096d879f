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
package io.sextant.index.scan;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.sextant.index.file.IndexFileReader;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.plugin.iceberg.ForIcebergSplitManager;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.connector.ConnectorSession;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static com.google.common.base.Throwables.throwIfUnchecked;
import static java.util.Objects.requireNonNull;

/// Finds the rows that an extract names for a predicate.
public class EntryLookup
{
    private final IndexFileReader indexFileReader;
    private final ExecutorService executor;

    @Inject
    public EntryLookup(IndexFileReader indexFileReader, @ForIcebergSplitManager ExecutorService executor)
    {
        this.indexFileReader = requireNonNull(indexFileReader, "indexFileReader is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    LookupResult lookup(ConnectorSession session, IcebergTableCredentials credentials, IndexCandidate candidate, LookupLimits limits)
            throws NotUsableException
    {
        EntryCollector collector = new EntryCollector(limits.maxEntries());
        List<TrackingEntry> regions = candidate.selection().regions();
        if (regions.size() == 1) {
            new RegionLookup(indexFileReader, session, credentials, candidate, collector).read(regions.getFirst());
        }
        else {
            readConcurrently(session, credentials, candidate, collector);
        }
        return collector.result();
    }

    private void readConcurrently(ConnectorSession session, IcebergTableCredentials credentials, IndexCandidate candidate, EntryCollector collector)
            throws NotUsableException
    {
        List<Future<?>> reads = new ArrayList<>();
        try {
            for (TrackingEntry region : candidate.selection().regions()) {
                reads.add(executor.submit(() -> {
                    new RegionLookup(indexFileReader, session, credentials, candidate, collector).read(region);
                    return null;
                }));
            }
            for (Future<?> read : ImmutableList.copyOf(reads)) {
                read.get();
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotUsableException("the look-up was interrupted");
        }
        catch (ExecutionException e) {
            throwIfInstanceOf(e.getCause(), NotUsableException.class);
            throwIfUnchecked(e.getCause());
            throw new IllegalStateException(e.getCause());
        }
        finally {
            reads.forEach(read -> read.cancel(true));
        }
    }
}
