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

import io.sextant.index.scan.IndexOracle.Outcome;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;

import static io.sextant.index.scan.ExtractCoverage.MAX_SNAPSHOTS_SEARCHED;
import static java.util.UUID.randomUUID;
import static org.apache.iceberg.SnapshotSummary.REMOVED_DELETE_FILES_PROP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/// Tables of every format version, with every kind of delete, with history and branches: an index serves what it can prove.
@TestInstance(PER_CLASS)
final class TestIndexTableStates
        extends AbstractTestQueryFramework
{
    private TestingIndexes indexes;
    private IndexOracle oracle;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return TestingIndexes.queryRunner().build();
    }

    @BeforeAll
    void createOracle()
    {
        indexes = new TestingIndexes(getDistributedQueryRunner());
        oracle = new IndexOracle(getDistributedQueryRunner(), getSession());
    }

    @Test
    @Tag("IX-34")
    void testLagInEveryFormatVersion()
    {
        for (int version = 1; version <= 3; version++) {
            String table = indexes.createTable("k integer, v varchar", "format_version = " + version);
            indexes.insert(table, "(5, 'first')", "(-1000, ''), (1000, '')");
            indexes.insert(table, "(6, 'other')", "(-1000, ''), (1000, '')");
            indexes.createIndex(table, "by_k", "k");
            indexes.insert(table, "(5, 'second')", "(-1000, ''), (1000, '')");
            indexes.insert(table, "(7, 'third')", "(-1000, ''), (1000, '')");
            Outcome lagging = oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
            assertThat(lagging.metric("by_k", "files not covered")).as("version %s", version).isEqualTo(2);
            indexes.refreshIndex(table, "by_k");
            Outcome current = oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
            assertThat(current.metric("by_k", "files not covered")).as("version %s", version).isZero();
        }
    }

    @Test
    @Tag("IX-34")
    void testFileSequenceNumbersStartWithVersion2()
    {
        String table = indexes.createTable("k integer", "format_version = 1");
        indexes.insert(table, "(5)", "(-1000), (1000)");
        indexes.createIndex(table, "by_k", "k");
        // Files of version 1 have no sequence number that could tell them from covered ones
        indexes.insert(table, "(5)", "(-1000), (1000)");
        assertUpdate("ALTER TABLE " + table + " SET PROPERTIES format_version = 2");
        indexes.insert(table, "(5)", "(-1000), (1000)");
        Outcome outcome = oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(3).usesIndex("by_k");
        assertThat(outcome.metric("by_k", "files not covered")).isEqualTo(2);
    }

    @Test
    void testDeletesSinceExtract()
    {
        for (int version = 2; version <= 3; version++) {
            String table = indexes.createTable("k integer, v integer", "format_version = " + version);
            indexes.insert(table, "(5, 1), (5, 2), (6, 3)", "(-1000, 0), (1000, 0)");
            indexes.insert(table, "(6, 4), (7, 5)", "(-1000, 0), (1000, 0)");
            indexes.createIndex(table, "by_k", "k");
            assertUpdate("DELETE FROM " + table + " WHERE v = 1", 1);
            oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
            assertUpdate("UPDATE " + table + " SET k = 5 WHERE v = 4", 1);
            oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).usesIndex("by_k");
            oracle.run("SELECT * FROM " + table + " WHERE k = 6").returnsRows(1).usesIndex("by_k");
            indexes.refreshIndex(table, "by_k");
            oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
        }
    }

    @Test
    void testDeleteUpdateAndMergeFindRowsByIndex()
    {
        for (int version = 2; version <= 3; version++) {
            String table = indexes.createTable("k integer, v integer", "format_version = " + version);
            indexes.insert(table, "(5, 1), (6, 2)", "(-1000, 0), (1000, 0)");
            indexes.insert(table, "(7, 3), (5, 4)", "(-1000, 0), (1000, 0)");
            indexes.createIndex(table, "by_k", "k");
            assertUpdate("UPDATE " + table + " SET v = v + 10 WHERE k = 5", 2);
            assertQuery("SELECT v FROM " + table + " WHERE k = 5", "VALUES 11, 14");
            assertUpdate("DELETE FROM " + table + " WHERE k = 7", 1);
            assertUpdate("MERGE INTO " + table + " t USING (VALUES (6, 60)) s(k, v) ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v", 1);
            assertQuery("SELECT k, v FROM " + table + " WHERE k BETWEEN 5 AND 7", "VALUES (5, 11), (5, 14), (6, 60)");
        }
    }

    @Test
    @Tag("case-10")
    void testEqualityDeletesInOnePartition()
            throws IOException
    {
        String table = indexes.createTable("id bigint, p integer, flag boolean", "format_version = 2, partitioning = ARRAY['p']");
        indexes.insert(table, "(7, 1, false)", "(-1000, 1, true), (1000, 1, true)");
        indexes.insert(table, "(7, 2, false)", "(-1000, 2, true), (1000, 2, true)");
        indexes.createIndex(table, "before_delete", "id");
        deleteByEquality(indexes.icebergTable(table), 7, 1);
        checkEqualityDelete(table, "before_delete");
        assertUpdate("CALL system.drop_index('tpch', '%s', 'before_delete')".formatted(table));
        indexes.createIndex(table, "after_delete", "id");
        checkEqualityDelete(table, "after_delete");
    }

    private void checkEqualityDelete(String table, String index)
    {
        oracle.run("SELECT p FROM " + table + " WHERE id = 7").returnsRows(1).prunesBy(index);
        oracle.run("SELECT * FROM " + table + " WHERE id = 7 AND NOT flag").returnsRows(1).prunesBy(index);
        oracle.run("SELECT p FROM " + table + " WHERE NOT flag").returnsRows(1).isNotUsed(index, "does not bind its leading key column");
        assertQuery("SELECT p FROM " + table + " WHERE id = 7", "VALUES 2");
        assertQuery("SELECT p FROM " + table + " WHERE NOT flag", "VALUES 2");
    }

    @Test
    @Tag("IX-34")
    void testRowsThatComeBackToLife()
    {
        for (int version = 2; version <= 3; version++) {
            String table = indexes.createTable("k integer", "format_version = " + version);
            indexes.insert(table, "(5), (6)", "(-1000), (1000)");
            assertUpdate("DELETE FROM " + table + " WHERE k = 5", 1);
            indexes.createIndex(table, "by_k", "k");
            BaseTable icebergTable = indexes.icebergTable(table);
            RowDelta rowDelta = icebergTable.newRowDelta();
            SnapshotChanges.builderFor(icebergTable).build().addedDeleteFiles().forEach(rowDelta::removeDeletes);
            rowDelta.commit();
            oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).isNotUsed("by_k", "no extract is of snapshot");
            indexes.refreshIndex(table, "by_k");
            oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
        }
    }

    @Test
    @Tag("IX-34")
    void testVectorThatGivesRowsBack()
            throws IOException
    {
        String table = indexes.createTable("k integer", "format_version = 3");
        indexes.insert(table, "(5), (6), (7), (8)", "(-1000), (1000)");
        assertUpdate("DELETE FROM " + table + " WHERE k IN (5, 6)", 2);
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("DELETE FROM " + table + " WHERE k = 7", 1);
        oracle.run("SELECT * FROM " + table + " WHERE k = 8").returnsRows(1).prunesBy("by_k");

        BaseTable icebergTable = indexes.icebergTable(table);
        DeleteFile vector = SnapshotChanges.builderFor(icebergTable).build().addedDeleteFiles().iterator().next();
        OutputFileFactory files = OutputFileFactory.builderFor(icebergTable, 1, 1).format(FileFormat.PUFFIN).build();
        BaseDVFileWriter writer = new BaseDVFileWriter(files, _ -> null);
        try (writer) {
            writer.delete(vector.referencedDataFile(), 1, icebergTable.spec(), null);
        }
        icebergTable.newRowDelta().validateFromSnapshot(icebergTable.currentSnapshot().snapshotId()).removeDeletes(vector).addDeletes(writer.result().deleteFiles().getFirst()).commit();
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).isNotUsed("by_k", "no extract is of snapshot");
    }

    @Test
    @Tag("IX-34")
    void testExtractTooManySnapshotsAgo()
    {
        // Files of version 1 have no sequence number, so the snapshots since the extract tell which it does not cover
        String table = indexes.createTable("k integer", "format_version = 1");
        indexes.insert(table, "(5)", "(-1000), (1000)");
        indexes.createIndex(table, "by_k", "k");
        indexes.insert(table, "(5)", "(-1000), (1000)");
        BaseTable icebergTable = indexes.icebergTable(table);
        for (int snapshot = 1; snapshot < MAX_SNAPSHOTS_SEARCHED; snapshot++) {
            icebergTable.newAppend().commit();
        }
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
        icebergTable.newAppend().commit();
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).isNotUsed("by_k", "no extract is of snapshot");
    }

    @Test
    @Tag("IX-34")
    void testRowsThatCameBackToLifeTooManySnapshotsAgo()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        indexes.insert(table, "(5), (6)", "(-1000), (1000)");
        assertUpdate("DELETE FROM " + table + " WHERE k = 5", 1);
        indexes.createIndex(table, "by_k", "k");
        BaseTable icebergTable = indexes.icebergTable(table);
        RowDelta rowDelta = icebergTable.newRowDelta();
        SnapshotChanges.builderFor(icebergTable).build().addedDeleteFiles().forEach(rowDelta::removeDeletes);
        rowDelta.commit();
        for (int snapshot = 0; snapshot < MAX_SNAPSHOTS_SEARCHED; snapshot++) {
            icebergTable.newAppend().set(REMOVED_DELETE_FILES_PROP, "0").commit();
        }
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).isNotUsed("by_k", "no extract is of snapshot");
    }

    private static void deleteByEquality(BaseTable table, long id, int partition)
            throws IOException
    {
        Schema deleteSchema = table.schema().select("id");
        Record row = GenericRecord.create(table.schema());
        row.setField("p", partition);
        PartitionKey partitionKey = new PartitionKey(table.spec(), table.schema());
        partitionKey.partition(row);
        EqualityDeleteWriter<Record> writer = Avro.writeDeletes(table.io().newOutputFile("%s/data/%s.avro".formatted(table.location(), randomUUID())))
                .forTable(table)
                .rowSchema(deleteSchema)
                .createWriterFunc(DataWriter::create)
                .equalityFieldIds(table.schema().findField("id").fieldId())
                .withPartition(partitionKey)
                .buildEqualityWriter();
        try (writer) {
            Record deleted = GenericRecord.create(deleteSchema);
            deleted.setField("id", id);
            writer.write(deleted);
        }
        table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
    }

    @Test
    @Tag("IX-28")
    void testBranches()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        indexes.insert(table, "(5)", "(-1000), (1000)");
        indexes.createIndex(table, "by_k", "k");
        BaseTable icebergTable = indexes.icebergTable(table);
        icebergTable.manageSnapshots().createBranch("audit", icebergTable.currentSnapshot().snapshotId()).commit();
        DataFile file = SnapshotChanges.builderFor(icebergTable).build().addedDataFiles().iterator().next();
        icebergTable.newAppend().appendFile(file).toBranch("audit").commit();
        indexes.insert(table, "(5), (5)", "(-1000), (1000)");

        // The same file twice on the branch: covered once, and once to scan whole
        oracle.run("SELECT * FROM " + table + " FOR VERSION AS OF 'audit' WHERE k = 5").returnsRows(2).usesIndex("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(3).usesIndex("by_k");
        indexes.refreshIndex(table, "by_k");
        // The extract before this one serves the branch still
        oracle.run("SELECT * FROM " + table + " FOR VERSION AS OF 'audit' WHERE k = 5").returnsRows(2).usesIndex("by_k");
        indexes.insert(table, "(6)", "(-1000), (1000)");
        indexes.refreshIndex(table, "by_k");
        oracle.run("SELECT * FROM " + table + " FOR VERSION AS OF 'audit' WHERE k = 5").returnsRows(2).isNotUsed("by_k", "no extract is of snapshot");
    }

    @Test
    void testNestedKeyAndIncludedColumn()
    {
        String table = indexes.createTable("r ROW(a integer, b ROW(c varchar)), v integer", "format_version = 2");
        indexes.insert(table, "(ROW(1, ROW('x')), 1), (ROW(2, NULL), 2), (NULL, 3)", "(ROW(-1000, ROW('')), 0), (ROW(1000, ROW('~')), 9)");
        indexes.insert(table, "(ROW(1, ROW('y')), 4)", "(ROW(-1000, ROW('')), 0), (ROW(1000, ROW('~')), 9)");
        indexes.createIndex(table, "by_c", "r.b.c");
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'by_a', key => ARRAY['r.a'], include => ARRAY['v'])".formatted(table));
        oracle.run("SELECT * FROM " + table + " WHERE r.b.c = 'x'").returnsRows(1).prunesBy("by_c");
        oracle.run("SELECT * FROM " + table + " WHERE r.b.c IS NULL").returnsRows(2).prunesBy("by_c");
        Outcome included = oracle.run("SELECT * FROM " + table + " WHERE r.a = 1 AND v = 4").returnsRows(1).prunesBy("by_a");
        assertThat(included.metric("by_a", "entries")).isEqualTo(1);
    }

    @Test
    void testOnlyRowGroupsWithEntriesAreRead()
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        getQueryRunner().execute(
                Session.builder(getSession())
                        .setCatalogSessionProperty("sextant", "parquet_writer_row_group_max_row_count", "5000")
                        .build(),
                "INSERT INTO " + table + " SELECT (n * 7919) % 100003, CAST(uuid() AS varchar) FROM TABLE(sequence(0, 49999)) AS s(n)");
        indexes.createIndex(table, "by_k", "k");
        Outcome outcome = oracle.run("SELECT * FROM " + table + " WHERE k = 7919").returnsRows(1).prunesBy("by_k");
        assertThat(outcome.metrics().get("index: row groups read")).isEqualTo(1);
        assertThat(outcome.metrics().get("index: row groups pruned")).isGreaterThan(5);
    }

    @Test
    void testDroppedAndRenamedColumns()
    {
        String table = indexes.createTable("k integer, v integer", "format_version = 2");
        indexes.insert(table, "(5, 1)", "(-1000, 0), (1000, 0)");
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN k TO old_k");
        oracle.run("SELECT * FROM " + table + " WHERE old_k = 5").returnsRows(1).prunesBy("by_k");
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN k integer");
        indexes.insert(table, "(6, 2, 5)", "(-1000, 0, 0), (1000, 0, 0)");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).isNotUsed("by_k", "does not bind its leading key column");
        assertUpdate("ALTER TABLE " + table + " DROP COLUMN old_k");
        checkLostKey(table, "column k was dropped from the table; the column that has this name now is another one");
        indexes.insert(table, "(3, 5)", "(0, 0)");
        checkLostKey(table, "column k was dropped from the table; the column that has this name now is another one");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).isNotUsed("by_k", "column k was dropped from the table");
    }

    @Test
    void testDroppedKeyOfCurrentIndex()
    {
        String table = indexes.createTable("k integer, v integer", "format_version = 2");
        indexes.insert(table, "(5, 1)", "(-1000, 0), (1000, 0)");
        long before = indexes.currentSnapshot(table);
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("ALTER TABLE " + table + " DROP COLUMN k");
        checkLostKey(table, "column k was dropped from the table");
        oracle.run("SELECT * FROM " + table + " WHERE v = 1").returnsRows(1).isNotUsed("by_k", "column k was dropped from the table");
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN k integer");
        checkLostKey(table, "column k was dropped from the table; the column that has this name now is another one");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(0).isNotUsed("by_k", "column k was dropped from the table");
        oracle.run("SELECT * FROM " + table + " WHERE k IS NULL AND v = 1").returnsRows(1).isNotUsed("by_k", "column k was dropped from the table");
        indexes.insert(table, "(2, 5)", "(0, -1000), (0, 1000)");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).isNotUsed("by_k", "column k was dropped from the table");
        // What the index was built for it still answers
        oracle.run("SELECT * FROM %s FOR VERSION AS OF %s WHERE k = 5".formatted(table, before)).returnsRows(1).prunesBy("by_k");
        assertUpdate("CALL system.drop_index('tpch', '" + table + "', 'by_k')");
        indexes.createIndex(table, "by_k", "k");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
    }

    private void checkLostKey(String table, String reason)
    {
        assertQuery("SELECT state, array_join(key, ','), last_error FROM \"" + table + "$indexes\"", "VALUES ('unusable', 'k', '" + reason + "')");
        assertQueryFails(
                "CALL system.refresh_index('tpch', '%s', 'by_k')".formatted(table),
                "Index by_k of table tpch." + table + " cannot be refreshed: " + reason + "; drop the index with CALL system.drop_index");
    }

    @Test
    void testDroppedColumnsBehindTheFirst()
    {
        String table = indexes.createTable("k integer, l integer, v integer", "format_version = 2");
        indexes.insert(table, "(5, 1, 1), (5, 2, 2)", "(-1000, 0, 0), (1000, 0, 0)");
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => 'by_k', key => ARRAY['k', 'l'], include => ARRAY['v'])".formatted(table));
        for (String column : new String[] {"v", "l"}) {
            assertUpdate("ALTER TABLE " + table + " DROP COLUMN " + column);
            assertQuery("SELECT state, last_error FROM \"" + table + "$indexes\"", "VALUES ('current', 'column " + column + " was dropped from the table')");
            oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
            assertQueryFails("CALL system.refresh_index('tpch', '%s', 'by_k')".formatted(table), "Index by_k of table .* cannot be refreshed: column " + column + " was dropped from the table; .*");
        }
        indexes.insert(table, "(5)", "(-1000), (1000)");
        assertQuery("SELECT state, last_error FROM \"" + table + "$indexes\"", "VALUES ('lagging', 'column l was dropped from the table')");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(3).prunesBy("by_k");
    }

    @Test
    void testKeyAddedAfterTheSnapshotOfARollback()
    {
        String table = indexes.createTable("v integer", "format_version = 2");
        indexes.insert(table, "(1)", "(0)");
        long before = indexes.currentSnapshot(table);
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN k integer");
        indexes.insert(table, "(2, 5)", "(0, -1000), (0, 1000)");
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(table, before));
        assertThat(computeScalar("SELECT state FROM \"" + table + "$indexes\"")).isEqualTo("stale");
        oracle.run("SELECT * FROM " + table + " WHERE k IS NULL").returnsRows(11).isNotUsed("by_k", "no extract is of snapshot");
        assertQueryFails(
                "CALL system.refresh_index('tpch', '%s', 'by_k')".formatted(table),
                "Index by_k of table .* cannot be built for snapshot " + before + ": the snapshot has no column k; refresh it after the next write to the table, or drop it and create it anew");
        indexes.insert(table, "(2, 5)", "(0, -1000), (0, 1000)");
        indexes.refreshIndex(table, "by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(1).prunesBy("by_k");
    }

    @Test
    @Tag("IX-11")
    void testSchemaNewerThanSnapshot()
    {
        String table = indexes.createTable("k integer, v integer", "format_version = 2");
        indexes.insert(table, "(5, 1)", "(-1000, 0), (1000, 0)");
        assertUpdate("ALTER TABLE " + table + " ALTER COLUMN k SET DATA TYPE bigint");
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN k TO number");
        assertUpdate("ALTER TABLE " + table + " ADD COLUMN added integer");
        indexes.createIndex(table, "by_number", "number");
        oracle.run("SELECT * FROM " + table + " WHERE number = 5").returnsRows(1).prunesBy("by_number");
        assertQuery("SELECT array_join(key, ',') FROM \"" + table + "$indexes\"", "VALUES 'number'");
        assertQueryFails("CALL system.create_index('tpch', '" + table + "', 'by_added', ARRAY['added'])", "Column added of table .* was added after its current snapshot; write to the table first");
        indexes.insert(table, "(3000000000, 2, 7)", "(-1000, 0, 0), (1000, 0, 0)");
        indexes.refreshIndex(table, "by_number");
        oracle.run("SELECT * FROM " + table + " WHERE number = 3000000000").returnsRows(1).prunesBy("by_number");
    }

    @Test
    void testReplacedTable()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        indexes.insert(table, "(5)", "(-1000), (1000)");
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("CREATE OR REPLACE TABLE " + table + " AS SELECT 5 k UNION ALL SELECT 5", 2);
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2);
    }

    @Test
    void testLimitsKeepToThePlainScan()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        indexes.insert(table, "(5), (5), (5), (6)", "(-1000), (1000)");
        indexes.createIndex(table, "by_k", "k");
        IndexOracle limited = new IndexOracle(
                getDistributedQueryRunner(),
                Session.builder(getSession()).setCatalogSessionProperty("sextant", "index_max_entries", "2").build());
        limited.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(3).isNotUsed("by_k", "entries match");
        limited.run("SELECT * FROM " + table + " WHERE k = 6").returnsRows(1).usesIndex("by_k");
    }
}
