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
package io.sextant.index.region;

import com.google.common.collect.ImmutableMap;
import io.sextant.index.file.CountingMemoryFileSystem;
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;
import io.sextant.index.file.IndexFileReader;
import io.sextant.index.file.ParquetJavaReader;
import io.sextant.index.file.TestingIndexFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInputStream;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;
import static io.sextant.index.file.TestingIndexFiles.CREDENTIALS;
import static io.sextant.index.file.TestingIndexFiles.SESSION;
import static io.sextant.index.region.TestingEntries.add;
import static io.sextant.index.region.TestingEntries.entry;
import static io.sextant.index.region.TestingEntries.sortedEntries;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

final class TestRegionFile
{
    private static final Location LOCATION = Location.of("memory:///index/data/region-1.parquet");
    private static final RegionSchema SCHEMA = new RegionSchema(
            new Schema(
                    5,
                    List.of(
                            optional(1, "user_id", Types.LongType.get()),
                            required(105, "file", Types.StringType.get()),
                            required(106, "pos", Types.LongType.get()),
                            optional(7, "amount", Types.DecimalType.of(12, 2)))),
            List.of(1),
            OptionalInt.of(105),
            OptionalInt.of(106));
    private static final List<String> PATHS = List.of("s3://b/t/data/a.parquet", "s3://b/t/data/b.parquet", "s3://b/t/data/ü.parquet");

    private final CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();

    @Test
    @Tag("IX-40")
    void testEntriesComeBackInIndexOrder()
            throws IOException
    {
        List<List<Object>> rows = rows(100_000);
        RegionFile region = write(SCHEMA, PATHS, sortedEntries(SCHEMA, rows));
        List<List<Object>> expected = sortedEntries(SCHEMA, rows).stream()
                .map(entry -> decode(SCHEMA, entry))
                .toList();

        assertThat(region.file().recordCount()).isEqualTo(100_000);
        assertThat(region.file().sizeInBytes()).isEqualTo(content().length);
        assertThat(region.file().format()).isEqualTo(FileFormat.PARQUET);
        assertThat(region.file().location()).isEqualTo(LOCATION.toString());
        assertThat(read(SCHEMA, region.file(), TupleDomain.all())).isEqualTo(expected);
        // Nothing of the other reader knows the names or the order of the columns
        Schema renamed = new Schema(required(106, "p", Types.LongType.get()), optional(1, "k", Types.LongType.get()), optional(7, "v", Types.DecimalType.of(12, 2)));
        assertThat(ParquetJavaReader.read(content(), renamed, row -> Arrays.asList(row.get(1, Object.class), row.get(0, Object.class), row.get(2, Object.class))))
                .isEqualTo(expected.stream().map(row -> Arrays.asList(row.get(0), row.get(2), row.get(3))).toList());
    }

    @Test
    @Tag("IX-40")
    void testEntryOutOfOrderIsRefused()
    {
        RegionFileWriter writer = new RegionFileWriter(SCHEMA, PATHS::get);
        add(writer, entry(SCHEMA, 5L, 1, 10L, null));
        assertTrinoExceptionThrownBy(() -> add(writer, entry(SCHEMA, 4L, 2, 11L, null)))
                .hasErrorCode(INDEX_BUILD_FAILED)
                .hasMessageContaining("Entry 1 of a region is out of order");
        assertTrinoExceptionThrownBy(() -> add(writer, entry(SCHEMA, null, 2, 11L, null)))
                .hasErrorCode(INDEX_BUILD_FAILED);
        assertTrinoExceptionThrownBy(() -> add(writer, entry(SCHEMA, 5L, 1, 9L, null)))
                .hasErrorCode(INDEX_BUILD_FAILED);
        assertTrinoExceptionThrownBy(() -> add(writer, entry(SCHEMA, 5L, 1, 10L, null)))
                .hasErrorCode(INDEX_BUILD_FAILED)
                .hasMessageContaining("Entry 1 of a region is there twice");
    }

