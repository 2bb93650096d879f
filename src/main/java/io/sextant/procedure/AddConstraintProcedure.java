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
import io.sextant.constraint.ConstraintCondition;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.PrimaryKey;
import io.sextant.constraint.ConstraintCondition.Unique;
import io.sextant.enforcement.ConstrainedTable;
import io.sextant.enforcement.ConstraintChanges;
import io.sextant.expression.sql.SqlPredicateParser;
import io.trino.spi.TrinoException;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;
import io.trino.spi.type.ArrayType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

import java.lang.invoke.MethodHandle;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import static io.sextant.procedure.ProcedureTables.SYSTEM_SCHEMA;
import static io.sextant.procedure.ProcedureTables.constraintName;
import static io.sextant.procedure.ProcedureTables.tableName;
import static io.trino.plugin.base.util.Procedures.checkProcedureArgument;
import static io.trino.spi.StandardErrorCode.COLUMN_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

/// `CALL system.add_constraint(schema_name, table_name, constraint_name, constraint_type, expression, columns, enforced, validate)`,
/// where a check has an expression, and a unique or primary-key constraint has columns.
public class AddConstraintProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle ADD_CONSTRAINT;

    static {
        try {
            ADD_CONSTRAINT = lookup().unreflect(AddConstraintProcedure.class.getMethod(
                    "addConstraint",
                    ConnectorAccessControl.class,
                    ConnectorSession.class,
                    String.class,
                    String.class,
                    String.class,
                    String.class,
                    String.class,
                    List.class,
                    Boolean.class,
                    Boolean.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final ProcedureTables tables;
    private final ConstraintChanges changes;

    @Inject
    public AddConstraintProcedure(ProcedureTables tables, ConstraintChanges changes)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.changes = requireNonNull(changes, "changes is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                SYSTEM_SCHEMA,
                "add_constraint",
                ImmutableList.of(
                        new Argument("SCHEMA_NAME", VARCHAR),
                        new Argument("TABLE_NAME", VARCHAR),
                        new Argument("CONSTRAINT_NAME", VARCHAR),
                        new Argument("CONSTRAINT_TYPE", VARCHAR),
                        new Argument("EXPRESSION", VARCHAR, false, null),
                        new Argument("COLUMNS", new ArrayType(VARCHAR), false, null),
                        new Argument("ENFORCED", BOOLEAN, false, true),
                        new Argument("VALIDATE", BOOLEAN, false, true)),
                ADD_CONSTRAINT.bindTo(this));
    }

    public void addConstraint(
            ConnectorAccessControl accessControl,
            ConnectorSession session,
            String schemaName,
            String tableName,
            String constraintName,
            String constraintType,
            String expression,
            List<String> columns,
            Boolean enforced,
            Boolean validate)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            SchemaTableName name = tableName(schemaName, tableName);
            String constraint = constraintName(constraintName);
            checkProcedureArgument(constraintType != null, "constraint_type cannot be null");
            Function<Schema, ConstraintCondition> condition = switch (constraintType.toLowerCase(ENGLISH)) {
                case "check" -> {
                    checkProcedureArgument(expression != null && columns == null, "a check constraint has an expression and no columns");
                    yield schema -> new Check(new SqlPredicateParser(schema).parseCheck(expression));
                }
                case "unique" -> {
                    checkKeyArguments(constraintType, expression, columns);
                    yield schema -> new Unique(fieldIds(schema, columns));
                }
                case "primary-key", "primary key" -> {
                    checkKeyArguments(constraintType, expression, columns);
                    yield schema -> new PrimaryKey(fieldIds(schema, columns));
                }
                default -> throw new TrinoException(INVALID_PROCEDURE_ARGUMENT, "constraint_type must be 'check', 'unique' or 'primary-key': %s".formatted(constraintType));
            };
            ConstrainedTable table = tables.loadForConstraints(accessControl, session, name);
            boolean validated = requireNonNullElse(validate, true);
            if (validated) {
                tables.checkCanSelectFields(accessControl, table, condition.apply(table.table().schema()).referencedFieldIds());
            }
            changes.add(table, constraint, condition, requireNonNullElse(enforced, true), validated);
        }
    }

    private static void checkKeyArguments(String constraintType, String expression, List<String> columns)
    {
        checkProcedureArgument(columns != null && !columns.isEmpty() && expression == null, "a %s constraint has columns and no expression", constraintType);
        checkProcedureArgument(columns.stream().noneMatch(column -> column == null || column.isEmpty()), "columns cannot contain a null or empty column");
    }

    private static Set<Integer> fieldIds(Schema schema, List<String> columns)
    {
        Set<Integer> fieldIds = new LinkedHashSet<>();
        for (String column : columns) {
            NestedField field = schema.caseInsensitiveFindField(column);
            if (field == null) {
                throw new TrinoException(COLUMN_NOT_FOUND, "The table has no column %s".formatted(column));
            }
            checkProcedureArgument(fieldIds.add(field.fieldId()), "columns has column %s twice", column);
        }
        return fieldIds;
    }
}
