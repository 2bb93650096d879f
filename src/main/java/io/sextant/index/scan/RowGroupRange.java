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
package io.sextant.index.scan;

import io.trino.parquet.metadata.BlockMetadata;
import io.trino.parquet.metadata.ColumnChunkMetadata;
import org.roaringbitmap.longlong.PeekableLongIterator;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/// The part of a Parquet file from the first to the last row group with a wanted row. Row groups in between without one
/// are passed over without being decoded.
///
/// @param start offset in the file of the first row group, in bytes
/// @param length in bytes
/// @param wanted how many row groups have a wanted row
/// @param total how many row groups the file has
record RowGroupRange(long start, long length, int wanted, int total)
{
    /// The range of the row groups that hold any of the positions.
    ///
    /// @param rowGroups all row groups of the file, in file order
    static RowGroupRange of(List<BlockMetadata> rowGroups, RowPositions positions, long fileSize)
    {
        long start = fileSize;
        long end = 0;
        int wanted = 0;
        for (int i = 0; i < rowGroups.size(); i++) {
            if (holdsAny(rowGroups.get(i), positions)) {
                wanted++;
                start = Math.min(start, offset(rowGroups.get(i)));
                end = i + 1 < rowGroups.size() ? offset(rowGroups.get(i + 1)) : fileSize;
            }
        }
        checkArgument(wanted > 0, "no row group holds the wanted rows");
        return new RowGroupRange(start, end - start, wanted, rowGroups.size());
    }

    private static boolean holdsAny(BlockMetadata rowGroup, RowPositions positions)
    {
        PeekableLongIterator next = positions.iteratorFrom(rowGroup.fileRowCountOffset());
        return next.hasNext() && next.peekNext() < rowGroup.fileRowCountOffset() + rowGroup.rowCount();
    }

    private static long offset(BlockMetadata rowGroup)
    {
        return rowGroup.columns().stream()
                .mapToLong(ColumnChunkMetadata::getStartingPos)
                .min()
                .orElseThrow();
    }
}
