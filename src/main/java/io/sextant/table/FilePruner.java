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

import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.io.CloseableIterable;

import java.util.function.Supplier;

/// Leaves out files of one scan that have no row which the query wants.
public interface FilePruner
{
    /// Whether files must come with the statistics of all columns.
    default boolean needsColumnStats()
    {
        return false;
    }

    /// Tells what is known of the dynamic filter. Called before each batch of splits, so also before files are planned.
    void setDynamicFilter(TupleDomain<IcebergColumnHandle> dynamicFilter);

    /// Passes on the files that may hold a match.
    ///
    /// @param files plans the files of the scan; need not be called
    CloseableIterable<FileScanTask> prune(Supplier<CloseableIterable<FileScanTask>> files);

    /// What `EXPLAIN ANALYZE VERBOSE` shows among the metrics of the split source.
    Metrics metrics();
}
