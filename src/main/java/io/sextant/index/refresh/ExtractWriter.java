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
import io.sextant.index.tracking.TrackedRegions;
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
import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
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

    /// An extract that is not committed yet.
    ///
    /// @param baseId the extract that some of its region files may belong to as well
    /// @param files that were written for it
    record WrittenExtract(Extract extract, Optional<Long> baseId, List<Location> files)
    {
        WrittenExtract
        {
            requireNonNull(extract, "extract is null");
            requireNonNull(baseId, "baseId is null");
            files = ImmutableList.copyOf(files);
        }
    }

    /// Leaves no file behind if it fails.
    ///
    /// @param schema the extract schema, which the metadata need not have yet
    /// @param base an extract to derive it from, if that can be
    WrittenExtract write(IndexedTable table, IndexMetadata metadata, Schema schema, Snapshot snapshot, ReusableExtract base, BuildProgress progress)
    {
        IndexLocations locations = new IndexLocations(metadata.location());
        RegionProperties properties = RegionProperties.of(metadata.properties());
        ExtractRequest request = new ExtractRequest(
                table.session(),
                table.table(),
                snapshot.snapshotId(),
                RegionSchema.of(metadata, schema),
                metadata.identityFields().stream()
                        .collect(toImmutableMap(IdentityField::fieldId, IdentityField::sourceId)),
                ImmutableMap.of(),
                table.fileSystem(),
                () -> Location.of(locations.newRegionFile()),
                DataSize.ofBytes(properties.targetSizeInBytes()),
                properties.splitHotKeys() ? HotKeys.SPLIT : HotKeys.KEEP_TOGETHER);
        return switch (base) {
            case ReusableExtract.None(String reason) -> writeInFull(table, metadata, request, reason, progress);
            case ReusableExtract.Found(Extract extract) -> refresh(table, metadata, request, extract, progress);
        };
    }

    private WrittenExtract refresh(IndexedTable table, IndexMetadata metadata, ExtractRequest request, Extract base, BuildProgress progress)
    {
        long start = System.nanoTime();
        try {
            RegionSchema schema = RegionSchema.of(metadata, metadata.schemaOf(base));
            TrackedRegions regions = TrackedRegions.of(metadata, base, trackingFileReader.read(table.fileSystem(), metadata, base));
            BuiltExtract built = extractBuilder.refresh(request, new BaseExtract(base.sourceTableSnapshotId(), schema, regions), progress);
            String how = "incremental, from snapshot %s: %s of %s regions written".formatted(base.sourceTableSnapshotId(), built.written().size(), built.regions().size());
            return finish(table, metadata, request, built, Optional.of(base.extractId()), how, start);
        }
        catch (RuntimeException e) {
            if (!(e instanceof NotReusableException) && !(e instanceof TrinoException trino && INDEX_CORRUPT.toErrorCode().equals(trino.getErrorCode()))) {
                throw e;
            }
            return writeInFull(table, metadata, request, "the extract of snapshot %s cannot be reused: %s".formatted(base.sourceTableSnapshotId(), e.getMessage()), progress);
        }
    }

    private WrittenExtract writeInFull(IndexedTable table, IndexMetadata metadata, ExtractRequest request, String reason, BuildProgress progress)
    {
        long start = System.nanoTime();
        return finish(table, metadata, request, extractBuilder.build(request, progress), Optional.empty(), "full, because " + reason, start);
    }

    private static WrittenExtract finish(IndexedTable table, IndexMetadata metadata, ExtractRequest request, BuiltExtract built, Optional<Long> baseId, String how, long start)
    {
        Schema schema = request.schema().schema();
        String trackingFile = new IndexLocations(metadata.location()).newTrackingFile();
        List<Location> regionFiles = built.written().stream()
                .map(region -> Location.of(region.file().location()))
                .collect(toImmutableList());
        long trackingFileSize = writeTrackingFile(table, trackingFile, TrackingFileWriter.of(metadata, schema, request.snapshotId()), built.regions(), regionFiles);
        log.info(
                "Built an extract of snapshot %s of table %s (%s): %s entries in %s regions, %s written, from %s files in %s ms",
                request.snapshotId(),
                table.name(),
                how,
                built.entryCount(),
                built.regions().size(),
                succinctBytes(built.writtenBytes()),
                built.dataFileCount(),
                (System.nanoTime() - start) / 1_000_000);
        Extract extract = new Extract(
                ThreadLocalRandom.current().nextLong(Long.MAX_VALUE),
                request.snapshotId(),
                schema.schemaId(),
                System.currentTimeMillis(),
                trackingFile,
                trackingFileSize,
                ExtractProperties.of(table.table().location(), how),
                Optional.empty());
        return new WrittenExtract(extract, baseId, ImmutableList.<Location>builder().addAll(regionFiles).add(Location.of(trackingFile)).build());
    }

    private static long writeTrackingFile(IndexedTable table, String location, TrackingFileWriter writer, List<RegionFile> regions, List<Location> written)
    {
        List<TrackingEntry> entries = regions.stream()
                .map(region -> new TrackingEntry(region.file(), region.stats(), Optional.empty()))
                .collect(toImmutableList());
        try {
            return writer.writeFile(table.fileSystem().newOutputFile(Location.of(location)), entries);
        }
        catch (Throwable e) {
            deleteFiles(table, written, e);
            throw e;
        }
    }

    /// Deletes files that no metadata refers to. What goes wrong is added to the failure that is the cause.
    static void deleteFiles(IndexedTable table, List<Location> files, Throwable failure)
    {
        try {
            table.fileSystem().deleteFiles(files);
        }
        catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
