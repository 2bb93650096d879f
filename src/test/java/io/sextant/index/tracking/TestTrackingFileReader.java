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
package io.sextant.index.tracking;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.index.file.CountingMemoryFileSystem;
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;
import io.sextant.index.metadata.IndexMetadata;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.TrinoException;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static io.sextant.index.tracking.ForeignTrackingFile.FIRST_REGION;
import static io.sextant.index.tracking.ForeignTrackingFile.SECOND_REGION;
import static io.sextant.index.tracking.ForeignTrackingFile.workedExample;
import static io.sextant.index.tracking.TestingTrackingFiles.BY_BUCKET;
import static io.sextant.index.tracking.TestingTrackingFiles.LOCATION;
import static io.sextant.index.tracking.TestingTrackingFiles.extract;
import static io.sextant.index.tracking.TestingTrackingFiles.metadata;
import static io.sextant.index.tracking.TestingTrackingFiles.read;
import static io.sextant.index.tracking.TestingTrackingFiles.stats;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.assertj.core.api.Assertions.assertThat;

final class TestTrackingFileReader
{
    private static final List<TrackingEntry> WORKED_EXAMPLE = ImmutableList.of(
            new TrackingEntry(
                    new IndexFile(FIRST_REGION, FileFormat.PARQUET, 1_000, 3),
                    ImmutableMap.of(104, stats(3, 88, 88), 1, userStats(12_094, 84_721, 55_310, 3)),
                    Optional.empty()),
            new TrackingEntry(
                    new IndexFile(SECOND_REGION, FileFormat.AVRO, 1_000, 2),
                    ImmutableMap.of(104, stats(90, 209, 209), 1, userStats(17, 3_277, 3_277, 2)),
                    Optional.empty()));

    private static FieldStats userStats(long lower, long upper, long groupMax, long count)
    {
        return new FieldStats(Optional.of(lower), Optional.of(upper), Optional.of(groupMax), true, OptionalLong.of(count), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty());
    }

    @Test
    @Tag("IX-37")
    @Tag("IX-38")
    @Tag("IX-39")
    void testGoldenAvroFile()
            throws IOException
    {
        try (InputStream stream = TestTrackingFileReader.class.getResourceAsStream("v1/worked-example.avro")) {
            assertThat(read(BY_BUCKET, stream.readAllBytes())).isEqualTo(WORKED_EXAMPLE);
        }
    }

    @Test
    @Tag("IX-37")
    void testFieldsAreFoundByIdWhateverTheirNameAndPlace()
    {
        assertThat(read(BY_BUCKET, workedExample().toAvro())).isEqualTo(WORKED_EXAMPLE);
        assertThat(read(BY_BUCKET, workedExample().toParquet())).isEqualTo(WORKED_EXAMPLE);
        // Names that belong to other fields
        ForeignTrackingFile swapped = workedExample()
                .column(optional(103, "file_size_in_bytes", Types.LongType.get()))
                .column(optional(104, "record_count", Types.LongType.get()))
                .column(optional(100, "file_format", Types.StringType.get()))
                .column(optional(101, "location", Types.StringType.get()));
        assertThat(read(BY_BUCKET, swapped.toAvro())).isEqualTo(WORKED_EXAMPLE);
        assertThat(read(BY_BUCKET, swapped.toParquet())).isEqualTo(WORKED_EXAMPLE);
        // The right name under another ID
        ForeignTrackingFile renumbered = workedExample()
                .without(103)
                .column(optional(107, "record_count", Types.LongType.get()));
        assertCorrupt(renumbered, "field 103 (record_count) is missing");
    }

    @Test
    @Tag("IX-37")
    void testRequiredFields()
    {
        assertCorrupt(workedExample().without(100), "field 100 (location) is missing");
        assertCorrupt(workedExample().without(101), "field 101 (file_format) is missing");
        assertCorrupt(workedExample().without(103), "field 103 (record_count) is missing");
        assertCorrupt(workedExample().without(104), "field 104 (file_size_in_bytes) is missing");
        assertCorrupt(workedExample().without(10_200).without(30_800), "field 146 (content_stats) is missing");
        assertCorrupt(workedExample().setNull(1, 100), "field 100 (path) of an entry is null or empty");
        assertCorrupt(workedExample().set(1, 100, ""), "field 100 (path) of an entry is null or empty");
        assertCorrupt(workedExample().setNull(1, 101), "field 101 (kind) of an entry is null or empty");
        assertCorrupt(workedExample().setNull(1, 103), "field 103 (entries) of an entry is null");
        assertCorrupt(workedExample().setNull(1, 104), "field 104 (bytes) of an entry is null");
        assertThat(read(BY_BUCKET, workedExample().without(131).toAvro())).isEqualTo(WORKED_EXAMPLE);
    }

