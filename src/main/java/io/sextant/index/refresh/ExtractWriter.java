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

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.airlift.units.DataSize;
import io.sextant.index.catalog.IndexLocations;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.ExtractProperties;
import io.sextant.index.metadata.IdentityField;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.ExtractRequest.HotKeys;
import io.sextant.index.region.RegionFile;
import io.sextant.index.region.RegionSchema;
import io.sextant.index.tracking.TrackingEntry;
import io.sextant.index.tracking.TrackingFileReader;
import io.sextant.index.tracking.TrackingFileWriter;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.airlift.units.DataSize.succinctBytes;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;
import static java.util.Objects.requireNonNull;

/// Writes the files of an extract: its regions, then the tracking file that lists them.
public class ExtractWriter
{
    private static final Logger log = Logger.get(ExtractWriter.class);

    private final ExtractBuilder extractBuilder;
    private final TrackingFileReader trackingFileReader;

    @Inject
    public ExtractWriter(ExtractBuilder extractBuilder, TrackingFileReader trackingFileReader)
    {
        this.extractBuilder = requireNonNull(extractBuilder, "extractBuilder is null");
        this.trackingFileReader = requireNonNull(trackingFileReader, "trackingFileReader is null");
    }

    /// Leaves no file behind if it fails.
    ///
    /// @param schema the extract schema, which the metadata need not have yet
    Extract write(IndexedTable table, IndexMetadata metadata, Schema schema, Snapshot snapshot, BuildProgress progress)
    {
        IndexLocations locations = new IndexLocations(metadata.location());
        RegionSchema columns = RegionSchema.of(metadata, schema);
        RegionProperties properties = RegionProperties.of(metadata.properties());
        long start = System.nanoTime();
        BuiltExtract built = extractBuilder.build(
                new ExtractRequest(
                        table.session(),
                        table.table(),
                        snapshot.snapshotId(),
                        columns,
                        metadata.identityFields().stream()
                                .collect(toImmutableMap(IdentityField::fieldId, IdentityField::sourceId)),
                        ImmutableMap.of(),
                        table.fileSystem(),
                        () -> Location.of(locations.newRegionFile()),
                        DataSize.ofBytes(properties.targetSizeInBytes()),
                        properties.splitHotKeys() ? HotKeys.SPLIT : HotKeys.KEEP_TOGETHER),
                progress);
        String trackingFile = locations.newTrackingFile();
        long trackingFileSize = writeTrackingFile(table, trackingFile, TrackingFileWriter.of(metadata, schema, snapshot.snapshotId()), built.regions());
        log.info(
                "Built an extract of snapshot %s of table %s: %s entries in %s regions of %s, from %s files in %s ms",
                snapshot.snapshotId(),
                table.name(),
                built.entryCount(),
                built.regions().size(),
                succinctBytes(built.sizeInBytes()),
                built.dataFileCount(),
                (System.nanoTime() - start) / 1_000_000);
        return new Extract(
                ThreadLocalRandom.current().nextLong(Long.MAX_VALUE),
                snapshot.snapshotId(),
                schema.schemaId(),
                System.currentTimeMillis(),
                trackingFile,
                trackingFileSize,
                ExtractProperties.ofTableAt(table.table().location()),
                Optional.empty());
    }

    private static long writeTrackingFile(IndexedTable table, String location, TrackingFileWriter writer, List<RegionFile> regions)
    {
        List<TrackingEntry> entries = regions.stream()
                .map(region -> new TrackingEntry(region.file(), region.stats(), Optional.empty()))
                .collect(toImmutableList());
        try {
            return writer.writeFile(table.fileSystem().newOutputFile(Location.of(location)), entries);
        }
        catch (Throwable e) {
            deleteFiles(table, regions.stream().map(region -> Location.of(region.file().location())).toList(), e);
            throw e;
        }
    }

    private static void deleteFiles(IndexedTable table, List<Location> files, Throwable failure)
    {
        try {
            table.fileSystem().deleteFiles(files);
        }
        catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /// Deletes the files of an extract that no metadata refers to.
    void delete(IndexedTable table, IndexMetadata metadata, Extract extract)
    {
        try {
            for (TrackingEntry region : trackingFileReader.read(table.fileSystem(), metadata, extract)) {
                table.fileSystem().deleteFile(Location.of(region.file().location()));
            }
            table.fileSystem().deleteFile(Location.of(metadata.resolve(extract.trackingFile())));
        }
        catch (IOException e) {
            throw new TrinoException(INDEX_STORAGE_ERROR, "Files of an unfinished build of the index at %s could not be deleted: %s".formatted(metadata.location(), e.getMessage()), e);
        }
    }
}
