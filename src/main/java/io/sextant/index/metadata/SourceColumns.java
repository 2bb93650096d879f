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

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static org.apache.iceberg.MetadataColumns.CHANGE_ORDINAL;
import static org.apache.iceberg.MetadataColumns.CHANGE_TYPE;
import static org.apache.iceberg.MetadataColumns.COMMIT_SNAPSHOT_ID;
import static org.apache.iceberg.MetadataColumns.FILE_PATH;
import static org.apache.iceberg.MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER;
import static org.apache.iceberg.MetadataColumns.ROW_ID;
import static org.apache.iceberg.MetadataColumns.ROW_POSITION;
import static org.apache.iceberg.MetadataColumns.SPEC_ID;

/// The sources that an identity column may have: table fields, and some of the metadata columns.
final class SourceColumns
{
    /// Iceberg reserves the IDs from here up for metadata columns and the columns of its own files.
    static final int FIRST_RESERVED_ID = Integer.MAX_VALUE - 200;

    /// Field IDs from here up have no place in the statistics of a tracking file.
    static final int FIELD_ID_LIMIT = 999_950;

    static final Map<Integer, NestedField> METADATA_COLUMNS = Maps.uniqueIndex(
            List.of(FILE_PATH, ROW_POSITION, SPEC_ID, ROW_ID, LAST_UPDATED_SEQUENCE_NUMBER),
            NestedField::fieldId);

    private static final Set<Type.TypeID> UNORDERED_TYPES = ImmutableSet.of(Type.TypeID.GEOMETRY, Type.TypeID.GEOGRAPHY, Type.TypeID.VARIANT, Type.TypeID.UNKNOWN);

    private static final Set<String> CHANGELOG_COLUMNS = ImmutableSet.of(CHANGE_TYPE.name(), CHANGE_ORDINAL.name(), COMMIT_SNAPSHOT_ID.name());

    private SourceColumns() {}

    /// Whether Iceberg gives the name to a metadata column, be it one that can be indexed or not.
    static boolean isMetadataColumnName(String name)
    {
        return MetadataColumns.isMetadataColumn(name) || CHANGELOG_COLUMNS.contains(name);
    }

    static boolean isReserved(int fieldId)
    {
        return fieldId >= FIRST_RESERVED_ID;
    }

    /// Whether values of the type can be stored as an identity column and be sorted.
    static boolean isIndexable(Type type)
    {
        return type.isPrimitiveType() && !UNORDERED_TYPES.contains(type.typeId());
    }

    /// A value is missing in a row as soon as any struct around it is.
    static boolean isOptional(Schema tableSchema, NestedField field)
    {
        return field.isOptional() || TypeUtil.ancestorFields(tableSchema, field.fieldId()).stream().anyMatch(NestedField::isOptional);
    }

    static boolean isInCollection(Schema tableSchema, NestedField field)
    {
        return TypeUtil.ancestorFields(tableSchema, field.fieldId()).stream().anyMatch(ancestor -> !ancestor.type().isStructType());
    }

    /// A source as an identity column must have it: with its type, and optional if a row may lack it.
    static Optional<NestedField> source(Schema tableSchema, int sourceId)
    {
        if (METADATA_COLUMNS.containsKey(sourceId)) {
            return Optional.of(METADATA_COLUMNS.get(sourceId));
        }
        return Optional.ofNullable(tableSchema.findField(sourceId))
                .map(field -> isOptional(tableSchema, field) ? field.asOptional() : field);
    }
}
