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

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.TrinoException;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.partitioningBy;

/// Deletes the files of an index. A table's directory looks much like an index's, so nothing is deleted on the word of a
/// registration alone: the metadata at the location must be that of the index.
final class IndexRemoval
{
    private static final int MAX_VERSIONS_TRIED = 3;

    private final IndexMetadataFiles files;
    private final TrinoFileSystem fileSystem;
    private final IndexLocations locations;
    private final String tableUuid;

    /// @param tableUuid of the table that the index is of
    IndexRemoval(IndexMetadataFiles files, String tableUuid)
    {
        this.tableUuid = requireNonNull(tableUuid, "tableUuid is null");
        this.files = requireNonNull(files, "files is null");
        this.fileSystem = files.fileSystem();
        this.locations = files.locations();
    }

    void drop()
            throws IOException
    {
        OptionalInt version = files.highestVersion();
        // Without one, the index was never created, or an earlier drop came this far
        if (version.isPresent()) {
            checkOwned(version.getAsInt());
        }
        deleteOwnFiles();
    }

    private void checkOwned(int highest)
            throws IOException
    {
        TrinoException failure = null;
        for (int version = highest; version > Math.max(0, highest - MAX_VERSIONS_TRIED); version--) {
            try {
                Optional<String> owner = files.read(version).map(file -> file.index().metadata().tableUuid());
                if (owner.isPresent()) {
                    if (owner.orElseThrow().equals(tableUuid)) {
                        return;
                    }
                    break;
                }
            }
            catch (TrinoException e) {
                failure = e;
            }
        }
        throw new TrinoException(
                INDEX_CORRUPT,
                "The files at %s are not deleted, for they cannot be told to be those of index %s; delete them by hand if they are".formatted(locations.root(), files.registration().name()),
                failure);
    }

    private void deleteOwnFiles()
            throws IOException
    {
        // Metadata first: from then on no reader tries the other files, and no writer can add any
        Map<Boolean, List<Location>> byKind = OwnFiles.list(fileSystem, locations).keySet().stream().collect(partitioningBy(location -> location.fileName().endsWith(".metadata.json")));
        fileSystem.deleteFiles(byKind.get(true));
        fileSystem.deleteFiles(byKind.get(false));
        deleteRootIfEmpty();
    }

    private void deleteRootIfEmpty()
            throws IOException
    {
        if (!fileSystem.listFiles(Location.of(locations.root())).hasNext()) {
            fileSystem.deleteDirectory(Location.of(locations.root()));
        }
    }
}
