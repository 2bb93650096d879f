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
import io.sextant.collation.Collation;
import io.sextant.collation.Collations;
import io.sextant.collation.maintenance.BoundsCoverage;
import io.sextant.collation.metadata.CollatedColumn;
import io.sextant.collation.metadata.CollationMetric;
import io.sextant.collation.metadata.CollationRules;
import io.sextant.collation.metadata.CollationsProperty;
import io.sextant.collation.metadata.FieldCollation;
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

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import static io.trino.spi.connector.SystemTable.Distribution.SINGLE_COORDINATOR;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/// `"t$collations"`: the collations of a table, and for how many data files of the current snapshot there are bounds that
/// this server can use.
public class CollationsTable
        implements SystemTable
{
    public static final String SUFFIX = "$collations";

    private final ConnectorTableMetadata tableMetadata;
    private final BaseTable table;

    public CollationsTable(SchemaTableName systemTableName, BaseTable table)
    {
        this.table = requireNonNull(table, "table is null");
        tableMetadata = new ConnectorTableMetadata(
                requireNonNull(systemTableName, "systemTableName is null"),
                ImmutableList.<ColumnMetadata>builder()
                        .add(new ColumnMetadata("column_name", VARCHAR))
                        .add(new ColumnMetadata("collation", VARCHAR))
                        // Null if this server does not support the collation
                        .add(new ColumnMetadata("version", VARCHAR))
                        .add(new ColumnMetadata("metrics", new ArrayType(VARCHAR)))
                        // Null for what has no bounds: elements of lists, and values of maps
                        .add(new ColumnMetadata("files_with_bounds", BIGINT))
                        .add(new ColumnMetadata("files_without_bounds", BIGINT))
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
        Map<Integer, FieldCollation> fields = CollationsProperty.read(table.properties()).fields();
        Map<Integer, CollatedColumn> columns = new HashMap<>();
        fields.forEach((fieldId, field) -> Collations.find(field.collation())
                .flatMap(collation -> CollatedColumn.of(table.operations().current(), fieldId, field, collation))
                .ifPresent(column -> columns.put(fieldId, column)));
        BoundsCoverage coverage = BoundsCoverage.of(table, columns.values());

        InMemoryRecordSet.Builder rows = InMemoryRecordSet.builder(tableMetadata);
        fields.keySet().stream().sorted().forEach(fieldId -> {
            FieldCollation field = fields.get(fieldId);
            boolean hasBounds = CollationRules.hasBounds(table.schema(), fieldId);
            long filesWithBounds = Optional.ofNullable(columns.get(fieldId)).map(coverage.filesWithBounds()::count).orElse(0);
            rows.addRow(
                    table.schema().findColumnName(fieldId),
                    field.collation(),
                    Collations.find(field.collation()).map(Collation::version).orElse(null),
                    VarcharArrays.blockOf(field.metrics().stream().map(CollationsTable::describe).toList()),
                    hasBounds ? filesWithBounds : null,
                    hasBounds ? coverage.files() - filesWithBounds : null);
        });
        return rows.build().cursor();
    }

    private static String describe(CollationMetric metric)
    {
        return "%s %s".formatted(metric.collation(), metric.version());
    }
}
