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
package io.sextant.index.file;

import org.apache.parquet.format.RowGroup;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

import static java.lang.Math.max;
import static java.util.Arrays.binarySearch;

/// The column chunks of a file with their checksums, in the order of the file.
final class SealedChunks
{
    static final SealedChunks NONE = new SealedChunks(new long[0], new long[0], new int[0]);

    private static final int CHECKSUM_DIGITS = 8;

    private final long[] starts;
    private final long[] ends;
    private final int[] checksums;

    private SealedChunks(long[] starts, long[] ends, int[] checksums)
    {
        this.starts = starts;
        this.ends = ends;
        this.checksums = checksums;
    }

    /// @param checksums one of eight hexadecimal digits for each chunk
    static SealedChunks of(List<RowGroup> rowGroups, String checksums)
    {
        long[] starts = rowGroups.stream()
                .flatMap(rowGroup -> rowGroup.getColumns().stream())
                .flatMapToLong(chunk -> LongStream.of(chunk.getFile_offset()))
                .toArray();
        long[] lengths = rowGroups.stream()
                .flatMap(rowGroup -> rowGroup.getColumns().stream())
                .flatMapToLong(chunk -> LongStream.of(chunk.getMeta_data().getTotal_compressed_size()))
                .toArray();
        long[] ends = new long[starts.length];
        int[] values = new int[starts.length];
        for (int i = 0; i < starts.length; i++) {
            ends[i] = starts[i] + lengths[i];
            values[i] = Integer.parseUnsignedInt(checksums, i * CHECKSUM_DIGITS, (i + 1) * CHECKSUM_DIGITS, 16);
        }
        return new SealedChunks(starts, ends, values);
    }

    boolean isEmpty()
    {
        return starts.length == 0;
    }

    /// What is wrong with bytes of the file, as far as they are whole chunks.
    ///
    /// @param position where in the file the bytes start
    Optional<String> findProblem(long position, byte[] bytes, int offset, int length)
    {
        CRC32C checksum = new CRC32C();
        int first = binarySearch(starts, position);
        for (int i = max(first, -first - 1); i < starts.length && ends[i] <= position + length; i++) {
            checksum.reset();
            checksum.update(bytes, (int) (offset + starts[i] - position), (int) (ends[i] - starts[i]));
            if ((int) checksum.getValue() != checksums[i]) {
                return Optional.of("the column chunk at byte %s does not match its checksum".formatted(starts[i]));
            }
        }
        return Optional.empty();
    }
}
