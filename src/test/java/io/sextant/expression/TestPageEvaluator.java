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
package io.sextant.expression;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.expression.Predicate.Comparison;
import io.sextant.expression.Predicate.ComparisonOperator;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import io.trino.spi.Page;
import io.trino.spi.block.ArrayBlockBuilder;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.MapBlockBuilder;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.LongTimestamp;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import static io.airlift.slice.Slices.wrappedBuffer;
import static io.trino.plugin.iceberg.TypeConverter.toTrinoType;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TimestampType.TIMESTAMP_MICROS;
import static io.trino.spi.type.TimestampType.TIMESTAMP_NANOS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.util.stream.IntStream.range;
import static org.assertj.core.api.Assertions.assertThat;

final class TestPageEvaluator
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void testRandomPredicates()
    {
        Set<Boolean> results = new HashSet<>();
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            Predicate predicate = new TestingPredicates(random).next(3);
            PageEvaluator evaluator = bind(predicate);
            List<Map<Integer, Object>> rows = TestingRows.random(random, 1 + random.nextInt(40));
            Page page = TestingRows.page(rows, random);

            boolean[] holds = evaluator.evaluate(page);
            assertThat(holds).hasSize(rows.size());
            for (int i = 0; i < rows.size(); i++) {
                String description = "seed %s, row %s".formatted(seed, i);
                assertThat(holds[i]).as(() -> "%s: %s".formatted(description, PredicateParser.toJson(predicate)))
                        .isEqualTo(TestingOracle.holds(predicate, rows.get(i)));
                results.add(holds[i]);
            }
            assertThat(evaluator.failingPositions(page)).containsExactly(range(0, rows.size()).filter(position -> !holds[position]).toArray());
            // What is stored means the same
            assertThat(bind(parse(PredicateParser.toJson(predicate).toString())).evaluate(page)).containsExactly(holds);
        }
        assertThat(results).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void testTwoValuedLogic()
    {
        // x is null, and so is d
        assertThat(holds("{'type':'lt','left':%s,'right':5}".formatted(reference(3)), ImmutableMap.of())).isFalse();
        assertThat(holds("{'type':'lt-eq','left':%s,'right':%s}".formatted(reference(3), reference(4)), ImmutableMap.of())).isTrue();
        assertThat(holds("{'type':'lt-eq','left':%s,'right':%s}".formatted(reference(3), reference(4)), ImmutableMap.of(3, 1))).isFalse();
        assertThat(holds("{'type':'gt','left':%s,'right':5.0}".formatted(reference(7)), ImmutableMap.of(7, Double.NaN))).isFalse();
        assertThat(holds("{'type':'eq','left':%s,'right':%s}".formatted(reference(7), reference(8)), ImmutableMap.of(7, Double.NaN, 8, Double.NaN))).isTrue();
        assertThat(holds("{'type':'lt-eq','left':%s,'right':%s}".formatted(reference(7), reference(8)), ImmutableMap.of(7, Double.NaN, 8, Double.NaN))).isTrue();
        assertThat(holds("{'type':'eq','left':%s,'right':%s}".formatted(reference(7), reference(8)), ImmutableMap.of(7, Double.NaN))).isFalse();
        assertThat(holds("{'type':'eq','left':%s,'right':0.0}".formatted(reference(7)), ImmutableMap.of(7, -0.0))).isTrue();
        assertThat(holds("{'type':'in','child':%s,'values':[0.0]}".formatted(reference(7)), ImmutableMap.of(7, -0.0))).isTrue();
    }

    @Test
    void testNumbersAreComparedExactly()
    {
        long unequal = (1L << 53) + 1;
        assertThat(holds("{'type':'gt','left':%s,'right':%s}".formatted(reference(5), reference(7)), ImmutableMap.of(5, unequal, 7, (double) unequal))).isTrue();
        assertThat(holds("{'type':'eq','left':%s,'right':%s}".formatted(reference(5), reference(7)), ImmutableMap.of(5, unequal, 7, (double) unequal))).isFalse();
        assertThat(holds("{'type':'lt','left':%s,'right':3000000000}".formatted(reference(3)), ImmutableMap.of(3, Integer.MAX_VALUE))).isTrue();
        assertThat(holds("{'type':'gt','left':%s,'right':1.5}".formatted(reference(3)), ImmutableMap.of(3, 1))).isFalse();
        assertThat(holds("{'type':'gt','left':%s,'right':1.5}".formatted(reference(3)), ImmutableMap.of(3, 2))).isTrue();
        assertThat(holds("{'type':'gt','left':%s,'right':1.5}".formatted(reference(5)), ImmutableMap.of(5, 2L))).isTrue();
    }

    @Test
    void testBareLiteralTakesTheTypeOfTheOtherSide()
    {
        assertThat(holds("{'type':'eq','left':%s,'right':'1970-01-02'}".formatted(reference(18)), ImmutableMap.of(18, 1))).isTrue();
        assertThat(holds("{'type':'eq','left':'1970-01-02','right':%s}".formatted(reference(18)), ImmutableMap.of(18, 1))).isTrue();
        assertThat(holds("{'type':'in','child':%s,'values':['1970-01-02']}".formatted(reference(18)), ImmutableMap.of(18, 1))).isTrue();
        assertThat(holds("{'type':'eq','left':%s,'right':0.1}".formatted(reference(6)), ImmutableMap.of(6, 0.1f))).isTrue();
    }

    @Test
    @Tag("CN-16")
    void testWholeListsAndMaps()
    {
        Schema schema = new Schema(
                NestedField.optional(1, "tags", Types.ListType.ofOptional(2, Types.IntegerType.get())),
                NestedField.optional(3, "counts", Types.MapType.ofOptional(4, 5, Types.IntegerType.get(), Types.IntegerType.get())));
        ArrayBlockBuilder tags = (ArrayBlockBuilder) toTrinoType(schema.findType(1), TESTING_TYPE_MANAGER).createBlockBuilder(null, 3);
        tags.buildEntry(elements -> INTEGER.writeInt(elements, 7));
        tags.buildEntry(_ -> {});
        tags.appendNull();
        MapBlockBuilder counts = (MapBlockBuilder) toTrinoType(schema.findType(3), TESTING_TYPE_MANAGER).createBlockBuilder(null, 3);
        counts.buildEntry((_, _) -> {});
        counts.appendNull();
        counts.buildEntry((keys, values) -> {
            INTEGER.writeInt(keys, 1);
            values.appendNull();
        });
        Page page = new Page(tags.build(), counts.build());

        String cardinality = "{'type':'eq','left':{'type':'apply','function':{'catalog':'trino','identifier':['cardinality']},'arguments':[%s]},'right':1}";
        assertThat(bind(parse(cardinality.formatted(reference(1))), schema).evaluate(page)).containsExactly(true, false, false);
        assertThat(bind(parse(cardinality.formatted(reference(3))), schema).evaluate(page)).containsExactly(false, false, true);
        assertThat(bind(parse("{'type':'is-null','child':%s}".formatted(reference(1))), schema).evaluate(page)).containsExactly(false, false, true);
        assertThat(bind(parse("{'type':'not-null','child':%s}".formatted(reference(3))), schema).evaluate(page)).containsExactly(true, false, true);
    }

    @Test
    void testEvaluationNeverFails()
    {
        Schema schema = new Schema(
                NestedField.optional(1, "v", Types.StringType.get()),
                NestedField.optional(2, "ts", Types.TimestampType.withoutZone()),
                NestedField.optional(3, "tsn", Types.TimestampNanoType.withoutZone()),
                NestedField.optional(4, "huge", Types.DecimalType.of(38, 0)),
                NestedField.optional(5, "day", Types.DateType.get()));
        BlockBuilder strings = VARCHAR.createBlockBuilder(null, 2);
        VARCHAR.writeSlice(strings, wrappedBuffer((byte) 0xFF, (byte) ' ', (byte) 0xE2, (byte) 0x82));
        VARCHAR.writeSlice(strings, wrappedBuffer((byte) 0xED, (byte) 0xA0, (byte) 0x80));
        BlockBuilder timestamps = TIMESTAMP_MICROS.createBlockBuilder(null, 2);
        TIMESTAMP_MICROS.writeLong(timestamps, Long.MAX_VALUE);
        TIMESTAMP_MICROS.writeLong(timestamps, Long.MIN_VALUE);
        BlockBuilder nanos = TIMESTAMP_NANOS.createBlockBuilder(null, 2);
        TIMESTAMP_NANOS.writeObject(nanos, new LongTimestamp(Long.MAX_VALUE, 999_000));
        TIMESTAMP_NANOS.writeObject(nanos, new LongTimestamp(Long.MIN_VALUE, 0));
        DecimalType decimal = DecimalType.createDecimalType(38, 0);
        BlockBuilder decimals = decimal.createBlockBuilder(null, 2);
        decimal.writeObject(decimals, Decimals.MAX_UNSCALED_DECIMAL);
        decimal.writeObject(decimals, Decimals.MIN_UNSCALED_DECIMAL);
        BlockBuilder days = DATE.createBlockBuilder(null, 2);
        DATE.writeInt(days, Integer.MAX_VALUE);
        DATE.writeInt(days, Integer.MIN_VALUE);
        Page page = new Page(strings.build(), timestamps.build(), nanos.build(), decimals.build(), days.build());

        for (String name : List.of("lower", "upper", "reverse", "trim", "ltrim", "rtrim", "length")) {
            assertThat(isNull("trino", name, reference(1), schema, page)).containsExactly(false, false);
        }
        for (String parameterized : List.of("bucket", "truncate")) {
            assertThat(isNull("iceberg_functions", parameterized, "16," + reference(1), schema, page)).containsExactly(false, false);
            assertThat(isNull("iceberg_functions", parameterized, "16," + reference(4), schema, page)).containsExactly(false, false);
        }
        for (String name : List.of("year", "month", "day", "hour")) {
            assertThat(isNull("iceberg_functions", name, reference(2), schema, page)).containsExactly(false, false);
            assertThat(isNull("iceberg_functions", name, reference(3), schema, page)).containsExactly(false, false);
        }
        for (String name : List.of("year", "month", "day")) {
            assertThat(isNull("iceberg_functions", name, reference(5), schema, page)).containsExactly(false, false);
        }
    }

    @Test
    void testWhatCannotBeBound()
    {
        assertUnbound("{'type':'eq','left':%s,'right':null}".formatted(reference(3)), "a value cannot be compared with a null literal; use is-null");
        assertUnbound("{'type':'lt','left':{'type':'literal','value':null,'data-type':'int'},'right':%s}".formatted(reference(3)), "a value cannot be compared with a null literal; use is-null");
        assertUnbound("{'type':'in','child':%s,'values':[1,null]}".formatted(reference(3)), "a value cannot be compared with a null literal; use is-null");
        assertThat(PredicateBinding.bind(
                new Comparison(ComparisonOperator.EQ, new Reference(7), new Literal(new DoubleNode(Double.NaN), Optional.of(Types.DoubleType.get()))), TestingRows.SCHEMA))
                .isEqualTo(new PredicateBinding.Unbound("a value cannot be compared with a NaN literal; use is-nan"));
        assertUnbound("{'type':'in','child':%s,'values':[{'type':'literal','value':1,'data-type':'int'},{'type':'literal','value':1,'data-type':'long'}]}".formatted(reference(3)), "the values of in are not of one type");
        assertUnbound("{'type':'in','child':%s,'values':['a']}".formatted(reference(3)), "values of types int and string cannot be compared");
        assertUnbound("{'type':'eq','left':%s,'right':%s}".formatted(reference(18), reference(20)), "values of types date and timestamp cannot be compared");
        assertUnbound("{'type':'eq','left':%s,'right':%s}".formatted(reference(24), reference(24)), "values of types struct<25: a: optional int, 26: t: optional struct<27: b: optional string>> and struct<25: a: optional int, 26: t: optional struct<27: b: optional string>> cannot be compared");
        assertUnbound("{'type':'eq','left':%s,'right':{'type':'literal','value':'x','data-type':'int'}}".formatted(reference(3)), "literal \"x\" is not of type int");
        assertUnbound("{'type':'is-nan','child':%s}".formatted(reference(3)), "is-nan takes a float or double, not a value of type int");
        assertUnbound("{'type':'starts-with','left':%s,'right':%s}".formatted(reference(13), reference(14)), "the prefix of starts-with is not a literal");
        assertUnbound("{'type':'starts-with','left':%s,'right':'a'}".formatted(reference(3)), "starts-with takes strings, not a value of type int");
        assertUnbound("{'type':'is-null','child':%s}".formatted(reference(99)), "field 99 does not exist");
        assertUnbound("{'type':'not','child':{'type':'like'}}", "expression is not understood: {\"type\":\"like\"}");
    }

    @Test
    @Tag("CN-17")
    void testFunctionsThatMayNotBeDeterministicAreNotBound()
    {
        assertUnbound("{'type':'is-null','child':{'type':'apply','function':{'catalog':'trino','identifier':['random']},'arguments':[%s]}}".formatted(reference(3)), "function trino.random is not known");
        assertUnbound("{'type':'is-null','child':{'type':'apply','function':['my_function'],'arguments':[]}}", "function my_function is not known");
        assertUnbound("{'type':'is-null','child':{'type':'apply','function':{'catalog':'sql_functions','identifier':['current_date']},'arguments':[]}}", "function sql_functions.current_date is not known");
    }

    private static void assertUnbound(String predicate, String reason)
    {
        assertThat(PredicateBinding.bind(parse(predicate), TestingRows.SCHEMA)).isEqualTo(new PredicateBinding.Unbound(reason));
    }

    private static boolean[] isNull(String catalog, String function, String arguments, Schema schema, Page page)
    {
        return bind(parse("{'type':'is-null','child':{'type':'apply','function':{'catalog':'%s','identifier':['%s']},'arguments':[%s]}}".formatted(catalog, function, arguments)), schema).evaluate(page);
    }

    private static boolean holds(String predicate, Map<Integer, Object> row)
    {
        return bind(parse(predicate)).evaluate(TestingRows.page(ImmutableList.of(ImmutableMap.<Integer, Object>builder().put(1, 0).putAll(row).buildOrThrow()), new Random(0)))[0];
    }

    private static String reference(int fieldId)
    {
        return "{'type':'reference','id':%s}".formatted(fieldId);
    }

    private static PageEvaluator bind(Predicate predicate)
    {
        return bind(predicate, TestingRows.SCHEMA);
    }

    private static PageEvaluator bind(Predicate predicate, Schema schema)
    {
        return switch (PredicateBinding.bind(predicate, schema)) {
            case PredicateBinding.Bound(PageEvaluator evaluator) -> evaluator;
            case PredicateBinding.Unbound(String reason) -> throw new AssertionError(PredicateParser.toJson(predicate) + ": " + reason);
        };
    }

    private static Predicate parse(String text)
    {
        try {
            return PredicateParser.fromJson(MAPPER.readTree(text.replace('\'', '"')));
        }
        catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
