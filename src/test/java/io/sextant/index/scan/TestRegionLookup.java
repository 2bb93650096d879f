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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.index.file.ColumnarParquetWriter;
import io.sextant.index.file.CountingMemoryFileSystem;
import io.sextant.index.file.IndexFile;
import io.sextant.index.file.TestingIndexFiles;
import io.sextant.index.region.RegionSchema;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.spi.predicate.Domain;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.index.file.TestingIndexFiles.CREDENTIALS;
import static io.sextant.index.file.TestingIndexFiles.SESSION;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.roaringbitmap.longlong.Roaring64Bitmap.bitmapOf;

final class TestRegionLookup
{
    private static final String LOCATION = "memory:///index/data/region.parquet";
    private static final RegionSchema SCHEMA = new RegionSchema(
            new Schema(
                    optional(1, "k", Types.LongType.get()),
                    required(105, "file", Types.StringType.get()),
                    required(106, "pos", Types.LongType.get())),
            ImmutableList.of(1),
            OptionalInt.of(105),
            OptionalInt.of(106));

    private final CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();

    @Test
    void testEntriesBetweenRangesAreLeftOut()
            throws NotUsableException
    {
        LookupResult result = lookup(Domain.multipleValues(BIGINT, ImmutableList.of(2L, 5L, 9L)), 100, 1L, 2L, 2L, 3L, 4L, 5L, 6L, 9L);
        assertThat(result).isEqualTo(new LookupResult(ImmutableMap.of("a", RowPositions.of(bitmapOf(1, 2, 5, 7))), 4));
    }

    @Test
    @Tag("IX-40")
    void testEntryOutOfOrderIsDamage()
    {
        // Reading stops after the last range, so that the second 2 would never be found
        assertTrinoExceptionThrownBy(() -> lookup(Domain.singleValue(BIGINT, 2L), 100, 1L, 2L, 1L, 3L, 2L))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessageContaining("Entries of region file %s are out of order".formatted(LOCATION));
    }

    @Test
    void testMoreEntriesThanTheLimit()
            throws NotUsableException
    {
        assertThat(lookup(Domain.singleValue(BIGINT, 2L), 3, 1L, 2L, 2L, 2L, 3L).entries()).isEqualTo(3);
        assertThatThrownBy(() -> lookup(Domain.singleValue(BIGINT, 2L), 2, 1L, 2L, 2L, 2L, 3L))
                .isInstanceOf(NotUsableException.class)
                .hasMessage("more than 2 entries match");
    }

    /// Looks a predicate up in a region that somebody else may have written: each key is that of the row of its position.
    private LookupResult lookup(Domain domain, long maxEntries, long... keys)
            throws NotUsableException
    {
        ColumnarParquetWriter writer = new ColumnarParquetWriter(SCHEMA.schema(), ImmutableSet.of(1), ImmutableMap.of(), ImmutableMap.of());
        for (int row = 0; row < keys.length; row++) {
            writer.column(1).append(keys[row]);
            writer.column(105).append("a");
            writer.column(106).append((long) row);
        }
        byte[] content = writer.finish();
        fileSystem.write(LOCATION, content);
        TrackingEntry region = new TrackingEntry(new IndexFile(LOCATION, FileFormat.PARQUET, content.length, keys.length), ImmutableMap.of(), Optional.empty());
        ColumnRanges ranges = ColumnRanges.of(Types.LongType.get(), domain).orElseThrow();
        IndexCandidate candidate = new IndexCandidate(
                "by_k",
                1,
                SCHEMA,
                new ExtractCoverage.AllFiles(),
                new RegionSelection(ranges.ranges(), List.of(region), 1, keys.length),
                1,
                ImmutableMap.of(1, 1),
                ImmutableMap.of(1, ranges));
        EntryCollector collector = new EntryCollector(maxEntries);
        new RegionLookup(TestingIndexFiles.newReader(fileSystem), SESSION, CREDENTIALS, candidate, collector).read(region);
        return collector.result();
    }
}
