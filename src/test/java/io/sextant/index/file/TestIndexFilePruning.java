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
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;
import io.trino.spi.type.UuidType;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static io.sextant.index.file.TestingIndexFiles.CREDENTIALS;
import static io.sextant.index.file.TestingIndexFiles.SESSION;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.plugin.iceberg.TypeConverter.toTrinoType;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.lang.Float.intBitsToFloat;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

/// A predicate that is pushed down may leave out row groups, but never a row that fulfils it. The oracle looks at every row.
final class TestIndexFilePruning
{
    private static final String LOCATION = "memory:///index/region.parquet";
    private static final int ROW_GROUP_SIZE = 3;

    @Test
    void testIntegers()
            throws IOException
    {
        assertThat(checkPruning(Types.IntegerType.get(), Types.IntegerType.get(), List.of(Integer.MIN_VALUE, -7, -1, 0, 1, 2, 300, Integer.MAX_VALUE))).isPositive();
        assertThat(checkPruning(Types.LongType.get(), Types.LongType.get(), List.of(Long.MIN_VALUE, -7L, -1L, 0L, 1L, 2L, 1L << 40, Long.MAX_VALUE))).isPositive();
        assertThat(checkPruning(Types.DateType.get(), Types.DateType.get(), List.of(-800_000, -1, 0, 1, 20_000, 20_001, 20_002))).isPositive();
        checkPruning(Types.BooleanType.get(), Types.BooleanType.get(), List.of(false, false, false, false, true, true, true));
    }

    @Test
    void testFloats()
            throws IOException
    {
        assertThat(checkPruning(Types.DoubleType.get(), Types.DoubleType.get(), doubles())).isPositive();
        List<Object> floats = doubles().stream().<Object>map(value -> ((Double) value).floatValue()).toList();
        assertThat(checkPruning(Types.FloatType.get(), Types.FloatType.get(), floats)).isPositive();
    }

    @Test
    void testDecimals()
            throws IOException
    {
        for (Types.DecimalType type : List.of(Types.DecimalType.of(6, 2), Types.DecimalType.of(15, 2), Types.DecimalType.of(30, 2))) {
            List<Object> values = new ArrayList<>();
            for (long unscaled : new long[] {-999_999, -70_000, -256, -255, -1, 0, 1, 127, 128, 255, 256, 70_000, 999_999}) {
                values.add(BigDecimal.valueOf(unscaled, 2));
            }
            assertThat(checkPruning(type, type, values)).isPositive();
        }
    }

    @Test
    void testStrings()
            throws IOException
    {
        List<Object> values = List.of("", "a", "aa", "b", "z".repeat(127) + "ä", "z".repeat(200), "z".repeat(200) + "a", "z".repeat(201), "ä", "\uFFFD", "\uD83D\uDE00", "\uDBFF\uDFFF".repeat(100));
        assertThat(checkPruning(Types.StringType.get(), Types.StringType.get(), values)).isPositive();
    }

    @Test
    void testBytes()
            throws IOException
    {
        // The connector prunes these not at all
        assertThat(checkPruning(Types.BinaryType.get(), Types.BinaryType.get(), List.of(bytes(), bytes(0), bytes(1, 2), bytes(127), bytes(128), bytes(255), bytes(255, 255)))).isPositive();
        assertThat(checkPruning(Types.FixedType.ofLength(2), Types.FixedType.ofLength(2), List.of(bytes(0, 0), bytes(0, 1), bytes(127, 255), bytes(128, 0), bytes(255, 255)))).isPositive();
        assertThat(checkPruning(Types.UUIDType.get(), Types.UUIDType.get(), List.of(new UUID(0, 0), new UUID(1, -1), new UUID(Long.MAX_VALUE, 0), new UUID(Long.MIN_VALUE, 0), new UUID(-1, -1)))).isPositive();
    }

    @Test
    void testTimes()
            throws IOException
    {
        List<Object> values = List.of(-1_000_000_001L, -1001L, -1000L, -1L, 0L, 1L, 999L, 1000L, 1_700_000_000_123_456L, 1_700_000_000_123_457L);
        for (org.apache.iceberg.types.Type type : List.of(Types.TimestampType.withoutZone(), Types.TimestampNanoType.withoutZone())) {
            assertThat(checkPruning(type, type, values)).isPositive();
        }
        // The connector prunes these not at all
        assertThat(checkPruning(Types.TimestampType.withZone(), Types.TimestampType.withZone(), values)).isPositive();
        assertThat(checkPruning(Types.TimestampNanoType.withZone(), Types.TimestampNanoType.withZone(), values)).isPositive();
        assertThat(checkPruning(Types.TimeType.get(), Types.TimeType.get(), List.of(0L, 1L, 1_000_000L, 86_399_999_999L))).isPositive();
    }

