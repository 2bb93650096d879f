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

import io.airlift.slice.Slice;
import io.sextant.index.refresh.RemovedRows.RemovedFromFile;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/// The data files that the entries of an earlier extract name, as they are in the later snapshot. Used by one thread.
final class RetainedRows
{
    private final Function<String, OptionalInt> ordinals;
    private final RemovedRows removed;
    private final Map<Slice, FileRows> files = new HashMap<>();
    private Block dictionary;
    private FileRows[] dictionaryFiles = new FileRows[0];

    /// @param ordinals the place of each path of the later snapshot among them all
    RetainedRows(Function<String, OptionalInt> ordinals, RemovedRows removed)
    {
        this.ordinals = requireNonNull(ordinals, "ordinals is null");
        this.removed = requireNonNull(removed, "removed is null");
    }

    /// What remains of one file.
    ///
    /// @param ordinal the place of its path among all paths of the later snapshot; of no meaning if no row remains
    record FileRows(int ordinal, Optional<RemovedFromFile> removed)
    {
        FileRows
        {
            requireNonNull(removed, "removed is null");
        }

        boolean retains(long position)
        {
            return removed.isEmpty() || !removed.orElseThrow().contains(position);
        }
    }

    /// Finds the file at a position of a block of paths.
    ///
    /// @throws NotReusableException if neither snapshot has the file
    // Pages of a file share the dictionary itself
    @SuppressWarnings("ReferenceEquality")
    FileRows find(Block block, int position)
    {
        if (block instanceof DictionaryBlock dictionaryBlock) {
            if (dictionaryBlock.getDictionary() != dictionary) {
                dictionary = dictionaryBlock.getDictionary();
                dictionaryFiles = new FileRows[dictionary.getPositionCount()];
            }
            int id = dictionaryBlock.getId(position);
            if (dictionaryFiles[id] == null) {
                dictionaryFiles[id] = find(VARCHAR.getSlice(dictionary, id));
            }
            return dictionaryFiles[id];
        }
        return find(VARCHAR.getSlice(block, position));
    }

    private FileRows find(Slice path)
    {
        FileRows known = files.get(path);
        if (known == null) {
            known = lookUp(path.toStringUtf8());
            files.put(path.copy(), known);
        }
        return known;
    }

    private FileRows lookUp(String path)
    {
        Optional<RemovedFromFile> removedFromFile = removed.find(path);
        OptionalInt ordinal = ordinals.apply(path);
        if (ordinal.isEmpty() && removedFromFile.isEmpty()) {
            throw new NotReusableException("it names data file %s, which is in neither snapshot".formatted(path));
        }
        return new FileRows(ordinal.orElse(-1), removedFromFile);
    }
}
