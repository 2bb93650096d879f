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

import io.sextant.index.file.CountingMemoryFileSystem;
import io.sextant.index.file.IndexFile;
import io.sextant.index.file.TestingIndexFiles;
import io.trino.filesystem.Location;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.RunnerException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import static io.sextant.index.file.TestingIndexFiles.CREDENTIALS;
import static io.sextant.index.file.TestingIndexFiles.SESSION;
import static io.trino.jmh.Benchmarks.benchmark;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;

/// A region of a bigint key whose rows lie scattered in 200 data files: written, read and searched.
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@OutputTimeUnit(TimeUnit.SECONDS)
@BenchmarkMode(Mode.Throughput)
public class BenchmarkRegionFile
{
    private static final int ENTRIES = 1_000_000;
    private static final int FILES = 200;
    private static final RegionSchema SCHEMA = new RegionSchema(
            new Schema(
                    optional(1, "key", Types.LongType.get()),
                    required(105, "file", Types.StringType.get()),
                    required(106, "pos", Types.LongType.get())),
            List.of(1),
            OptionalInt.of(105),
            OptionalInt.of(106));

    private final CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();
    private final Random random = new Random(3);
    private List<String> paths;
    private byte[][] entries;
    private IndexFile file;
    private RegionFileReader reader;

    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Size
    {
        public double bytesPerEntry;
    }

    @Setup
    public void setup()
    {
        paths = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            paths.add("s3://bucket/warehouse/table/data/20261130_" + new UUID(random.nextLong(), random.nextLong()) + ".parquet");
        }
        paths.sort(null);
        entries = new byte[ENTRIES][];
        for (int i = 0; i < ENTRIES; i++) {
            entries[i] = TestingEntries.entry(SCHEMA, random.nextLong(ENTRIES / 30), random.nextInt(FILES), random.nextLong(500_000));
        }
        Arrays.sort(entries, Arrays::compareUnsigned);
        file = write("memory:///region").file();
        reader = new RegionFileReader(TestingIndexFiles.newReader(fileSystem));
    }

    private RegionFile write(String location)
    {
        RegionFileWriter writer = new RegionFileWriter(SCHEMA, paths::get);
        byte[] last = new byte[0];
        for (byte[] entry : entries) {
            // The same row twice is refused
            if (!Arrays.equals(entry, last)) {
                writer.add(entry, 0, entry.length);
            }
            last = entry;
        }
        return writer.finish(fileSystem.newOutputFile(Location.of(location)));
    }

    @Benchmark
    @OperationsPerInvocation(ENTRIES)
    public RegionFile writeEntries(Size size)
            throws IOException
    {
        fileSystem.deleteFile(Location.of("memory:///written"));
        RegionFile region = write("memory:///written");
        size.bytesPerEntry = (double) region.file().sizeInBytes() / region.file().recordCount();
        return region;
    }

    @Benchmark
    @OperationsPerInvocation(ENTRIES)
    public long readEntries()
            throws IOException
    {
        return read(TupleDomain.all());
    }

    @Benchmark
    public long lookUp()
            throws IOException
    {
        return read(TupleDomain.withColumnDomains(Map.of(1, Domain.singleValue(BIGINT, random.nextLong(ENTRIES / 30)))));
    }

    private long read(TupleDomain<Integer> predicate)
            throws IOException
    {
        long sum = 0;
        try (ConnectorPageSource pages = reader.open(SESSION, CREDENTIALS, newSimpleAggregatedMemoryContext(), SCHEMA, file, predicate)) {
            while (!pages.isFinished()) {
                SourcePage page = pages.getNextSourcePage();
                if (page != null) {
                    sum += page.getPage().getPositionCount();
                }
            }
        }
        return sum;
    }

    static void main()
            throws RunnerException
    {
        benchmark(BenchmarkRegionFile.class).run();
    }
}
