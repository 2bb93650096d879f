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
package io.sextant.table;

import org.apache.iceberg.CombinedScanTask;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Scan;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.metrics.MetricsReporter;

import java.util.Collection;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/// A scan whose files pass through a [FilePruner].
///
/// @param pruner which is asked each time that files are planned
public record PrunedScan(Scan<?, FileScanTask, CombinedScanTask> delegate, FilePruner pruner)
        implements Scan<PrunedScan, FileScanTask, CombinedScanTask>
{
    public PrunedScan
    {
        requireNonNull(delegate, "delegate is null");
        requireNonNull(pruner, "pruner is null");
    }

    @Override
    public CloseableIterable<FileScanTask> planFiles()
    {
        return pruner.prune(pruner.needsColumnStats() ? with(delegate.includeColumnStats()).delegate::planFiles : delegate::planFiles);
    }

    @Override
    public CloseableIterable<CombinedScanTask> planTasks()
    {
        throw new UnsupportedOperationException("planTasks would pass the pruner by");
    }

    @SuppressWarnings("unchecked")
    private PrunedScan with(Object refined)
    {
        return new PrunedScan((Scan<?, FileScanTask, CombinedScanTask>) refined, pruner);
    }

    @Override
    public PrunedScan option(String property, String value)
    {
        return with(delegate.option(property, value));
    }

    @Override
    public PrunedScan project(Schema schema)
    {
        return with(delegate.project(schema));
    }

    @Override
    public PrunedScan caseSensitive(boolean caseSensitive)
    {
        return with(delegate.caseSensitive(caseSensitive));
    }

    @Override
    public boolean isCaseSensitive()
    {
        return delegate.isCaseSensitive();
    }

    @Override
    public PrunedScan includeColumnStats()
    {
        return with(delegate.includeColumnStats());
    }

    @Override
    public PrunedScan includeColumnStats(Collection<String> requestedColumns)
    {
        // Statistics of columns that are not asked for would be dropped
        return pruner.needsColumnStats() ? includeColumnStats() : with(delegate.includeColumnStats(requestedColumns));
    }

    @Override
    public PrunedScan select(Collection<String> columns)
    {
        return with(delegate.select(columns));
    }

    @Override
    public PrunedScan filter(Expression expression)
    {
        return with(delegate.filter(expression));
    }

    @Override
    public Expression filter()
    {
        return delegate.filter();
    }

    @Override
    public PrunedScan ignoreResiduals()
    {
        return with(delegate.ignoreResiduals());
    }

    @Override
    public PrunedScan planWith(ExecutorService executor)
    {
        return with(delegate.planWith(executor));
    }

    @Override
    public Schema schema()
    {
        return delegate.schema();
    }

    @Override
    public long targetSplitSize()
    {
        return delegate.targetSplitSize();
    }

    @Override
    public int splitLookback()
    {
        return delegate.splitLookback();
    }

    @Override
    public long splitOpenFileCost()
    {
        return delegate.splitOpenFileCost();
    }

    @Override
    public PrunedScan metricsReporter(MetricsReporter reporter)
    {
        return with(delegate.metricsReporter(reporter));
    }

    @Override
    public PrunedScan minRowsRequested(long rows)
    {
        return with(delegate.minRowsRequested(rows));
    }

    @Override
    public Supplier<FileIO> fileIO()
    {
        return delegate.fileIO();
    }
}
