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

import com.google.common.collect.ImmutableList;
import io.sextant.constraint.ConstraintsProperty;
import io.sextant.constraint.TableConstraint;
import io.sextant.constraint.TableConstraints;
import io.sextant.enforcement.ColumnPrivileges;
import io.sextant.enforcement.ViolationFinder;
import io.sextant.table.TransactionTables;
import io.trino.plugin.iceberg.TypeConverter;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.function.table.AbstractConnectorTableFunction;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.Descriptor;
import io.trino.spi.function.table.Descriptor.Field;
import io.trino.spi.function.table.ScalarArgumentSpecification;
import io.trino.spi.function.table.TableFunctionAnalysis;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.function.FunctionArguments.SCHEMA_NAME;
import static io.sextant.function.FunctionArguments.TABLE_NAME;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.function.table.ReturnTypeSpecification.GenericTable.GENERIC_TABLE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/// `TABLE(system.constraint_violations(schema_name, table_name, constraint_name, row_limit))`: the rows that break a constraint, by
/// the columns to which it refers.
public class ConstraintViolationsFunction
        extends AbstractConnectorTableFunction
{
    static final String ROW_COUNT = "row_count";

    private static final String CONSTRAINT_NAME = "CONSTRAINT_NAME";
    private static final String ROW_LIMIT = "ROW_LIMIT";
    private static final long DEFAULT_ROW_LIMIT = 1_000;
    // They are in memory at once
    private static final long MAX_ROW_LIMIT = 100_000;

    private final TransactionTables tables;
    private final ViolationFinder finder;
    private final TypeManager typeManager;

    public ConstraintViolationsFunction(TransactionTables tables, ViolationFinder finder, TypeManager typeManager)
    {
        super("system",
                "constraint_violations",
                ImmutableList.of(
                        ScalarArgumentSpecification.builder().name(SCHEMA_NAME).type(VARCHAR).build(),
                        ScalarArgumentSpecification.builder().name(TABLE_NAME).type(VARCHAR).build(),
                        ScalarArgumentSpecification.builder().name(CONSTRAINT_NAME).type(VARCHAR).build(),
                        ScalarArgumentSpecification.builder().name(ROW_LIMIT).type(BIGINT).defaultValue(DEFAULT_ROW_LIMIT).build()),
                GENERIC_TABLE,
                "Rows that break a constraint");
        this.tables = requireNonNull(tables, "tables is null");
        this.finder = requireNonNull(finder, "finder is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    @Override
    public TableFunctionAnalysis analyze(ConnectorSession session, ConnectorTransactionHandle transaction, Map<String, Argument> arguments, ConnectorAccessControl accessControl)
    {
        SchemaTableName name = FunctionArguments.tableName(arguments);
        String constraintName = FunctionArguments.text(arguments, CONSTRAINT_NAME);
        int rowLimit = rowLimit(arguments);
        BaseTable table = tables.loadTable(transaction, session, name);
        TableConstraints constraints = ConstraintsProperty.read(table.properties());
        // Who may not read the table is not told what constraints it has
        ColumnPrivileges.checkCanSelect(accessControl, name, table.schema(), constraints.find(constraintName)
                .map(constraint -> constraint.condition().referencedFieldIds())
                .orElse(Set.of()));
        TableConstraint constraint = constraints.get(constraintName);
        Schema columns = finder.columns(table.schema(), constraint);
        List<Field> fields = columns.columns().stream()
                .map(column -> new Field(column.name(), Optional.of(TypeConverter.toTrinoType(column.type(), typeManager))))
                .collect(toImmutableList());
        VisibleRows.check(accessControl, name, table.schema(), typeManager);
        return TableFunctionAnalysis.builder()
                .returnedType(new Descriptor(ImmutableList.<Field>builder()
                        .addAll(fields)
                        .add(new Field(ROW_COUNT, Optional.of(BIGINT)))
                        .build()))
                .handle(new ConstraintViolationsHandle(name, constraint.id(), rowLimit))
                .build();
    }

    private static int rowLimit(Map<String, Argument> arguments)
    {
        long rowLimit = (long) FunctionArguments.value(arguments, ROW_LIMIT);
        if (rowLimit < 1 || rowLimit > MAX_ROW_LIMIT) {
            throw new TrinoException(INVALID_FUNCTION_ARGUMENT, "row_limit must be from 1 to %s: %s".formatted(MAX_ROW_LIMIT, rowLimit));
        }
        return toIntExact(rowLimit);
    }
}
