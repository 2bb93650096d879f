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

import io.airlift.log.Logger;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoOutputFile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/// Creates the region files of one build, and deletes them all when the build fails. Thread-safe.
final class RegionOutputs
{
    private static final Logger log = Logger.get(RegionOutputs.class);

    private final TrinoFileSystem fileSystem;
    private final Supplier<Location> locations;
    private final List<Location> created = Collections.synchronizedList(new ArrayList<>());

    RegionOutputs(TrinoFileSystem fileSystem, Supplier<Location> locations)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.locations = requireNonNull(locations, "locations is null");
    }

    TrinoOutputFile create()
    {
        Location location = locations.get();
        created.add(location);
        return fileSystem.newOutputFile(location);
    }

    void deleteAll()
    {
        // File systems give up at once in an interrupted thread
        boolean interrupted = Thread.interrupted();
        try {
            created.forEach(this::delete);
        }
        finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void delete(Location location)
    {
        try {
            fileSystem.deleteFile(location);
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Cannot delete region file %s of a failed index build; delete it by hand", location);
        }
    }
}