    @Test
    @Tag("IX-38")
    void testKeyFieldsMustHaveStats()
    {
        assertCorrupt(workedExample().without(10_200), "field 10200 (user_id) is missing");
        assertCorrupt(workedExample().without(30_800), "field 30800 (stats_only_104) is missing");
        assertCorrupt(workedExample().without(10_201), "field 10201 (lower_bound) is missing");
        assertCorrupt(workedExample().without(10_202), "field 10202 (upper_bound) is missing");
        assertCorrupt(workedExample().without(30_802), "field 30802 (upper_bound) is missing");
        assertCorruptAvro(
                workedExample().setNull(1, 30_801).setNull(1, 30_802).setNull(1, 30_808),
                "field 30800 (stats_only_104) of %s is null".formatted(SECOND_REGION));
    }

    @Test
    @Tag("IX-39")
    void testGroupMaxThatIsMissingIsNotNull()
    {
        assertCorrupt(workedExample().without(10_208), "field 10208 (group_max_value) is missing");
        assertCorrupt(workedExample().without(30_808), "field 30808 (group_max_value) is missing");
        assertCorrupt(workedExample().setNull(0, 10_208), "statistics of field 1 (user_id) of %s: group_max_value is null, but the field is required".formatted(FIRST_REGION));
    }

    @Test
    @Tag("IX-39")
    void testNullGroupMaxIsANullKey()
    {
        IndexMetadata metadata = metadata("{\"id\": 1, \"name\": \"user_id\", \"required\": false, \"type\": \"long\"}", "", "1");
        ForeignTrackingFile file = workedExample().setNull(0, 10_208).setNull(0, 10_201).setNull(0, 10_202);
        List<TrackingEntry> entries = read(metadata, file.toAvro());
        assertThat(entries.getFirst().contentStats().get(1).groupMax()).isEmpty();
        assertThat(entries.getFirst().contentStats().get(1).lower()).isEmpty();
        assertThat(entries.getLast().contentStats().get(1).groupMax()).contains(3_277L);
        // Nulls come first
        assertCorruptAvro(metadata, file.swapRows(), "the entry of %s is out of order: its group_max_value tuple is below that of the entry before".formatted(FIRST_REGION));
    }

    @Test
    @Tag("IX-37")
    void testEntriesOutOfOrder()
    {
        assertCorrupt(workedExample().swapRows(), "the entry of %s is out of order: its group_max_value tuple is below that of the entry before".formatted(FIRST_REGION));
        // Equal in the first key field, lower in the second
        assertCorrupt(
                workedExample().set(1, 30_801, 88).set(1, 30_802, 88).set(1, 30_808, 88),
                "the entry of %s is out of order: its group_max_value tuple is below that of the entry before".formatted(SECOND_REGION));
    }

    @Test
    @Tag("IX-37")
    void testEntriesThatOverlap()
    {
        ForeignTrackingFile file = workedExample()
                .member(30_800, optional(30_803, "tight", Types.BooleanType.get()))
                .set(1, 30_801, 87);
        // A bound that is not tight proves nothing
        assertThat(read(BY_BUCKET, file.set(1, 30_803, false).toAvro())).hasSize(2);
        assertThat(read(BY_BUCKET, file.setNull(1, 30_803).toAvro())).hasSize(2);
        assertCorrupt(file.set(1, 30_803, true), "the entry of %s overlaps the entry before: field 104 has values below the group_max_value there".formatted(SECOND_REGION));
        // The first key field may be the same
        assertThat(read(BY_BUCKET, file.set(1, 30_801, 88).toAvro())).hasSize(2);
        ForeignTrackingFile nulls = workedExample()
                .member(30_800, optional(30_805, "nulls", Types.LongType.get()))
                .set(1, 30_805, 1L);
        assertCorrupt(nulls, "the entry of %s overlaps the entry before: field 104 has values below the group_max_value there".formatted(SECOND_REGION));
    }

