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

import io.sextant.collation.CollationBounds;
import io.sextant.collation.metadata.FileBounds;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RewriteManifests;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.TableProperties.SNAPSHOT_ID_INHERITANCE_ENABLED;
import static org.apache.iceberg.TableProperties.SNAPSHOT_ID_INHERITANCE_ENABLED_DEFAULT;

/// Replaces manifests of a table by such that have more bounds, and all else as it was: entries keep their snapshot ID,
/// sequence numbers and first row ID.
final class ManifestReplacement
{
    private final BaseTable table;
    private final Map<String, Map<Integer, CollationBounds>> bounds;

    /// @param bounds to add, by location of the file and metric ID
    ManifestReplacement(BaseTable table, Map<String, Map<Integer, CollationBounds>> bounds)
    {
        this.table = requireNonNull(table, "table is null");
        this.bounds = requireNonNull(bounds, "bounds is null");
    }

    /// Rewrites and commits, and says whether that could be done: not if somebody else has replaced one of the manifests meanwhile
    boolean commit(List<ManifestFile> manifests)
    {
        boolean copied = isCopiedByCommit(table.operations().current());
        List<String> written = new ArrayList<>();
        RewriteManifests rewrite = prepare(manifests, written);
        try {
            rewrite.commit();
        }
        catch (RuntimeException e) {
            // After any other failure, the table may refer to them
            if (e instanceof CleanableFailure) {
                delete(written, e);
            }
            if (e instanceof ValidationException || e instanceof CommitFailedException) {
                return false;
            }
            throw e;
        }
        if (copied) {
            written.forEach(table.io()::deleteFile);
        }
        return true;
    }

    /// Whether Iceberg commits copies of manifests that are added, since entries of the first format version have no snapshot ID
    /// to inherit, and leaves the originals to whoever wrote them.
    private static boolean isCopiedByCommit(TableMetadata metadata)
    {
        return metadata.formatVersion() == 1 && !metadata.propertyAsBoolean(SNAPSHOT_ID_INHERITANCE_ENABLED, SNAPSHOT_ID_INHERITANCE_ENABLED_DEFAULT);
    }

    /// @param written gets the locations of the new manifests
    private RewriteManifests prepare(List<ManifestFile> manifests, List<String> written)
    {
        try {
            List<ManifestFile> replacements = new ArrayList<>();
            for (ManifestFile manifest : manifests) {
                String location = table.operations().metadataFileLocation("collation-bounds-%s.avro".formatted(UUID.randomUUID()));
                written.add(location);
                replacements.add(write(manifest, location));
            }
            RewriteManifests rewrite = table.rewriteManifests();
            manifests.forEach(rewrite::deleteManifest);
            replacements.forEach(rewrite::addManifest);
            return rewrite;
        }
        catch (RuntimeException e) {
            delete(written, e);
            throw e;
        }
    }

    private void delete(List<String> manifests, RuntimeException cause)
    {
        for (String manifest : manifests) {
            try {
                table.io().deleteFile(manifest);
            }
            catch (RuntimeException e) {
                cause.addSuppressed(e);
            }
        }
    }

    private ManifestFile write(ManifestFile manifest, String location)
    {
        PartitionSpec spec = table.specs().get(manifest.partitionSpecId());
        ManifestWriter<DataFile> writer = ManifestFiles.write(
                table.operations().current().formatVersion(),
                spec,
                EncryptingFileIO.combine(table.io(), table.encryption()).newEncryptingOutputFile(location),
                null);
        try (writer) {
            FilesWithoutBounds.forEachEntry(table, manifest, entry -> writer.existing(
                    withBounds((DataFile) entry.file(), spec),
                    entry.snapshotId(),
                    entry.file().dataSequenceNumber(),
                    entry.file().fileSequenceNumber()));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return writer.toManifestFile();
    }

    private DataFile withBounds(DataFile file, PartitionSpec spec)
    {
        Map<Integer, CollationBounds> added = bounds.get(file.location());
        if (added == null) {
            return file;
        }
        Metrics metrics = FileBounds.metrics(file);
        for (Map.Entry<Integer, CollationBounds> metric : added.entrySet()) {
            metrics = FileBounds.add(metrics, metric.getKey(), metric.getValue());
        }
        return DataFiles.builder(spec).copy(file).withMetrics(metrics).build();
    }
}
