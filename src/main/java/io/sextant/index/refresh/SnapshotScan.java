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

import io.trino.spi.TrinoException;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.io.CloseableIterable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static java.util.Objects.requireNonNull;

/// The data files of one snapshot with the deletes that apply to them, listed as often as asked for; it holds none of them.
final class SnapshotScan
{
    private final BaseTable table;
    private final Snapshot snapshot;
    private final Schema schema;

    /// Fails with INDEX_UNSUPPORTED if the snapshot is encrypted, or does not tell its schema.
    SnapshotScan(BaseTable table, long snapshotId)
    {
        this.table = requireNonNull(table, "table is null");
        this.snapshot = Optional.ofNullable(table.snapshot(snapshotId))
                .orElseThrow(() -> new TrinoException(INDEX_BUILD_FAILED, "Table %s has no snapshot %s; it may have expired".formatted(table.name(), snapshotId)));
        if (snapshot.keyId() != null) {
            throw encrypted("snapshot %s".formatted(snapshotId));
        }
        // Index format, "Extracts": the extract names the schema of the snapshot
        this.schema = Optional.ofNullable(snapshot.schemaId())
                .map(table.schemas()::get)
                .orElseThrow(() -> new TrinoException(INDEX_UNSUPPORTED, "Snapshot %s of table %s does not tell its schema, as old writers left it out; write to the table and index the new snapshot".formatted(snapshotId, table.name())));
    }

    /// The schema of the snapshot.
    Schema schema()
    {
        return schema;
    }

    DataFilePaths listFiles(BuildProgress progress)
    {
        List<String> paths = new ArrayList<>();
        forEachFile(progress, task -> {
            progress.addPlannedFile(task.file().fileSizeInBytes());
            paths.add(task.file().location());
        });
        return new DataFilePaths(paths);
    }

    /// Fails with INDEX_UNSUPPORTED at an encrypted file.
    void forEachFile(BuildProgress progress, Consumer<FileScanTask> consumer)
    {
        try (CloseableIterable<FileScanTask> tasks = planFiles()) {
            for (FileScanTask task : tasks) {
                progress.checkpoint();
                checkNotEncrypted(task.file());
                task.deletes().forEach(this::checkNotEncrypted);
                consumer.accept(task);
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All files of the snapshot.
    CloseableIterable<FileScanTask> planFiles()
    {
        return table.newScan()
                .useSnapshot(snapshot.snapshotId())
                .planFiles();
    }

    private void checkNotEncrypted(ContentFile<?> file)
    {
        if (file.keyMetadata() != null) {
            throw encrypted("file %s".formatted(file.location()));
        }
    }

    private TrinoException encrypted(String what)
    {
        return new TrinoException(
                INDEX_UNSUPPORTED,
                "Table %s cannot be indexed: %s is encrypted, and an index would hold its keys in plain text".formatted(table.name(), what));
    }
}
