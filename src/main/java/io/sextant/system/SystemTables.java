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

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.sextant.index.refresh.IndexBuilds;
import io.sextant.index.refresh.IndexedTable;
import io.trino.plugin.base.classloader.ClassLoaderSafeSystemTable;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.type.TypeManager;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/// The tables that Sextant adds to those of Trino's Iceberg connector, such as `"t$indexes"`.
public class SystemTables
{
    private final Map<String, BiFunction<SchemaTableName, IndexedTable, SystemTable>> tablesBySuffix;

    @Inject
    public SystemTables(IndexBuilds indexBuilds, IndexStatusReader indexStatusReader, ExtractStatusReader extractStatusReader, TypeManager typeManager)
    {
        tablesBySuffix = ImmutableMap.<String, BiFunction<SchemaTableName, IndexedTable, SystemTable>>builder()
                .put(IndexesTable.SUFFIX, (name, table) -> new IndexesTable(name, table, indexBuilds, indexStatusReader))
                .put(ExtractsTable.SUFFIX, (name, table) -> new ExtractsTable(name, table, extractStatusReader, typeManager))
                .put(RegionsTable.SUFFIX, (name, table) -> new RegionsTable(name, table, extractStatusReader, typeManager))
                .put(ConstraintsTable.SUFFIX, (name, table) -> new ConstraintsTable(name, table.table()))
                .put(ConstraintStatusesTable.SUFFIX, (name, table) -> new ConstraintStatusesTable(name, table.table()))
                .put(CollationsTable.SUFFIX, (name, table) -> new CollationsTable(name, table.table()))
                .buildOrThrow();
    }

    public boolean contains(SchemaTableName name)
    {
        return suffix(name).isPresent();
    }

    /// Finds a system table by its name.
    ///
    /// @param tables gives the table that a system table is of, if there is one
    public Optional<SystemTable> find(SchemaTableName name, Function<SchemaTableName, Optional<IndexedTable>> tables)
    {
        return suffix(name).flatMap(suffix -> {
            String tableName = name.getTableName().substring(0, name.getTableName().length() - suffix.length());
            return tables.apply(new SchemaTableName(name.getSchemaName(), tableName))
                    .map(table -> tablesBySuffix.get(suffix).apply(name, table))
                    .map(table -> new ClassLoaderSafeSystemTable(table, getClass().getClassLoader()));
        });
    }

    private Optional<String> suffix(SchemaTableName name)
    {
        return tablesBySuffix.keySet().stream()
                .filter(suffix -> name.getTableName().endsWith(suffix))
                .findFirst();
    }
}
