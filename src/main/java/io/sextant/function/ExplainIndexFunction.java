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
import com.google.common.collect.ImmutableSet;
import io.sextant.enforcement.ColumnPrivileges;
import io.sextant.expression.sql.SqlPredicateParser;
import io.sextant.table.TransactionTables;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.function.table.AbstractConnectorTableFunction;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.Descriptor;
import io.trino.spi.function.table.ReturnTypeSpecification.DescribedTable;
import io.trino.spi.function.table.ScalarArgumentSpecification;
import io.trino.spi.function.table.TableFunctionAnalysis;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;

import java.util.List;
import java.util.Map;

import static io.sextant.function.FunctionArguments.SCHEMA_NAME;
import static io.sextant.function.FunctionArguments.TABLE_NAME;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/// `TABLE(system.explain_index(schema_name, table_name, predicate))`: for each index of a table, whether a query with a predicate
/// uses it, and what it would find.
public class ExplainIndexFunction
        extends AbstractConnectorTableFunction
{
    private static final String PREDICATE = "PREDICATE";

    private static final Descriptor COLUMNS = Descriptor.descriptor(
            List.of("index_name", "used", "reason", "snapshot_id", "estimated_entries", "entries", "regions", "regions_read", "files_matched", "files_covered", "files_uncovered"),
            List.of(VARCHAR, BOOLEAN, VARCHAR, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT));

    private final TransactionTables tables;
    private final TypeManager typeManager;

    public ExplainIndexFunction(TransactionTables tables, TypeManager typeManager)
    {
        super("system",
                "explain_index",
                ImmutableList.of(
                        ScalarArgumentSpecification.builder().name(SCHEMA_NAME).type(VARCHAR).build(),
                        ScalarArgumentSpecification.builder().name(TABLE_NAME).type(VARCHAR).build(),
                        ScalarArgumentSpecification.builder().name(PREDICATE).type(VARCHAR).build()),
                new DescribedTable(COLUMNS),
                "Whether a query with a predicate uses each index of a table, and why not");
        this.tables = requireNonNull(tables, "tables is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    @Override
    public TableFunctionAnalysis analyze(ConnectorSession session, ConnectorTransactionHandle transaction, Map<String, Argument> arguments, ConnectorAccessControl accessControl)
    {
        SchemaTableName name = FunctionArguments.tableName(arguments);
        String predicate = FunctionArguments.text(arguments, PREDICATE);
        BaseTable table = tables.loadTable(transaction, session, name);
        // Who may not read the table is not told what columns it has
        ColumnPrivileges.checkCanSelect(accessControl, name, table.schema(), ImmutableSet.of());
        ColumnPrivileges.checkCanSelect(accessControl, name, table.schema(), new SqlPredicateParser(table.schema()).parseFilter(predicate).referencedFieldIds());
        // The numbers of entries and files tell of all rows
        VisibleRows.check(accessControl, name, table.schema(), typeManager);
        return TableFunctionAnalysis.builder()
                .handle(new ExplainIndexHandle(name, predicate))
                .build();
    }
}
