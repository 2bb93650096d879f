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

import io.sextant.constraint.ConstraintCondition.PrimaryKey;
import io.sextant.constraint.ConstraintsProperty;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.MapType;
import org.apache.iceberg.types.Types.NestedField;

import java.util.Optional;

/// Which fields of a table may have a collation, and which metric IDs are what they should be. As strict as the latest
/// revision of the draft when collations are set, while anything is read.
public final class CollationRules
{
    private static final String PLACEHOLDER_PREFIX = "sextant_collation_metric_";

    private CollationRules() {}

    /// Why a field cannot have a collation, in words for a user; empty if it can.
    public static Optional<String> findProblem(TableMetadata table, int fieldId)
    {
        Schema schema = table.schema();
        if (schema.findField(fieldId) == null) {
            return Optional.of("there is no field %s".formatted(fieldId));
        }
        String column = "column %s ".formatted(schema.findColumnName(fieldId));
        if (schema.findType(fieldId).typeId() != TypeID.STRING) {
            return Optional.of(column + "has type %s, and only strings have a collation".formatted(schema.findType(fieldId)));
        }
        if (isMapKey(schema, fieldId)) {
            return Optional.of(column + "is the key of a map, and keys are compared by bytes");
        }
        if (table.spec().fields().stream().anyMatch(field -> field.sourceId() == fieldId && !field.transform().isVoid())) {
            return Optional.of(column + "is the source of a partition field, and partitions are made by bytes");
        }
        if (table.sortOrder().fields().stream().anyMatch(field -> field.sourceId() == fieldId)) {
            return Optional.of(column + "is the source of a sort field, and rows are sorted by bytes");
        }
        if (schema.identifierFieldIds().contains(fieldId)) {
            return Optional.of(column + "is an identifier field, which is compared by bytes");
        }
        if (isInPrimaryKey(table, fieldId)) {
            return Optional.of(column + "is in the primary key, which is compared by bytes");
        }
        return Optional.empty();
    }

    /// Whether a row has at most one value of the field, so that files have bounds of it.
    public static boolean hasBounds(Schema schema, int fieldId)
    {
        return schema.findField(fieldId) != null && TypeUtil.ancestorFields(schema, fieldId).stream().allMatch(ancestor -> ancestor.type().isStructType());
    }

    /// The name of the column that is added and dropped to reserve a metric ID.
    public static String placeholderName(TableMetadata table)
    {
        return placeholderName(table.lastColumnId() + 1);
    }

    /// The name of the column that reserved a metric ID.
    public static String placeholderName(int metricId)
    {
        return PLACEHOLDER_PREFIX + metricId;
    }

    /// Whether a column was there only to reserve its ID.
    public static boolean isPlaceholder(NestedField column)
    {
        return column.name().startsWith(PLACEHOLDER_PREFIX);
    }

    /// Whether no column has the ID, nor ever had or will have it, so that bounds under it are those of a metric. Somebody
    /// else may have written the property.
    public static boolean isReserved(TableMetadata table, int metricId)
    {
        return metricId <= table.lastColumnId() &&
                table.schemas().stream()
                        .map(schema -> schema.findField(metricId))
                        .allMatch(field -> field == null || isPlaceholder(field));
    }

    private static boolean isMapKey(Schema schema, int fieldId)
    {
        return TypeUtil.ancestorFields(schema, fieldId).stream()
                .filter(ancestor -> ancestor.type().isMapType())
                .map(ancestor -> ancestor.type().asMapType())
                .anyMatch(map -> isIn(map, fieldId));
    }

    private static boolean isIn(MapType map, int fieldId)
    {
        return map.keyId() == fieldId || TypeUtil.getProjectedIds(map.keyType()).contains(fieldId);
    }

    private static boolean isInPrimaryKey(TableMetadata table, int fieldId)
    {
        return ConstraintsProperty.readIfWellFormed(table.properties()).stream()
                .flatMap(constraints -> constraints.constraints().stream())
                .anyMatch(constraint -> constraint.condition() instanceof PrimaryKey key && key.referencedFieldIds().contains(fieldId));
    }
}
