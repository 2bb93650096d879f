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

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

import static org.assertj.core.api.Assertions.assertThat;

final class TestSealedChunks
{
    // Two row groups; there are bytes between chunks that none has
    private static final List<List<Chunk>> ROW_GROUPS = ImmutableList.of(
            ImmutableList.of(new Chunk(4, 10), new Chunk(10, 21)),
            ImmutableList.of(new Chunk(21, 22), new Chunk(25, 36)));
    private static final int SIZE = 40;
    private static final int BUFFER_OFFSET = 3;

    private final byte[] content = new byte[SIZE];

    @Test
    @Tag("IX-40")
    void testEveryWholeChunkOfAReadIsVerified()
    {
        new Random(5).nextBytes(content);
        SealedChunks sealedChunks = sealedChunks();
        for (int start = 0; start < SIZE; start++) {
            for (int end = start; end <= SIZE; end++) {
                assertThat(findProblem(sealedChunks, content, start, end)).as("%s to %s", start, end).isFalse();
                for (int damaged = 0; damaged < SIZE; damaged++) {
                    byte[] bytes = content.clone();
                    bytes[damaged] ^= 1;
                    assertThat(findProblem(sealedChunks, bytes, start, end))
                            .as("byte %s damaged, %s to %s read", damaged, start, end)
                            .isEqualTo(isInWholeChunk(damaged, start, end));
                }
            }
        }
    }

    private static boolean findProblem(SealedChunks chunks, byte[] file, int start, int end)
    {
        byte[] buffer = new byte[SIZE + BUFFER_OFFSET];
        System.arraycopy(file, start, buffer, BUFFER_OFFSET, end - start);
        return chunks.findProblem(start, buffer, BUFFER_OFFSET, end - start).isPresent();
    }

    private static boolean isInWholeChunk(int position, int start, int end)
    {
        return ROW_GROUPS.stream()
                .flatMap(List::stream)
                .anyMatch(chunk -> chunk.start() >= start && chunk.end() <= end && chunk.start() <= position && position < chunk.end());
    }

    private SealedChunks sealedChunks()
    {
        StringBuilder checksums = new StringBuilder();
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        for (List<Chunk> chunks : ROW_GROUPS) {
            RowGroup rowGroup = new RowGroup();
            for (Chunk chunk : chunks) {
                ColumnMetaData metadata = new ColumnMetaData();
                metadata.setTotal_compressed_size(chunk.end() - chunk.start());
                rowGroup.addToColumns(new ColumnChunk(chunk.start()).setMeta_data(metadata));
                CRC32C checksum = new CRC32C();
                checksum.update(content, chunk.start(), chunk.end() - chunk.start());
                checksums.append("%08x".formatted((int) checksum.getValue()));
            }
            rowGroups.add(rowGroup);
        }
        return SealedChunks.of(rowGroups.build(), checksums.toString());
    }

    private record Chunk(int start, int end) {}
}
