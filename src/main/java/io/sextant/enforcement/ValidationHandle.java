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
package io.sextant.enforcement;

import com.google.common.collect.ImmutableList;
import io.sextant.constraint.ConstraintCondition;
import io.sextant.constraint.ConstraintsProperty;
import io.sextant.constraint.TableConstraint;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/// Constraints of a table, against which workers check all rows of a snapshot.
///
/// @param snapshotId empty if the table has no snapshot
/// @param constraintsProperty the property of the table that defines its constraints
/// @param constraintIds those that are checked
public record ValidationHandle(
        SchemaTableName table,
        OptionalLong snapshotId,
        String schemaJson,
        Optional<String> constraintsProperty,
        List<Integer> constraintIds)
        implements ConnectorTableExecuteHandle
{
    public ValidationHandle
    {
        requireNonNull(table, "table is null");
        requireNonNull(snapshotId, "snapshotId is null");
        requireNonNull(schemaJson, "schemaJson is null");
        requireNonNull(constraintsProperty, "constraintsProperty is null");
        constraintIds = ImmutableList.copyOf(constraintIds);
    }

    List<TableConstraint> constraints()
    {
        return ConstraintsProperty.parse(constraintsProperty).constraints().stream()
                .filter(constraint -> constraintIds.contains(constraint.id()))
                .collect(toImmutableList());
    }

    /// The one key for which rows are partitioned, so that equal keys meet.
    Optional<TableConstraint> distributedKey()
    {
        return constraints().stream()
                .filter(constraint -> constraint.condition() instanceof ConstraintCondition.Key)
                .findFirst();
    }

    /// The columns of the table that the constraints need, whole.
    Schema rowSchema()
    {
        return columnsOf(constraints());
    }

    KeyPartitioning partitioning()
    {
        List<TableConstraint> key = distributedKey().map(ImmutableList::of).orElse(ImmutableList.of());
        return new KeyPartitioning(SchemaParser.toJson(columnsOf(key)), fieldIds(key));
    }

    private Schema columnsOf(List<TableConstraint> constraints)
    {
        Schema schema = SchemaParser.fromJson(schemaJson);
        Set<Integer> columnIds = TypeUtil.select(schema, fieldIds(constraints)).columns().stream()
                .map(NestedField::fieldId)
                .collect(toImmutableSet());
        return new Schema(schema.columns().stream()
                .filter(column -> columnIds.contains(column.fieldId()))
                .collect(toImmutableList()));
    }

    private static Set<Integer> fieldIds(List<TableConstraint> constraints)
    {
        return constraints.stream()
                .flatMap(constraint -> constraint.condition().referencedFieldIds().stream())
                .collect(toImmutableSet());
    }

    /// What plans show.
    @Override
    public String toString()
    {
        return "%s %s".formatted(table, constraints().stream().map(TableConstraint::name).toList());
    }
}
