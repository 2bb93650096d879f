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
package io.sextant.collation.metadata;

import io.sextant.collation.Collation;
import io.sextant.collation.Collations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Type.TypeID;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/// A string field in the order of one collation, with the metric whose bounds are in just that order.
public record CollatedColumn(int fieldId, Collation collation, int metricId)
{
    public CollatedColumn
    {
        requireNonNull(collation, "collation is null");
    }

    /// Empty if there is no metric with bounds in that order, or one that it must not have: of a field that is no string or has no
    /// bounds, or with the ID of a column.
    public static Optional<CollatedColumn> of(TableMetadata table, int fieldId, FieldCollation field, Collation collation)
    {
        if (!CollationRules.hasBounds(table.schema(), fieldId) || table.schema().findType(fieldId).typeId() != TypeID.STRING) {
            return Optional.empty();
        }
        return field.metricOf(collation)
                .filter(metric -> CollationRules.isReserved(table, metric.id()))
                .map(metric -> new CollatedColumn(fieldId, collation, metric.id()));
    }

    /// The field in the order of each collation that it has bounds for, the ones that it had before included.
    public static List<CollatedColumn> allOf(TableMetadata table, int fieldId, FieldCollation field)
    {
        return field.metrics().stream()
                .flatMap(metric -> Collations.find(metric.collation()).stream())
                .distinct()
                .flatMap(collation -> of(table, fieldId, field, collation).stream())
                .collect(toImmutableList());
    }
}
