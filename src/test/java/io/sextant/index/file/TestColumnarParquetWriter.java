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
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import static io.sextant.index.file.TestingIndexFiles.fieldIds;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Locale.ENGLISH;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestColumnarParquetWriter
{
    private static final Map<Type, List<Object>> VALUES = ImmutableMap.<Type, List<Object>>builder()
            .put(Types.BooleanType.get(), List.of(true, false, true))
            .put(Types.IntegerType.get(), List.of(0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 42))
            .put(Types.LongType.get(), List.of(0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, 42L, 1L << 40))
            .put(Types.FloatType.get(), List.of(-0.0f, 0.0f, 1.5f, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, Float.NaN))
            .put(Types.DoubleType.get(), List.of(-0.0, 0.0, 1.5, Double.POSITIVE_INFINITY, -Double.MAX_VALUE, Double.NaN))
            .put(Types.DecimalType.of(9, 2), List.of(new BigDecimal("0.00"), new BigDecimal("-9999999.99"), new BigDecimal("1234567.89")))
            .put(Types.DecimalType.of(18, 4), List.of(new BigDecimal("0.0000"), new BigDecimal("-99999999999999.9999"), new BigDecimal("1.0001")))
            .put(Types.DecimalType.of(38, 10), List.of(new BigDecimal("0E-10"), decimal("-" + "9".repeat(38), 10), decimal("9".repeat(38), 10), decimal("-1", 10)))
            .put(Types.DecimalType.of(20, 0), List.of(new BigDecimal("-99999999999999999999"), new BigDecimal("99999999999999999999"), new BigDecimal("255"), new BigDecimal("-256")))
            .put(Types.DateType.get(), List.of(0, -719162, 20000))
            .put(Types.TimeType.get(), List.of(0L, 86_399_999_999L))
            .put(Types.TimestampType.withoutZone(), List.of(0L, -1L, 1_700_000_000_123_456L))
            .put(Types.TimestampType.withZone(), List.of(0L, -1_000L, 1_700_000_000_123_456L))
            .put(Types.TimestampNanoType.withoutZone(), List.of(0L, -1L, 1_700_000_000_123_456_789L))
            .put(Types.TimestampNanoType.withZone(), List.of(0L, -1L, 1_700_000_000_123_456_789L))
            .put(Types.StringType.get(), List.of("", "a", "ab", "Ünïcødé", "\uD83D\uDE00", "x".repeat(1000)))
            .put(Types.BinaryType.get(), List.of(ByteBuffer.wrap(new byte[0]), ByteBuffer.wrap(new byte[] {0, -1}), ByteBuffer.wrap(new byte[] {-128})))
            .put(Types.UUIDType.get(), List.of(new UUID(0, 0), new UUID(-1, -1), UUID.fromString("f79c3e09-677c-4bbd-a479-3f349cb785e7")))
            .put(Types.FixedType.ofLength(3), List.of(ByteBuffer.wrap(new byte[] {0, 0, 0}), ByteBuffer.wrap(new byte[] {-1, 1, 2})))
            .buildOrThrow();

    @Test
    void testEveryTypeIsReadByBothReaders()
            throws IOException
    {
        Schema schema = allTypes();
        List<List<Object>> rows = rows(1000);
        byte[] file = write(schema, ImmutableSet.copyOf(fieldIds(schema)), rows, 300);

        assertThat(readWithParquetJava(schema, file)).isEqualTo(rows);
        assertThat(readWithTrino(schema, file, rows.size())).isEqualTo(rows);
    }

    @Test
    void testEveryTypeIsReadWithDictionaries()
            throws IOException
    {
        Schema schema = allTypes();
        List<List<Object>> rows = rows(1000);
        byte[] file = write(schema, ImmutableSet.of(), rows, 400);

        for (ColumnMetaData chunk : footer(file).getRow_groups().getFirst().getColumns().stream().map(column -> column.getMeta_data()).toList()) {
            if (!chunk.getPath_in_schema().getFirst().endsWith("boolean")) {
                assertThat(chunk.getEncodings()).as(chunk.getPath_in_schema().toString()).contains(Encoding.RLE_DICTIONARY);
            }
        }
        assertThat(readWithParquetJava(schema, file)).isEqualTo(rows);
        assertThat(readWithTrino(schema, file, rows.size())).isEqualTo(rows);
    }

    @Test
    void testStructs()
            throws IOException
    {
        Schema schema = new Schema(
                required(100, "location", Types.StringType.get()),
                required(146, "content_stats", Types.StructType.of(
                        required(10_200, "user_id", Types.StructType.of(
                                optional(10_201, "lower_bound", Types.LongType.get()),
                                required(10_204, "value_count", Types.LongType.get()))),
                        required(10_400, "name", Types.StructType.of(
                                optional(10_401, "lower_bound", Types.StringType.get()))))));
        ColumnarParquetWriter writer = new ColumnarParquetWriter(schema, ImmutableSet.of(), ImmutableMap.of(), ImmutableMap.of());
        writer.column(100).append("a");
        writer.column(10_201).append(7L);
        writer.column(10_204).append(8L);
        writer.column(10_401).append(null);
        writer.column(100).append("b");
        writer.column(10_201).append(null);
        writer.column(10_204).append(9L);
        writer.column(10_401).append("n");
        byte[] file = writer.finish();

        List<String> rows = ParquetJavaReader.read(file, schema, row -> {
            StructLike stats = row.get(1, StructLike.class);
            StructLike user = stats.get(0, StructLike.class);
            StructLike name = stats.get(1, StructLike.class);
            return "%s %s %s %s".formatted(row.get(0, Object.class), user.get(0, Object.class), user.get(1, Object.class), name.get(0, Object.class));
        });
        assertThat(rows).containsExactly("a 7 8 null", "b null 9 n");
    }

    @Test
    void testWhatIsNotSupportedIsRefused()
    {
        Schema optionalStruct = new Schema(optional(1, "s", Types.StructType.of(optional(2, "x", Types.LongType.get()))));
        assertThatThrownBy(() -> new ColumnarParquetWriter(optionalStruct, ImmutableSet.of(), ImmutableMap.of(), ImmutableMap.of()))
                .hasMessageContaining("optional struct");
        Schema list = new Schema(optional(1, "l", Types.ListType.ofRequired(2, Types.LongType.get())));
        assertThatThrownBy(() -> new ColumnarParquetWriter(list, ImmutableSet.of(), ImmutableMap.of(), ImmutableMap.of()))
                .hasMessageContaining("list or map");

        ColumnarParquetWriter writer = new ColumnarParquetWriter(new Schema(required(1, "a", Types.LongType.get()), required(2, "b", Types.LongType.get())), ImmutableSet.of(), ImmutableMap.of(), ImmutableMap.of());
        writer.column(1).append(1L);
        assertThatThrownBy(writer::endRowGroup).hasMessageContaining("has 0 rows, another has 1");
        assertThatThrownBy(() -> writer.column(3)).hasMessageContaining("no column has field ID 3");
    }

    @Test
    void testNullInRequiredColumnIsRefused()
    {
        ColumnarParquetWriter writer = new ColumnarParquetWriter(new Schema(required(1, "a", Types.LongType.get())), ImmutableSet.of(), ImmutableMap.of(), ImmutableMap.of());
        writer.column(1).append(null);
        assertThatThrownBy(writer::endRowGroup).hasMessageContaining("has a null");
    }

    @Test
    void testFooter()
            throws IOException
    {
        Schema schema = new Schema(optional(7, "größe", Types.LongType.get()), required(9, "name", Types.StringType.get()));
        byte[] file = write(schema, ImmutableSet.of(7), List.of(Arrays.asList(1L, "x"), Arrays.asList(null, "y")), 10, ImmutableMap.of("sextant.some-key", "some value"));
        FileMetaData footer = footer(file);

        assertThat(new String(file, 0, 4, UTF_8)).isEqualTo("PAR1");
        assertThat(footer.getNum_rows()).isEqualTo(2);
        assertThat(footer.getCreated_by()).matches("sextant version \\S+ \\(build \\S+\\)");
        assertThat(footer.getColumn_orders()).hasSize(2).allMatch(order -> order.isSetTYPE_ORDER());
        assertThat(footer.getKey_value_metadata())
                .extracting(KeyValue::getKey)
                .containsExactly("sextant.some-key", "sextant.chunks-crc32c", "sextant.footer-crc32c");
        assertThat(footer.getKey_value_metadata().getFirst().getValue()).isEqualTo("some value");
        assertThat(footer.getSchema().stream().skip(1).map(element -> element.getField_id())).containsExactly(7, 9);

        ColumnMetaData first = footer.getRow_groups().getFirst().getColumns().getFirst().getMeta_data();
        ColumnMetaData second = footer.getRow_groups().getFirst().getColumns().getLast().getMeta_data();
        assertThat(first.getData_page_offset()).isEqualTo(4);
        assertThat(second.getData_page_offset()).isEqualTo(4 + first.getTotal_compressed_size());
        assertThat(first.getEncodings()).containsExactly(Encoding.RLE, Encoding.DELTA_BINARY_PACKED);
        assertThat(second.getEncodings()).containsExactly(Encoding.RLE, Encoding.DELTA_BYTE_ARRAY);
        assertThat(first.getEncoding_stats()).hasSize(1);
        assertThat(second.isSetStatistics()).isFalse();
    }

    @Test
    void testStatistics()
            throws IOException
    {
        assertBounds(Types.LongType.get(), Arrays.asList(3L, null, -5L, 7L), littleEndian(8).putLong(-5).array(), littleEndian(8).putLong(7).array(), 1);
        assertBounds(Types.IntegerType.get(), List.of(3, -5), littleEndian(4).putInt(-5).array(), littleEndian(4).putInt(3).array(), 0);
        assertBounds(Types.BooleanType.get(), List.of(true, false), new byte[] {0}, new byte[] {1}, 0);
        assertBounds(Types.StringType.get(), List.of("b", "\uD83D\uDE00", "\uFFFD", "a"), "a".getBytes(UTF_8), "\uD83D\uDE00".getBytes(UTF_8), 0);
        assertBounds(Types.BinaryType.get(), List.of(ByteBuffer.wrap(new byte[] {-1}), ByteBuffer.wrap(new byte[] {1})), new byte[] {1}, new byte[] {-1}, 0);
        assertBounds(Types.UUIDType.get(), List.of(new UUID(1, 0), new UUID(-1, 0)), bytes(new UUID(1, 0)), bytes(new UUID(-1, 0)), 0);
        assertBounds(
                Types.DecimalType.of(20, 0),
                List.of(new BigDecimal("-1"), new BigDecimal("1"), new BigDecimal("-2")),
                new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -2},
                new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 1},
                0);
    }

    @Test
    void testStatisticsOfZerosAndNans()
            throws IOException
    {
        assertBounds(Types.DoubleType.get(), List.of(0.0, 1.0), littleEndian(8).putDouble(-0.0).array(), littleEndian(8).putDouble(1.0).array(), 0);
        assertBounds(Types.DoubleType.get(), List.of(-1.0, -0.0), littleEndian(8).putDouble(-1.0).array(), littleEndian(8).putDouble(0.0).array(), 0);
        assertBounds(Types.FloatType.get(), List.of(0.0f), littleEndian(4).putFloat(-0.0f).array(), littleEndian(4).putFloat(0.0f).array(), 0);

        for (List<Object> values : List.of(Arrays.<Object>asList(1.0, Double.NaN, null), Arrays.<Object>asList(Double.NaN, null), Arrays.<Object>asList(null, (Object) null))) {
            Statistics statistics = statistics(Types.DoubleType.get(), values);
            assertThat(statistics.isSetMin_value()).isFalse();
            assertThat(statistics.isSetMax_value()).isFalse();
            assertThat(statistics.getNull_count()).isEqualTo(values.stream().filter(value -> value == null).count());
        }
    }

    @Test
    void testLongBoundsAreCut()
            throws IOException
    {
        String low = "a".repeat(127) + "ä" + "z".repeat(500);
        String high = "b".repeat(126) + "ä" + "z".repeat(500);
        Statistics statistics = statistics(Types.StringType.get(), List.of(low, high));
        assertThat(new String(statistics.getMin_value(), UTF_8)).isEqualTo("a".repeat(127));
        assertThat(new String(statistics.getMax_value(), UTF_8)).isEqualTo("b".repeat(126) + "å");
        assertThat(statistics.isIs_min_value_exact()).isFalse();
        assertThat(statistics.isIs_max_value_exact()).isFalse();

        byte[] incrementless = new byte[200];
        Arrays.fill(incrementless, (byte) -1);
        Statistics without = statistics(Types.BinaryType.get(), List.of(ByteBuffer.wrap(incrementless)));
        assertThat(without.isSetMax_value()).isFalse();
        assertThat(without.isSetMin_value()).isFalse();
    }

    @Test
    void testOutputIsDeterministic()
    {
        Schema schema = allTypes();
        List<List<Object>> rows = rows(500);
        assertThat(write(schema, ImmutableSet.of(), rows, 100)).isEqualTo(write(schema, ImmutableSet.of(), rows, 100));
    }

    @Test
    void testOnlyWhatGetsSmallerIsCompressed()
            throws IOException
    {
        Schema schema = new Schema(
                required(1, "scattered", Types.LongType.get()),
                required(2, "dense", Types.LongType.get()),
                required(3, "name", Types.StringType.get()));
        Random random = new Random(5);
        List<List<Object>> rows = IntStream.range(0, 20_000)
                .<List<Object>>mapToObj(row -> List.of(random.nextLong(), (long) row, "name " + row % 100))
                .toList();
        byte[] file = write(schema, ImmutableSet.of(1, 2), rows, 10_000);
        for (RowGroup rowGroup : footer(file).getRow_groups()) {
            assertThat(rowGroup.getColumns()).extracting(chunk -> chunk.getMeta_data().getCodec())
                    .containsExactly(CompressionCodec.UNCOMPRESSED, CompressionCodec.ZSTD, CompressionCodec.ZSTD);
        }
        assertThat(readWithParquetJava(schema, file)).isEqualTo(rows);
        assertThat(readWithTrino(schema, file, rows.size())).isEqualTo(rows);
    }

    @Test
    void testFileWithoutRows()
            throws IOException
    {
        Schema schema = allTypes();
        byte[] file = write(schema, ImmutableSet.of(), List.of(), 100);
        assertThat(readWithParquetJava(schema, file)).isEmpty();
        assertThat(readWithTrino(schema, file, 0)).isEmpty();
    }

    private static void assertBounds(Type type, List<?> values, byte[] min, byte[] max, long nullCount)
            throws IOException
    {
        Statistics statistics = statistics(type, values);
        assertThat(statistics.getMin_value()).isEqualTo(min);
        assertThat(statistics.getMax_value()).isEqualTo(max);
        assertThat(statistics.getNull_count()).isEqualTo(nullCount);
        assertThat(statistics.isSetMin()).isFalse();
        assertThat(statistics.isSetMax()).isFalse();
    }

    private static Statistics statistics(Type type, List<?> values)
            throws IOException
    {
        Schema schema = new Schema(optional(1, "x", type));
        List<List<Object>> rows = values.stream().map(value -> Arrays.<Object>asList(value)).toList();
        return footer(write(schema, ImmutableSet.of(1), rows, 1000)).getRow_groups().getFirst().getColumns().getFirst().getMeta_data().getStatistics();
    }

    private static Schema allTypes()
    {
        ImmutableList.Builder<NestedField> fields = ImmutableList.builder();
        int id = 1;
        for (Type type : VALUES.keySet()) {
            fields.add(optional(id, "optional_" + id + "_" + type.typeId().name().toLowerCase(ENGLISH), type));
            fields.add(required(id + 1, "required_" + (id + 1) + "_" + type.typeId().name().toLowerCase(ENGLISH), type));
            id += 2;
        }
        return new Schema(fields.build());
    }

    private static List<List<Object>> rows(int count)
    {
        List<List<Object>> rows = new ArrayList<>();
        for (int row = 0; row < count; row++) {
            List<Object> values = new ArrayList<>();
            for (List<Object> candidates : VALUES.values()) {
                values.add(row % 7 == 3 || row / 100 == 4 ? null : candidates.get(row % candidates.size()));
                values.add(candidates.get((row / 3) % candidates.size()));
            }
            rows.add(values);
        }
        return rows;
    }

    private static byte[] write(Schema schema, Set<Integer> statisticsFieldIds, List<List<Object>> rows, int rowGroupSize)
    {
        return write(schema, statisticsFieldIds, rows, rowGroupSize, ImmutableMap.of());
    }

    private static byte[] write(Schema schema, Set<Integer> statisticsFieldIds, List<List<Object>> rows, int rowGroupSize, Map<String, String> metadata)
    {
        ColumnarParquetWriter writer = new ColumnarParquetWriter(schema, statisticsFieldIds, ImmutableMap.of(), metadata);
        List<Integer> fieldIds = fieldIds(schema);
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < fieldIds.size(); column++) {
                writer.column(fieldIds.get(column)).append(rows.get(row).get(column));
            }
            if ((row + 1) % rowGroupSize == 0) {
                writer.endRowGroup();
            }
        }
        return writer.finish();
    }

    private static List<List<Object>> readWithTrino(Schema schema, byte[] file, int recordCount)
    {
        CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();
        fileSystem.write("memory:///file.parquet", file);
        IndexFile indexFile = new IndexFile("memory:///file.parquet", FileFormat.PARQUET, file.length, recordCount);
        return TestingIndexFiles.read(fileSystem, IndexFileScan.of(indexFile, schema, fieldIds(schema)));
    }

    private static List<List<Object>> readWithParquetJava(Schema schema, byte[] file)
            throws IOException
    {
        return ParquetJavaReader.read(file, schema, record -> {
            List<Object> row = new ArrayList<>();
            for (int i = 0; i < record.size(); i++) {
                row.add(record.get(i, Object.class));
            }
            return row;
        });
    }

    private static FileMetaData footer(byte[] file)
            throws IOException
    {
        int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
        return Util.readFileMetaData(new ByteArrayInputStream(file, file.length - 8 - length, length));
    }

    private static ByteBuffer littleEndian(int size)
    {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] bytes(UUID uuid)
    {
        return ByteBuffer.allocate(16).putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits()).array();
    }

    private static BigDecimal decimal(String unscaled, int scale)
    {
        return new BigDecimal(new BigInteger(unscaled), scale);
    }
}
