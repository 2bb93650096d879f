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
package io.sextant.enforcement;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.scan.ColumnRanges;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergTypes;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.InclusiveMetricsEvaluator;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static com.google.common.collect.Streams.stream;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.apache.iceberg.expressions.Expressions.truncate;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

/// Holds bounds against the values that they were made from. The values of a type are numbered in ascending order, so that
/// the numbers say which of them are between two others.
final class TestKeyBounds
{
    private static final int VALUES = 1000;
    private static final List<Type.PrimitiveType> TYPES = ImmutableList.of(
            Types.BooleanType.get(),
            Types.IntegerType.get(),
            Types.LongType.get(),
            Types.DecimalType.of(5, 2),
            Types.DecimalType.of(38, 10),
            Types.DateType.get(),
            Types.TimeType.get(),
            Types.TimestampType.withoutZone(),
            Types.TimestampType.withZone(),
            Types.TimestampNanoType.withoutZone(),
            Types.TimestampNanoType.withZone(),
            Types.StringType.get(),
            Types.UUIDType.get(),
            Types.FixedType.ofLength(3),
            Types.FixedType.ofLength(17),
            Types.BinaryType.get());
    // Iceberg cannot tell literals of the one from microseconds, and orders the other by its signed halves
    private static final Set<TypeID> NOT_IN_EXPRESSIONS = Set.of(TypeID.TIMESTAMP_NANO, TypeID.UUID);

    @Test
    void testFewValues()
    {
        for (Type.PrimitiveType type : TYPES) {
            for (int count : new int[] {1, 2, 17, 200}) {
                Set<Integer> numbers = numbers(new Random(count), count);
                Set<Object> values = numbers.stream().map(number -> value(type, number)).collect(toImmutableSet());
                assertBounds(type, numbers, number -> values.contains(value(type, number)));
            }
        }
    }

    @Test
    void testManyValues()
    {
        for (Type.PrimitiveType type : TYPES) {
            // There are but two of them
            if (type.typeId() != TypeID.BOOLEAN) {
                for (int count : new int[] {201, 500}) {
                    TreeSet<Integer> numbers = new TreeSet<>(numbers(new Random(count), count));
                    assertBounds(type, numbers, number -> number >= numbers.first() && number <= numbers.last());
                }
            }
        }
    }

