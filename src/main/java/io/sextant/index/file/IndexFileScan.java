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
package io.sextant.index.file;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/// What to read of an index file.
///
/// @param schema the schema to read with, which may be wider than that of the file
/// @param fieldIds the top-level columns of the pages, in this order
/// @param optionalFieldIds columns that the file need not have, they are null then; any other that is missing is damage
/// @param predicate by field ID and on Trino values. Row groups and stripes that cannot fulfil it are left out where the file
///         tells; the pages may hold other rows all the same. Domains of fields that are not read have no effect
/// @param start offset in the file at which the range begins
/// @param length of the range in bytes; row groups that begin in the range are read
public record IndexFileScan(
        IndexFile file,
        Schema schema,
        List<Integer> fieldIds,
        Set<Integer> optionalFieldIds,
        TupleDomain<Integer> predicate,
        long start,
        long length)
{
    public IndexFileScan
    {
        requireNonNull(file, "file is null");
        requireNonNull(schema, "schema is null");
        fieldIds = ImmutableList.copyOf(fieldIds);
        optionalFieldIds = ImmutableSet.copyOf(optionalFieldIds);
        requireNonNull(predicate, "predicate is null");
        checkArgument(start >= 0 && length >= 0 && start + length <= file.sizeInBytes(), "range is outside of the file: %s, %s, %s", start, length, file);
        for (int fieldId : fieldIds) {
            checkArgument(schema.asStruct().field(fieldId) != null, "schema has no column with ID %s", fieldId);
        }
        for (int fieldId : optionalFieldIds) {
            NestedField field = schema.asStruct().field(fieldId);
            checkArgument(field != null && field.isOptional(), "not an optional column: %s", field);
        }
    }

    /// The given columns of all rows.
    public static IndexFileScan of(IndexFile file, Schema schema, List<Integer> fieldIds)
    {
        return new IndexFileScan(file, schema, fieldIds, ImmutableSet.of(), TupleDomain.all(), 0, file.sizeInBytes());
    }

    public IndexFileScan withOptionalFields(Set<Integer> optionalFieldIds)
    {
        return new IndexFileScan(file, schema, fieldIds, optionalFieldIds, predicate, start, length);
    }

    public IndexFileScan withPredicate(TupleDomain<Integer> predicate)
    {
        return new IndexFileScan(file, schema, fieldIds, optionalFieldIds, predicate, start, length);
    }

    public IndexFileScan withRange(long start, long length)
    {
        return new IndexFileScan(file, schema, fieldIds, optionalFieldIds, predicate, start, length);
    }

    boolean isWholeFile()
    {
        return start == 0 && length == file.sizeInBytes();
    }

    List<NestedField> fields()
    {
        return fieldIds.stream()
                .map(fieldId -> schema.asStruct().field(fieldId))
                .collect(toImmutableList());
    }
}
