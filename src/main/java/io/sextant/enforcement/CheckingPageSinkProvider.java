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
package io.sextant.enforcement;

import com.google.inject.Inject;
import io.sextant.constraint.ConstraintsProperty;
import io.trino.plugin.iceberg.IcebergMergeTableHandle;
import io.trino.plugin.iceberg.IcebergPageSinkProvider;
import io.trino.plugin.iceberg.IcebergWritableTableHandle;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorMergeSink;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorOutputTableHandle;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorPageSinkId;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// Page sinks that check rows before they write them, for tables that have checks, or that only check them.
public class CheckingPageSinkProvider
        implements ConnectorPageSinkProvider
{
    private final ConnectorPageSinkProvider delegate;
    private final TypeManager typeManager;
    private final ConstraintConfig config;

    @Inject
    public CheckingPageSinkProvider(IcebergPageSinkProvider delegate, TypeManager typeManager, ConstraintConfig config)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.config = requireNonNull(config, "config is null");
    }

    /// A table that is created has no constraints, and one that is replaced loses its own.
    @Override
    public ConnectorPageSink createPageSink(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorOutputTableHandle outputTableHandle,
            Optional<ConnectorTableCredentials> tableCredentials,
            ConnectorPageSinkId pageSinkId)
    {
        return delegate.createPageSink(transactionHandle, session, outputTableHandle, tableCredentials, pageSinkId);
    }

    @Override
    public ConnectorPageSink createPageSink(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorInsertTableHandle insertTableHandle,
            Optional<ConnectorTableCredentials> tableCredentials,
            ConnectorPageSinkId pageSinkId)
    {
        ConnectorPageSink sink = delegate.createPageSink(transactionHandle, session, insertTableHandle, tableCredentials, pageSinkId);
        RowChecks checks = checks((IcebergWritableTableHandle) insertTableHandle);
        return checks.isEmpty() ? sink : new CheckingPageSink(sink, checks);
    }

    /// Other table procedures rewrite rows that are in the table already.
    @Override
    public ConnectorPageSink createPageSink(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorTableExecuteHandle tableExecuteHandle,
            Optional<ConnectorTableCredentials> tableCredentials,
            ConnectorPageSinkId pageSinkId)
    {
        if (tableExecuteHandle instanceof ValidationHandle validation) {
            return new ValidatingPageSink(validation, typeManager, config.hashMemoryOfSink());
        }
        return delegate.createPageSink(transactionHandle, session, tableExecuteHandle, tableCredentials, pageSinkId);
    }

    @Override
    public ConnectorMergeSink createMergeSink(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorMergeTableHandle mergeHandle,
            Optional<ConnectorTableCredentials> tableCredentials,
            ConnectorPageSinkId pageSinkId)
    {
        ConnectorMergeSink sink = delegate.createMergeSink(transactionHandle, session, mergeHandle, tableCredentials, pageSinkId);
        IcebergWritableTableHandle table = ((IcebergMergeTableHandle) mergeHandle).getInsertTableHandle();
        RowChecks checks = checks(table);
        return checks.isEmpty() ? sink : new CheckingMergeSink(sink, checks, schema(table).columns().size());
    }

    private RowChecks checks(IcebergWritableTableHandle table)
    {
        return table.storageProperties().containsKey(ConstraintsProperty.NAME)
                ? RowChecks.of(table.storageProperties(), schema(table), typeManager)
                : RowChecks.NONE;
    }

    private static Schema schema(IcebergWritableTableHandle table)
    {
        return SchemaParser.fromJson(table.schemaAsJson());
    }
}
