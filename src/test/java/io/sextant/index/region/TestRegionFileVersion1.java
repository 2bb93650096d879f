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

import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import io.sextant.index.file.CountingMemoryFileSystem;
import io.sextant.index.file.IndexFile;
import io.sextant.index.file.TestingIndexFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInputStream;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;

import static io.sextant.index.file.TestingIndexFiles.CREDENTIALS;
import static io.sextant.index.file.TestingIndexFiles.SESSION;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

/// The region file of version 1 must be read for ever. It is never made anew: another way of writing gets another version.
final class TestRegionFileVersion1
{
    private static final String RESOURCE = "io/sextant/index/region/v1/region.parquet";
    private static final Location LOCATION = Location.of("memory:///region.parquet");
    private static final List<String> PATHS = List.of("s3://bucket/table/data/00000-a.parquet", "s3://bucket/table/data/00001-b.parquet");
    private static final RegionSchema SCHEMA = new RegionSchema(
            new Schema(
                    3,
                    List.of(
                            optional(1, "name", Types.StringType.get()),
                            optional(2, "seen", Types.TimestampType.withZone()),
                            optional(3, "flag", Types.BooleanType.get()),
                            optional(4, "small", Types.IntegerType.get()),
                            optional(5, "single", Types.FloatType.get()),
                            optional(6, "wide", Types.DoubleType.get()),
                            optional(7, "amount", Types.DecimalType.of(12, 2)),
                            optional(8, "huge", Types.DecimalType.of(38, 0)),
                            optional(9, "day", Types.DateType.get()),
                            optional(10, "time", Types.TimeType.get()),
                            optional(11, "nanos", Types.TimestampNanoType.withoutZone()),
                            optional(12, "id", Types.UUIDType.get()),
                            optional(13, "code", Types.FixedType.ofLength(2)),
                            optional(14, "raw", Types.BinaryType.get()),
                            required(105, "file", Types.StringType.get()),
                            required(106, "pos", Types.LongType.get()))),
            List.of(1, 2),
            OptionalInt.of(105),
            OptionalInt.of(106));
    // In the order of entries: the key, the data file by ordinal, the position, all else
    private static final List<List<Object>> ENTRIES = ImmutableList.of(
            Arrays.asList(null, null, 1, 7L, null, null, null, null, null, null, null, null, null, null, null, null),
            Arrays.asList("", 0L, 0, 0L, false, -1, -0.0f, -0.0, new BigDecimal("-0.01"), new BigDecimal("-1"), -1, 0L, -1L, new UUID(-1, 0), bytes(0, 1), bytes()),
            Arrays.asList("Ünïcødé", 1_700_000_000_123_456L, 1, 1L << 33, true, 2_000_000_000, Float.NaN, 1e300, new BigDecimal("9999999999.99"), new BigDecimal("9".repeat(38)), 20_000, 86_399_999_999L, 1_700_000_000_123_456_789L, new UUID(1, 2), bytes(255, 0), bytes(1, 2, 3)));

    @Test
    @Tag("IX-40")
    void testIsRead()
            throws IOException
    {
        byte[] content = Resources.toByteArray(Resources.getResource(RESOURCE));
        CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();
        fileSystem.write(LOCATION.toString(), content);
        IndexFile file = new IndexFile(LOCATION.toString(), FileFormat.PARQUET, content.length, ENTRIES.size());
        RegionFileReader reader = new RegionFileReader(TestingIndexFiles.newReader(fileSystem));
        List<List<Object>> expected = ENTRIES.stream()
                .map(entry -> Arrays.asList(entry.toArray()))
                .peek(entry -> entry.set(2, PATHS.get((Integer) entry.get(2))))
                .toList();

        assertThat(TestingIndexFiles.rows(
                reader.open(SESSION, CREDENTIALS, newSimpleAggregatedMemoryContext(), SCHEMA, file),
                RegionFileReader.storedColumns(SCHEMA)))
                .isEqualTo(expected);
        assertThat(reader.readExtractSchema(SESSION, CREDENTIALS, file)).hasValueSatisfying(schema -> assertThat(schema.sameSchema(SCHEMA.schema())).isTrue());
    }

    @Test
    void testIsWritten()
            throws IOException
    {
        assertThat(write()).isEqualTo(Resources.toByteArray(Resources.getResource(RESOURCE)));
    }

    static byte[] write()
            throws IOException
    {
        RegionFileWriter writer = new RegionFileWriter(SCHEMA, PATHS::get);
        for (List<Object> entry : ENTRIES) {
            TestingEntries.add(writer, TestingEntries.entry(SCHEMA, entry.toArray()));
        }
        CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();
        writer.finish(fileSystem.newOutputFile(LOCATION));
        try (TrinoInputStream stream = fileSystem.newInputFile(LOCATION).newStream()) {
            return stream.readAllBytes();
        }
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
