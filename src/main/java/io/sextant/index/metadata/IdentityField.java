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

import static java.util.Objects.requireNonNull;

/// Maps a source field, which is a table field or a metadata column, to the column of the extract schema that stores its values as they are.
///
/// @param sourceId the ID of the table field, or of the metadata column in [org.apache.iceberg.MetadataColumns]
/// @param fieldId the ID of the identity column in the extract schema
public record IdentityField(int sourceId, int fieldId, UnknownFields unknownFields)
{
    public IdentityField
    {
        requireNonNull(unknownFields, "unknownFields is null");
    }

    public IdentityField(int sourceId, int fieldId)
    {
        this(sourceId, fieldId, UnknownFields.NONE);
    }
}