    @Test
    void testEqualEntriesAreAllowedWhereNothingNamesTheRow()
    {
        RegionSchema schema = new RegionSchema(new Schema(optional(1, "k", Types.LongType.get())), List.of(1), OptionalInt.empty(), OptionalInt.empty());
        RegionFile region = write(schema, PATHS, List.of(entry(schema, 3L), entry(schema, 3L)));
        assertThat(read(schema, region.file(), TupleDomain.all())).containsExactly(List.of(3L), List.of(3L));
    }

    @Test
    @Tag("IX-04")
    void testFilesAreNeverOverwritten()
            throws IOException
    {
        write(SCHEMA, PATHS, List.of(entry(SCHEMA, 1L, 0, 1L, null)));
        byte[] content = content();
        RegionFileWriter writer = new RegionFileWriter(SCHEMA, PATHS::get);
        add(writer, entry(SCHEMA, 2L, 0, 1L, null));
        assertTrinoExceptionThrownBy(() -> writer.finish(fileSystem.newOutputFile(LOCATION)))
                .hasErrorCode(INDEX_STORAGE_ERROR)
                .hasMessage("Index file %s exists already; index files are never overwritten", LOCATION);
        assertThat(content()).isEqualTo(content);
    }

    @Test
    @Tag("IX-04")
    void testFileNamesAreUnique()
    {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            assertThat(names.add(RegionFileWriter.newFileName())).isTrue();
        }
        assertThat(names).allMatch(name -> name.matches("region-[0-9a-f-]{36}\\.parquet"));
    }

    @Test
    @Tag("IX-35")
    void testContinuesLastKey()
    {
        NestedField bucket = optional(104, "bucket", Types.IntegerType.get());
        RegionSchema schema = new RegionSchema(SCHEMA.schema(), List.of(bucket), List.of(104, 1), OptionalInt.of(105), OptionalInt.of(106));
        RegionFileWriter writer = new RegionFileWriter(schema, PATHS::get);
        byte[] first = entry(schema, 3, 84_721L, 0, 1L, null);
        assertThat(writer.continuesLastKey(first, 0, first.length)).isFalse();
        add(writer, first);
        assertThat(continues(writer, entry(schema, 3, 84_721L, 2, 9L, null))).isTrue();
        assertThat(continues(writer, entry(schema, 3, 84_722L, 0, 1L, null))).isFalse();
        assertThat(continues(writer, entry(schema, 3, null, 0, 1L, null))).isFalse();
        assertThat(continues(writer, entry(schema, 4, 84_721L, 0, 1L, null))).isFalse();
    }

    @Test
    @Tag("IX-39")
    void testGroupMaxIsTheLastEntryNotTheMaximum()
    {
        // The worked example of the format
        NestedField bucket = optional(104, "bucket", Types.IntegerType.get());
        RegionSchema schema = new RegionSchema(SCHEMA.schema(), List.of(bucket), List.of(104, 1), OptionalInt.of(105), OptionalInt.of(106));
        RegionFile region = write(schema, PATHS, List.of(
                entry(schema, 3, 84_721L, 0, 1L, null),
                entry(schema, 41, 12_094L, 0, 2L, null),
                entry(schema, 88, 55_310L, 1, 0L, null)));
        assertThat(region.stats().get(104).groupMax()).contains(88);
        assertThat(region.stats().get(104).lower()).contains(3);
        assertThat(region.stats().get(104).upper()).contains(88);
        assertThat(region.stats().get(1).groupMax()).contains(55_310L);
        assertThat(region.stats().get(1).lower()).contains(12_094L);
        assertThat(region.stats().get(1).upper()).contains(84_721L);
        assertThat(read(schema, region.file(), TupleDomain.all())).extracting(List::getFirst).containsExactly(84_721L, 12_094L, 55_310L);
    }

    @Test
    @Tag("IX-39")
    void testGroupMaxIsNeverCut()
    {
        RegionSchema schema = new RegionSchema(new Schema(optional(1, "name", Types.StringType.get()), optional(2, "n", Types.LongType.get())), List.of(1, 2), OptionalInt.empty(), OptionalInt.empty());
        String longest = "ü".repeat(100_000) + "!";
        RegionFile region = write(schema, PATHS, List.of(entry(schema, "a", 7L), entry(schema, longest, null)));
        assertThat(region.stats().get(1).groupMax()).contains(longest);
        assertThat(region.stats().get(1).upper()).contains(longest);
        // The key component of the last entry is null
        assertThat(region.stats().get(2).groupMax()).isEmpty();
        assertThat(region.stats().get(2).upper()).contains(7L);
        assertThat(read(schema, region.file(), TupleDomain.all())).hasSize(2);
    }

    @Test
    @Tag("IX-38")
    void testStats()
    {
        RegionFile region = write(SCHEMA, PATHS, List.of(
                entry(SCHEMA, null, 1, 4L, new BigDecimal("1.00")),
                entry(SCHEMA, -3L, 0, 4L, null),
                entry(SCHEMA, 8L, 2, 1L, null)));
        assertThat(region.stats().keySet()).containsExactlyInAnyOrder(1, 105, 106, 7);
        assertThat(region.stats().get(1)).isEqualTo(new FieldStats(
                Optional.of(-3L), Optional.of(8L), Optional.of(8L), true, OptionalLong.of(3), OptionalLong.of(1), OptionalLong.empty(), OptionalInt.empty()));
        assertThat(region.stats().get(105)).isEqualTo(new FieldStats(
                Optional.of(PATHS.get(0)), Optional.of(PATHS.get(2)), Optional.empty(), true, OptionalLong.of(3), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.of(23)));
        assertThat(region.stats().get(106)).isEqualTo(new FieldStats(
                Optional.empty(), Optional.empty(), Optional.empty(), false, OptionalLong.of(3), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty()));
        assertThat(region.stats().get(7)).isEqualTo(new FieldStats(
                Optional.empty(), Optional.empty(), Optional.empty(), false, OptionalLong.of(3), OptionalLong.of(2), OptionalLong.empty(), OptionalInt.empty()));
    }

    @Test
    @Tag("IX-38")
    void testBoundsLeaveOutNullAndNan()
    {
        RegionSchema schema = new RegionSchema(new Schema(optional(1, "x", Types.DoubleType.get())), List.of(1), OptionalInt.empty(), OptionalInt.empty());
        double negativeNan = Double.longBitsToDouble(0xFFF8_0000_0000_0000L);
        RegionFile region = write(schema, PATHS, sortedEntries(schema, List.of(
                Arrays.asList((Object) null), List.of(Double.NaN), List.of(negativeNan), List.of(-0.0), List.of(0.0), List.of(0.0))));
        FieldStats stats = region.stats().get(1);
        assertThat(stats.lower()).contains(-0.0);
        assertThat(stats.upper()).contains(0.0);
        assertThat(stats.groupMax()).contains(Double.NaN);
        assertThat(stats.valueCount()).hasValue(6);
        assertThat(stats.nullValueCount()).hasValue(1);
        assertThat(stats.nanValueCount()).hasValue(2);

        RegionFile onlyNans = write(schema, PATHS, sortedEntries(schema, List.of(Arrays.asList((Object) null), List.of(Double.NaN))));
        assertThat(onlyNans.stats().get(1).lower()).isEmpty();
        assertThat(onlyNans.stats().get(1).upper()).isEmpty();
        assertThat(onlyNans.stats().get(1).groupMax()).contains(Double.NaN);
    }

    @Test
    @Tag("IX-38")
    @Tag("IX-39")
    void testStatsAcrossRowGroups()
    {
        List<List<Object>> rows = rows(100_000);
        RegionFile region = write(SCHEMA, PATHS, sortedEntries(SCHEMA, rows));
        List<Long> keys = rows.stream().map(row -> (Long) row.getFirst()).filter(key -> key != null).sorted().toList();
        FieldStats stats = region.stats().get(1);
        assertThat(stats.lower()).contains(keys.getFirst());
        assertThat(stats.upper()).contains(keys.getLast());
        assertThat(stats.groupMax()).contains(keys.getLast());
        assertThat(stats.nullValueCount()).hasValue(100_000 - keys.size());
        assertThat(stats.valueCount()).hasValue(100_000);
    }

    @Test
    void testFileAsKey()
    {
        RegionSchema schema = new RegionSchema(
                new Schema(required(105, "file", Types.StringType.get()), required(106, "pos", Types.LongType.get())), List.of(105), OptionalInt.of(105), OptionalInt.of(106));
        RegionFile region = write(schema, PATHS, List.of(entry(schema, 0, 3L), entry(schema, 2, 0L)));
        assertThat(region.stats().get(105).groupMax()).contains(PATHS.get(2));
        assertThat(region.stats().get(105).lower()).contains(PATHS.get(0));
        assertThat(read(schema, region.file(), TupleDomain.all())).containsExactly(List.of(PATHS.get(0), 3L), List.of(PATHS.get(2), 0L));
    }

    @Test
    void testExtractSchemaIsInTheFile()
    {
        RegionFile region = write(SCHEMA, PATHS, List.of(entry(SCHEMA, 1L, 0, 1L, null)));
        RegionFileReader reader = new RegionFileReader(TestingIndexFiles.newReader(fileSystem));
        Schema schema = reader.readExtractSchema(SESSION, CREDENTIALS, region.file()).orElseThrow();
        assertThat(schema.schemaId()).isEqualTo(5);
        assertThat(schema.sameSchema(SCHEMA.schema())).isTrue();
    }

    @Test
    void testReads()
    {
        List<byte[]> entries = new ArrayList<>();
        for (long i = 0; i < 300_000; i++) {
            entries.add(entry(SCHEMA, i / 3, (int) (i % 3), i, null));
        }
        RegionFile region = write(SCHEMA, PATHS, entries);
        RegionFileReader reader = new RegionFileReader(TestingIndexFiles.newReader(fileSystem));
        TupleDomain<Integer> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(1, Domain.singleValue(BIGINT, 50_000L)));

        for (int expectedReads : new int[] {2, 1, 1}) {
            fileSystem.resetCounts();
            List<List<Object>> found = rows(reader.open(SESSION, CREDENTIALS, newSimpleAggregatedMemoryContext(), SCHEMA, region.file(), predicate), SCHEMA);
            assertThat(found).hasSize(32 * 1024);
            assertThat(found.stream().filter(row -> row.getFirst().equals(50_000L))).hasSize(3);
            assertThat(fileSystem.reads()).isEqualTo(expectedReads);
            assertThat(fileSystem.otherRequests()).isZero();
        }
    }

    @Test
    void testRowGroupsGrowWithTheDataFiles()
    {
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < 4096; i++) {
            paths.add("s3://b/t/data/%05d.parquet".formatted(i));
        }
        RegionSchema schema = new RegionSchema(
                new Schema(required(1, "k", Types.LongType.get()), required(105, "file", Types.StringType.get())), List.of(1), OptionalInt.of(105), OptionalInt.empty());
        // 4096 files call for 65,536 entries, of which the second group of 70,000 holds the rest
        assertThat(firstRowGroupSize(schema, paths, 4096)).isEqualTo(65_536);
        assertThat(firstRowGroupSize(schema, paths, 100)).isEqualTo(32_768);
    }

    private int firstRowGroupSize(RegionSchema schema, List<String> paths, int files)
    {
        List<byte[]> entries = new ArrayList<>();
        for (long i = 0; i < 70_000; i++) {
            entries.add(entry(schema, i, (int) (i % files)));
        }
        RegionFile region = write(schema, paths, entries);
        return read(schema, region.file(), TupleDomain.withColumnDomains(ImmutableMap.of(1, Domain.singleValue(BIGINT, 0L)))).size();
    }

    @Test
    void testEstimatedSize()
    {
        RegionFileWriter writer = new RegionFileWriter(SCHEMA, PATHS::get);
        for (byte[] entry : sortedEntries(SCHEMA, rows(200_000))) {
            writer.add(entry, 0, entry.length);
        }
        long estimate = writer.estimatedSizeInBytes();
        RegionFile region = writer.finish(fileSystem.newOutputFile(LOCATION));
        assertThat(estimate).isBetween(region.file().sizeInBytes() * 9 / 10, region.file().sizeInBytes() * 11 / 10);
    }

    private RegionFile write(RegionSchema schema, List<String> paths, List<byte[]> entries)
    {
        try {
            fileSystem.deleteFile(LOCATION);
        }
        catch (IOException e) {
            throw new AssertionError(e);
        }
        RegionFileWriter writer = new RegionFileWriter(schema, paths::get);
        for (byte[] entry : entries) {
            add(writer, entry);
        }
        assertThat(writer.recordCount()).isEqualTo(entries.size());
        return writer.finish(fileSystem.newOutputFile(LOCATION));
    }

    @Test
    @Tag("IX-40")
    void testFileUnderNameOfAnother()
            throws IOException
    {
        RegionFile region = write(SCHEMA, PATHS, List.of(entry(SCHEMA, 1L, 0, 1L, null)));
        String other = "memory:///index/data/region-2.parquet";
        fileSystem.write(other, content());
        IndexFile file = new IndexFile(other, FileFormat.PARQUET, region.file().sizeInBytes(), 1);
        assertTrinoExceptionThrownBy(() -> read(SCHEMA, file, TupleDomain.all()))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("Index file %s is damaged: it is file region-1.parquet, under another name; rebuild the index", other);
    }

    private byte[] content()
            throws IOException
    {
        try (TrinoInputStream stream = fileSystem.newInputFile(LOCATION).newStream()) {
            return stream.readAllBytes();
        }
    }

    private List<List<Object>> read(RegionSchema schema, IndexFile file, TupleDomain<Integer> predicate)
    {
        IndexFileReader reader = TestingIndexFiles.newReader(fileSystem);
        return rows(new RegionFileReader(reader).open(SESSION, CREDENTIALS, newSimpleAggregatedMemoryContext(), schema, file, predicate), schema);
    }

    private static List<List<Object>> rows(ConnectorPageSource pages, RegionSchema schema)
    {
        return TestingIndexFiles.rows(pages, RegionFileReader.storedColumns(schema));
    }

    private static boolean continues(RegionFileWriter writer, byte[] entry)
    {
        byte[] array = new byte[entry.length + 2];
        System.arraycopy(entry, 0, array, 1, entry.length);
        return writer.continuesLastKey(array, 1, entry.length);
    }

    private static List<Object> decode(RegionSchema schema, byte[] entry)
    {
        List<Object> values = new ArrayList<>();
        int offset = 0;
        for (int i = 0; i < schema.entryEncoding().fieldCount(); i++) {
            Object value = schema.entryEncoding().decodeValue(i, entry, offset);
            values.add(i == 1 ? PATHS.get((Integer) value) : value);
            offset = schema.entryEncoding().skip(i, entry, offset);
        }
        return values;
    }

    private static List<List<Object>> rows(int count)
    {
        Random random = new Random(5);
        List<List<Object>> rows = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            rows.add(Arrays.asList(
                    random.nextInt(50) == 0 ? null : random.nextLong(-1_000_000, 1_000_000),
                    random.nextInt(3),
                    i,
                    random.nextInt(10) == 0 ? null : BigDecimal.valueOf(random.nextInt(100_000), 2)));
        }
        return rows;
    }
}
