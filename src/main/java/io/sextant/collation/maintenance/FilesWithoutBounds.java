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
package io.sextant.collation.maintenance;

import com.google.common.collect.ImmutableList;
import io.sextant.collation.metadata.CollatedColumn;
import io.sextant.collation.metadata.FileBounds;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.IcebergManifestUtils;
import org.apache.iceberg.IcebergManifestUtils.FileEntryWithMetadata;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.io.CloseableIterable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import static com.google.common.collect.ImmutableList.toImmutableList;

/// Finds the live data files of a table whose manifest entries lack bounds, some manifests at a time.
/// NOT safe for use by several threads.
final class FilesWithoutBounds
{
    private static final int MAX_FILES = 10_000;
    private static final List<String> ALL_COLUMNS = ImmutableList.of("*");

    private final List<CollatedColumn> columns;
    // By location, since manifests do not change
    private final Set<String> completeManifests = new HashSet<>();

    FilesWithoutBounds(List<CollatedColumn> columns)
    {
        this.columns = ImmutableList.copyOf(columns);
    }

    /// @param manifests to be replaced, each of which has one of the files at least
    record Batch(List<ManifestFile> manifests, List<LackingFile> files) {}

    /// @param file without its metrics
    /// @param columns for which it lacks bounds
    record LackingFile(DataFile file, List<CollatedColumn> columns) {}

    /// The next files of the current snapshot; none if all have bounds.
    Batch next(BaseTable table)
    {
        ImmutableList.Builder<ManifestFile> manifests = ImmutableList.builder();
        ImmutableList.Builder<LackingFile> files = ImmutableList.builder();
        int count = 0;
        for (ManifestFile manifest : table.currentSnapshot().dataManifests(table.io())) {
            if (count >= MAX_FILES) {
                break;
            }
            if (completeManifests.contains(manifest.path())) {
                continue;
            }
            List<LackingFile> lacking = lacking(table, manifest);
            if (lacking.isEmpty()) {
                completeManifests.add(manifest.path());
                continue;
            }
            manifests.add(manifest);
            files.addAll(lacking);
            count += lacking.size();
        }
        return new Batch(manifests.build(), files.build());
    }

    private List<LackingFile> lacking(BaseTable table, ManifestFile manifest)
    {
        ImmutableList.Builder<LackingFile> files = ImmutableList.builder();
        forEachEntry(table, manifest, entry -> {
            List<CollatedColumn> lacking = columns.stream()
                    .filter(column -> !FileBounds.isCollected(entry.file(), column.metricId()))
                    .collect(toImmutableList());
            if (!lacking.isEmpty()) {
                files.add(new LackingFile(((DataFile) entry.file()).copyWithoutStats(), lacking));
            }
        });
        return files.build();
    }

    /// Gives the live entries of a data manifest to a consumer. An entry is lent for the time of the call.
    static void forEachEntry(BaseTable table, ManifestFile manifest, Consumer<FileEntryWithMetadata> consumer)
    {
        try (CloseableIterable<FileEntryWithMetadata> entries = IcebergManifestUtils.liveEntriesWithMetadata(
                ManifestFiles.read(manifest, table.io(), table.specs()).select(ALL_COLUMNS))) {
            entries.forEach(consumer);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
