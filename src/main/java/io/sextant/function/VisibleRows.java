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
package io.sextant.function;

import io.trino.plugin.iceberg.TypeConverter;
import io.trino.spi.connector.ColumnSchema;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.Schema;

import static com.google.common.collect.ImmutableList.toImmutableList;

/// Refuses tables of which somebody may see a part only.
final class VisibleRows
{
    private VisibleRows() {}

    /// Row filters and column masks would have to be applied to the rows that are found. Asking for them fails if there are any.
    static void check(ConnectorAccessControl accessControl, SchemaTableName name, Schema schema, TypeManager typeManager)
    {
        accessControl.getRowFilters(null, name);
        accessControl.getColumnMasks(null, name, schema.columns().stream()
                .map(column -> ColumnSchema.builder()
                        .setName(column.name())
                        .setType(TypeConverter.toTrinoType(column.type(), typeManager))
                        .build())
                .collect(toImmutableList()));
    }
}