    @Test
    void testNumbersOutOfBounds()
    {
        assertCorrupt(workedExample().set(1, 103, -1L), "field 103 (entries) of an entry is -1, not between 0 and 1125899906842624");
        assertCorrupt(workedExample().set(1, 103, Long.MAX_VALUE), "field 103 (entries) of an entry is 9223372036854775807, not between 0 and 1125899906842624");
        assertCorrupt(workedExample().set(1, 104, 0L), "field 104 (bytes) of an entry is 0, not between 1 and 1125899906842624");
        assertCorrupt(workedExample().set(1, 104, Long.MIN_VALUE), "field 104 (bytes) of an entry is -9223372036854775808, not between 1 and 1125899906842624");
        assertCorruptAvro(workedExample().set(1, 10_204, -1L), "field 10204 (numbers.s10200.values) of an entry is -1, not between 0 and 1125899906842624");
    }

    @Test
    void testStatisticsThatContradictEachOther()
    {
        String stats = "statistics of field 1 (user_id) of %s: ".formatted(FIRST_REGION);
        assertCorrupt(workedExample().set(0, 10_201, 84_722L), stats + "lower_bound 84722 is above upper_bound 84721");
        assertCorrupt(workedExample().set(0, 10_208, 84_722L), stats + "group_max_value 84722 is not within the bounds 12094 and 84721");
        assertCorrupt(workedExample().set(0, 10_208, 12_093L), stats + "group_max_value 12093 is not within the bounds 12094 and 84721");
        assertCorrupt(workedExample().setNull(0, 10_201), stats + "only one bound is there");
        assertCorrupt(workedExample().setNull(0, 10_201).setNull(0, 10_202), stats + "there are no bounds, but group_max_value is 55310");

        IndexMetadata metadata = metadata("{\"id\": 1, \"name\": \"d\", \"required\": false, \"type\": \"double\"}", "", "1");
        assertCorruptAvro(metadata, doubles(Double.NaN, 1.0, 1.0), "statistics of field 1 (d) of %s: a bound is NaN".formatted(FIRST_REGION));
        assertCorruptAvro(
                metadata,
                doubles(1.0, 1.0, 1.0).member(10_200, optional(10_205, "nulls", Types.LongType.get())).set(0, 10_205, 2L).member(10_200, optional(10_206, "nans", Types.LongType.get())).set(0, 10_206, 2L),
                "statistics of field 1 (d) of %s: null_value_count and nan_value_count are OptionalLong[2] and OptionalLong[2], but value_count is 3".formatted(FIRST_REGION));
    }

    private static ForeignTrackingFile doubles(double lower, double upper, double groupMax)
    {
        ForeignTrackingFile file = workedExample()
                .member(10_200, optional(10_201, "low", Types.DoubleType.get()))
                .member(10_200, optional(10_202, "high", Types.DoubleType.get()))
                .member(10_200, optional(10_208, "last", Types.DoubleType.get()));
        for (int row = 0; row < 2; row++) {
            file.set(row, 10_201, lower).set(row, 10_202, upper).set(row, 10_208, groupMax);
        }
        return file;
    }

    @Test
    void testStatisticsThatAreNotKnownAreLeftOut()
    {
        // Field 106 is not in the key
        ForeignTrackingFile file = workedExample()
                .member(31_200, optional(31_201, "low", Types.LongType.get()))
                .member(31_200, optional(31_202, "high", Types.LongType.get()))
                .member(31_200, optional(31_204, "values", Types.LongType.get()));
        file.set(0, 31_201, 1L).set(0, 31_202, 9L);
        assertThat(read(BY_BUCKET, file.toAvro()).get(0).contentStats().get(106)).isEqualTo(stats(1L, 9L, null));
        assertThat(read(BY_BUCKET, file.toAvro()).get(1).contentStats()).containsOnlyKeys(104, 1);
        assertThat(read(BY_BUCKET, file.toParquet()).get(1).contentStats()).containsOnlyKeys(104, 1);
        assertThat(read(BY_BUCKET, file.setNull(0, 31_202).set(0, 31_204, 3L).toAvro()).get(0).contentStats()).containsOnlyKeys(104, 1);
        assertThat(read(BY_BUCKET, file.without(31_202).toAvro()).get(0).contentStats()).containsOnlyKeys(104, 1);
    }

