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

import com.google.inject.Inject;
import io.sextant.index.catalog.IndexRegistrations;
import io.sextant.table.PrunedScan;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.Constraint;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CombinedScanTask;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Scan;

import java.util.function.Function;

import static io.sextant.index.scan.IndexScanSessionProperties.isIndexEnabled;
import static io.sextant.index.scan.IndexScanSessionProperties.lookupLimits;
import static java.util.Objects.requireNonNull;

/// Puts an index, if there is one to ask, between a table scan and its splits.
public class IndexedScanPlanner
{
    private final IndexSelector selector;
    private final EntryLookup entryLookup;

    @Inject
    public IndexedScanPlanner(IndexSelector selector, EntryLookup entryLookup)
    {
        this.selector = requireNonNull(selector, "selector is null");
        this.entryLookup = requireNonNull(entryLookup, "entryLookup is null");
    }

    /// Whether the scan has any index to ask. The answer costs nothing but a look at the handle.
    public boolean mayUseIndex(ConnectorSession session, IcebergTableHandle table)
    {
        return isIndexEnabled(session) && IndexRegistrations.anyIn(table.getStorageProperties());
    }

    /// The splits of a scan, of which some index may leave out files and rows.
    ///
    /// @param splitSourceOf makes the split source of a scan
    public ConnectorSplitSource plan(
            ConnectorSession session,
            IcebergTableHandle handle,
            BaseTable table,
            Constraint constraint,
            Scan<?, FileScanTask, CombinedScanTask> scan,
            Function<Scan<?, FileScanTask, CombinedScanTask>, ConnectorSplitSource> splitSourceOf)
    {
        IndexFilePruner pruner = new IndexFilePruner(new IndexedTableScan(
                session,
                handle,
                table,
                constraint,
                lookupLimits(session),
                selector,
                entryLookup));
        return new IndexedSplitSource(splitSourceOf.apply(new PrunedScan(scan, pruner)), pruner);
    }
}
