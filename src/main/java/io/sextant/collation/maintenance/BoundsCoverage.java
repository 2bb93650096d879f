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

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.sextant.collation.metadata.CollatedColumn;
import io.sextant.collation.metadata.FileBounds;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ManifestFile;

import java.util.Collection;

/// How many live data files of a table have bounds.
///
/// @param files all of them
public record BoundsCoverage(long files, Multiset<CollatedColumn> filesWithBounds)
{
    /// Reads the manifests of the current snapshot.
    public static BoundsCoverage of(BaseTable table, Collection<CollatedColumn> columns)
    {
        Multiset<CollatedColumn> filesWithBounds = HashMultiset.create();
        long files = 0;
        if (table.currentSnapshot() != null) {
            for (ManifestFile manifest : table.currentSnapshot().dataManifests(table.io())) {
                files += manifest.addedFilesCount() + manifest.existingFilesCount();
                if (!columns.isEmpty()) {
                    FilesWithoutBounds.forEachEntry(table, manifest, entry -> columns.stream()
                            .filter(column -> FileBounds.isCollected(entry.file(), column.metricId()))
                            .forEach(filesWithBounds::add));
                }
            }
        }
        return new BoundsCoverage(files, filesWithBounds);
    }
}
