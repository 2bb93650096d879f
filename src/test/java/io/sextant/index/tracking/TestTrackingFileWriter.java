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
import com.google.common.collect.ImmutableSet;
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;
import io.sextant.index.file.ParquetJavaReader;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.metadata.IndexMetadataParser;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.TrinoException;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.index.tracking.TestingTrackingFiles.BY_BUCKET;
import static io.sextant.index.tracking.TestingTrackingFiles.metadata;
import static io.sextant.index.tracking.TestingTrackingFiles.read;
import static io.sextant.index.tracking.TestingTrackingFiles.schema;
import static io.sextant.index.tracking.TestingTrackingFiles.stats;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestTrackingFileWriter
{
    private static final TrackingEntry FIRST = new TrackingEntry(
            new IndexFile("s3://lake/i/data/region-1.parquet", FileFormat.PARQUET, 1_234, 3),
            ImmutableMap.of(
                    104, new FieldStats(Optional.of(3), Optional.of(88), Optional.of(88), true, OptionalLong.of(3), OptionalLong.of(0), OptionalLong.empty(), OptionalInt.empty()),
                    1, new FieldStats(Optional.of(12_094L), Optional.of(84_721L), Optional.of(55_310L), true, OptionalLong.of(3), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty()),
                    105, new FieldStats(Optional.of("s3://lake/t/a"), Optional.of("s3://lake/t/b"), Optional.empty(), true, OptionalLong.of(3), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.of(13))),
            Optional.empty());
    private static final TrackingEntry SECOND = new TrackingEntry(
            new IndexFile("s3://lake/i/data/region-2.orc", FileFormat.ORC, 1L << 33, 1L << 32),
            ImmutableMap.of(
                    104, new FieldStats(Optional.of(90), Optional.of(209), Optional.of(209), false, OptionalLong.of(1L << 32), OptionalLong.of(0), OptionalLong.empty(), OptionalInt.empty()),
                    1, new FieldStats(Optional.of(17L), Optional.of(3_277L), Optional.of(3_277L), true, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty())),
            Optional.of(new byte[] {1, 2}));

    @Test
    @Tag("IX-37")
    @Tag("IX-38")
    @Tag("IX-39")
    void testGoldenFile()
            throws IOException
    {
        byte[] golden;
        try (InputStream stream = TestTrackingFileWriter.class.getResourceAsStream("v1/worked-example.parquet")) {
            golden = stream.readAllBytes();
        }
        assertThat(read(BY_BUCKET, golden)).containsExactly(FIRST, SECOND);
        assertThat(new TrackingFileWriter(schema(BY_BUCKET)).toParquet(ImmutableList.of(FIRST, SECOND))).isEqualTo(golden);
    }

    @Test
    @Tag("IX-37")
    @Tag("IX-38")
    @Tag("IX-39")
    void testSecondReader()
            throws IOException
    {
        byte[] file = new TrackingFileWriter(schema(BY_BUCKET)).toParquet(ImmutableList.of(FIRST, SECOND));
        Schema columns = schema(BY_BUCKET).columns(ImmutableSet.of(105));
        List<List<Object>> rows = ParquetJavaReader.read(file, columns, row -> {
            List<Object> values = new ArrayList<>();
            for (int fieldId : new int[] {100, 101, 103, 104, 131, 30_801, 30_802, 30_803, 30_804, 30_805, 30_808, 10_201, 10_202, 10_203, 10_204, 10_208, 31_001, 31_002, 31_003, 31_004, 31_007}) {
                values.add(value(columns, row, fieldId));
            }
            return values;
        });
        assertThat(rows).containsExactly(
                Arrays.asList(
                        "s3://lake/i/data/region-1.parquet",
                        "parquet",
                        3L,
                        1_234L,
                        null,
                        3,
                        88,
                        true,
                        3L,
                        0L,
                        88,
                        12_094L,
                        84_721L,
                        true,
                        3L,
                        55_310L,
                        "s3://lake/t/a",
                        "s3://lake/t/b",
                        true,
                        3L,
                        13),
                Arrays.asList(
                        "s3://lake/i/data/region-2.orc",
                        "orc",
                        1L << 32,
                        1L << 33,
                        ByteBuffer.wrap(new byte[] {1, 2}),
                        90,
                        209,
                        false,
                        1L << 32,
                        0L,
                        209,
                        17L,
                        3_277L,
                        true,
                        null,
                        3_277L,
                        null,
                        null,
                        null,
                        null,
                        null));
    }

    private static Object value(Schema schema, StructLike row, int fieldId)
    {
        Object value = schema.accessorForField(fieldId).get(row);
        return value instanceof CharSequence text ? text.toString() : value;
    }

    @Test
    @Tag("IX-37")
    void testNoEntries()
    {
        byte[] file = new TrackingFileWriter(schema(BY_BUCKET)).toParquet(ImmutableList.of());
        assertThat(read(BY_BUCKET, file)).isEmpty();
    }

    @Test
    @Tag("IX-39")
    void testNullsAndNaNsInTheKey()
    {
        IndexMetadata metadata = metadata(
                """
                {"id": 1, "name": "a", "required": false, "type": "double"},
                {"id": 2, "name": "b", "required": false, "type": "string"}
                """,
                "",
                "1, 2");
        // The last key of the first region is (null, null), and it is not for want of knowledge
        FieldStats onlyNulls = new FieldStats(Optional.empty(), Optional.empty(), Optional.empty(), true, OptionalLong.of(2), OptionalLong.of(2), OptionalLong.of(0), OptionalInt.empty());
        FieldStats onlyNullNames = new FieldStats(Optional.empty(), Optional.empty(), Optional.empty(), true, OptionalLong.of(2), OptionalLong.of(2), OptionalLong.empty(), OptionalInt.empty());
        FieldStats mixed = new FieldStats(Optional.of(-0.0), Optional.of(1.5), Optional.of(Double.NaN), true, OptionalLong.of(4), OptionalLong.of(0), OptionalLong.of(1), OptionalInt.empty());
        String longName = "ä".repeat(50_000);
        FieldStats names = new FieldStats(Optional.of(""), Optional.of(longName), Optional.of(longName), false, OptionalLong.of(4), OptionalLong.of(1), OptionalLong.empty(), OptionalInt.of(33_333));
        List<TrackingEntry> entries = ImmutableList.of(
                entry(1, ImmutableMap.of(1, onlyNulls, 2, onlyNullNames)),
                entry(2, ImmutableMap.of(1, mixed, 2, names)));
        assertThat(read(metadata, new TrackingFileWriter(schema(metadata)).toParquet(entries))).isEqualTo(entries);
    }

    @Test
    @Tag("IX-38")
    void testAllTypes()
    {
        IndexMetadata metadata = metadata(
                """
                {"id": 1, "name": "c1", "required": false, "type": "boolean"},
                {"id": 2, "name": "c2", "required": false, "type": "int"},
                {"id": 3, "name": "c3", "required": false, "type": "float"},
                {"id": 4, "name": "c4", "required": false, "type": "decimal(9, 2)"},
                {"id": 5, "name": "c5", "required": false, "type": "decimal(38, 10)"},
                {"id": 6, "name": "c6", "required": false, "type": "date"},
                {"id": 7, "name": "c7", "required": false, "type": "time"},
                {"id": 8, "name": "c8", "required": false, "type": "timestamp"},
                {"id": 9, "name": "c9", "required": false, "type": "timestamptz"},
                {"id": 10, "name": "c10", "required": false, "type": "timestamp_ns"},
                {"id": 11, "name": "c11", "required": false, "type": "timestamptz_ns"},
                {"id": 12, "name": "c12", "required": false, "type": "uuid"},
                {"id": 13, "name": "c13", "required": false, "type": "fixed[3]"},
                {"id": 14, "name": "c14", "required": false, "type": "binary"},
                {"id": 15, "name": "c15", "required": false, "type": "double"}
                """,
                "",
                "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15");
        TrackingEntry entry = entry(1, ImmutableMap.<Integer, FieldStats>builder()
                .put(1, stats(false, true, true))
                .put(2, stats(-5, 5, 0))
                .put(3, stats(-1.5f, 1.5f, 0.5f))
                .put(4, stats(new BigDecimal("-1234567.89"), new BigDecimal("1234567.89"), new BigDecimal("0.01")))
                .put(5, stats(new BigDecimal("-1234567890123456789012345678.0123456789"), new BigDecimal("1234567890123456789012345678.0123456789"), new BigDecimal("0.0000000001")))
                .put(6, stats(-1, 20_000, 0))
                .put(7, stats(0L, 86_399_999_999L, 1L))
                .put(8, stats(-1L, 1_764_500_000_000_000L, 0L))
                .put(9, stats(-1L, 1_764_500_000_000_000L, 0L))
                .put(10, stats(-1L, 1_764_500_000_000_000_001L, 0L))
                .put(11, stats(-1L, 1_764_500_000_000_000_001L, 0L))
                .put(12, stats(new UUID(1, 2), new UUID(-1, 2), new UUID(3, 4)))
                .put(13, stats(bytes(0, 0, 0), bytes(-1, -1, -1), bytes(1, 2, 3)))
                .put(14, stats(bytes(), bytes(-1), bytes(1, 0, 2)))
                .put(15, stats(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, -0.0))
                .buildOrThrow());
        assertThat(read(metadata, new TrackingFileWriter(schema(metadata)).toParquet(ImmutableList.of(entry)))).containsExactly(entry);
    }

    @Test
    @Tag("IX-37")
    void testManyRowGroups()
    {
        ImmutableList.Builder<TrackingEntry> builder = ImmutableList.builder();
        for (int i = 0; i < 20_000; i++) {
            builder.add(entry(i, ImmutableMap.of(104, stats(i, i, i), 1, stats(5L, 5L, 5L))));
        }
        List<TrackingEntry> entries = builder.build();
        assertThat(read(BY_BUCKET, new TrackingFileWriter(schema(BY_BUCKET)).toParquet(entries))).isEqualTo(entries);
    }

    @Test
    @Tag("IX-37")
    void testEveryBitIsProtected()
            throws IOException
    {
        byte[] content = write("memory:///i/metadata/tracking.parquet");
        int detected = 0;
        for (int bit = 0; bit < content.length * 8; bit++) {
            byte[] damaged = content.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            try {
                assertThat(read(BY_BUCKET, damaged)).as("bit %s", bit).containsExactly(FIRST, SECOND);
            }
            catch (TrinoException e) {
                assertThat(e.getErrorCode()).as("bit %s", bit).isEqualTo(INDEX_CORRUPT.toErrorCode());
                detected++;
            }
        }
        assertThat(detected).isGreaterThan(content.length * 7);
    }

    @Test
    @Tag("IX-37")
    void testFileUnderNameOfAnother()
            throws IOException
    {
        byte[] content = write("memory:///i/metadata/other.parquet");
        assertTrinoExceptionThrownBy(() -> read(BY_BUCKET, content))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("Tracking file memory:///i/metadata/tracking.parquet is damaged: it is file other.parquet, under another name; rebuild the index");
    }

    @Test
    @Tag("IX-37")
    void testFileIsTiedToItsExtract()
            throws IOException
    {
        // Read as the extract of snapshot 1
        assertThat(read(BY_BUCKET, write(BY_BUCKET, 1))).containsExactly(FIRST, SECOND);
        assertNotTied(BY_BUCKET, write(BY_BUCKET, 2));
        String json = IndexMetadataParser.toJson(BY_BUCKET);
        Map<String, String> changes = ImmutableMap.of(
                "\"source-id\":1", "\"source-id\":3",
                "9c12d441", "9c12d442",
                "\"ordering-key\":[104,1]", "\"ordering-key\":[104]");
        for (Map.Entry<String, String> change : changes.entrySet()) {
            assertThat(json).contains(change.getKey());
            IndexMetadata changed = IndexMetadataParser.fromJson("memory:///i/metadata/v1.metadata.json", json.replace(change.getKey(), change.getValue()).getBytes(UTF_8));
            assertNotTied(changed, write(BY_BUCKET, 1));
        }
    }

    private static void assertNotTied(IndexMetadata metadata, byte[] content)
    {
        assertTrinoExceptionThrownBy(() -> read(metadata, content))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessageMatching("Tracking file memory:///i/metadata/tracking.parquet is damaged: it belongs to index .*, but the index metadata say index .*; rebuild the index");
    }

    private static byte[] write(IndexMetadata metadata, long snapshotId)
            throws IOException
    {
        return write(TrackingFileWriter.of(metadata, metadata.latestSchema(), snapshotId), "memory:///i/metadata/tracking.parquet");
    }

    private static byte[] write(String location)
            throws IOException
    {
        return write(new TrackingFileWriter(schema(BY_BUCKET)), location);
    }

    private static byte[] write(TrackingFileWriter writer, String location)
            throws IOException
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        long size = writer.writeFile(fileSystem.newOutputFile(Location.of(location)), ImmutableList.of(FIRST, SECOND));
        try (InputStream stream = fileSystem.newInputFile(Location.of(location)).newStream()) {
            byte[] content = stream.readAllBytes();
            assertThat(content).hasSize((int) size);
            return content;
        }
    }

    @Test
    @Tag("IX-37")
    void testOrderIsChecked()
    {
        TrackingFileWriter writer = new TrackingFileWriter(schema(BY_BUCKET));
        assertThatThrownBy(() -> writer.toParquet(ImmutableList.of(SECOND, FIRST)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the entry of s3://lake/i/data/region-1.parquet is not in index order");
        // One key may go on in another region
        assertThat(read(BY_BUCKET, writer.toParquet(ImmutableList.of(FIRST, entry(9, ImmutableMap.of(104, stats(88, 88, 88), 1, stats(55_310L, 55_310L, 55_310L))))))).hasSize(2);
    }

    @Test
    @Tag("IX-38")
    void testKeyFieldsMustHaveStats()
    {
        assertThatThrownBy(() -> new TrackingFileWriter(schema(BY_BUCKET)).toParquet(ImmutableList.of(entry(1, ImmutableMap.of(104, stats(1, 1, 1))))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("key field 1 has no statistics in the entry of s3://lake/i/data/region-1.parquet");
        assertThatThrownBy(() -> new TrackingFileWriter(schema(BY_BUCKET)).toParquet(ImmutableList.of(entry(1, ImmutableMap.of(104, stats(1, 1, 1), 1, stats(1L, 1L, 1L), 107, stats(1, 1, 1))))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("fields [104, 1, 107] cannot all have statistics");
    }

    private static TrackingEntry entry(int number, Map<Integer, FieldStats> contentStats)
    {
        return new TrackingEntry(new IndexFile("s3://lake/i/data/region-%s.parquet".formatted(number), FileFormat.PARQUET, 1_000, 4), contentStats, Optional.empty());
    }

    private static ByteBuffer bytes(int... values)
    {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return ByteBuffer.wrap(bytes);
    }
}
