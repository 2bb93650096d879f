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
package io.sextant.system;

import com.google.common.collect.ImmutableList;
import io.sextant.constraint.ConstraintStatuses;
import io.sextant.constraint.ConstraintsProperty;
import io.sextant.constraint.TableConstraint;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.InMemoryRecordSet;
import io.trino.spi.connector.RecordCursor;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Snapshot;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import static io.trino.spi.connector.SystemTable.Distribution.SINGLE_COORDINATOR;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/// `"t$constraint_statuses"`: what is known of each constraint in each snapshot, dropped constraints included.
public class ConstraintStatusesTable
        implements SystemTable
{
    public static final String SUFFIX = "$constraint_statuses";

    private final ConnectorTableMetadata tableMetadata;
    private final BaseTable table;

    public ConstraintStatusesTable(SchemaTableName systemTableName, BaseTable table)
    {
        this.table = requireNonNull(table, "table is null");
        tableMetadata = new ConnectorTableMetadata(
                requireNonNull(systemTableName, "systemTableName is null"),
                ImmutableList.<ColumnMetadata>builder()
                        .add(new ColumnMetadata("snapshot_id", BIGINT))
                        .add(new ColumnMetadata("committed_at", TIMESTAMP_TZ_MILLIS))
                        .add(new ColumnMetadata("constraint_id", INTEGER))
                        .add(new ColumnMetadata("constraint_name", VARCHAR))
                        .add(new ColumnMetadata("status", VARCHAR))
                        .build());
    }

    @Override
    public Distribution getDistribution()
    {
        return SINGLE_COORDINATOR;
    }

    @Override
    public ConnectorTableMetadata getTableMetadata()
    {
        return tableMetadata;
    }

    @Override
    public RecordCursor cursor(ConnectorTransactionHandle transaction, ConnectorSession session, TupleDomain<Integer> constraint)
    {
        List<TableConstraint> constraints = ConstraintsProperty.read(table.properties()).constraints();
        InMemoryRecordSet.Builder rows = InMemoryRecordSet.builder(tableMetadata);
        for (Snapshot snapshot : table.snapshots()) {
            ConstraintStatuses statuses = ConstraintStatuses.of(snapshot);
            Set<Integer> ids = new TreeSet<>(statuses.statuses().keySet());
            constraints.stream().map(TableConstraint::id).forEach(ids::add);
            for (int id : ids) {
                rows.addRow(
                        snapshot.snapshotId(),
                        packDateTimeWithZone(snapshot.timestampMillis(), UTC_KEY),
                        id,
                        constraints.stream()
                                .filter(tableConstraint -> tableConstraint.id() == id)
                                .map(TableConstraint::name)
                                .findFirst()
                                .orElse(null),
                        statuses.statusOf(id).toString());
            }
        }
        return rows.build().cursor();
    }
}
