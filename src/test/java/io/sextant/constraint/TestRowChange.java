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
package io.sextant.constraint;

import com.google.common.collect.ImmutableMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.util.UUID;

import static io.sextant.constraint.TestingConstraints.SCHEMA;
import static io.sextant.constraint.TestingConstraints.snapshot;
import static org.apache.iceberg.expressions.Expressions.alwaysTrue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// Commits that Iceberg makes, of all kinds, over data files that nobody reads; and summaries of other writers.
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
final class TestRowChange
{
    private static final Namespace NAMESPACE = Namespace.of("test");
    private static final RowChange NOTHING = new RowChange(false, false);
    private static final RowChange ADDED = new RowChange(true, false);
    private static final RowChange REMOVED = new RowChange(false, true);
    private static final RowChange BOTH = new RowChange(true, true);

    private InMemoryCatalog catalog;
    private Table table;

    @BeforeAll
    void setUp()
    {
        catalog = new InMemoryCatalog();
        catalog.initialize("memory", ImmutableMap.of());
        catalog.createNamespace(NAMESPACE);
    }

    @AfterAll
    void tearDown()
            throws Exception
    {
        catalog.close();
    }

    @BeforeEach
    void createTable()
    {
        table = catalog.createTable(TableIdentifier.of(NAMESPACE, UUID.randomUUID().toString()), SCHEMA, PartitionSpec.unpartitioned(), ImmutableMap.of("format-version", "3"));
    }

    @Test
    @Tag("CN-28")
    void testAppend()
            throws IOException
    {
        assertThat(commit(table.newFastAppend())).isEqualTo(NOTHING);
        assertThat(commit(table.newFastAppend().appendFile(dataFile(1)))).isEqualTo(ADDED);
        assertThat(commit(table.newAppend().appendFile(dataFile(1)))).isEqualTo(ADDED);
        assertThat(commit(table.newAppend())).isEqualTo(NOTHING);
        assertThat(commit(table.newRowDelta().addRows(dataFile(1)))).isEqualTo(ADDED);
        // A file without rows might as well not count, but nobody writes one
        assertThat(commit(table.newAppend().appendFile(dataFile(0)))).isEqualTo(ADDED);
        assertThat(commit(table.newAppend().appendManifest(manifest(dataFile(1))))).isEqualTo(ADDED);
    }

    @Test
    @Tag("CN-28")
    void testCompaction()
    {
        DataFile first = dataFile(3);
        DataFile second = dataFile(2);
        table.newAppend().appendFile(first).appendFile(second).commit();
        assertThat(commit(table.newRewrite().deleteFile(first).deleteFile(second).addFile(dataFile(5)))).isEqualTo(NOTHING);
        assertThat(commit(table.rewriteManifests().clusterBy(DataFile::location))).isEqualTo(NOTHING);
    }

    @Test
    @Tag("CN-28")
    void testCompactionAfterDeletes()
    {
        DataFile file = dataFile(3);
        table.newAppend().appendFile(file).commit();
        DeleteFile deletes = deletionVector(file, 1);
        assertThat(commit(table.newRowDelta().addDeletes(deletes))).isEqualTo(REMOVED);
        assertThat(commit(table.newRewrite().validateFromSnapshot(currentSnapshotId()).deleteFile(file).deleteFile(deletes).addFile(dataFile(2)))).isEqualTo(NOTHING);
    }

    @Test
    @Tag("CN-28")
    void testDelete()
    {
        DataFile file = dataFile(3);
        table.newAppend().appendFile(file).appendFile(dataFile(1)).commit();
        DeleteFile deletes = deletionVector(file, 1);
        assertThat(commit(table.newRowDelta().addDeletes(deletes))).isEqualTo(REMOVED);
        DeleteFile moreDeletes = deletionVector(file, 2);
        assertThat(commit(table.newRowDelta().validateFromSnapshot(currentSnapshotId()).removeDeletes(deletes).addDeletes(moreDeletes))).isEqualTo(REMOVED);
        // The deletion vector goes with its file
        assertThat(commit(table.newDelete().deleteFile(file))).isEqualTo(REMOVED);
        assertThat(table.currentSnapshot().summary()).containsEntry("removed-dvs", "1");
        assertThat(commit(table.newDelete().deleteFromRowFilter(alwaysTrue()))).isEqualTo(REMOVED);
    }

