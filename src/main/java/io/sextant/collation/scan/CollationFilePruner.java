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
package io.sextant.collation.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.collation.CollationOrder;
import io.sextant.collation.metadata.CollatedColumn;
import io.sextant.collation.metadata.FileBounds;
import io.sextant.table.FilePruner;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.io.CloseableIterable;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/// Leaves out the files of one scan whose bounds show that no row fulfills the predicate. A file without usable bounds stays.
final class CollationFilePruner
        implements FilePruner
{
    private final FilePredicateReader reader;
    private final FilePredicate expression;
    private final TupleDomain<IcebergColumnHandle> domains;
    private final CollatedColumns columns;
    private final boolean mayPrune;
    // Orders are not for several threads, but files are planned by one at a time
    private final Map<CollatedColumn, CollationOrder> orders = new HashMap<>();
    private final AtomicLong filesPruned = new AtomicLong();
    private final AtomicLong filesWithoutBounds = new AtomicLong();
    private final AtomicLong filesRead = new AtomicLong();
    private volatile TupleDomain<IcebergColumnHandle> dynamicFilter = TupleDomain.all();

    /// @param domains of the table handle
    /// @param dynamicFilterColumns that a dynamic filter may come for
    CollationFilePruner(
            FilePredicateReader reader,
            FilePredicate expression,
            TupleDomain<IcebergColumnHandle> domains,
            Set<IcebergColumnHandle> dynamicFilterColumns,
            CollatedColumns columns)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.expression = requireNonNull(expression, "expression is null");
        this.domains = requireNonNull(domains, "domains is null");
        this.columns = requireNonNull(columns, "columns is null");
        mayPrune = !expression.isAnything() ||
                Stream.concat(domains.getDomains().orElse(ImmutableMap.of()).keySet().stream(), dynamicFilterColumns.stream())
                        .anyMatch(column -> !columns.all(column.getId()).isEmpty());
    }

    @Override
    public boolean needsColumnStats()
    {
        return mayPrune;
    }

    @Override
    public void setDynamicFilter(TupleDomain<IcebergColumnHandle> dynamicFilter)
    {
        this.dynamicFilter = dynamicFilter;
    }

    @Override
    public CloseableIterable<FileScanTask> prune(Supplier<CloseableIterable<FileScanTask>> files)
    {
        if (!mayPrune) {
            return files.get();
        }
        FilePredicate predicate = FilePredicate.and(ImmutableList.of(expression, reader.read(domains.intersect(dynamicFilter))));
        return predicate.isAnything() ? files.get() : CloseableIterable.filter(files.get(), task -> isWanted(predicate, task.file()));
    }

    private boolean isWanted(FilePredicate predicate, DataFile file)
    {
        Map<CollatedColumn, KeyInterval> intervals = new HashMap<>();
        if (!predicate.mayHold(column -> intervals.computeIfAbsent(column, _ -> interval(column, file)))) {
            filesPruned.incrementAndGet();
            return false;
        }
        filesRead.incrementAndGet();
        if (intervals.containsValue(KeyInterval.UNKNOWN)) {
            filesWithoutBounds.incrementAndGet();
        }
        return true;
    }

    private KeyInterval interval(CollatedColumn column, DataFile file)
    {
        return FileBounds.read(file, column.metricId())
                .map(bounds -> KeyInterval.of(bounds, orders.computeIfAbsent(column, _ -> column.collation().order())))
                .orElse(KeyInterval.UNKNOWN);
    }

    @Override
    public Metrics metrics()
    {
        ImmutableMap.Builder<String, Metric<?>> metrics = ImmutableMap.<String, Metric<?>>builder()
                .put("collation bounds: files pruned", new LongCount(filesPruned.get()))
                .put("collation bounds: files read", new LongCount(filesRead.get()))
                .put("collation bounds: files read for lack of bounds", new LongCount(filesWithoutBounds.get()));
        columns.reasons().forEach(reason -> metrics.put(reason, new LongCount(1)));
        return new Metrics(metrics.buildOrThrow());
    }
}
