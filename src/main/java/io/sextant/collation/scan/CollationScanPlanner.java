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
import io.sextant.collation.metadata.CollationsProperty;
import io.sextant.table.PrunedScan;
import io.sextant.table.PrunedSplitSource;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.Constraint;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CombinedScanTask;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Scan;
import org.apache.iceberg.SchemaParser;

import java.util.Set;
import java.util.function.Function;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.sextant.collation.scan.CollationScanSessionProperties.isCollationPruningEnabled;

/// Puts bounds in the order of collations, if there are any to ask, between a table scan and its splits.
public final class CollationScanPlanner
{
    private CollationScanPlanner() {}

    /// Whether the table has any collation. The answer costs nothing but a look at the handle.
    public static boolean mayPrune(ConnectorSession session, IcebergTableHandle table)
    {
        return isCollationPruningEnabled(session) && table.getStorageProperties().containsKey(CollationsProperty.NAME);
    }

    /// The splits of a scan, without those of files that bounds rule out.
    ///
    /// @param splitSourceOf makes the split source of a scan
    public static ConnectorSplitSource plan(
            IcebergTableHandle handle,
            BaseTable table,
            Set<ColumnHandle> dynamicFilterColumns,
            Constraint constraint,
            Scan<?, FileScanTask, CombinedScanTask> scan,
            Function<Scan<?, FileScanTask, CombinedScanTask>, ConnectorSplitSource> splitSourceOf)
    {
        CollatedColumns columns = new CollatedColumns(
                table.operations().current(),
                CollationsProperty.readIfWellFormed(table.properties()),
                // The schema that the column handles were made from
                SchemaParser.fromJson(handle.getTableSchemaJson()));
        FilePredicateReader reader = new FilePredicateReader(columns, constraint.getAssignments());
        CollationFilePruner pruner = new CollationFilePruner(
                reader,
                reader.read(constraint.getExpression()),
                handle.getUnenforcedPredicate().intersect(handle.getEnforcedPredicate()),
                dynamicFilterColumns.stream().map(IcebergColumnHandle.class::cast).collect(toImmutableSet()),
                columns);
        return new PrunedSplitSource(splitSourceOf.apply(new PrunedScan(scan, pruner)), ImmutableList.of(pruner));
    }
}
