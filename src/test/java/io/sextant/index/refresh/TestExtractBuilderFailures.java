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
package io.sextant.index.refresh;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.sextant.SextantQueryRunner;
import io.sextant.error.SextantErrorCode;
import io.sextant.index.refresh.ExtractRequest.HotKeys;
import io.sextant.index.refresh.TestingFaultyFileSystem.Fault;
import io.sextant.index.region.RegionFile;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.spi.TrinoException;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

import static io.sextant.error.SextantErrorCode.INDEX_BUILD_CANCELED;
import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static io.sextant.index.refresh.TestingExtracts.with;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// Builds that fail, are refused or cancelled leave nothing behind.
@Execution(SAME_THREAD)
final class TestExtractBuilderFailures
        extends AbstractTestQueryFramework
{
    private static final int ROWS = 60_000;

    @TempDir
    Path spillPath;

    private TestingExtracts extracts;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder().build();
    }

    @BeforeEach
    void setUp()
    {
        extracts = new TestingExtracts(getQueryRunner());
    }

    @Test
    void testReadFaults()
            throws IOException
    {
        ExtractRequest request = request(createTable());
        int failures = 0;
        while (true) {
            TestingFaultyFileSystem faults = new TestingFaultyFileSystem(Fault.OPEN_INPUT, failures);
            IcebergFileSystemFactory delegate = extracts.icebergFileSystemFactory();
            ExtractBuilder builder = extracts.builder(TestingExtracts.config(spillPath), (identity, properties) -> faults.wrap(delegate.create(identity, properties)));
            if (!faultIsReported(builder, request, faults)) {
                break;
            }
            failures++;
        }
        // At least once for each of the six files
        assertThat(failures).isGreaterThanOrEqualTo(6);
    }

    @Test
    void testWriteFaults()
            throws IOException
    {
        ExtractRequest request = request(createTable());
        for (Fault fault : ImmutableList.of(Fault.CREATE_OUTPUT, Fault.WRITE_OUTPUT, Fault.CLOSE_OUTPUT)) {
            int failures = 0;
            while (true) {
                TestingFaultyFileSystem faults = new TestingFaultyFileSystem(fault, failures);
                ExtractRequest faulty = with(request, faults.wrap(request.fileSystem()), HotKeys.KEEP_TOGETHER);
                if (!faultIsReported(extracts.builder(TestingExtracts.config(spillPath)), faulty, faults)) {
                    break;
                }
                failures++;
            }
            assertThat(failures).isGreaterThan(3);
        }
    }

    /// Returns whether the fault came to pass; if so, the build must have failed for it, else it must have succeeded.
    private boolean faultIsReported(ExtractBuilder builder, ExtractRequest request, TestingFaultyFileSystem faults)
            throws IOException
    {
        try {
            BuiltExtract extract = builder.build(request, new BuildProgress());
            assertThat(faults.hasFailed()).isFalse();
            assertThat(extract.entryCount()).isEqualTo(ROWS);
            assertThat(extract.spilledBytes()).isGreaterThan(0);
            deleteRegions(extract, request.fileSystem());
            assertNothingIsLeft();
            return false;
        }
        catch (TrinoException e) {
            assertThat(faults.hasFailed()).isTrue();
            assertThat(e).hasStackTraceContaining(TestingFaultyFileSystem.MESSAGE);
            assertThat(e.getErrorCode()).isNotEqualTo(INDEX_BUILD_CANCELED.toErrorCode());
            assertNothingIsLeft();
            return true;
        }
    }

    @Test
    void testCancelAtRandomMoments()
            throws Exception
    {
        ExtractRequest request = request(createTable());
        long duration = timeBuild(request);
        Random random = new Random(1);
        int cancelled = 0;
        for (int i = 0; i < 25; i++) {
            BuildProgress progress = new BuildProgress();
            long delay = random.nextLong(duration);
            Thread canceller = Thread.ofPlatform().start(() -> {
                sleepNanos(delay);
                progress.cancel();
            });
            cancelled += buildOrCancel(request, progress) ? 0 : 1;
            canceller.join();
            assertNothingIsLeft();
        }
        assertThat(cancelled).isGreaterThan(5);
    }

    @Test
    void testInterruptAtRandomMoments()
            throws Exception
    {
        ExtractRequest request = request(createTable());
        long duration = timeBuild(request);
        Random random = new Random(2);
        int cancelled = 0;
        for (int i = 0; i < 25; i++) {
            Thread builder = Thread.currentThread();
            long delay = random.nextLong(duration);
            Thread interrupter = Thread.ofPlatform().start(() -> {
                sleepNanos(delay);
                builder.interrupt();
            });
            cancelled += buildOrCancel(request, new BuildProgress()) ? 0 : 1;
            while (interrupter.isAlive()) {
                Thread.onSpinWait();
            }
            Thread.interrupted();
            assertNothingIsLeft();
        }
        assertThat(cancelled).isGreaterThan(5);
    }

    private long timeBuild(ExtractRequest request)
            throws IOException
    {
        deleteRegions(build(request, new BuildProgress()), request.fileSystem());
        long start = System.nanoTime();
        deleteRegions(build(request, new BuildProgress()), request.fileSystem());
        return System.nanoTime() - start;
    }

    private boolean buildOrCancel(ExtractRequest request, BuildProgress progress)
            throws IOException
    {
        try {
            deleteRegions(build(request, progress), request.fileSystem());
            return true;
        }
        catch (TrinoException e) {
            assertThat(e.getErrorCode()).as("%s", e).isEqualTo(INDEX_BUILD_CANCELED.toErrorCode());
            return false;
        }
    }

    @Test
    @Tag("IX-30")
    void testEncryptedSnapshotIsRefused()
            throws IOException
    {
        String name = createTable("format_version = 3");
        BaseTable table = extracts.table(name);
        TableMetadata metadata = table.operations().current();
        String json = TableMetadataParser.toJson(metadata)
                .replace("\"snapshots\":[{", "\"encryption-keys\":[{\"key-id\":\"master\",\"encrypted-key-metadata\":\"AAAA\"}],\"snapshots\":[{\"key-id\":\"master\",");
        TableMetadata encrypted = TableMetadataParser.fromJson(metadata.metadataFileLocation(), json);
        ExtractRequest plain = request(name);
        BaseTable encryptedTable = new BaseTable(new StaticTableOperations(encrypted, table.io()), table.name());
        long snapshotId = encrypted.snapshots().stream().filter(snapshot -> snapshot.keyId() != null).findFirst().orElseThrow().snapshotId();
        assertRefused(withTable(plain, encryptedTable, snapshotId), INDEX_UNSUPPORTED, "encrypted");
    }

    @Test
    @Tag("IX-30")
    void testEncryptedFileIsRefused()
            throws IOException
    {
        String name = createTable("format_version = 2");
        BaseTable table = extracts.table(name);
        DataFile file = DataFiles.builder(table.spec())
                .copy(anyDataFile(table))
                .withPath(table.location() + "/data/encrypted.parquet")
                .withEncryptionKeyMetadata(ByteBuffer.wrap(new byte[] {1, 2, 3}))
                .build();
        table.newFastAppend().appendFile(file).commit();
        assertRefused(request(name), INDEX_UNSUPPORTED, "encrypted.parquet");
    }

    @Test
    @Tag("IX-30")
    void testEncryptedDeleteFileIsRefused()
            throws IOException
    {
        String name = createTable("format_version = 2");
        BaseTable table = extracts.table(name);
        DeleteFile file = FileMetadata.deleteFileBuilder(table.spec())
                .ofPositionDeletes()
                .withPath(table.location() + "/data/encrypted-deletes.parquet")
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(100)
                .withRecordCount(1)
                .withEncryptionKeyMetadata(ByteBuffer.wrap(new byte[] {1, 2, 3}))
                .build();
        table.newRowDelta().addDeletes(file).commit();
        assertRefused(request(name), INDEX_UNSUPPORTED, "encrypted-deletes.parquet is encrypted");
    }

    @Test
    @Tag("IX-11")
    void testSnapshotWithoutSchemaIsRefused()
            throws IOException
    {
        String name = createTable();
        BaseTable table = extracts.table(name);
        TableMetadata metadata = table.operations().current();
        String json = TableMetadataParser.toJson(metadata)
                .replaceAll("(\"manifest-list\":\"[^\"]*\"),\"schema-id\":\\d+", "$1");
        TableMetadata old = TableMetadataParser.fromJson(metadata.metadataFileLocation(), json);
        assertThat(old.currentSnapshot().schemaId()).isNull();
        BaseTable oldTable = new BaseTable(new StaticTableOperations(old, table.io()), table.name());
        assertRefused(withTable(request(name), oldTable, old.currentSnapshot().snapshotId()), INDEX_UNSUPPORTED, "does not tell its schema");
    }

    @Test
    void testDataFileListedTwiceIsRefused()
            throws IOException
    {
        String name = createTable("format_version = 2");
        BaseTable table = extracts.table(name);
        table.newFastAppend().appendFile(anyDataFile(table)).commit();
        assertRefused(request(name), INDEX_UNSUPPORTED, "twice");
    }

    @Test
    void testMissingRowsAreNoticed()
            throws IOException
    {
        String name = createTable("format_version = 2");
        BaseTable table = extracts.table(name);
        DataFile file = anyDataFile(table);
        table.newDelete().deleteFile(file).commit();
        DataFile larger = DataFiles.builder(table.spec()).copy(file).withRecordCount(file.recordCount() + 1).build();
        table.newFastAppend().appendFile(larger).commit();
        assertRefused(request(name), INDEX_BUILD_FAILED, "its metadata says " + larger.recordCount());
    }

    @Test
    void testMissingDataFile()
            throws IOException
    {
        String name = createTable("format_version = 2");
        ExtractRequest request = request(name);
        extracts.fileSystem().deleteFile(Location.of(anyDataFile(request.table()).location()));
        try {
            build(request, new BuildProgress());
            throw new AssertionError("built without a data file");
        }
        catch (TrinoException e) {
            assertNothingIsLeft();
        }
    }

    @Test
    void testSourceThatWasDropped()
            throws IOException
    {
        ExtractRequest request = request(createTable());
        ExtractRequest foreign = new ExtractRequest(
                request.session(),
                request.table(),
                request.snapshotId(),
                request.schema(),
                ImmutableMap.<Integer, Integer>builder()
                        .putAll(request.sourceIds())
                        .put(request.schema().keyFieldIds().getFirst(), 77)
                        .buildKeepingLast(),
                request.functions(),
                request.fileSystem(),
                request.regionLocations(),
                request.targetRegionSize(),
                request.hotKeys());
        assertRefused(foreign, INDEX_INVALID_DEFINITION, "77");
    }

    @Test
    void testUnknownSnapshot()
            throws IOException
    {
        ExtractRequest request = request(createTable());
        assertRefused(withTable(request, request.table(), 42), INDEX_BUILD_FAILED, "has no snapshot 42");
    }

    private void assertRefused(ExtractRequest request, SextantErrorCode errorCode, String message)
            throws IOException
    {
        try {
            build(request, new BuildProgress());
        }
        catch (TrinoException e) {
            assertThat(e.getErrorCode()).isEqualTo(errorCode.toErrorCode());
            assertThat(e).hasMessageContaining(message);
            assertNothingIsLeft();
            return;
        }
        throw new AssertionError("built although it must be refused");
    }

    private static ExtractRequest withTable(ExtractRequest request, BaseTable table, long snapshotId)
    {
        return new ExtractRequest(
                request.session(),
                table,
                snapshotId,
                request.schema(),
                request.sourceIds(),
                request.functions(),
                request.fileSystem(),
                request.regionLocations(),
                request.targetRegionSize(),
                request.hotKeys());
    }

    private static DataFile anyDataFile(BaseTable table)
            throws IOException
    {
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            return tasks.iterator().next().file();
        }
    }

    private String createTable()
    {
        return createTable("format_version = 2");
    }

    private String createTable(String properties)
    {
        String name = ("t" + UUID.randomUUID()).replace("-", "").toLowerCase(ENGLISH);
        assertUpdate("CREATE TABLE %s (id bigint, k bigint) WITH (%s)".formatted(name, properties));
        for (int i = 0; i < 6; i++) {
            assertUpdate("INSERT INTO %s SELECT x, x * 7919 %% 1009 FROM UNNEST(sequence(%s, %s)) t(x)".formatted(name, i * 10_000 + 1, (i + 1) * 10_000), 10_000);
        }
        return name;
    }

    private ExtractRequest request(String table)
    {
        return extracts.request(table, ImmutableList.of("k"), ImmutableList.of("id"), DataSize.valueOf("48kB"));
    }

    private BuiltExtract build(ExtractRequest request, BuildProgress progress)
    {
        return extracts.builder(TestingExtracts.config(spillPath)).build(request, progress);
    }

    private static void deleteRegions(BuiltExtract extract, TrinoFileSystem fileSystem)
            throws IOException
    {
        assertThat(extract.regions().size()).isGreaterThan(3);
        boolean interrupted = Thread.interrupted();
        for (RegionFile region : extract.regions()) {
            fileSystem.deleteFile(Location.of(region.file().location()));
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void assertNothingIsLeft()
            throws IOException
    {
        assertThat(extracts.files(extracts.directory())).isEmpty();
        try (Stream<Path> files = Files.list(spillPath)) {
            List<Path> left = files.toList();
            assertThat(left).isEmpty();
        }
    }

    private static void sleepNanos(long nanos)
    {
        try {
            Thread.sleep(Duration.ofNanos(nanos));
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
