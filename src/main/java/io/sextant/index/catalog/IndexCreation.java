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
import io.sextant.index.metadata.IndexMetadata;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Optional;
import java.util.UUID;

import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;
import static java.util.Objects.requireNonNull;

/// Writes the first metadata file of an index.
final class IndexCreation
{
    private static final Logger log = Logger.get(IndexCreation.class);

    private static final int FIRST_VERSION = 1;
    private static final int MAX_ATTEMPTS = 3;

    private final IndexMetadataFiles files;

    IndexCreation(IndexMetadataFiles files)
    {
        this.files = requireNonNull(files, "files is null");
    }

    LoadedIndex create(IndexMetadata metadata)
    {
        try {
            checkUnused();
            checkNotInside();
            ExclusiveCreation.verify(files.fileSystem(), files.locations().metadataDirectory());
            return write(metadata);
        }
        catch (IOException e) {
            throw new TrinoException(INDEX_STORAGE_ERROR, "Index %s could not be created at %s: %s".formatted(files.registration().name(), files.locations().root(), e.getMessage()), e);
        }
    }

    private LoadedIndex write(IndexMetadata metadata)
            throws IOException
    {
        String id = UUID.randomUUID().toString();
        IndexMetadata first = metadata.writtenAt(System.currentTimeMillis());
        byte[] json = new CommitTrail(ImmutableList.of()).with(id).toJson(first);
        for (int attempt = 1; ; attempt++) {
            try {
                files.createExclusive(FIRST_VERSION, json);
                break;
            }
            catch (IOException e) {
                // The file may have been created all the same
                Optional<LoadedIndex> existing = files.read(FIRST_VERSION).map(IndexMetadataFiles.MetadataFile::index);
                if (existing.isPresent() && CommitTrail.of(existing.orElseThrow().metadata()).contains(id)) {
                    break;
                }
                if (existing.isPresent() || e instanceof FileAlreadyExistsException) {
                    throw inUse();
                }
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
        return new LoadedIndex(first, FIRST_VERSION, files.location(FIRST_VERSION));
    }

    private void checkUnused()
            throws IOException
    {
        if (files.fileSystem().listFiles(Location.of(files.locations().root())).hasNext()) {
            throw inUse();
        }
    }

    private void checkNotInside()
    {
        for (IndexLocations around : files.locations().around()) {
            if (mayHoldIndex(around)) {
                throw new TrinoException(
                        INDEX_INVALID_DEFINITION,
                        "Index location %s is not allowed: it lies in %s, which is the place of another index or of a table; leave it out, or give one outside of that".formatted(files.locations().root(), around.root()));
            }
        }
    }

    private boolean mayHoldIndex(IndexLocations locations)
    {
        try {
            return files.fileSystem().newInputFile(locations.versionHint()).exists() || files.fileSystem().newInputFile(locations.metadataFile(FIRST_VERSION)).exists();
        }
        catch (IOException e) {
            // The credentials need not reach beyond the root of the index
            log.debug(e, "Whether there is an index at %s is not known", locations.root());
            return false;
        }
    }

    private TrinoException inUse()
    {
        return new TrinoException(INDEX_INVALID_DEFINITION, "Index location %s is in use; leave it out, or give one where there is nothing yet".formatted(files.locations().root()));
    }
}