    @Test
    @Tag("CN-09")
    void testChangeOfRowsCountsTwice()
    {
        DataFile file = dataFile(3);
        table.newAppend().appendFile(file).commit();
        assertThat(commit(table.newRowDelta().addDeletes(deletionVector(file, 1)).addRows(dataFile(1)))).isEqualTo(BOTH);
        assertThat(commit(table.newOverwrite().deleteFile(file).addFile(dataFile(3)))).isEqualTo(BOTH);
        assertThat(commit(table.newReplacePartitions().addFile(dataFile(3)))).isEqualTo(BOTH);
    }

    @Test
    @Tag("CN-27")
    void testRowsThatComeBackAreAdded()
    {
        DataFile file = dataFile(3);
        DeleteFile deletes = deletionVector(file, 1);
        table.newAppend().appendFile(file).commit();
        table.newRowDelta().addDeletes(deletes).commit();
        assertThat(commit(table.newRowDelta().validateFromSnapshot(currentSnapshotId()).removeDeletes(deletes))).isEqualTo(BOTH);
        assertThat(RowChange.of(snapshot("replace", ImmutableMap.of("removed-delete-files", "1"))).addsRows()).isTrue();
        assertThat(RowChange.of(snapshot("delete", ImmutableMap.of("removed-delete-files", "1")))).isEqualTo(BOTH);
    }

    @Test
    @Tag("CN-27")
    void testDoubtfulSummaryClaimsNothing()
    {
        assertThat(RowChange.of(snapshot(null, ImmutableMap.of()))).isEqualTo(BOTH);
        assertThat(RowChange.of(snapshot("upsert", ImmutableMap.of()))).isEqualTo(BOTH);
        assertThat(RowChange.of(snapshot("append", ImmutableMap.of()))).isEqualTo(ADDED);
        assertThat(RowChange.of(snapshot("append", ImmutableMap.of("added-data-files", "1", "deleted-data-files", "many")))).isEqualTo(BOTH);
        assertThat(RowChange.of(snapshot("append", ImmutableMap.of("changed-partition-count", "0", "added-data-files", "1")))).isEqualTo(ADDED);
        assertThat(RowChange.of(snapshot("append", ImmutableMap.of("added-data-files", "1", "deleted-data-files", "1")))).isEqualTo(BOTH);
        assertThat(RowChange.of(snapshot("append", ImmutableMap.of("added-data-files", "1", "added-delete-files", "1")))).isEqualTo(BOTH);
        assertThat(RowChange.of(snapshot("delete", ImmutableMap.of()))).isEqualTo(REMOVED);
        assertThat(RowChange.of(snapshot("delete", ImmutableMap.of("added-data-files", "1")))).isEqualTo(BOTH);
        assertThat(RowChange.of(snapshot("replace", ImmutableMap.of("added-records", "3", "deleted-records", "2")))).isEqualTo(ADDED);
        assertThat(RowChange.of(snapshot("replace", ImmutableMap.of("added-data-files", "1", "added-records", "3")))).isEqualTo(ADDED);
        assertThat(RowChange.of(snapshot("replace", ImmutableMap.of("added-records", "x")))).isEqualTo(BOTH);
    }

    private RowChange commit(SnapshotUpdate<?> update)
    {
        update.commit();
        return RowChange.of(table.currentSnapshot());
    }

    private DataFile dataFile(long rows)
    {
        return DataFiles.builder(table.spec())
                .withPath(table.location() + "/data/" + UUID.randomUUID() + ".parquet")
                .withFileSizeInBytes(1000)
                .withRecordCount(rows)
                .build();
    }

    private ManifestFile manifest(DataFile file)
            throws IOException
    {
        ManifestWriter<DataFile> writer = ManifestFiles.write(table.spec(), table.io().newOutputFile(table.location() + "/metadata/" + UUID.randomUUID() + ".avro"));
        try (writer) {
            writer.add(file);
        }
        return writer.toManifestFile();
    }

    private long currentSnapshotId()
    {
        return table.currentSnapshot().snapshotId();
    }

    private DeleteFile deletionVector(DataFile file, long rows)
    {
        return FileMetadata.deleteFileBuilder(table.spec())
                .ofPositionDeletes()
                .withFormat(FileFormat.PUFFIN)
                .withPath(table.location() + "/data/" + UUID.randomUUID() + ".puffin")
                .withFileSizeInBytes(100)
                .withRecordCount(rows)
                .withReferencedDataFile(file.location())
                .withContentOffset(4)
                .withContentSizeInBytes(50)
                .build();
    }
}
