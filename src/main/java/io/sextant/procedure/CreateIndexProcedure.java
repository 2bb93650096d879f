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
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import com.google.inject.Provider;
import io.sextant.index.refresh.IndexDefinition;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.index.refresh.TableIndexes;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.TypeManager;

import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.sextant.procedure.ProcedureTables.SYSTEM_SCHEMA;
import static io.sextant.procedure.ProcedureTables.tableName;
import static io.trino.plugin.base.util.Procedures.checkProcedureArgument;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

/// `CALL system.create_index(schema_name, table_name, index_name, key, include, location, properties, build)`
public class CreateIndexProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle CREATE_INDEX;

    static {
        try {
            CREATE_INDEX = lookup().unreflect(CreateIndexProcedure.class.getMethod(
                    "createIndex",
                    ConnectorAccessControl.class,
                    ConnectorSession.class,
                    String.class,
                    String.class,
                    String.class,
                    List.class,
                    List.class,
                    String.class,
                    Map.class,
                    Boolean.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final ProcedureTables tables;
    private final TableIndexes tableIndexes;
    private final TypeManager typeManager;

    @Inject
    public CreateIndexProcedure(ProcedureTables tables, TableIndexes tableIndexes, TypeManager typeManager)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.tableIndexes = requireNonNull(tableIndexes, "tableIndexes is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                SYSTEM_SCHEMA,
                "create_index",
                ImmutableList.of(
                        new Argument("SCHEMA_NAME", VARCHAR),
                        new Argument("TABLE_NAME", VARCHAR),
                        new Argument("INDEX_NAME", VARCHAR),
                        new Argument("KEY", new ArrayType(VARCHAR)),
                        new Argument("INCLUDE", new ArrayType(VARCHAR), false, null),
                        new Argument("LOCATION", VARCHAR, false, null),
                        new Argument("PROPERTIES", ProcedureTables.propertiesType(typeManager), false, null),
                        new Argument("BUILD", BOOLEAN, false, true)),
                CREATE_INDEX.bindTo(this));
    }

    public void createIndex(
            ConnectorAccessControl accessControl,
            ConnectorSession session,
            String schemaName,
            String tableName,
            String indexName,
            List<String> key,
            List<String> include,
            String location,
            Map<String, String> properties,
            Boolean build)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            SchemaTableName table = tableName(schemaName, tableName);
            String index = ProcedureTables.indexName(indexName);
            checkProcedureArgument(key != null && !key.isEmpty(), "key cannot be null or empty");
            List<String> included = requireNonNullElse(include, ImmutableList.of());
            checkProcedureArgument(key.stream().noneMatch(column -> column == null || column.isEmpty()), "key cannot contain a null or empty column");
            checkProcedureArgument(included.stream().noneMatch(column -> column == null || column.isEmpty()), "include cannot contain a null or empty column");
            IndexDefinition definition = new IndexDefinition(
                    index,
                    key,
                    included,
                    Optional.ofNullable(location),
                    requireNonNullElse(properties, ImmutableMap.of()));
            IndexedTable indexedTable = tables.loadForChange(accessControl, session, table, index);
            accessControl.checkCanSelectFromColumns(null, table, Optional.empty(), topLevelColumns(definition));
            if (requireNonNullElse(build, true)) {
                tableIndexes.createAndBuild(indexedTable, definition);
            }
            else {
                tableIndexes.create(indexedTable, definition);
            }
        }
    }

    private static ImmutableSet<String> topLevelColumns(IndexDefinition definition)
    {
        ImmutableSet.Builder<String> columns = ImmutableSet.builder();
        definition.columns().forEach(column -> columns.add(column.split("\\.", 2)[0]));
        return columns.build();
    }
}
