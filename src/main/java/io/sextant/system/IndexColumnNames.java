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
package io.sextant.system;

import io.sextant.index.metadata.IdentityField;
import io.sextant.index.metadata.IndexMetadata;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/// The names under which the columns of an index are shown: those that they have in the table by now, else those that they had
/// when the index was created.
final class IndexColumnNames
{
    private IndexColumnNames() {}

    static List<String> ofKey(Schema table, IndexMetadata metadata)
    {
        return names(table, metadata, metadata.orderingKey());
    }

    static List<String> ofIncluded(Schema table, IndexMetadata metadata)
    {
        return names(table, metadata, metadata.identityFields().stream()
                .filter(field -> !MetadataColumns.metadataFieldIds().contains(field.sourceId()))
                .map(IdentityField::fieldId)
                .filter(fieldId -> !metadata.orderingKey().contains(fieldId))
                .collect(toImmutableList()));
    }

    private static List<String> names(Schema table, IndexMetadata metadata, List<Integer> fieldIds)
    {
        return fieldIds.stream()
                .map(fieldId -> metadata.identityFieldOfColumn(fieldId)
                        .map(field -> table.findColumnName(field.sourceId()))
                        .or(() -> Optional.ofNullable(metadata.latestSchema().findColumnName(fieldId)))
                        .orElseGet(() -> "expression %s".formatted(fieldId)))
                .collect(toImmutableList());
    }
}
