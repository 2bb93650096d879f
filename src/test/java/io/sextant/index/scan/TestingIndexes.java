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
package io.sextant.index.scan;

import io.sextant.SextantQueryRunner;
import io.sextant.index.catalog.IndexCatalog;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.catalog.IndexRegistrations;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.IndexedTable;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.plugin.iceberg.IcebergConnector;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.TestingConnectorSession;
import org.apache.iceberg.BaseTable;

import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static io.sextant.SextantQueryRunner.SCHEMA;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static java.util.Collections.nCopies;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/// Tables and indexes for tests, made by SQL.
public final class TestingIndexes
{
    private final DistributedQueryRunner queryRunner;

    public TestingIndexes(DistributedQueryRunner queryRunner)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
    }

    public static SextantQueryRunner.Builder queryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder()
                // One file for each INSERT
                .amendSession(session -> session
                        .setSystemProperty("task_scale_writers_enabled", "false")
                        .setSystemProperty("task_min_writer_count", "1"));
    }

    public String createTable(String columns, String properties)
    {
        String table = "test_" + randomNameSuffix();
        queryRunner.execute("CREATE TABLE %s (%s) WITH (%s)".formatted(table, columns, properties));
        return table;
    }

    /// Writes a file of some rows, hidden among 10 copies of others that keep minima and maxima from pruning it.
    public void insert(String table, String rows, String hay)
    {
        queryRunner.execute("INSERT INTO %s VALUES %s, %s".formatted(table, rows, String.join(", ", nCopies(10, hay))));
    }

    public void createIndex(String table, String index, String... key)
    {
        queryRunner.execute("CALL system.create_index('%s', '%s', '%s', ARRAY[%s])".formatted(
                SCHEMA,
                table,
                index,
                Stream.of(key).map("'%s'"::formatted).collect(joining(", "))));
    }

    public void refreshIndex(String table, String index)
    {
        queryRunner.execute("CALL system.refresh_index('%s', '%s', '%s')".formatted(SCHEMA, table, index));
    }

    public void rebuildIndex(String table, String index)
    {
        queryRunner.execute("CALL system.refresh_index(schema_name => '%s', table_name => '%s', index_name => '%s', mode => 'full')".formatted(SCHEMA, table, index));
    }

    public long currentSnapshot(String table)
    {
        return (long) queryRunner.execute("SELECT snapshot_id FROM \"%s$snapshots\" ORDER BY committed_at DESC LIMIT 1".formatted(table)).getOnlyValue();
    }

    /// The table as Iceberg's own API has it, for what SQL cannot do.
    public BaseTable icebergTable(String table)
    {
        return instance(TrinoCatalogFactory.class)
                .create(ConnectorIdentity.ofUser("test"))
                .loadTable(session(), new SchemaTableName(SCHEMA, table));
    }

    /// The table and the file system of its indexes.
    public IndexedTable indexedTable(String table)
    {
        return new IndexedTable(session(), new SchemaTableName(SCHEMA, table), icebergTable(table), instance(TrinoFileSystemFactory.class).create(session()));
    }

    public IndexRegistration registration(String table, String index)
    {
        return IndexRegistrations.fromTableProperties(icebergTable(table).properties()).find(index).orElseThrow();
    }

    public IndexMetadata metadata(String table, String index)
    {
        IndexRegistration registration = registration(table, index);
        instance(IndexCatalog.class).refresh(registration);
        return instance(IndexCatalog.class).load(indexedTable(table).fileSystem(), registration).metadata();
    }

    /// Changes the metadata of an index as another writer would.
    public void changeMetadata(String table, String index, UnaryOperator<IndexMetadata> change)
    {
        instance(IndexCatalog.class).commit(indexedTable(table).fileSystem(), registration(table, index), change);
    }

    /// A part of the connector.
    public <T> T instance(Class<T> type)
    {
        return connector().getInjector().getInstance(type);
    }

    private ConnectorSession session()
    {
        return TestingConnectorSession.builder().setPropertyMetadata(connector().getSessionProperties()).build();
    }

    private IcebergConnector connector()
    {
        return (IcebergConnector) queryRunner.getCoordinator().getConnector(SextantQueryRunner.CATALOG);
    }
}
