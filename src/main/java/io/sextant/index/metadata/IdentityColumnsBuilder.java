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

import com.google.common.collect.ImmutableList;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.sextant.index.metadata.SourceColumns.FIELD_ID_LIMIT;
import static io.sextant.index.metadata.SourceColumns.METADATA_COLUMNS;
import static io.sextant.index.metadata.SourceColumns.isInCollection;
import static io.sextant.index.metadata.SourceColumns.isIndexable;
import static io.sextant.index.metadata.SourceColumns.isMetadataColumnName;
import static io.sextant.index.metadata.SourceColumns.isOptional;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/// Collects the identity columns of a new index, in the order they are added, each source once.
final class IdentityColumnsBuilder
{
    private static final int FIRST_SCHEMA_ID = 0;

    private final Schema tableSchema;
    private final Map<Integer, NestedField> columnsBySource = new LinkedHashMap<>();
    private final Map<String, Integer> fieldIds = new HashMap<>();
    private int nextFieldId;

    IdentityColumnsBuilder(Schema tableSchema, int lastColumnId)
    {
        this.tableSchema = requireNonNull(tableSchema, "tableSchema is null");
        nextFieldId = max(lastColumnId, max(tableSchema.highestFieldId(), 0)) + 1;
    }

    void add(String columnName)
    {
        NestedField column = addSource(columnName);
        fieldIds.put(columnName, column.fieldId());
    }

    private NestedField addSource(String columnName)
    {
        Optional<NestedField> tableField = findTableField(columnName);
        Optional<NestedField> metadataColumn = METADATA_COLUMNS.values().stream()
                .filter(column -> column.name().equalsIgnoreCase(columnName))
                .findFirst();
        if (metadataColumn.isPresent()) {
            if (tableField.isPresent()) {
                throw invalid(columnName, "the table has a column with the name of a metadata column");
            }
            return addMetadataColumn(metadataColumn.orElseThrow());
        }
        if (tableField.isEmpty()) {
            throw invalid(columnName, isMetadataColumnName(columnName) ? "this metadata column cannot be indexed" : "the table has no such column");
        }
        return addTableField(columnName, tableField.orElseThrow());
    }

    private Optional<NestedField> findTableField(String columnName)
    {
        if (columnName.isEmpty()) {
            throw invalid(columnName, "the name is empty");
        }
        NestedField exact = tableSchema.findField(columnName);
        if (exact != null) {
            return Optional.of(exact);
        }
        try {
            return Optional.ofNullable(tableSchema.caseInsensitiveFindField(columnName));
        }
        catch (IllegalArgumentException e) {
            throw new TrinoException(INDEX_INVALID_DEFINITION, "Column %s cannot be indexed: the table has columns whose names differ only in case; give the exact name".formatted(columnName), e);
        }
    }

    private NestedField addTableField(String columnName, NestedField source)
    {
        if (isInCollection(tableSchema, source)) {
            throw invalid(columnName, "it is inside a list or a map");
        }
        if (!isIndexable(source.type())) {
            throw invalid(columnName, "type %s is not supported".formatted(source.type()));
        }
        boolean topLevel = tableSchema.asStruct().field(source.fieldId()) != null;
        return columnsBySource.computeIfAbsent(source.fieldId(), sourceId -> {
            int fieldId = topLevel ? sourceId : nextFieldId++;
            return column(columnName, fieldId, tableSchema.findColumnName(sourceId), source, isOptional(tableSchema, source));
        });
    }

    NestedField addMetadataColumn(NestedField source)
    {
        return columnsBySource.computeIfAbsent(source.fieldId(), _ -> column(source.name(), nextFieldId++, uniqueName(source.name()), source, source.isOptional()));
    }

    /// Columns of the table keep their names, so a metadata column gives way.
    private String uniqueName(String name)
    {
        String unique = name;
        for (int suffix = 2; tableSchema.findField(unique) != null; suffix++) {
            unique = name + "_" + suffix;
        }
        return unique;
    }

    private static NestedField column(String columnName, int fieldId, String name, NestedField source, boolean optional)
    {
        if (fieldId >= FIELD_ID_LIMIT) {
            throw invalid(columnName, "field ID %s is not below %s, the limit of column statistics".formatted(fieldId, FIELD_ID_LIMIT));
        }
        // A new field: the doc and the defaults of the source have no meaning in a region file
        return NestedField.builder()
                .withId(fieldId)
                .isOptional(optional)
                .withName(name)
                .ofType(source.type())
                .build();
    }

    private static TrinoException invalid(String columnName, String reason)
    {
        return new TrinoException(INDEX_INVALID_DEFINITION, "Column %s cannot be indexed: %s".formatted(columnName, reason));
    }

    IdentityColumns build()
    {
        return new IdentityColumns(
                new Schema(FIRST_SCHEMA_ID, ImmutableList.copyOf(columnsBySource.values())),
                columnsBySource.entrySet().stream()
                        .map(entry -> new IdentityField(entry.getKey(), entry.getValue().fieldId()))
                        .collect(toImmutableList()),
                fieldIds,
                nextFieldId);
    }
}
