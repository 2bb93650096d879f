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
package io.sextant.index.region;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.metadata.IdentityField;
import io.sextant.index.metadata.IndexMetadata;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.MetadataColumns.FILE_PATH;
import static org.apache.iceberg.MetadataColumns.ROW_POSITION;

/// The columns of a region file, and those of the entries it is made from.
///
/// An entry has, one after the other, the fields of the ordering key, the data file, the position in it, the remaining
/// identity columns, and the remaining stats-only fields. A field stands only once, where it comes first. The data file is
/// an int in an entry: the ordinal of its path among the paths of all data files in the order of their UTF-8 bytes.
///
/// @param schema the extract schema: the identity columns, which are the columns of the file
/// @param statsOnlyFields fields that are computed, not stored; entries have them for the bounds of the region
/// @param keyFieldIds the ordering key, of identity columns and stats-only fields
/// @param fileFieldId the identity column that holds the path of the data file, if any
/// @param positionFieldId the identity column that holds the position in the data file, if any
public record RegionSchema(
        Schema schema,
        List<NestedField> statsOnlyFields,
        List<Integer> keyFieldIds,
        OptionalInt fileFieldId,
        OptionalInt positionFieldId)
{
    public RegionSchema
    {
        requireNonNull(schema, "schema is null");
        statsOnlyFields = ImmutableList.copyOf(statsOnlyFields);
        keyFieldIds = ImmutableList.copyOf(keyFieldIds);
        requireNonNull(fileFieldId, "fileFieldId is null");
        requireNonNull(positionFieldId, "positionFieldId is null");

        checkArgument(!keyFieldIds.isEmpty(), "ordering key is empty");
        checkArgument(ImmutableSet.copyOf(keyFieldIds).size() == keyFieldIds.size(), "ordering key has a field twice: %s", keyFieldIds);
        Set<Integer> fieldIds = schema.columns().stream().map(NestedField::fieldId).collect(toImmutableSet());
        for (NestedField field : statsOnlyFields) {
            checkArgument(!fieldIds.contains(field.fieldId()), "field is both stored and stats-only: %s", field);
        }
        Set<Integer> statsOnlyIds = statsOnlyFields.stream().map(NestedField::fieldId).collect(toImmutableSet());
        for (int fieldId : keyFieldIds) {
            checkArgument(fieldIds.contains(fieldId) || statsOnlyIds.contains(fieldId), "no field has ID %s of the ordering key", fieldId);
        }
        checkType(schema, fileFieldId, Types.StringType.get());
        checkType(schema, positionFieldId, Types.LongType.get());
    }

    public RegionSchema(Schema schema, List<Integer> keyFieldIds, OptionalInt fileFieldId, OptionalInt positionFieldId)
    {
        this(schema, ImmutableList.of(), keyFieldIds, fileFieldId, positionFieldId);
    }

    /// The columns of an index whose ordering key consists of identity columns.
    ///
    /// @param schema one of the extract schemas of the index
    public static RegionSchema of(IndexMetadata metadata, Schema schema)
    {
        return new RegionSchema(schema, metadata.orderingKey(), columnOf(metadata, FILE_PATH), columnOf(metadata, ROW_POSITION));
    }

    private static OptionalInt columnOf(IndexMetadata metadata, NestedField source)
    {
        return metadata.identityFieldOfSource(source.fieldId()).stream()
                .mapToInt(IdentityField::fieldId)
                .findFirst();
    }

    private static void checkType(Schema schema, OptionalInt fieldId, Type type)
    {
        if (fieldId.isPresent()) {
            NestedField field = schema.asStruct().field(fieldId.getAsInt());
            checkArgument(field != null && field.type().equals(type), "field %s is not a column of type %s: %s", fieldId.getAsInt(), type, field);
        }
    }

    /// The fields of an entry in their order; the data file has its own type, string, here.
    public List<NestedField> entryColumns()
    {
        Set<Integer> fieldIds = new LinkedHashSet<>(keyFieldIds);
        fileFieldId.ifPresent(fieldIds::add);
        positionFieldId.ifPresent(fieldIds::add);
        schema.columns().forEach(field -> fieldIds.add(field.fieldId()));
        statsOnlyFields.forEach(field -> fieldIds.add(field.fieldId()));
        return fieldIds.stream()
                .map(this::field)
                .collect(toImmutableList());
    }

    /// The encoding of an entry.
    public KeyEncoding entryEncoding()
    {
        return KeyEncoding.of(entryColumns().stream()
                .map(field -> isFile(field.fieldId()) ? Types.IntegerType.get() : field.type())
                .collect(toImmutableList()));
    }

    /// The place of a field in an entry.
    public int entryIndex(int fieldId)
    {
        List<NestedField> columns = entryColumns();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).fieldId() == fieldId) {
                return i;
            }
        }
        throw new IllegalArgumentException("An entry has no field with ID %s".formatted(fieldId));
    }

    /// The type of an identity column or a stats-only field.
    public Type type(int fieldId)
    {
        return field(fieldId).type();
    }

    boolean isFile(int fieldId)
    {
        return fileFieldId.isPresent() && fileFieldId.getAsInt() == fieldId;
    }

    boolean isStored(int fieldId)
    {
        return schema.asStruct().field(fieldId) != null;
    }

    boolean isKey(int fieldId)
    {
        return keyFieldIds.contains(fieldId);
    }

    private NestedField field(int fieldId)
    {
        NestedField stored = schema.asStruct().field(fieldId);
        if (stored != null) {
            return stored;
        }
        return statsOnlyFields.stream()
                .filter(field -> field.fieldId() == fieldId)
                .findFirst()
                .orElseThrow();
    }
}
