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
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.maintenance.IndexVerification;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.index.refresh.TableIndexes;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;

import java.lang.invoke.MethodHandle;
import java.util.Optional;

import static io.sextant.procedure.ProcedureTables.SYSTEM_SCHEMA;
import static io.sextant.procedure.ProcedureTables.registration;
import static io.sextant.procedure.ProcedureTables.tableName;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/// `CALL system.verify_index(schema_name, table_name, index_name)`, which fails if the index is not exact.
public class VerifyIndexProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle VERIFY_INDEX;

    static {
        try {
            VERIFY_INDEX = lookup().unreflect(VerifyIndexProcedure.class.getMethod(
                    "verifyIndex", ConnectorAccessControl.class, ConnectorSession.class, String.class, String.class, String.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final ProcedureTables tables;
    private final TableIndexes tableIndexes;
    private final IndexVerification indexVerification;

    @Inject
    public VerifyIndexProcedure(ProcedureTables tables, TableIndexes tableIndexes, IndexVerification indexVerification)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.tableIndexes = requireNonNull(tableIndexes, "tableIndexes is null");
        this.indexVerification = requireNonNull(indexVerification, "indexVerification is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                SYSTEM_SCHEMA,
                "verify_index",
                ImmutableList.of(
                        new Argument("SCHEMA_NAME", VARCHAR),
                        new Argument("TABLE_NAME", VARCHAR),
                        new Argument("INDEX_NAME", VARCHAR)),
                VERIFY_INDEX.bindTo(this));
    }

    public void verifyIndex(ConnectorAccessControl accessControl, ConnectorSession session, String schemaName, String tableName, String indexName)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            SchemaTableName table = tableName(schemaName, tableName);
            String index = ProcedureTables.indexName(indexName);
            IndexedTable indexedTable = tables.loadForChange(accessControl, session, table, index);
            IndexRegistration registration = registration(indexedTable, index);
            accessControl.checkCanSelectFromColumns(null, table, Optional.empty(), tableIndexes.columns(indexedTable, registration));
            indexVerification.verify(indexedTable, registration);
        }
    }
}
