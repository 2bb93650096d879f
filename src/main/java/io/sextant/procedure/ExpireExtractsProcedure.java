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
import io.sextant.index.maintenance.ExpiryPolicy;
import io.sextant.index.maintenance.ExtractExpiry;
import io.sextant.index.refresh.IndexedTable;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;

import java.lang.invoke.MethodHandle;

import static io.sextant.procedure.ProcedureTables.SYSTEM_SCHEMA;
import static io.sextant.procedure.ProcedureTables.registration;
import static io.sextant.procedure.ProcedureTables.tableName;
import static io.trino.plugin.base.util.Procedures.checkProcedureArgument;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/// `CALL system.expire_extracts(schema_name, table_name, index_name, retain_last, older_than, dry_run)`.
public class ExpireExtractsProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle EXPIRE_EXTRACTS;

    static {
        try {
            EXPIRE_EXTRACTS = lookup().unreflect(ExpireExtractsProcedure.class.getMethod(
                    "expireExtracts",
                    ConnectorAccessControl.class,
                    ConnectorSession.class,
                    String.class,
                    String.class,
                    String.class,
                    Long.class,
                    String.class,
                    Boolean.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final ProcedureTables tables;
    private final ExtractExpiry extractExpiry;

    @Inject
    public ExpireExtractsProcedure(ProcedureTables tables, ExtractExpiry extractExpiry)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.extractExpiry = requireNonNull(extractExpiry, "extractExpiry is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                SYSTEM_SCHEMA,
                "expire_extracts",
                ImmutableList.of(
                        new Argument("SCHEMA_NAME", VARCHAR),
                        new Argument("TABLE_NAME", VARCHAR),
                        new Argument("INDEX_NAME", VARCHAR),
                        new Argument("RETAIN_LAST", BIGINT, false, (long) ExpiryPolicy.DEFAULT_RETAIN_LAST),
                        new Argument("OLDER_THAN", VARCHAR, false, null),
                        new Argument("DRY_RUN", BOOLEAN, false, false)),
                EXPIRE_EXTRACTS.bindTo(this));
    }

    public void expireExtracts(
            ConnectorAccessControl accessControl,
            ConnectorSession session,
            String schemaName,
            String tableName,
            String indexName,
            Long retainLast,
            String olderThan,
            Boolean dryRun)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            SchemaTableName table = tableName(schemaName, tableName);
            String index = ProcedureTables.indexName(indexName);
            checkProcedureArgument(retainLast != null && retainLast >= 1, "retain_last must be at least 1: %s", retainLast);
            checkProcedureArgument(dryRun != null, "dry_run cannot be null");
            ExpiryPolicy policy = new ExpiryPolicy(
                    (int) Math.min(retainLast, Integer.MAX_VALUE),
                    olderThan == null
                            ? ExpiryPolicy.defaultOlderThan(session)
                            : ExpiryPolicy.checkedOlderThan(session, TimestampArgument.parse("older_than", olderThan, session.getTimeZoneKey().getZoneId())));
            IndexedTable indexedTable = tables.loadForChange(accessControl, session, table, index);
            IndexRegistration registration = registration(indexedTable, index);
            if (dryRun) {
                extractExpiry.logExpired(indexedTable, registration, policy);
            }
            else {
                extractExpiry.expire(indexedTable, registration, policy);
            }
        }
    }
}
