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

import io.airlift.slice.Slices;
import io.sextant.expression.sql.SqlPredicateParser;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.RunnerException;

import java.util.Random;

import static io.trino.jmh.Benchmarks.benchmark;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/// Nanoseconds to check one row.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class BenchmarkPageEvaluator
{
    private static final int POSITIONS = 8192;
    private static final Schema SCHEMA = new Schema(
            NestedField.optional(1, "x", Types.LongType.get()),
            NestedField.optional(2, "d", Types.DoubleType.get()),
            NestedField.optional(3, "v", Types.StringType.get()));

    @Param({"x > 0", "d BETWEEN 0 AND 1", "v >= 'Customer'", "length(v) < 100", "x IN (1, 2, 3) OR v LIKE 'Cust%'"})
    private String check;

    private PageEvaluator evaluator;
    private Page page;

    @Setup
    public void setup()
    {
        PredicateBinding.Bound bound = (PredicateBinding.Bound) PredicateBinding.bind(new SqlPredicateParser(SCHEMA).parseCheck(check), SCHEMA);
        evaluator = bound.evaluator();
        Random random = new Random(42);
        BlockBuilder longs = BIGINT.createBlockBuilder(null, POSITIONS);
        BlockBuilder doubles = DOUBLE.createBlockBuilder(null, POSITIONS);
        BlockBuilder strings = VARCHAR.createBlockBuilder(null, POSITIONS);
        for (int position = 0; position < POSITIONS; position++) {
            BIGINT.writeLong(longs, 1 + random.nextInt(1_000_000));
            DOUBLE.writeDouble(doubles, random.nextDouble());
            VARCHAR.writeSlice(strings, Slices.utf8Slice("Customer#%09d".formatted(random.nextInt(1_000_000))));
        }
        page = new Page(longs.build(), doubles.build(), strings.build());
    }

    @Benchmark
    @OperationsPerInvocation(POSITIONS)
    public int[] check()
    {
        return evaluator.failingPositions(page);
    }

    static void main()
            throws RunnerException
    {
        benchmark(BenchmarkPageEvaluator.class).run();
    }
}
