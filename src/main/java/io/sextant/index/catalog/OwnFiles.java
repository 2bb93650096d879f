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

import com.google.common.collect.ImmutableMap;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;

/// The files at the place of an index that are its own, told by their names, for others may have put theirs there.
final class OwnFiles
{
    private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    // The last of the metadata files is what a crash leaves of one that was to be created exclusively on local disk
    private static final Pattern NAMES = Pattern.compile(
            "metadata/(version-hint\\.text|v[0-9]+\\.metadata\\.json|tracking-[^/]+\\.parquet|probe-%1$s|\\.(v[0-9]+\\.metadata\\.json|probe-%1$s)-%1$s)|data/region-[^/]+\\.parquet".formatted(UUID));

    private OwnFiles() {}

    /// Lists the files by their locations under the root as the registration states it.
    static Map<Location, FileEntry> list(TrinoFileSystem fileSystem, IndexLocations locations)
            throws IOException
    {
        Location root = Location.of(locations.root());
        String prefix = root.path() + "/";
        ImmutableMap.Builder<Location, FileEntry> own = ImmutableMap.builder();
        FileIterator files = fileSystem.listFiles(root);
        while (files.hasNext()) {
            FileEntry file = files.next();
            String path = file.location().path();
            if (path.startsWith(prefix) && NAMES.matcher(path.substring(prefix.length())).matches()) {
                own.put(root.appendPath(path.substring(prefix.length())), file);
            }
        }
        return own.buildKeepingLast();
    }
}
