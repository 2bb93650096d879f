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
package io.sextant.index.metadata;

import io.sextant.expression.ExpressionBinding;
import io.sextant.expression.ExpressionBinding.Bound;
import io.sextant.expression.ExpressionBinding.Unbound;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import static org.apache.iceberg.MetadataColumns.FILE_PATH;
import static org.apache.iceberg.MetadataColumns.ROW_POSITION;

/// Which well-formed indexes this release can use. Another release, or another engine, may be able to use more.
final class IndexUsability
{
    private IndexUsability() {}

    /// Why the index can be neither read nor maintained.
    static Optional<String> unusableReason(IndexMetadata metadata)
    {
        if (!metadata.isScalar()) {
            return Optional.of("index type %s is not supported".formatted(metadata.indexType()));
        }
        Set<Integer> seen = new HashSet<>();
        for (int fieldId : metadata.orderingKey()) {
            if (!seen.add(fieldId)) {
                return Optional.of("ordering key has field %s twice".formatted(fieldId));
            }
            Optional<String> reason = keyFieldReason(metadata, fieldId);
            if (reason.isPresent()) {
                return reason.map(text -> "ordering key field %s: %s".formatted(fieldId, text));
            }
        }
        return Optional.empty();
    }

    /// Why no query on a table of the given schema can use the index.
    static Optional<String> unusableReason(IndexMetadata metadata, Schema tableSchema)
    {
        Optional<String> reason = unusableReason(metadata);
        if (reason.isPresent()) {
            return reason;
        }
        if (metadata.orderingKey().stream().anyMatch(fieldId -> metadata.identityFieldOfColumn(fieldId).isEmpty())) {
            return Optional.of("its ordering key has an expression, which this release cannot look up");
        }
        if (metadata.identityFieldOfSource(FILE_PATH.fieldId()).isEmpty() || metadata.identityFieldOfSource(ROW_POSITION.fieldId()).isEmpty()) {
            return Optional.of("it does not store the file and position of rows");
        }
        // Without a later column of the key, the columns before it can still be looked up
        return droppedReason(metadata, metadata.identityFieldOfColumn(metadata.orderingKey().getFirst()).orElseThrow(), tableSchema);
    }

    /// Whether the table has lost a column of the index. A column that was added under the same name is another one.
    static Optional<String> droppedReason(IndexMetadata metadata, IdentityField field, Schema tableSchema)
    {
        if (SourceColumns.source(tableSchema, field.sourceId()).isPresent()) {
            return Optional.empty();
        }
        String name = metadata.latestSchema().findColumnName(field.fieldId());
        String successor = tableSchema.caseInsensitiveFindField(name) == null ? "" : "; the column that has this name now is another one";
        return Optional.of("column %s was dropped from the table%s".formatted(name, successor));
    }

    /// Why an index must not be created like this, although another writer might have written it.
    static Optional<String> notCreatableReason(IndexMetadata metadata)
    {
        for (StatsField field : metadata.statsFields()) {
            Optional<String> reason = newStatsFieldReason(field, metadata.latestSchema());
            if (reason.isPresent()) {
                return reason.map(text -> "stats-only field %s: %s".formatted(field.fieldId(), text));
            }
        }
        for (NestedField column : metadata.latestSchema().columns()) {
            if (metadata.identityFieldOfColumn(column.fieldId()).isEmpty()) {
                return Optional.of("column %s has no source".formatted(column.name()));
            }
            if (!isUsableId(column.fieldId())) {
                return Optional.of("column %s: the ID leaves no room for statistics".formatted(column.name()));
            }
        }
        return unusableReason(metadata);
    }

    private static Optional<String> newStatsFieldReason(StatsField field, Schema schema)
    {
        if (field.dataType().isEmpty()) {
            return Optional.of("has no data-type");
        }
        if (!isUsableId(field.fieldId())) {
            return Optional.of("the ID leaves no room for statistics");
        }
        return statsFieldReason(field, schema);
    }

    /// The type of a column or stats-only field in an extract that has the given schema.
    static Optional<Type> typeOf(IndexMetadata metadata, int fieldId, Schema extractSchema)
    {
        Optional<StatsField> statsField = metadata.statsField(fieldId);
        if (statsField.isEmpty()) {
            return Optional.ofNullable(extractSchema.findType(fieldId));
        }
        return statsField.orElseThrow().expression()
                .map(expression -> ExpressionBinding.bind(expression, extractSchema))
                .flatMap(binding -> binding instanceof Bound(Type type) ? Optional.of(type) : Optional.empty());
    }

    private static Optional<String> keyFieldReason(IndexMetadata metadata, int fieldId)
    {
        if (!isUsableId(fieldId)) {
            return Optional.of("the ID leaves no room for statistics");
        }
        Schema schema = metadata.latestSchema();
        Optional<StatsField> statsField = metadata.statsField(fieldId);
        if (statsField.isPresent()) {
            return statsFieldReason(statsField.orElseThrow(), schema);
        }
        if (schema.asStruct().field(fieldId) == null) {
            return Optional.of("a field inside a struct is not supported");
        }
        Type type = schema.findType(fieldId);
        return SourceColumns.isIndexable(type) ? Optional.empty() : Optional.of("type %s is not supported".formatted(type));
    }

    private static Optional<String> statsFieldReason(StatsField field, Schema schema)
    {
        if (!field.isExpressionValue()) {
            return Optional.of("type %s of a stats-only field is not supported".formatted(field.type()));
        }
        return switch (ExpressionBinding.bind(field.expression().orElseThrow(), schema)) {
            case Unbound(String reason) -> Optional.of(reason);
            case Bound(Type type) when !SourceColumns.isIndexable(type) -> Optional.of("type %s is not supported".formatted(type));
            case Bound(Type type) -> field.statedDataType()
                    .filter(stated -> !stated.equals(type.toString()))
                    .map(stated -> "data-type %s is not %s, the type of the expression".formatted(stated, type));
        };
    }

    private static boolean isUsableId(int fieldId)
    {
        return fieldId > 0 && fieldId < SourceColumns.FIELD_ID_LIMIT;
    }
}