    @Test
    void testPromotedTypes()
            throws IOException
    {
        checkPruning(Types.IntegerType.get(), Types.LongType.get(), List.of(Integer.MIN_VALUE, -7, 0, 1, 2, 300, Integer.MAX_VALUE));
        List<Object> floats = doubles().stream().<Object>map(value -> ((Double) value).floatValue()).toList();
        checkPruning(Types.FloatType.get(), Types.DoubleType.get(), floats);
        for (int precision : new int[] {9, 18, 30}) {
            checkPruning(
                    Types.DecimalType.of(precision, 2),
                    Types.DecimalType.of(38, 2),
                    List.of(new BigDecimal("-99.99"), new BigDecimal("-0.01"), new BigDecimal("0.00"), new BigDecimal("0.01"), new BigDecimal("12345.67")));
        }
    }

    @Test
    void testRangesAndPredicates()
    {
        Schema schema = new Schema(required(1, "id", Types.UUIDType.get()), required(2, "row", Types.LongType.get()));
        ColumnarParquetWriter writer = new ColumnarParquetWriter(schema, ImmutableSet.of(1), ImmutableMap.of(), ImmutableMap.of());
        for (long row = 0; row < 100; row++) {
            writer.column(1).append(new UUID(row, 0));
            writer.column(2).append(row);
            if (row % 10 == 9) {
                writer.endRowGroup();
            }
        }
        byte[] content = writer.finish();
        CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();
        fileSystem.write(LOCATION, content);
        IndexFileReader reader = TestingIndexFiles.newReader(fileSystem);
        IndexFileScan scan = IndexFileScan.of(new IndexFile(LOCATION, FileFormat.PARQUET, content.length, 100), schema, ImmutableList.of(1, 2));

        assertThat(rowNumbers(reader, scan.withPredicate(uuids(25)))).containsExactlyElementsOf(numbers(20, 30));
        assertThat(rowNumbers(reader, scan.withPredicate(uuids(25, 31, 99)))).containsExactlyElementsOf(Stream.concat(numbers(20, 40).stream(), numbers(90, 100).stream()).toList());
        assertThat(rowNumbers(reader, scan.withPredicate(uuids(1000)))).isEmpty();
        // The first row group begins before the range
        assertThat(rowNumbers(reader, scan.withPredicate(uuids(5, 25)).withRange(5, content.length - 5))).containsExactlyElementsOf(numbers(20, 30));
    }

    private static TupleDomain<Integer> uuids(long... highBits)
    {
        List<Object> values = Arrays.stream(highBits)
                .<Object>mapToObj(bits -> UuidType.javaUuidToTrinoUuid(new UUID(bits, 0)))
                .toList();
        return TupleDomain.withColumnDomains(ImmutableMap.of(1, Domain.multipleValues(UuidType.UUID, values)));
    }

    private static List<Long> numbers(long start, long end)
    {
        return LongStream.range(start, end).boxed().toList();
    }

    private static List<Object> doubles()
    {
        return List.of(Double.NEGATIVE_INFINITY, -1.5, -0.5, -0.0, 0.0, 0.0, 0.25, 1.5, 2.5, 3.5, Double.POSITIVE_INFINITY, Double.NaN);
    }

    private static ByteBuffer bytes(int... values)
    {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return ByteBuffer.wrap(bytes);
    }

    /// Returns how many rows pruning has left out.
    private static long checkPruning(org.apache.iceberg.types.Type fileType, org.apache.iceberg.types.Type readType, List<?> values)
            throws IOException
    {
        List<Object> rows = new ArrayList<>(values);
        rows.addAll(Arrays.asList(null, null, null, values.getFirst(), null, null));
        rows.addAll(values.reversed());
        long pruned = 0;
        // With statistics, and with a dictionary where that is smaller
        for (Set<Integer> statisticsFieldIds : List.of(ImmutableSet.of(1), ImmutableSet.<Integer>of())) {
            pruned += checkPruning(fileType, readType, rows, statisticsFieldIds);
        }
        return pruned;
    }

