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
package io.sextant.catalog;

import com.google.common.collect.ImmutableSet;
import com.google.common.reflect.AbstractInvocationHandler;
import io.trino.plugin.iceberg.ColumnIdentity;
import io.trino.plugin.iceberg.catalog.TrinoCatalog;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.Transactions;
import org.apache.iceberg.UpdateProperties;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.reflect.Reflection.newProxy;
import static io.trino.metastore.Table.TABLE_COMMENT;
import static java.util.Objects.requireNonNull;

/// A catalog whose tables and transactions commit through [GuardedTableOperations].
///
/// It decides by what a method returns, so that it need not name the many methods of a catalog. Only comments on tables,
/// which a catalog commits by itself, are done here instead.
class GuardedCatalog
        extends AbstractInvocationHandler
{
    private final TrinoCatalog delegate;
    private final Set<CommitGuard> guards;

    private GuardedCatalog(TrinoCatalog delegate, Set<CommitGuard> guards)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.guards = ImmutableSet.copyOf(guards);
    }

    static TrinoCatalog guard(TrinoCatalog delegate, Set<CommitGuard> guards)
    {
        return newProxy(TrinoCatalog.class, new GuardedCatalog(delegate, guards));
    }

    @Override
    @SuppressWarnings("unchecked")
    protected Object handleInvocation(Object proxy, Method method, Object[] arguments)
            throws Throwable
    {
        TrinoCatalog guarded = (TrinoCatalog) proxy;
        return switch (method.getName()) {
            case "updateTableComment" -> {
                updateTableComment(guarded.loadTable((ConnectorSession) arguments[0], (SchemaTableName) arguments[1]), (Optional<String>) arguments[2]);
                yield null;
            }
            case "updateColumnComment" -> {
                updateColumnComment(guarded.loadTable((ConnectorSession) arguments[0], (SchemaTableName) arguments[1]), (ColumnIdentity) arguments[2], (Optional<String>) arguments[3]);
                yield null;
            }
            default -> guarded(invoke(method, arguments), arguments);
        };
    }

    private Object invoke(Method method, Object[] arguments)
            throws Throwable
    {
        try {
            return method.invoke(delegate, arguments);
        }
        catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object guarded(Object result, Object[] arguments)
    {
        return switch (result) {
            case BaseTable table -> guarded(table, tableGuards(arguments));
            case Optional<?> optional when optional.orElse(null) instanceof BaseTable table -> Optional.of(guarded(table, tableGuards(arguments)));
            case Transaction transaction -> guarded((BaseTransaction) transaction, arguments);
            case null, default -> result;
        };
    }

    private List<TableGuard> tableGuards(Object[] arguments)
    {
        return guards.stream()
                .map(guard -> guard.guardTable((ConnectorSession) arguments[0], (SchemaTableName) arguments[1]))
                .collect(toImmutableList());
    }

    private static BaseTable guarded(BaseTable table, List<TableGuard> guards)
    {
        return new BaseTable(new GuardedTableOperations(table.operations(), Optional.empty(), guards), table.name(), table.reporter());
    }

    /// A transaction like the given one, which has done nothing yet. The metrics reporter of a REST catalog is lost: a
    /// transaction does not tell its own.
    private Transaction guarded(BaseTransaction transaction, Object[] arguments)
    {
        TableOperations operations = transaction.underlyingOps();
        if (operations instanceof GuardedTableOperations) {
            return transaction;
        }
        List<TableGuard> tableGuards = tableGuards(arguments);
        TableMetadata start = transaction.currentMetadata();
        if (start.equals(transaction.startMetadata())) {
            // A REST catalog without locations has created the table already
            return Transactions.newTransaction(transaction.tableName(), new GuardedTableOperations(operations, Optional.empty(), tableGuards));
        }
        TableOperations guardedOperations = new GuardedTableOperations(operations, Optional.of(start), tableGuards);
        if (transaction.startMetadata() == null) {
            return Transactions.createTableTransaction(transaction.tableName(), guardedOperations, start);
        }
        return Transactions.createOrReplaceTableTransaction(transaction.tableName(), guardedOperations, start);
    }

    private static void updateTableComment(BaseTable table, Optional<String> comment)
    {
        UpdateProperties properties = table.updateProperties();
        comment.ifPresentOrElse(text -> properties.set(TABLE_COMMENT, text), () -> properties.remove(TABLE_COMMENT));
        properties.commit();
    }

    private static void updateColumnComment(BaseTable table, ColumnIdentity column, Optional<String> comment)
    {
        table.updateSchema().updateColumnDoc(column.getName(), comment.orElse(null)).commit();
    }
}
