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
import io.trino.filesystem.Location;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/// Deletes what a commit leaves behind: replaced metadata files, and the tracking and region files that only extracts refer to
/// which the commit dropped (index format, section "Metadata file, commits, clean-up").
///
/// It runs after the swap and never fails. When in doubt it deletes nothing: a file left over costs space, a missing one
/// costs an extract.
final class UnreferencedFiles
{
    private static final Logger log = Logger.get(UnreferencedFiles.class);

    private final IndexMetadataFiles files;
    private final TrackingFileReader trackingFileReader;

    UnreferencedFiles(IndexMetadataFiles files, TrackingFileReader trackingFileReader)
    {
        this.files = requireNonNull(files, "files is null");
        this.trackingFileReader = requireNonNull(trackingFileReader, "trackingFileReader is null");
    }

    void deleteMetadataFiles(List<String> obsolete, int currentVersion)
    {
        // A log that somebody else wrote must not make us delete anything but older metadata files of this index
        String current = files.location(currentVersion);
        String directory = files.locations().metadataDirectory() + "/";
        files.deleteQuietly(obsolete.stream()
                .filter(location -> location.startsWith(directory) && location.endsWith(".metadata.json") && !location.equals(current) && isPlain(location))
                .map(Location::of)
                .collect(toImmutableList()));
    }

    void deleteFilesOfDroppedExtracts(IndexMetadata before, IndexMetadata after)
    {
        files.deleteQuietly(filesOfDroppedExtracts(before, after));
    }

    /// The files in the index that only extracts refer to which one state has and a later one has not.
    List<Location> filesOfDroppedExtracts(IndexMetadata before, IndexMetadata after)
    {
        Set<Long> keptIds = after.extracts().stream()
                .map(Extract::extractId)
                .collect(toImmutableSet());
        List<Extract> dropped = before.extracts().stream()
                .filter(extract -> !keptIds.contains(extract.extractId()))
                .collect(toImmutableList());
        if (dropped.isEmpty()) {
            return ImmutableList.of();
        }

        Set<String> unreferenced = new HashSet<>();
        for (Extract extract : dropped) {
            try {
                unreferenced.addAll(filesOf(before, extract));
            }
            catch (RuntimeException e) {
                log.warn(e, "The files of dropped extract %s of index %s stay behind, for its tracking file cannot be read", extract.extractId(), before.location());
            }
        }
        for (Extract extract : after.extracts()) {
            try {
                unreferenced.removeAll(filesOf(after, extract));
            }
            catch (RuntimeException e) {
                log.warn(e, "The files of %s dropped extracts of index %s stay behind, for the tracking file of kept extract %s cannot be read", dropped.size(), before.location(), extract.extractId());
                return ImmutableList.of();
            }
        }
        String root = files.locations().root() + "/";
        return unreferenced.stream()
                .filter(location -> location.startsWith(root) && isPlain(location))
                .map(Location::of)
                .collect(toImmutableList());
    }

    private List<String> filesOf(IndexMetadata metadata, Extract extract)
    {
        return ImmutableList.<String>builder()
                .add(metadata.resolve(extract.trackingFile()))
                .addAll(trackingFileReader.read(files.fileSystem(), metadata, extract).stream()
                        .map(entry -> entry.file().location())
                        .iterator())
                .build();
    }

    private static boolean isPlain(String location)
    {
        return !location.contains("/../") && !location.contains("/./");
    }
}
