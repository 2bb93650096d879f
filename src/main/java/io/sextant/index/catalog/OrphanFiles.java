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
package io.sextant.index.catalog;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.tracking.TrackingFileReader;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/// Finds files of an index that nothing refers to: what a build or a change left that crashed before or after its swap, and
/// metadata files that have left the log.
///
/// A build writes its files long before the swap, so only the age of a file tells what is left from what is still wanted.
final class OrphanFiles
{
    private static final Logger log = Logger.get(OrphanFiles.class);

    private final IndexMetadataFiles files;
    private final TrackingFileReader trackingFileReader;

    OrphanFiles(IndexMetadataFiles files, TrackingFileReader trackingFileReader)
    {
        this.files = requireNonNull(files, "files is null");
        this.trackingFileReader = requireNonNull(trackingFileReader, "trackingFileReader is null");
    }

    /// Nothing if it is not certain what is referred to.
    List<Location> find(Instant olderThan)
            throws IOException
    {
        // In this order: what is committed after the listing was written before it, or is not in it
        Map<Location, FileEntry> own = OwnFiles.list(files.fileSystem(), files.locations());
        OptionalInt version = files.highestVersion();
        if (version.isEmpty()) {
            return ImmutableList.of();
        }
        Optional<LoadedIndex> current = files.read(version.getAsInt()).map(IndexMetadataFiles.MetadataFile::index);
        if (current.isEmpty()) {
            return ImmutableList.of();
        }
        Set<String> referred = new HashSet<>();
        try {
            referred.addAll(referredPaths(current.orElseThrow().metadata()));
        }
        catch (RuntimeException e) {
            log.warn(e, "It is not known which files of index %s nothing refers to; they stay", files.registration().location());
            return ImmutableList.of();
        }
        return own.entrySet().stream()
                .filter(file -> file.getValue().lastModified().isBefore(olderThan))
                .map(Map.Entry::getKey)
                .filter(location -> !location.equals(files.locations().versionHint()) && !referred.contains(location.path()))
                .filter(location -> files.locations().version(location).orElse(0) < version.getAsInt())
                .collect(toImmutableList());
    }

    // A place may be named in several ways that differ before the path
    private Set<String> referredPaths(IndexMetadata metadata)
    {
        Set<String> paths = new HashSet<>();
        metadata.metadataLog().forEach(entry -> paths.add(Location.of(metadata.resolve(entry.metadataFile())).path()));
        for (Extract extract : metadata.extracts()) {
            paths.add(Location.of(metadata.resolve(extract.trackingFile())).path());
            trackingFileReader.read(files.fileSystem(), metadata, extract).forEach(region -> paths.add(Location.of(region.file().location()).path()));
        }
        return paths;
    }
}