    @Test
    void testTypes()
    {
        assertCorrupt(
                workedExample().column(optional(103, "entries", Types.StringType.get())).set(0, 103, "3").set(1, 103, "2"),
                "field 103 (record_count) is of type string, not long");
        assertCorrupt(
                workedExample().member(10_200, optional(10_208, "last", Types.StringType.get())).set(0, 10_208, "3").set(1, 10_208, "2"),
                "field 10208 (group_max_value) is of type string, not long");
        // A key that was narrowed
        assertCorrupt(
                workedExample().member(30_800, optional(30_808, "last", Types.LongType.get())).set(0, 30_808, 88L).set(1, 30_808, 209L),
                "field 30808 (group_max_value) is of type long, not int");
        assertCorrupt(workedExample().without(10_200).column(optional(10_200, "user_id", Types.LongType.get())), "field 10200 (user_id) is of type long, not a struct");
    }

    @Test
    void testStatisticsOfPromotedTypes()
    {
        IndexMetadata metadata = metadata(
                """
                {"id": 1, "name": "a", "required": true, "type": "long"},
                {"id": 2, "name": "b", "required": true, "type": "double"},
                {"id": 3, "name": "c", "required": true, "type": "decimal(20, 2)"}
                """,
                "",
                "1, 2, 3");
        ForeignTrackingFile file = workedExample().without(30_800);
        for (int offset : new int[] {1, 2, 8}) {
            file.member(10_200, optional(10_200 + offset, "a" + offset, Types.IntegerType.get()));
            file.member(10_400, optional(10_400 + offset, "b" + offset, Types.FloatType.get()));
            file.member(10_600, optional(10_600 + offset, "c" + offset, Types.DecimalType.of(9, 2)));
            for (int row = 0; row < 2; row++) {
                file.set(row, 10_200 + offset, 7 + row);
                file.set(row, 10_400 + offset, -1.5f);
                file.set(row, 10_600 + offset, new BigDecimal("1.25"));
            }
        }
        for (byte[] content : ImmutableList.of(file.toAvro(), file.toParquet())) {
            TrackingEntry entry = read(metadata, content).getFirst();
            assertThat(entry.contentStats().get(1).groupMax()).contains(7L);
            assertThat(entry.contentStats().get(2)).isEqualTo(stats(-1.5, -1.5, -1.5));
            assertThat(entry.contentStats().get(3)).isEqualTo(stats(new BigDecimal("1.25"), new BigDecimal("1.25"), new BigDecimal("1.25")));
        }
    }

    @Test
    void testFormatsOfRegionFiles()
    {
        assertTrinoExceptionThrownBy(() -> read(BY_BUCKET, workedExample().set(1, 101, "puffin").toAvro()))
                .hasErrorCode(INDEX_UNSUPPORTED)
                .hasMessage("Region file %s, listed in %s, has the unknown format 'puffin'".formatted(SECOND_REGION, LOCATION));
    }

    @Test
    void testKeyMetadataIsKept()
    {
        List<TrackingEntry> entries = read(BY_BUCKET, workedExample().set(0, 131, new byte[] {1, 2, 3}).toAvro());
        assertThat(entries.getFirst().keyMetadata().orElseThrow()).isEqualTo(new byte[] {1, 2, 3});
        assertThat(entries.getLast().keyMetadata()).isEmpty();
    }

    @Test
    void testRelativeLocation()
    {
        assertThat(read(BY_BUCKET, workedExample().set(0, 100, "data/region-1.parquet").toAvro()).getFirst().file().location()).isEqualTo("memory:///i/data/region-1.parquet");
    }

    @Test
    @Tag("IX-37")
    void testNoEntries()
    {
        assertThat(read(BY_BUCKET, workedExample().withoutRows().toAvro())).isEmpty();
        assertThat(read(BY_BUCKET, workedExample().withoutRows().toParquet())).isEmpty();
    }

