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

import io.airlift.log.Logger;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.metadata.IndexMetadataParser;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputStream;
import io.trino.spi.TrinoException;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalInt;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

/// The metadata files of one index, read and written one by one. Nothing here remembers anything.
final class IndexMetadataFiles
{
    private static final Logger log = Logger.get(IndexMetadataFiles.class);

    private static final int MAX_HINT_LENGTH = 10;
    private static final int MAX_LISTINGS = 3;

    private final TrinoFileSystem fileSystem;
    private final IndexRegistration registration;
    private final IndexLocations locations;

    IndexMetadataFiles(TrinoFileSystem fileSystem, IndexRegistration registration)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.registration = requireNonNull(registration, "registration is null");
        this.locations = new IndexLocations(registration.location());
    }

    TrinoFileSystem fileSystem()
    {
        return fileSystem;
    }

    IndexRegistration registration()
    {
        return registration;
    }

    IndexLocations locations()
    {
        return locations;
    }

    String location(int version)
    {
        return locations.metadataFile(version).toString();
    }

    /// Empty if the hint is missing, unreadable or nonsense: it is only a hint.
    OptionalInt readHint()
    {
        byte[] content;
        try (TrinoInputStream stream = fileSystem.newInputFile(locations.versionHint()).newStream()) {
            content = stream.readNBytes(MAX_HINT_LENGTH + 2);
        }
        catch (IOException e) {
            return OptionalInt.empty();
        }
        String hint = new String(content, US_ASCII).strip();
        if (hint.isEmpty() || hint.length() > MAX_HINT_LENGTH || !hint.chars().allMatch(character -> '0' <= character && character <= '9')) {
            return OptionalInt.empty();
        }
        long version = Long.parseLong(hint);
        return version >= 1 && version < Integer.MAX_VALUE ? OptionalInt.of((int) version) : OptionalInt.empty();
    }

    /// Points the hint at a version, unless it already names a higher one. A failure is of no consequence.
    void writeHint(int version)
    {
        try {
            int hint = readHint().orElse(0);
            if (hint < version || (hint > version && !exists(hint))) {
                fileSystem.newOutputFile(locations.versionHint()).createOrOverwrite(Integer.toString(version).getBytes(US_ASCII));
            }
        }
        catch (IOException e) {
            log.warn(e, "The version hint of index %s could not be set to %s", registration.location(), version);
        }
    }

    boolean exists(int version)
            throws IOException
    {
        return version >= 1 && version < Integer.MAX_VALUE && fileSystem.newInputFile(locations.metadataFile(version)).exists();
    }

    /// The highest version there is, by listing, which no hint can mislead; empty if there is no metadata file.
    OptionalInt highestVersion()
            throws IOException
    {
        OptionalInt highest = listHighestVersion();
        // A local directory is not listed all at once: the version that was current may be deleted, and the next one created, each
        // where the listing does not look at that moment
        for (int attempt = 1; highest.isEmpty() && attempt < MAX_LISTINGS; attempt++) {
            highest = listHighestVersion();
        }
        return highest;
    }

    private OptionalInt listHighestVersion()
            throws IOException
    {
        int highest = 0;
        FileIterator files = fileSystem.listFiles(locations.metadataDirectory());
        while (files.hasNext()) {
            highest = Math.max(highest, locations.version(files.next().location()).orElse(0));
        }
        return highest == 0 ? OptionalInt.empty() : OptionalInt.of(highest);
    }

    /// Reads the metadata file of a version; empty if there is none.
    ///
    /// @throws TrinoException with `INDEX_CORRUPT` if it is damaged or belongs to another index
    Optional<MetadataFile> read(int version)
            throws IOException
    {
        String location = location(version);
        byte[] json;
        try (TrinoInputStream stream = fileSystem.newInputFile(Location.of(location)).newStream()) {
            json = stream.readNBytes(IndexMetadataParser.MAX_SIZE_IN_BYTES + 1);
        }
        catch (FileNotFoundException | NoSuchFileException _) {
            return Optional.empty();
        }
        if (json.length > IndexMetadataParser.MAX_SIZE_IN_BYTES) {
            throw new TrinoException(INDEX_CORRUPT, "Index metadata file %s has more than %s bytes".formatted(location, IndexMetadataParser.MAX_SIZE_IN_BYTES));
        }
        IndexMetadata metadata = IndexMetadataParser.fromJson(location, json);
        checkOwner(location, metadata);
        return Optional.of(new MetadataFile(new LoadedIndex(metadata, version, location), json.length));
    }

    /// @throws java.nio.file.FileAlreadyExistsException if the version exists; an [IOException] of another kind does not tell
    ///         whether it does, nor who created it
    void createExclusive(int version, byte[] json)
            throws IOException
    {
        fileSystem.newOutputFile(locations.metadataFile(version)).createExclusive(json);
    }

    /// Deletes files that nothing refers to any more. A failure leaves garbage, which harms nobody.
    void deleteQuietly(Collection<Location> files)
    {
        if (files.isEmpty()) {
            return;
        }
        try {
            fileSystem.deleteFiles(files);
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Files of index %s that are not needed any more could not be deleted: %s", registration.location(), files);
        }
    }

    private void checkOwner(String location, IndexMetadata metadata)
    {
        if (!metadata.indexUuid().equals(registration.uuid())) {
            throw new TrinoException(
                    INDEX_CORRUPT,
                    "Index metadata file %s belongs to index %s, not to index %s (%s); drop the index and create it again".formatted(
                            location, metadata.indexUuid(), registration.name(), registration.uuid()));
        }
        // Relative locations inside the file resolve against the location that it states
        if (!new IndexLocations(metadata.location()).equals(locations)) {
            throw new TrinoException(
                    INDEX_CORRUPT,
                    "Index metadata file %s is of an index at %s, not at %s; an index cannot be moved: drop it and create it again".formatted(
                            location, metadata.location(), registration.location()));
        }
    }

    record MetadataFile(LoadedIndex index, int length)
    {
        MetadataFile
        {
            requireNonNull(index, "index is null");
        }
    }
}
