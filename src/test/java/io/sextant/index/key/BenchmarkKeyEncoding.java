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
package io.sextant.index.key;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slices;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
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
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.concurrent.TimeUnit.SECONDS;

/// Entries per second: a key, the ordinal of the file, and the position.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class BenchmarkKeyEncoding
{
    private static final int POSITIONS = 8192;

    @Param({"bigint", "varchar"})
    private String keyType;

    private final KeyBuffer buffer = new KeyBuffer();
    private final SummingValueSink sink = new SummingValueSink();
    private KeyEncoding encoding;
    private Block[] blocks;
    private byte[] entries;

    @Setup
    public void setup()
    {
        Random random = new Random(42);
        boolean isBigint = keyType.equals("bigint");
        Type icebergType = isBigint ? Types.LongType.get() : Types.StringType.get();
        encoding = KeyEncoding.of(ImmutableList.of(icebergType, Types.IntegerType.get(), Types.LongType.get()));
        BlockBuilder keys = (isBigint ? BIGINT : VARCHAR).createBlockBuilder(null, POSITIONS);
        BlockBuilder files = INTEGER.createBlockBuilder(null, POSITIONS);
        BlockBuilder positions = BIGINT.createBlockBuilder(null, POSITIONS);
        for (int position = 0; position < POSITIONS; position++) {
            int key = random.nextInt(1_000_000);
            if (isBigint) {
                BIGINT.writeLong(keys, key);
            }
            else {
                VARCHAR.writeSlice(keys, Slices.utf8Slice("Customer#%09d".formatted(key)));
            }
            INTEGER.writeLong(files, random.nextInt(200));
            BIGINT.writeLong(positions, position);
        }
        blocks = new Block[] {keys.build(), files.build(), positions.build()};
        encode();
        entries = buffer.toByteArray();
    }

    @Benchmark
    @OperationsPerInvocation(POSITIONS)
    public int encode()
    {
        buffer.reset();
        for (int position = 0; position < POSITIONS; position++) {
            for (int field = 0; field < blocks.length; field++) {
                encoding.encode(field, blocks[field], position, buffer);
            }
        }
        return buffer.length();
    }

    @Benchmark
    @OperationsPerInvocation(POSITIONS)
    public long decode()
    {
        int offset = 0;
        for (int position = 0; position < POSITIONS; position++) {
            for (int field = 0; field < blocks.length; field++) {
                offset = encoding.decode(field, entries, offset, sink);
            }
        }
        return sink.sum;
    }

    private static final class SummingValueSink
            implements ValueSink
    {
        private long sum;

        @Override
        public void acceptNull()
        {
            sum++;
        }

        @Override
        public void acceptBoolean(boolean value)
        {
            sum++;
        }

        @Override
        public void acceptLong(long value)
        {
            sum += value;
        }

        @Override
        public void acceptFloat(float value)
        {
            sum++;
        }

        @Override
        public void acceptDouble(double value)
        {
            sum++;
        }

        @Override
        public void acceptBytes(byte[] array, int offset, int length)
        {
            sum += array[offset + length - 1];
        }
    }

    static void main()
            throws RunnerException
    {
        benchmark(BenchmarkKeyEncoding.class).run();
    }
}