    @Test
    void testEncryptedFile()
    {
        byte[] file = workedExample().toAvro();
        assertTrinoExceptionThrownBy(() -> read(BY_BUCKET, file, file.length, Optional.of("key")))
                .hasErrorCode(INDEX_UNSUPPORTED)
                .hasMessage("Tracking file %s is encrypted, and encrypted indexes cannot be read yet".formatted(LOCATION));
    }

    @Test
    void testSize()
    {
        byte[] file = workedExample().toAvro();
        assertCorrupt(BY_BUCKET, file, file.length + 1, "it has %s bytes, but tracking-file-size-in-bytes of its extract is %s".formatted(file.length, file.length + 1));
        assertCorrupt(BY_BUCKET, file, file.length - 1, "it has more bytes, but tracking-file-size-in-bytes of its extract is %s".formatted(file.length - 1));
        assertTrinoExceptionThrownBy(() -> read(BY_BUCKET, file, 1L << 40, Optional.empty())).hasErrorCode(INDEX_UNSUPPORTED);
    }

    @Test
    void testMissingFile()
    {
        assertTrinoExceptionThrownBy(() -> new TrackingFileReader(TESTING_TYPE_MANAGER).read(new MemoryFileSystem(), BY_BUCKET, extract(10, Optional.empty())))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("Tracking file %s does not exist; rebuild the index".formatted(LOCATION));
    }

    @Test
    void testOneRead()
    {
        for (byte[] file : ImmutableList.of(workedExample().toAvro(), workedExample().toParquet())) {
            CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();
            fileSystem.write(LOCATION, file);
            fileSystem.resetCounts();
            new TrackingFileReader(TESTING_TYPE_MANAGER).read(fileSystem, BY_BUCKET, extract(file.length, Optional.empty()));
            assertThat(fileSystem.reads()).isEqualTo(1);
            assertThat(fileSystem.otherRequests()).isEqualTo(0);
        }
    }

    @Test
    void testTruncatedFiles()
    {
        for (byte[] file : ImmutableList.of(workedExample().toAvro(), workedExample().toParquet())) {
            for (int length = 1; length < file.length; length++) {
                byte[] truncated = Arrays.copyOf(file, length);
                assertTrinoExceptionThrownBy(() -> read(BY_BUCKET, truncated, file.length, Optional.empty())).hasErrorCode(INDEX_CORRUPT).hasMessageContaining(LOCATION);
            }
        }
        assertCorrupt(BY_BUCKET, new byte[] {'O', 'R', 'C', 0, 0}, 5, "it is neither a Parquet nor an Avro file");
    }

    @Test
    void testDamagedFiles()
    {
        Random random = new Random(20_261_130);
        for (byte[] file : ImmutableList.of(workedExample().toAvro(), workedExample().toParquet())) {
            for (int i = 0; i < 2_000; i++) {
                byte[] damaged = file.clone();
                damaged[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
                try {
                    // Not all damage shows, but none may show as a partial list
                    assertThat(read(BY_BUCKET, damaged)).hasSize(2);
                }
                catch (TrinoException e) {
                    assertThat(e.getErrorCode()).isIn(INDEX_CORRUPT.toErrorCode(), INDEX_UNSUPPORTED.toErrorCode());
                }
            }
        }
    }

    private static void assertCorrupt(ForeignTrackingFile file, String reason)
    {
        assertCorruptAvro(file, reason);
        byte[] content = file.toParquet();
        assertCorrupt(BY_BUCKET, content, content.length, reason);
    }

    private static void assertCorruptAvro(ForeignTrackingFile file, String reason)
    {
        assertCorruptAvro(BY_BUCKET, file, reason);
    }

    private static void assertCorruptAvro(IndexMetadata metadata, ForeignTrackingFile file, String reason)
    {
        byte[] content = file.toAvro();
        assertCorrupt(metadata, content, content.length, reason);
    }

    private static void assertCorrupt(IndexMetadata metadata, byte[] file, long statedSize, String reason)
    {
        assertTrinoExceptionThrownBy(() -> read(metadata, file, statedSize, Optional.empty()))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("Tracking file %s is damaged: %s; rebuild the index".formatted(LOCATION, reason));
    }
}
