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
import io.sextant.enforcement.ConstrainedTable;
import io.sextant.enforcement.ConstraintChanges;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;

import java.lang.invoke.MethodHandle;
import java.util.Optional;

import static io.sextant.procedure.ProcedureTables.SYSTEM_SCHEMA;
import static io.sextant.procedure.ProcedureTables.constraintName;
import static io.sextant.procedure.ProcedureTables.tableName;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/// `CALL system.validate_constraint(schema_name, table_name, constraint_name)`: checks all rows of the table, and records for one
/// constraint, or for all of them, whether it holds.
public class ValidateConstraintProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle VALIDATE_CONSTRAINT;

    static {
        try {
            VALIDATE_CONSTRAINT = lookup().unreflect(ValidateConstraintProcedure.class.getMethod(
                    "validateConstraint",
                    ConnectorAccessControl.class,
                    ConnectorSession.class,
                    String.class,
                    String.class,
                    String.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final ProcedureTables tables;
    private final ConstraintChanges changes;

    @Inject
    public ValidateConstraintProcedure(ProcedureTables tables, ConstraintChanges changes)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.changes = requireNonNull(changes, "changes is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                SYSTEM_SCHEMA,
                "validate_constraint",
                ImmutableList.of(
                        new Argument("SCHEMA_NAME", VARCHAR),
                        new Argument("TABLE_NAME", VARCHAR),
                        new Argument("CONSTRAINT_NAME", VARCHAR, false, null)),
                VALIDATE_CONSTRAINT.bindTo(this));
    }

    public void validateConstraint(
            ConnectorAccessControl accessControl,
            ConnectorSession session,
            String schemaName,
            String tableName,
            String constraintName)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            SchemaTableName name = tableName(schemaName, tableName);
            Optional<String> constraint = Optional.ofNullable(constraintName);
            ConstrainedTable table = tables.loadForConstraints(accessControl, session, name);
            tables.checkCanSelectColumns(accessControl, table, constraint);
            changes.validate(table, constraint);
        }
    }
}
