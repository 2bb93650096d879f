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
package io.sextant.procedure;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import com.google.inject.Provider;
import io.sextant.index.catalog.IndexCatalog;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.index.refresh.TableIndexes;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;
import io.trino.spi.type.TypeManager;

import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import static io.sextant.procedure.ProcedureTables.SYSTEM_SCHEMA;
import static io.sextant.procedure.ProcedureTables.registration;
import static io.sextant.procedure.ProcedureTables.tableName;
import static io.trino.plugin.base.util.Procedures.checkProcedureArgument;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/// `CALL system.set_index_properties(schema_name, table_name, index_name, properties)`; a null value removes a property.
public class SetIndexPropertiesProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle SET_INDEX_PROPERTIES;

    static {
        try {
            SET_INDEX_PROPERTIES = lookup().unreflect(SetIndexPropertiesProcedure.class.getMethod(
                    "setIndexProperties", ConnectorAccessControl.class, ConnectorSession.class, String.class, String.class, String.class, Map.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final ProcedureTables tables;
    private final IndexCatalog indexCatalog;
    private final TypeManager typeManager;

    @Inject
    public SetIndexPropertiesProcedure(ProcedureTables tables, IndexCatalog indexCatalog, TypeManager typeManager)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.indexCatalog = requireNonNull(indexCatalog, "indexCatalog is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                SYSTEM_SCHEMA,
                "set_index_properties",
                ImmutableList.of(
                        new Argument("SCHEMA_NAME", VARCHAR),
                        new Argument("TABLE_NAME", VARCHAR),
                        new Argument("INDEX_NAME", VARCHAR),
                        new Argument("PROPERTIES", ProcedureTables.propertiesType(typeManager))),
                SET_INDEX_PROPERTIES.bindTo(this));
    }

    public void setIndexProperties(
            ConnectorAccessControl accessControl,
            ConnectorSession session,
            String schemaName,
            String tableName,
            String indexName,
            Map<String, String> properties)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            SchemaTableName table = tableName(schemaName, tableName);
            String index = ProcedureTables.indexName(indexName);
            checkProcedureArgument(properties != null && !properties.isEmpty(), "properties cannot be null or empty");
            Map<String, String> set = new HashMap<>();
            Set<String> remove = new HashSet<>();
            properties.forEach((name, value) -> {
                if (value == null) {
                    remove.add(name);
                }
                else {
                    set.put(name, value);
                }
            });
            TableIndexes.checkProperties(set);
            IndexedTable indexedTable = tables.loadForChange(accessControl, session, table, index);
            indexCatalog.commit(
                    indexedTable.fileSystem(),
                    registration(indexedTable, index),
                    metadata -> metadata.withProperties(set, remove));
        }
    }
}
