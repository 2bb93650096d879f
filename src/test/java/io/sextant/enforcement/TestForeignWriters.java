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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Streams;
import io.sextant.SextantQueryRunner;
import io.trino.plugin.iceberg.IcebergConnector;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorSession;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.sextant.SextantQueryRunner.CATALOG;
import static io.sextant.SextantQueryRunner.PLAIN_CATALOG;
import static io.sextant.SextantQueryRunner.SCHEMA;
import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.UUID.randomUUID;
import static org.assertj.core.api.Assertions.assertThat;

/// Constraints beside writers that do not know them, and constraints that other writers made.
final class TestForeignWriters
        extends AbstractTestConstraints
{
    private static final String PROPERTY = "sextant.constraints";

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder()
                .addCatalogProperty("iceberg.allowed-extra-properties", "*")
                .addCatalogProperty("iceberg.metadata-cache.enabled", "false")
                .build();
    }

    @Test
    @Tag("CN-23")
    @Tag("CN-27")
    void testForeignAppend()
    {
        String table = createTable("x integer");
        addCheck(table, "c", "x > 0");
        addUnique(table, "u", "x");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        assertUpdate("INSERT INTO plain.tpch." + table + " VALUES 2", 1);
        assertThat(status(table, "c")).isEqualTo("unvalidated");
        assertUpdate("INSERT INTO " + table + " VALUES 3", 1);
        assertThat(status(table, "c")).isEqualTo("unvalidated");
        assertViolation(table, "INSERT INTO " + table + " VALUES 2", "Unique constraint violation: u: x = 2 is in the table already");
        validate(table);
        assertThat(status(table, "c")).isEqualTo("validated");
        assertThat(status(table, "u")).isEqualTo("validated");
        assertUpdate("INSERT INTO plain.tpch." + table + " VALUES -1, 2", 2);
        validate(table);
        assertThat(status(table, "c")).isEqualTo("invalid");
        assertThat(status(table, "u")).isEqualTo("invalid");
        assertUpdate("INSERT INTO " + table + " VALUES 4", 1);
        assertThat(status(table, "c")).isEqualTo("invalid");
    }

    @Test
    @Tag("CN-01")
    void testEqualityDeletes()
            throws IOException
    {
        String table = createTable("id integer, x integer");
        addUnique(table, "u", "id");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 1), (2, 2)", 2);
        deleteByEquality(foreignTable(PLAIN_CATALOG, table), 1);
        assertViolation(table, "INSERT INTO " + table + " VALUES (2, 3)", "id = 2 is in the table already");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 3)", 1);
        assertViolation(table, "INSERT INTO " + table + " VALUES (1, 4)", "id = 1 is in the table already");
        validate(table);
        assertThat(status(table, "u")).isEqualTo("validated");
    }

    @Test
    @Tag("CN-30")
    void testConstraintsThatAreNotUnderstood()
    {
        for (String constraint : new String[] {
                "\"type\": \"foreign-key\", \"field-ids\": [1], \"more\": {\"a\": [1.50]}}",
                "\"type\": \"check\", \"expression\": {\"type\": \"gt\", \"left\": {\"type\": \"apply\", \"function\": {\"catalog\": \"other\", \"name\": \"f\"}, \"arguments\": [{\"type\": \"reference\", \"id\": 1}]}, \"right\": 0}}",
                "\"type\": \"check\", \"expression\": {\"type\": \"gt\", \"left\": {\"type\": \"reference\", \"id\": 99}, \"right\": 0}}",
                "\"type\": \"check\", \"expression\": {\"type\": \"odd\", \"child\": {\"type\": \"reference\", \"id\": 1}}}",
                "\"type\": \"check\"}",
                "\"type\": \"unique\", \"field-ids\": [99]}",
        }) {
            String table = createTable("x integer, y integer");
            assertUpdate("INSERT INTO " + table + " VALUES (1, 1), (2, 2)", 2);
            assertUpdate("INSERT INTO " + table + " VALUES (3, 3)", 1);
            String json = "{\"more\": 1, \"last-constraint-id\": 9, \"constraints\": [" + "{\"constraint-id\": 7, \"name\": \"odd\", \"enforced\": %s, \"timestamp-ms\": 1, ".formatted(true) + constraint + "]}";
            setProperty(table, json);
            assertThat((String) computeScalar("SELECT status FROM \"" + table + "$constraints\"")).isEqualTo("unvalidated");
            assertQuery("SELECT sum(x) FROM " + table, "VALUES 6");
            for (String statement : new String[] {"INSERT INTO %s VALUES (1, 1)", "UPDATE %s SET y = 5", "MERGE INTO %s t USING (VALUES 9) s(x) ON t.x = s.x WHEN NOT MATCHED THEN INSERT VALUES (s.x, s.x)"}) {
                assertRefused(statement.formatted(table), NOT_SUPPORTED, "No rows can be added to the table, because its enforced");
            }
            assertUpdate("DELETE FROM " + table + " WHERE x = 1", 1);
            assertUpdate("MERGE INTO " + table + " t USING (VALUES 2) s(x) ON t.x = s.x WHEN MATCHED THEN DELETE", 1);
            assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
            assertUpdate("ALTER TABLE " + table + " ADD COLUMN z integer");
            assertUpdate("ANALYZE " + table);
            assertQuery("SELECT x FROM " + table, "VALUES 3");
            assertThat(property(table)).isEqualTo(json);
            assertThat(status(table, "odd")).isEqualTo("unvalidated");
            assertUpdate("CALL system.alter_constraint('tpch', '" + table + "', 'odd', NULL, false)");
            assertUpdate("INSERT INTO " + table + " VALUES (1, 1, 1)", 1);
            assertThat(status(table, "odd")).isEqualTo("unvalidated");
            addCheck(table, "own", "y > 0");
            assertQuery("SELECT id, name FROM \"" + table + "$constraints\"", "VALUES (7, 'odd'), (10, 'own')");
            assertUpdate("CALL system.drop_constraint('tpch', '" + table + "', 'odd')");
            assertUpdate("TRUNCATE TABLE " + table);
            assertUpdate("DROP TABLE " + table);
        }
    }

    @Test
    @Tag("CN-30")
    void testMalformedProperty()
    {
        for (String json : new String[] {"{", "[]", "{\"constraints\": 1}", "{\"constraints\": [{}]}", "{\"constraints\": [{\"constraint-id\": 1}, {\"constraint-id\": 1}]}"}) {
            String table = createTable("x integer");
            assertUpdate("INSERT INTO " + table + " VALUES 1, 2, 3", 3);
            setProperty(table, json);
            assertRefused("INSERT INTO " + table + " VALUES 4", INVALID_TABLE_PROPERTY, "Table property sextant.constraints is malformed");
            assertRefused(addCheckSql(table, "c", "x > 0", ""), INVALID_TABLE_PROPERTY, "Table property sextant.constraints is malformed");
            assertRefused("SELECT * FROM \"" + table + "$constraints\"", INVALID_TABLE_PROPERTY, "Table property sextant.constraints is malformed");
            assertUpdate("DELETE FROM " + table + " WHERE x = 1", 1);
            assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
            assertQuery("SELECT * FROM " + table, "VALUES 2, 3");
            assertThat(property(table)).isEqualTo(json);
            assertUpdate("DROP TABLE " + table);
        }
    }

    @Test
    @Tag("CN-08")
    void testExpressionsAreTwoValued()
    {
        String table = createTable("x integer, d double");
        setProperty(table, "{\"last-constraint-id\": 2, \"constraints\": [" +
                "{\"constraint-id\": 1, \"type\": \"check\", \"name\": \"less\", \"enforced\": true, \"timestamp-ms\": 1, \"expression\": {\"type\": \"lt\", \"left\": {\"type\": \"reference\", \"id\": 1}, \"right\": 5}}," +
                "{\"constraint-id\": 2, \"type\": \"check\", \"name\": \"greater\", \"enforced\": true, \"timestamp-ms\": 1, \"expression\": {\"type\": \"gt\", \"left\": {\"type\": \"reference\", \"id\": 2}, \"right\": 5}}]}");
        assertViolation(table, "INSERT INTO " + table + " VALUES (NULL, 6)", "Check constraint violation: less: ");
        assertViolation(table, "INSERT INTO " + table + " VALUES (5, 6)", "Check constraint violation: less: ");
        assertViolation(table, "INSERT INTO " + table + " VALUES (4, nan())", "Check constraint violation: greater: ");
        assertViolation(table, "INSERT INTO " + table + " VALUES (4, NULL)", "Check constraint violation: greater: ");
        assertUpdate("INSERT INTO " + table + " VALUES (4, 6)", 1);
    }

    @Test
    @Tag("CN-11")
    void testConstraintAddedDuringWrite()
    {
        String source = createTable("x integer");
        assertUpdate("INSERT INTO " + source + " VALUES -1, 5, 5", 3);
        DataFile file = SnapshotChanges.builderFor(foreignTable(CATALOG, source)).build().addedDataFiles().iterator().next();
        DataFile good = onlyFile("VALUES 1");

        String checked = createTable("x integer");
        AppendFiles append = foreignTable(CATALOG, checked).newAppend().appendFile(file);
        AppendFiles goodAppend = foreignTable(CATALOG, checked).newAppend().appendFile(good);
        addCheck(checked, "c", "x > 0");
        assertTrinoExceptionThrownBy(append::commit).hasErrorCode(CONSTRAINT_VIOLATION).hasMessage("Check constraint violation: c: x > 0 (a row has x = -1)");
        goodAppend.commit();
        assertThat(status(checked, "c")).isEqualTo("valid");

        String unique = createTable("x integer");
        append = foreignTable(CATALOG, unique).newAppend().appendFile(file);
        addUnique(unique, "u", "x");
        assertTrinoExceptionThrownBy(append::commit).hasErrorCode(CONSTRAINT_VIOLATION).hasMessage("Unique constraint violation: u: x = 5 occurs twice among the added rows");

        String enforcedLater = createTable("x integer");
        assertUpdate(addCheckSql(enforcedLater, "c", "x > 0", ", enforced => false"));
        append = foreignTable(CATALOG, enforcedLater).newAppend().appendFile(file);
        assertUpdate("CALL system.alter_constraint('tpch', '" + enforcedLater + "', 'c', NULL, true)");
        assertTrinoExceptionThrownBy(append::commit).hasErrorCode(CONSTRAINT_VIOLATION);
    }

    /// Trino cannot create a column of this type.
    @Test
    @Tag("CN-07")
    void testFixedValues()
    {
        String table = createTable("x integer");
        foreignTable(PLAIN_CATALOG, table).updateSchema().addColumn("f", Types.FixedType.ofLength(2)).commit();
        addUnique(table, "u", "f");
        assertUpdate("INSERT INTO " + table + " VALUES (1, X'1000'), (2, X'7fff'), (3, X'ffff'), (4, NULL), (5, NULL)", 5);
        for (String value : new String[] {"1000", "7fff", "ffff"}) {
            assertViolation(table, "INSERT INTO " + table + " VALUES (6, X'" + value + "')", "Unique constraint violation: u: f = ");
        }
        assertUpdate("INSERT INTO " + table + " VALUES (6, X'8000')", 1);
        assertUpdate("INSERT INTO plain.tpch." + table + " VALUES (7, X'8000'), (8, X'8000'), (9, X'8001')", 3);
        assertQuery(
                "SELECT to_hex(f), row_count FROM TABLE(system.constraint_violations('tpch', '" + table + "', 'u'))",
                "VALUES ('8000', 3)");
        getQueryRunner().execute("ALTER TABLE " + table + " EXECUTE validate_constraint");
        assertThat(status(table, "u")).isEqualTo("invalid");
    }

    @Test
    @Tag("CN-13")
    void testIdentifierFields()
    {
        String table = createTable("id integer NOT NULL, x integer");
        assertUpdate("CALL system.import_identifier_fields('tpch', '" + table + "')");
        assertQueryReturnsEmptyResult("SELECT * FROM \"" + table + "$constraints\"");
        foreignTable(PLAIN_CATALOG, table).updateSchema().setIdentifierFields("id").commit();
        assertUpdate("CALL system.import_identifier_fields('tpch', '" + table + "')");
        assertUpdate("CALL system.import_identifier_fields('tpch', '" + table + "')");
        assertQuery("SELECT id, name, definition, enforced, status FROM \"" + table + "$constraints\"", "VALUES (1, 'pk', 'PRIMARY KEY (id)', false, 'unvalidated')");
        assertUpdate("INSERT INTO " + table + " VALUES (1, 1), (1, 1)", 2);
    }

    @Test
    void testPropertyCannotBeSet()
    {
        String message = "Table property sextant.constraints cannot be set; define constraints by CALL system.add_constraint";
        String with = " WITH (extra_properties = MAP(ARRAY['sextant.constraints'], ARRAY['{\"last-constraint-id\": 5}']))";
        assertRefused("CREATE TABLE own_property (x integer)" + with, NOT_SUPPORTED, message);
        assertRefused("CREATE TABLE own_property" + with + " AS SELECT 1 x", NOT_SUPPORTED, message);
        String table = createTable("x integer");
        String set = "ALTER TABLE " + table + " SET PROPERTIES extra_properties = MAP(ARRAY['sextant.constraints'], ARRAY['{}'])";
        assertRefused(set, NOT_SUPPORTED, message);
        assertRefused("CREATE OR REPLACE TABLE " + table + " (x integer)" + with, NOT_SUPPORTED, message);
        addCheck(table, "c", "x > 0");
        assertRefused(set, NOT_SUPPORTED, message);
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES extra_properties = MAP(ARRAY['other'], ARRAY['1'])");
        assertThat(status(table, "c")).isEqualTo("validated");
        assertUpdate("CREATE OR REPLACE TABLE " + table + " (x integer)" + with);
        addCheck(table, "c", "x > 0");
        assertQuery("SELECT id FROM \"" + table + "$constraints\"", "VALUES 2");
    }

    /// A lost race may have been lost against somebody who gave deleted rows back.
    @Test
    @Tag("CN-10")
    void testRowsGivenBackBetweenAttempts()
    {
        String name = createTable("x integer");
        assertUpdate("INSERT INTO " + name + " VALUES 1, 2", 2);
        BaseTable table = foreignTable(PLAIN_CATALOG, name);
        DataFile existing = SnapshotChanges.builderFor(table).build().addedDataFiles().iterator().next();
        assertUpdate("DELETE FROM " + name + " WHERE x = 1", 1);
        DataFile added = onlyFile("VALUES 1");
        table.refresh();
        long start = table.currentSnapshot().snapshotId();
        DeleteFile deletes = SnapshotChanges.builderFor(table).build().addedDeleteFiles().iterator().next();

        VerifiedKeys verifiedKeys = new VerifiedKeys();
        AddedRows attempt = append(table, added);
        assertThat(verifiedKeys.coverage(1, attempt)).isEmpty();
        verifiedKeys.add(1, attempt);

        table.manageSnapshots().rollbackTo(start).commit();
        DataFile others = onlyFile("VALUES 3");
        table.newAppend().appendFile(others).commit();
        AddedRows retry = append(table, added);
        assertThat(verifiedKeys.coverage(2, retry)).isEmpty();
        assertThat(verifiedKeys.coverage(1, retry)).hasValueSatisfying(coverage -> {
            assertThat(coverage.covers(existing(table, existing))).isTrue();
            assertThat(coverage.covers(existing(table, others))).isFalse();
        });

        table.manageSnapshots().rollbackTo(start).commit();
        table.newRowDelta().removeDeletes(deletes).commit();
        assertThat(verifiedKeys.coverage(1, append(table, added))).isEmpty();

        table.manageSnapshots().rollbackTo(start).commit();
        assertThat(verifiedKeys.coverage(1, append(table, others))).as("other rows").isEmpty();
    }

    private AddedRows append(BaseTable table, DataFile file)
    {
        table.newAppend().appendFile(file).commit();
        return new AddedRows(getSession().toConnectorSession(), table, table.currentSnapshot(), ImmutableList.of(file));
    }

    /// The file as the table has it, with its sequence number.
    private static DataFile existing(BaseTable table, DataFile file)
    {
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            return Streams.stream(tasks)
                    .map(FileScanTask::file)
                    .filter(existing -> existing.location().equals(file.location()))
                    .collect(onlyElement());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private DataFile onlyFile(String rows)
    {
        String table = createTable("x integer");
        assertUpdate("INSERT INTO " + table + " " + rows, 1);
        return SnapshotChanges.builderFor(foreignTable(CATALOG, table)).build().addedDataFiles().iterator().next();
    }

    private void setProperty(String table, String json)
    {
        foreignTable(PLAIN_CATALOG, table).updateProperties().set(PROPERTY, json).commit();
    }

    private String property(String table)
    {
        return foreignTable(PLAIN_CATALOG, table).properties().get(PROPERTY);
    }

    /// A table as Iceberg's own API has it; commits by way of the plain catalog know nothing of constraints.
    private BaseTable foreignTable(String catalog, String table)
    {
        IcebergConnector connector = (IcebergConnector) getDistributedQueryRunner().getCoordinator().getConnector(catalog);
        return connector.getInjector().getInstance(TrinoCatalogFactory.class)
                .create(ConnectorIdentity.ofUser("test"))
                .loadTable(TestingConnectorSession.builder().setPropertyMetadata(connector.getSessionProperties()).build(), new SchemaTableName(SCHEMA, table));
    }

    private static void deleteByEquality(BaseTable table, int id)
            throws IOException
    {
        Schema schema = table.schema().select("id");
        EqualityDeleteWriter<Record> writer = Avro.writeDeletes(table.io().newOutputFile("%s/data/%s.avro".formatted(table.location(), randomUUID())))
                .withSpec(PartitionSpec.unpartitioned())
                .rowSchema(schema)
                .createWriterFunc(DataWriter::create)
                .equalityFieldIds(table.schema().findField("id").fieldId())
                .buildEqualityWriter();
        try (writer) {
            Record deleted = GenericRecord.create(schema);
            deleted.setField("id", id);
            writer.write(deleted);
        }
        table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
    }
}
