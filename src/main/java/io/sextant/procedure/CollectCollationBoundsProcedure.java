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
import io.sextant.collation.maintenance.BoundsCollection;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;

import java.lang.invoke.MethodHandle;

import static io.sextant.procedure.ProcedureTables.SYSTEM_SCHEMA;
import static io.sextant.procedure.ProcedureTables.tableName;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/// `CALL system.collect_collation_bounds(schema_name, table_name)`
public class CollectCollationBoundsProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle COLLECT_COLLATION_BOUNDS;

    static {
        try {
            COLLECT_COLLATION_BOUNDS = lookup().unreflect(CollectCollationBoundsProcedure.class.getMethod(
                    "collectCollationBounds",
                    ConnectorAccessControl.class,
                    ConnectorSession.class,
                    String.class,
                    String.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final ProcedureTables tables;
    private final BoundsCollection collection;

    @Inject
    public CollectCollationBoundsProcedure(ProcedureTables tables, BoundsCollection collection)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.collection = requireNonNull(collection, "collection is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                SYSTEM_SCHEMA,
                "collect_collation_bounds",
                ImmutableList.of(
                        new Argument("SCHEMA_NAME", VARCHAR),
                        new Argument("TABLE_NAME", VARCHAR)),
                COLLECT_COLLATION_BOUNDS.bindTo(this));
    }

    public void collectCollationBounds(
            ConnectorAccessControl accessControl,
            ConnectorSession session,
            String schemaName,
            String tableName)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            SchemaTableName name = tableName(schemaName, tableName);
            collection.collect(tables.loadForCollations(accessControl, session, name));
        }
    }
}
