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
package io.sextant.collation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Streams;
import io.sextant.SextantQueryRunner;
import io.sextant.collation.metadata.CollationMetric;
import io.sextant.collation.metadata.CollationsProperty;
import io.sextant.collation.metadata.FileBounds;
import io.sextant.collation.metadata.TableCollations;
import io.trino.plugin.iceberg.IcebergConnector;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorSession;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.CloseableIterable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.SextantQueryRunner.PLAIN_CATALOG;
import static io.sextant.SextantQueryRunner.SCHEMA;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;

/// Tables with collations, made and looked at by SQL and by Iceberg's own API.
public abstract class AbstractTestCollations
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return builder().build();
    }

    protected static SextantQueryRunner.Builder builder()
            throws Exception
    {
        return SextantQueryRunner.builder()
                .addCatalogProperty("iceberg.allowed-extra-properties", "*")
                // Cached data files would not be counted as read
                .addCatalogProperty("iceberg.metadata-cache.enabled", "false")
                .addCatalogProperty("iceberg.add-files-procedure.enabled", "true");
    }

    protected String createTable(String columns)
    {
        return createTable(columns, "format_version = 2");
    }

    protected String createTable(String columns, String properties)
    {
        String table = "test_" + randomNameSuffix();
        assertUpdate("CREATE TABLE %s (%s) WITH (%s)".formatted(table, columns, properties));
        return table;
    }

    protected void setCollation(String table, String column, String collation)
    {
        assertUpdate(setCollationSql(table, column, collation));
    }

    protected static String setCollationSql(String table, String column, String collation)
    {
        return "CALL system.set_collation('tpch', '%s', '%s', '%s')".formatted(table, column, collation);
    }

    protected void dropCollation(String table, String column)
    {
        assertUpdate("CALL system.drop_collation('tpch', '%s', '%s')".formatted(table, column));
    }

    protected void collectBounds(String table)
    {
        assertUpdate("CALL system.collect_collation_bounds('tpch', '%s')".formatted(table));
    }

    protected void assertRefused(String sql, ErrorCodeSupplier code, String message)
    {
        assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(sql))
                .as("%s", sql)
                .hasErrorCode(code)
                .hasMessageContaining(message);
    }

    /// A table as Iceberg's own API has it; commits by way of the plain catalog know nothing of collations.
    protected BaseTable icebergTable(String table)
    {
        IcebergConnector connector = (IcebergConnector) getDistributedQueryRunner().getCoordinator().getConnector(PLAIN_CATALOG);
        return connector.getInjector().getInstance(TrinoCatalogFactory.class)
                .create(ConnectorIdentity.ofUser("test"))
                .loadTable(TestingConnectorSession.builder().setPropertyMetadata(connector.getSessionProperties()).build(), new SchemaTableName(SCHEMA, table));
    }

    protected TableCollations collations(String table)
    {
        return CollationsProperty.read(icebergTable(table).properties());
    }

    protected List<CollationMetric> metrics(String table, String column)
    {
        return collations(table).find(icebergTable(table).schema().findField(column).fieldId()).orElseThrow().metrics();
    }

    protected List<DataFile> dataFiles(String table)
    {
        BaseTable icebergTable = icebergTable(table);
        if (icebergTable.currentSnapshot() == null) {
            return ImmutableList.of();
        }
        try (CloseableIterable<FileScanTask> tasks = icebergTable.newScan().includeColumnStats().planFiles()) {
            return Streams.stream(tasks)
                    .map(FileScanTask::file)
                    .collect(toImmutableList());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Deletes the rows that have one of the values in a column, whose bytes are compared.
    protected static void deleteByEquality(BaseTable table, String column, Object... values)
    {
        Schema schema = table.schema().select(column);
        EqualityDeleteWriter<Record> writer;
        try {
            writer = Avro.writeDeletes(table.io().newOutputFile("%s/data/%s.avro".formatted(table.location(), UUID.randomUUID())))
                    .withSpec(PartitionSpec.unpartitioned())
                    .rowSchema(schema)
                    .createWriterFunc(DataWriter::create)
                    .equalityFieldIds(table.schema().findField(column).fieldId())
                    .buildEqualityWriter();
            try (writer) {
                for (Object value : values) {
                    writer.write(GenericRecord.create(schema).copy(column, value));
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
    }

    /// What each file has as bounds of the first metric of a column, such as `Banana..apple`, in the order of the words; a
    /// missing bound is `?`, and a file without an entry is empty.
    protected List<String> bounds(String table, String column)
    {
        int metricId = metrics(table, column).getFirst().id();
        return dataFiles(table).stream()
                .map(file -> FileBounds.read(file, metricId).map(AbstractTestCollations::format).orElse(""))
                .sorted()
                .collect(toImmutableList());
    }

    private static String format(CollationBounds bounds)
    {
        return "%s..%s".formatted(
                bounds.lower().map(bound -> bound.toStringUtf8()).orElse("?"),
                bounds.upper().map(bound -> bound.toStringUtf8()).orElse("?"));
    }
}
