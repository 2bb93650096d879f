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

import io.airlift.json.JsonCodec;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.FixedPageSource;
import io.trino.spi.connector.SourcePage;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

import static io.airlift.json.JsonCodec.jsonCodec;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestRowPositions
{
    @Test
    void testTravelsAsJson()
    {
        JsonCodec<RowPositions> codec = jsonCodec(RowPositions.class);
        RowPositions positions = positions(0, 1, 7, 70_000, 1L << 40);
        RowPositions read = codec.fromJson(codec.toJson(positions));
        assertThat(read).isEqualTo(positions);
        assertThat(read.count()).isEqualTo(5);
        assertThat(read.last()).isEqualTo(1L << 40);
    }

    @Test
    void testNoPositionsAreRefused()
    {
        assertThatThrownBy(() -> positions())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("positions are empty");
    }

    @Test
    void testPageSourceKeepsWantedRowsThatAreThere()
    {
        // Rows 3 and 12 are deleted; nothing after row 14 is read
        List<Page> pages = List.of(
                page(0, 1, 2, 4, 5),
                page(6, 7, 8),
                page(9, 10, 11, 13, 14),
                page(15, 16));
        RowPositionPageSource source = new RowPositionPageSource(new FixedPageSource(pages), positions(0, 3, 5, 12, 14), 1, Optional.empty());
        List<Long> rows = new ArrayList<>();
        int reads = 0;
        while (!source.isFinished()) {
            SourcePage page = source.getNextSourcePage();
            reads++;
            if (page != null) {
                assertThat(page.getChannelCount()).isEqualTo(1);
                for (int row = 0; row < page.getPositionCount(); row++) {
                    rows.add(BIGINT.getLong(page.getBlock(0), row));
                }
            }
        }
        assertThat(rows).containsExactly(0L, 50L, 140L);
        assertThat(reads).isEqualTo(3);
    }

    /// A page of ten times the row position, and the position.
    private static Page page(long... positions)
    {
        return new Page(block(LongStream.of(positions).map(position -> position * 10)), block(LongStream.of(positions)));
    }

    private static Block block(LongStream values)
    {
        BlockBuilder builder = BIGINT.createFixedSizeBlockBuilder(16);
        values.forEach(value -> BIGINT.writeLong(builder, value));
        return builder.build();
    }

    private static RowPositions positions(long... positions)
    {
        return RowPositions.of(Roaring64Bitmap.bitmapOf(positions));
    }
}
