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
import com.google.common.collect.ImmutableMap;
import org.apache.iceberg.Schema;

import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// The first extract schema of a new index and where its columns come from.
///
/// @param fieldIds the field ID of each identity column that was asked for, by the name that was used to ask
/// @param nextFieldId the first ID that is free for stats-only fields; so are all above it, and they must stay below 999,950
public record IdentityColumns(Schema schema, List<IdentityField> identityFields, Map<String, Integer> fieldIds, int nextFieldId)
{
    public IdentityColumns
    {
        requireNonNull(schema, "schema is null");
        identityFields = ImmutableList.copyOf(requireNonNull(identityFields, "identityFields is null"));
        fieldIds = ImmutableMap.copyOf(requireNonNull(fieldIds, "fieldIds is null"));
    }

    /// The ID of the identity column for a column name as it was given.
    ///
    /// @throws IllegalArgumentException if the column was not asked for
    public int fieldId(String columnName)
    {
        Integer fieldId = fieldIds.get(columnName);
        checkArgument(fieldId != null, "Not an identity column: %s", columnName);
        return fieldId;
    }
}
