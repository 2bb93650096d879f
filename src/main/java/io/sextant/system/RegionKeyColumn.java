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

import io.sextant.index.metadata.IndexMetadata;
import org.apache.iceberg.Schema;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// One field of an ordering key, as [RegionsTable] shows it.
record RegionKeyColumn(int fieldId, String name, Type type)
{
    RegionKeyColumn
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
    }

    static List<RegionKeyColumn> of(Schema table, IndexMetadata metadata, Schema extractSchema)
    {
        List<String> names = IndexColumnNames.ofKey(table, metadata);
        List<RegionKeyColumn> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            int fieldId = metadata.orderingKey().get(i);
            columns.add(new RegionKeyColumn(fieldId, names.get(i), metadata.typeOf(fieldId, extractSchema).orElseThrow()));
        }
        return columns;
    }

    /// A value as the system tables of the Iceberg connector show it.
    Optional<String> toText(Optional<Object> value)
    {
        return value.map(known -> Transforms.identity().toHumanString(type, known));
    }
}