    private static long checkPruning(org.apache.iceberg.types.Type fileType, org.apache.iceberg.types.Type readType, List<Object> values, Set<Integer> statisticsFieldIds)
            throws IOException
    {
        ColumnarParquetWriter writer = new ColumnarParquetWriter(
                new Schema(optional(1, "x", fileType), required(2, "row", Types.LongType.get())),
                statisticsFieldIds,
                ImmutableMap.of(),
                ImmutableMap.of());
        long repeats = statisticsFieldIds.isEmpty() ? 20 : 1;
        long row = 0;
        for (Object value : values) {
            for (int i = 0; i < repeats; i++) {
                writer.column(1).append(value);
                writer.column(2).append(row);
                row++;
                if (row % (ROW_GROUP_SIZE * repeats) == 0) {
                    writer.endRowGroup();
                }
            }
        }
        byte[] content = writer.finish();
        CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();
        fileSystem.write(LOCATION, content);
        IndexFile file = new IndexFile(LOCATION, FileFormat.PARQUET, content.length, row);
        IndexFileReader reader = TestingIndexFiles.newReader(fileSystem);
        IndexFileScan scan = IndexFileScan.of(file, new Schema(optional(1, "x", readType), required(2, "row", Types.LongType.get())), ImmutableList.of(1, 2));

        Type type = toTrinoType(readType, TESTING_TYPE_MANAGER);
        List<Optional<Object>> all = nativeValues(reader, scan, type);
        assertThat(all).hasSize((int) row);
        long pruned = 0;
        for (Domain domain : domains(type, all)) {
            Set<Long> found = new HashSet<>(rowNumbers(reader, scan.withPredicate(TupleDomain.withColumnDomains(ImmutableMap.of(1, domain)))));
            for (int i = 0; i < all.size(); i++) {
                if (domain.includesNullableValue(all.get(i).orElse(null))) {
                    assertThat(found).as("%s read as %s, row %s with %s, %s", fileType, readType, i, all.get(i), domain).contains((long) i);
                }
            }
            pruned += row - found.size();
        }
        return pruned;
    }

    private static List<Domain> domains(Type type, List<Optional<Object>> values)
    {
        ImmutableList.Builder<Domain> domains = ImmutableList.builder();
        domains.add(Domain.onlyNull(type), Domain.notNull(type));
        for (Object value : values.stream().flatMap(Optional::stream).filter(value -> !isNan(type, value)).distinct().toList()) {
            domains.add(Domain.singleValue(type, value));
            domains.add(Domain.singleValue(type, value, true));
            if (type.isOrderable()) {
                domains.add(Domain.create(ValueSet.ofRanges(Range.lessThan(type, value)), false));
                domains.add(Domain.create(ValueSet.ofRanges(Range.lessThanOrEqual(type, value)), false));
                domains.add(Domain.create(ValueSet.ofRanges(Range.greaterThan(type, value)), false));
                domains.add(Domain.create(ValueSet.ofRanges(Range.greaterThanOrEqual(type, value)), false));
            }
        }
        return domains.build();
    }

    private static boolean isNan(Type type, Object value)
    {
        return (value instanceof Double number && Double.isNaN(number))
                || (type.equals(REAL) && Float.isNaN(intBitsToFloat((int) (long) (Long) value)));
    }

    private static List<Optional<Object>> nativeValues(IndexFileReader reader, IndexFileScan scan, Type type)
            throws IOException
    {
        List<Optional<Object>> values = new ArrayList<>();
        try (ConnectorPageSource pages = reader.open(SESSION, CREDENTIALS, newSimpleAggregatedMemoryContext(), scan)) {
            while (!pages.isFinished()) {
                SourcePage page = pages.getNextSourcePage();
                if (page != null) {
                    Block block = page.getBlock(0);
                    for (int position = 0; position < page.getPositionCount(); position++) {
                        values.add(Optional.ofNullable(readNativeValue(type, block, position)));
                    }
                }
            }
        }
        return values;
    }

    private static List<Long> rowNumbers(IndexFileReader reader, IndexFileScan scan)
    {
        return TestingIndexFiles.read(reader, scan).stream()
                .map(row -> (Long) row.get(1))
                .toList();
    }
}
