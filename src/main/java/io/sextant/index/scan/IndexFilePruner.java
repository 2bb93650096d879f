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

import com.google.common.collect.ImmutableMap;
import io.airlift.log.Logger;
import io.sextant.table.FilePruner;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergSplit;
import io.trino.spi.TrinoException;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.io.CloseableIterable;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

/// Prunes the files of one scan to those that an index names or does not cover. The index is chosen when files are
/// first asked for, so that the dynamic filter of that moment counts.
public final class IndexFilePruner
        implements FilePruner
{
    private static final Logger log = Logger.get(IndexFilePruner.class);

    /// Where more than one row in so many is wanted, picking rows saves nothing over scanning the file.
    private static final int SPARSE_ROWS = 8;

    private final IndexedTableScan scan;
    private final IndexScanMetrics metrics = new IndexScanMetrics();
    private final Map<ScannedFile, RowsToRead> rowsToRead = new ConcurrentHashMap<>();
    private volatile TupleDomain<IcebergColumnHandle> dynamicFilter = TupleDomain.all();

    IndexFilePruner(IndexedTableScan scan)
    {
        this.scan = requireNonNull(scan, "scan is null");
    }

    @Override
    public void setDynamicFilter(TupleDomain<IcebergColumnHandle> dynamicFilter)
    {
        this.dynamicFilter = dynamicFilter;
    }

    @Override
    public CloseableIterable<FileScanTask> prune(Supplier<CloseableIterable<FileScanTask>> files)
    {
        IndexDecision decision = scan.select(dynamicFilter);
        metrics.decided(decision);
        return switch (decision) {
            case IndexDecision.Usable usable -> lookup(usable, files);
            case IndexDecision.NotUsable _ -> files.get();
        };
    }

    private CloseableIterable<FileScanTask> lookup(IndexDecision.Usable usable, Supplier<CloseableIterable<FileScanTask>> files)
    {
        IndexCandidate candidate = usable.candidate();
        LookupResult result;
        try {
            result = scan.lookup(candidate);
        }
        catch (NotUsableException e) {
            return scanPlainly(usable, e.getMessage(), files);
        }
        catch (RuntimeException e) {
            // A damaged index must not fail the query: the table itself has the answer
            log.warn(e, "Index %s of table %s is not used", candidate.indexName(), scan.tableName());
            return scanPlainly(usable, "cannot be read: " + requireNonNullElse(e.getMessage(), e.toString()), files);
        }
        metrics.entries.set(result.entries());
        if (result.rows().isEmpty() && candidate.coverage().isComplete()) {
            return CloseableIterable.empty();
        }
        return CloseableIterable.transform(
                CloseableIterable.filter(files.get(), task -> isWanted(candidate, result, task)),
                task -> restrict(candidate, result, task));
    }

    private CloseableIterable<FileScanTask> scanPlainly(IndexDecision.Usable usable, String reason, Supplier<CloseableIterable<FileScanTask>> files)
    {
        Map<String, String> reasons = new HashMap<>(usable.reasonsAgainstOthers());
        reasons.put(usable.candidate().indexName(), reason);
        metrics.decided(new IndexDecision.NotUsable(ImmutableMap.copyOf(reasons)));
        return files.get();
    }

    private boolean isWanted(IndexCandidate candidate, LookupResult result, FileScanTask task)
    {
        if (!candidate.coverage().covers(task.file())) {
            metrics.filesNotCovered.incrementAndGet();
            return true;
        }
        if (result.rowsOf(task.file().location()).isEmpty()) {
            metrics.filesPruned.incrementAndGet();
            return false;
        }
        metrics.filesIndexed.incrementAndGet();
        return true;
    }

    private FileScanTask restrict(IndexCandidate candidate, LookupResult result, FileScanTask task)
    {
        if (!candidate.coverage().covers(task.file())) {
            return task;
        }
        RowPositions rows = result.rowsOf(task.file().location()).orElseThrow();
        if (rows.last() >= task.file().recordCount()) {
            // Files may have been left out by then, so there is no way back to the plain scan
            throw new TrinoException(INDEX_CORRUPT, "Index %s of table %s names row %s of data file %s, which has %s; drop the index, or set the session property index_enabled to false".formatted(
                    candidate.indexName(),
                    scan.tableName(),
                    rows.last(),
                    task.file().location(),
                    task.file().recordCount()));
        }
        if (rows.count() * SPARSE_ROWS > task.file().recordCount()) {
            return task;
        }
        metrics.rowsPruned.addAndGet(task.file().recordCount() - rows.count());
        int rowGroups = task.file().splitOffsets() == null ? 1 : Math.max(1, task.file().splitOffsets().size());
        rowsToRead.put(ScannedFile.of(task), new RowsToRead(rows, rowGroups));
        return new IndexedScanTask(task);
    }

    /// The only rows to read of a split's file; absent if all are to be read.
    Optional<RowsToRead> rowsToRead(IcebergSplit split)
    {
        return Optional.ofNullable(rowsToRead.get(new ScannedFile(split.path(), split.dataSequenceNumber())));
    }

    @Override
    public Metrics metrics()
    {
        return metrics.toMetrics();
    }

    record RowsToRead(RowPositions positions, int rowGroups) {}

    // The sequence number tells a file from the same file added once more, whose rows are another set of live rows
    private record ScannedFile(String location, OptionalLong dataSequenceNumber)
    {
        static ScannedFile of(FileScanTask task)
        {
            Long sequenceNumber = task.file().dataSequenceNumber();
            return new ScannedFile(task.file().location(), sequenceNumber == null ? OptionalLong.empty() : OptionalLong.of(sequenceNumber));
        }
    }
}
