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

import io.trino.spi.TrinoException;
import org.apache.iceberg.types.Comparators;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;

/// The paths of the data files of a snapshot; the ordinal of a path is its place in the order of their UTF-8 bytes.
final class DataFilePaths
{
    private final String[] paths;

    DataFilePaths(List<String> paths)
    {
        this.paths = paths.toArray(String[]::new);
        Arrays.sort(this.paths, Comparators.charSequences());
        for (int i = 1; i < this.paths.length; i++) {
            if (this.paths[i].equals(this.paths[i - 1])) {
                throw new TrinoException(
                        INDEX_UNSUPPORTED,
                        "The snapshot has data file %s twice, so a position in it does not name a row; rewrite the table's data files before it is indexed".formatted(this.paths[i]));
            }
        }
    }

    int count()
    {
        return paths.length;
    }

    int ordinal(String path)
    {
        return find(path).orElseThrow(() -> new IllegalArgumentException("The snapshot has no data file %s".formatted(path)));
    }

    /// The ordinal of a path; empty if the snapshot has no such file.
    OptionalInt find(String path)
    {
        int ordinal = Arrays.binarySearch(paths, path, Comparators.charSequences());
        return ordinal < 0 ? OptionalInt.empty() : OptionalInt.of(ordinal);
    }

    String path(int ordinal)
    {
        return paths[ordinal];
    }
}