    /// @param allowed the values that are within the bounds, by number
    private static void assertBounds(Type.PrimitiveType type, Set<Integer> numbers, IntPredicate allowed)
    {
        Schema schema = new Schema(optional(1, "k", type));
        List<IcebergColumnHandle> columns = columns(schema, 1);
        KeyBounds bounds = bounds(schema, columns, numbers.stream().map(number -> ImmutableList.of(value(type, number))).toList());

        Domain domain = bounds.toPredicate(columns).getDomains().orElseThrow().get(columns.getFirst());
        assertThat(domain.isNullAllowed()).isFalse();
        ColumnRanges ranges = bounds.toRanges(columns).values().stream().collect(onlyElement());
        assertThat(ranges.domain()).contains(domain);
        KeyEncoding encoding = encoding(schema, columns);
        for (int number = 0; number < VALUES; number++) {
            byte[] key = key(encoding, ImmutableList.of(value(type, number))).toByteArray();
            assertThat(domain.includesNullableValue(trinoValue(type, number))).as("domain of %s, value %s of %s", type, number, numbers).isEqualTo(allowed.test(number));
            assertThat(ranges.ranges().contains(key, 0, key.length)).as("ranges of %s, value %s of %s", type, number, numbers).isEqualTo(allowed.test(number));
        }

        Expression expression = bounds.toExpression(table(schema), ImmutableList.of(1));
        InclusiveMetricsEvaluator evaluator = new InclusiveMetricsEvaluator(schema, expression);
        boolean unbounded = NOT_IN_EXPRESSIONS.contains(type.typeId());
        assertThat(evaluator.eval(file(type, 0, VALUES - 1))).as("file of %s with all values, of %s", type, numbers).isTrue();
        Random random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            int first = random.nextInt(VALUES);
            int last = first + random.nextInt(VALUES - first);
            assertThat(evaluator.eval(file(type, first, last))).as("file of %s from value %s to %s, of %s", type, first, last, numbers)
                    .isEqualTo(unbounded || IntStream.rangeClosed(first, last).anyMatch(allowed));
        }
    }

    @Test
    void testFieldsAreBoundedOneByOne()
    {
        Schema schema = new Schema(
                required(1, "a", Types.IntegerType.get()),
                optional(2, "s", Types.StructType.of(optional(4, "b", Types.StringType.get()))),
                optional(3, "c", Types.LongType.get()));
        List<IcebergColumnHandle> columns = columns(schema, 1, 3, 4);
        ImmutableList.Builder<List<Object>> keys = ImmutableList.builder();
        for (int number = 0; number < 300; number++) {
            keys.add(ImmutableList.of(number % 3, number % 2 == 0 ? -5L : 7L, "x%03d".formatted(number)));
        }
        KeyBounds bounds = bounds(schema, columns, keys.build());

        // The reader does not prune by fields of structs
        assertThat(bounds.toPredicate(columns)).isEqualTo(TupleDomain.withColumnDomains(ImmutableMap.of(
                columns.get(0), Domain.multipleValues(columns.get(0).getType(), ImmutableList.of(0L, 1L, 2L)),
                columns.get(1), Domain.multipleValues(columns.get(1).getType(), ImmutableList.of(-5L, 7L)))));
        assertThat(bounds.toExpression(table(schema), ImmutableList.of(1, 3, 4)))
                .hasToString("((ref(name=\"a\") in (0, 1, 2) and ref(name=\"c\") in (-5, 7)) and (ref(name=\"s.b\") >= \"x000\" and ref(name=\"s.b\") <= \"x299\"))");
        assertThat(bounds.toRanges(columns).keySet()).containsExactly(1, 3, 4);
    }

    @Test
    void testPartitions()
            throws IOException
    {
        Schema schema = new Schema(optional(1, "k", Types.StringType.get()), optional(2, "n", Types.IntegerType.get()));
        try (InMemoryCatalog catalog = new InMemoryCatalog()) {
            catalog.initialize("memory", ImmutableMap.of());
            catalog.createNamespace(Namespace.of("test"));
            Table table = catalog.createTable(TableIdentifier.of("test", "t"), schema, PartitionSpec.builderFor(schema).identity("k").identity("n").build());
            appendPartitions(table, "k=a/n=1", "k=b/n=2", "k=c/n=3", "k=a/n=__HIVE_DEFAULT_PARTITION__", "k=__HIVE_DEFAULT_PARTITION__/n=1");
            table.updateSpec().removeField("k").removeField("n").addField(truncate("k", 1)).commit();
            appendPartitions(table, "k_trunc_1=a", "k_trunc_1=b", "k_trunc_1=__HIVE_DEFAULT_PARTITION__");
            table.updateSpec().removeField("k_trunc_1").commit();
            table.newAppend().appendFile(DataFiles.builder(table.spec()).withPath("memory:/all.parquet").withFileSizeInBytes(1).withRecordCount(1).build()).commit();

            assertThat(plan(table, ImmutableList.of("a", 1))).containsExactlyInAnyOrder("k=a/n=1", "k_trunc_1=a", "all");
            assertThat(plan(table, ImmutableList.of("ab", 1))).containsExactlyInAnyOrder("k_trunc_1=a", "all");
            assertThat(plan(table, ImmutableList.of("a", 1), ImmutableList.of("c", 3))).containsExactlyInAnyOrder("k=a/n=1", "k=c/n=3", "k_trunc_1=a", "k_trunc_1=b", "all");
            assertThat(plan(table, ImmutableList.of("c", 1), ImmutableList.of("c", 2))).containsExactlyInAnyOrder("all");
        }
    }

    private static void appendPartitions(Table table, String... partitions)
    {
        for (String partition : partitions) {
            table.newAppend()
                    .appendFile(DataFiles.builder(table.spec()).withPath("memory:/%s.parquet".formatted(partition)).withPartitionPath(partition).withFileSizeInBytes(1).withRecordCount(1).build())
                    .commit();
        }
    }

    private static List<String> plan(Table table, List<?>... keys)
            throws IOException
    {
        KeyBounds bounds = bounds(table.schema(), columns(table.schema(), 1, 2), Arrays.asList(keys));
        try (CloseableIterable<FileScanTask> tasks = table.newScan().filter(bounds.toExpression(table, ImmutableList.of(1, 2))).planFiles()) {
            return stream(tasks).map(task -> task.file().location().replaceAll("memory:/|.parquet", "")).collect(toImmutableList());
        }
    }

    private static Set<Integer> numbers(Random random, int count)
    {
        return Stream.generate(() -> random.nextInt(100, VALUES - 100)).distinct().limit(count).collect(toImmutableSet());
    }

    /// Adds each key twice.
    private static KeyBounds bounds(Schema schema, List<IcebergColumnHandle> columns, List<? extends List<?>> keys)
    {
        KeyEncoding encoding = encoding(schema, columns);
        KeyBounds bounds = new KeyBounds(encoding);
        Stream.concat(keys.stream(), keys.stream()).forEach(key -> bounds.add(key(encoding, key)));
        return bounds;
    }

    private static KeyEncoding encoding(Schema schema, List<IcebergColumnHandle> columns)
    {
        return KeyEncoding.of(columns.stream().map(column -> schema.findType(column.getId())).toList());
    }

    private static KeyBuffer key(KeyEncoding encoding, List<?> values)
    {
        KeyBuffer key = new KeyBuffer();
        for (int field = 0; field < values.size(); field++) {
            encoding.encodeValue(field, values.get(field), key);
        }
        return key;
    }

    private static List<IcebergColumnHandle> columns(Schema schema, int... fieldIds)
    {
        return IntStream.of(fieldIds)
                .mapToObj(fieldId -> IcebergUtil.getProjectedColumns(schema, TESTING_TYPE_MANAGER, Set.of(fieldId)).stream().collect(onlyElement()))
                .collect(toImmutableList());
    }

    private static Table table(Schema schema)
    {
        TableMetadata metadata = TableMetadata.newTableMetadata(schema, PartitionSpec.unpartitioned(), SortOrder.unsorted(), "memory:/table", ImmutableMap.of("format-version", "3"));
        return new BaseTable(new StaticTableOperations(metadata, new InMemoryFileIO()), "table");
    }

    private static DataFile file(Type type, int first, int last)
    {
        Map<Integer, ByteBuffer> lowerBounds = ImmutableMap.of(1, Conversions.toByteBuffer(type, value(type, first)));
        Map<Integer, ByteBuffer> upperBounds = ImmutableMap.of(1, Conversions.toByteBuffer(type, value(type, last)));
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath("memory:/file.parquet")
                .withFileSizeInBytes(1)
                .withMetrics(new Metrics(10L, ImmutableMap.of(), ImmutableMap.of(1, 10L), ImmutableMap.of(1, 0L), ImmutableMap.of(), lowerBounds, upperBounds))
                .build();
    }

    private static Object trinoValue(Type type, int number)
    {
        // Trino reads a fixed value like a binary one
        return IcebergTypes.convertIcebergValueToTrino(type.typeId() == TypeID.FIXED ? Types.BinaryType.get() : type, value(type, number));
    }

    /// One of the values of a type, spread over its range.
    private static Object value(Type type, int number)
    {
        int signed = number - VALUES / 2;
        return switch (type.typeId()) {
            case BOOLEAN -> signed >= 0;
            case INTEGER -> signed * 4_000_000;
            case LONG, TIMESTAMP_NANO -> signed * 10_000_000_000_000_000L;
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                yield new BigDecimal(BigInteger.valueOf(signed).multiply(BigInteger.TEN.pow(decimal.precision() - 3)), decimal.scale());
            }
            case DATE -> signed * 1000;
            case TIME -> number * 86_000_000L;
            case TIMESTAMP -> signed * 100_000_000_000_000L;
            // Code points in the order of their UTF-8, without surrogates
            case STRING -> Character.toString(number * 1000 + (number < 56 ? 0 : 2048)).repeat(1 + number % 3);
            case UUID -> new UUID(((long) number << 54) + number, -number);
            case FIXED -> bytes(number, ((Types.FixedType) type).length());
            case BINARY -> bytes(number, 2 + number % 5);
            default -> throw new IllegalArgumentException("no values of type %s".formatted(type));
        };
    }

    private static ByteBuffer bytes(int number, int length)
    {
        byte[] bytes = new byte[length];
        bytes[0] = (byte) ((number * 64) >> 8);
        bytes[1] = (byte) (number * 64);
        bytes[length - 1]++;
        return ByteBuffer.wrap(bytes);
    }
}
