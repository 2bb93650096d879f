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

import com.google.common.collect.Maps;
import org.apache.iceberg.FileScanTask;
import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/// The rows of an extract that a later snapshot does not have any more. Immutable, thread-safe.
final class RemovedRows
{
    private final Map<String, RemovedFromFile> files;

    RemovedRows(Collection<RemovedFromFile> files)
    {
        this.files = Maps.uniqueIndex(files, RemovedFromFile::path);
    }

    /// The removed rows of one file.
    ///
    /// @param before the file with the deletes of the earlier snapshot
    /// @param positions empty if all rows are removed
    record RemovedFromFile(FileScanTask before, Optional<Roaring64Bitmap> positions)
    {
        RemovedFromFile
        {
            requireNonNull(before, "before is null");
            requireNonNull(positions, "positions is null");
        }

        String path()
        {
            return before.file().location();
        }

        boolean contains(long position)
        {
            return positions.isEmpty() || positions.orElseThrow().contains(position);
        }

        /// How many rows there are; empty if only reading the file can tell.
        OptionalLong count()
        {
            if (positions.isPresent()) {
                return OptionalLong.of(positions.orElseThrow().getLongCardinality());
            }
            return before.deletes().isEmpty() ? OptionalLong.of(before.file().recordCount()) : OptionalLong.empty();
        }
    }

    Collection<RemovedFromFile> files()
    {
        return files.values();
    }

    Optional<RemovedFromFile> find(String path)
    {
        return Optional.ofNullable(files.get(path));
    }

    /// Empty if only reading files can tell.
    OptionalLong count()
    {
        long count = 0;
        for (RemovedFromFile file : files.values()) {
            OptionalLong fileCount = file.count();
            if (fileCount.isEmpty()) {
                return fileCount;
            }
            count += fileCount.getAsLong();
        }
        return OptionalLong.of(count);
    }
}
