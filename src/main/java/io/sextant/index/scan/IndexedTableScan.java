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

import io.sextant.index.catalog.IndexRegistrations;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.Constraint;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Snapshot;

import static java.util.Objects.requireNonNull;

/// One scan of a table that has indexes: all that the choice of an index and the look-up need to know of it.
record IndexedTableScan(
        ConnectorSession session,
        IcebergTableHandle handle,
        BaseTable table,
        Constraint constraint,
        LookupLimits limits,
        IndexSelector selector,
        EntryLookup entryLookup)
{
    IndexedTableScan
    {
        requireNonNull(session, "session is null");
        requireNonNull(handle, "handle is null");
        requireNonNull(table, "table is null");
        requireNonNull(constraint, "constraint is null");
        requireNonNull(limits, "limits is null");
        requireNonNull(selector, "selector is null");
        requireNonNull(entryLookup, "entryLookup is null");
    }

    String tableName()
    {
        return handle.getSchemaTableName().toString();
    }

    IndexDecision select(TupleDomain<IcebergColumnHandle> dynamicFilter)
    {
        Snapshot snapshot = table.snapshot(handle.getSnapshotId().orElseThrow());
        // The schema that the column handles were made from
        Schema schema = SchemaParser.fromJson(handle.getTableSchemaJson());
        TupleDomain<IcebergColumnHandle> domains = handle.getUnenforcedPredicate()
                .intersect(handle.getEnforcedPredicate())
                .intersect(dynamicFilter);
        IndexPredicate predicate = IndexPredicate.of(domains, constraint, schema);
        return selector.select(session, table, snapshot, IndexRegistrations.fromTableProperties(table.properties()), predicate, candidate -> limits.check(candidate.selection(), snapshot));
    }

    LookupResult lookup(IndexCandidate candidate)
            throws NotUsableException
    {
        return entryLookup.lookup(session, IcebergTableCredentials.forFileIO(table.io()), candidate, limits);
    }
}
