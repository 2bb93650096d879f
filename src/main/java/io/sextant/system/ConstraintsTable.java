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
import io.sextant.constraint.ConstraintCondition;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import io.sextant.constraint.ConstraintStatuses;
import io.sextant.constraint.ConstraintsProperty;
import io.sextant.constraint.TableConstraint;
import io.sextant.expression.sql.SqlPredicateFormatter;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.InMemoryRecordSet;
import io.trino.spi.connector.RecordCursor;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.connector.SystemTable.Distribution.SINGLE_COORDINATOR;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/// `"t$constraints"`: the constraints of a table, and what is known of each in the current snapshot.
public class ConstraintsTable
        implements SystemTable
{
    public static final String SUFFIX = "$constraints";

    private final ConnectorTableMetadata tableMetadata;
    private final BaseTable table;

    public ConstraintsTable(SchemaTableName systemTableName, BaseTable table)
    {
        this.table = requireNonNull(table, "table is null");
        tableMetadata = new ConnectorTableMetadata(
                requireNonNull(systemTableName, "systemTableName is null"),
                ImmutableList.<ColumnMetadata>builder()
                        .add(new ColumnMetadata("id", INTEGER))
                        .add(new ColumnMetadata("name", VARCHAR))
                        .add(new ColumnMetadata("type", VARCHAR))
                        .add(new ColumnMetadata("definition", VARCHAR))
                        .add(new ColumnMetadata("columns", new ArrayType(VARCHAR)))
                        .add(new ColumnMetadata("enforced", BOOLEAN))
                        .add(new ColumnMetadata("status", VARCHAR))
                        .add(new ColumnMetadata("last_modified", TIMESTAMP_TZ_MILLIS))
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
        ConstraintStatuses statuses = Optional.ofNullable(table.currentSnapshot())
                .map(ConstraintStatuses::of)
                .orElse(ConstraintStatuses.NONE);
        InMemoryRecordSet.Builder rows = InMemoryRecordSet.builder(tableMetadata);
        for (TableConstraint tableConstraint : ConstraintsProperty.read(table.properties()).constraints()) {
            List<String> columns = columns(tableConstraint);
            rows.addRow(
                    tableConstraint.id(),
                    tableConstraint.name(),
                    tableConstraint.condition().type(),
                    definition(tableConstraint, columns),
                    VarcharArrays.blockOf(columns),
                    tableConstraint.enforced(),
                    statuses.statusOf(tableConstraint.id()).toString(),
                    packDateTimeWithZone(tableConstraint.timestampMillis(), UTC_KEY));
        }
        return rows.build().cursor();
    }

    private List<String> columns(TableConstraint constraint)
    {
        return constraint.condition().referencedFieldIds().stream()
                .map(table.schema()::findColumnName)
                .filter(Objects::nonNull)
                .collect(toImmutableList());
    }

    /// The constraint in SQL, with the names that columns have now.
    private String definition(TableConstraint constraint, List<String> columns)
    {
        Schema schema = table.schema();
        return switch (constraint.condition()) {
            case Check(var expression) -> new SqlPredicateFormatter(schema).formatCheck(expression);
            case ConstraintCondition.Key key -> "%s (%s)".formatted(key.type().replace('-', ' ').toUpperCase(ENGLISH), String.join(", ", columns));
            case Unrecognized unrecognized -> "not understood: " + unrecognized.reason();
        };
    }
}
