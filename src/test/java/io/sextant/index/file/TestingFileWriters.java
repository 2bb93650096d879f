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

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.trino.filesystem.Location;
import io.trino.orc.OrcWriter;
import io.trino.orc.OrcWriterOptions;
import io.trino.orc.OrcWriterStats;
import io.trino.orc.OutputStreamOrcDataSink;
import io.trino.orc.metadata.CompressionKind;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.avro.InternalWriter;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static io.sextant.index.file.TestingIndexFiles.CREDENTIALS;
import static io.sextant.index.file.TestingIndexFiles.SESSION;
import static io.sextant.index.file.TestingIndexFiles.fieldIds;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.orc.OrcWriteValidation.OrcWriteValidationMode.BOTH;
import static io.trino.plugin.iceberg.TypeConverter.toTrinoType;
import static io.trino.plugin.iceberg.util.OrcTypeConverter.toOrcType;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;

/// Writes data files as others write them.
public final class TestingFileWriters
{
    private TestingFileWriters() {}

    public static byte[] write(FileFormat format, Schema schema, List<List<Object>> rows)
            throws IOException
    {
        return switch (format) {
            case PARQUET -> writeParquet(schema, rows);
            case ORC -> writeOrc(schema, rows);
            case AVRO -> writeAvro(schema, rows);
            default -> throw new IllegalArgumentException("Not a format of data files: " + format);
        };
    }

    /// With Iceberg's writer.
    private static byte[] writeAvro(Schema schema, List<List<Object>> rows)
            throws IOException
    {
        InMemoryOutputFile output = new InMemoryOutputFile();
        try (FileAppender<StructLike> appender = Avro.write(output)
                .schema(schema)
                .named("table")
                .createWriterFunc(InternalWriter::create)
                .build()) {
            for (List<Object> row : rows) {
                GenericRecord record = GenericRecord.create(schema);
                for (int i = 0; i < row.size(); i++) {
                    record.set(i, row.get(i));
                }
                appender.add(record);
            }
        }
        return output.toByteArray();
    }

    /// With parquet-java.
    private static byte[] writeParquet(Schema schema, List<List<Object>> rows)
            throws IOException
    {
        MessageType type = ParquetSchemaUtil.convert(schema, "table");
        Path directory = Files.createTempDirectory("files");
        Path path = directory.resolve("file.parquet");
        try {
            try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(path))
                    .withConf(new PlainParquetConfiguration())
                    .withType(type)
                    .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                    .withAllocator(HeapByteBufferAllocator.getInstance())
                    .build()) {
                for (List<Object> row : rows) {
                    Group group = new SimpleGroup(type);
                    for (int i = 0; i < row.size(); i++) {
                        switch (row.get(i)) {
                            case null -> {}
                            case Long value -> group.add(i, value);
                            case Integer value -> group.add(i, value);
                            case Double value -> group.add(i, value);
                            case Float value -> group.add(i, value);
                            case Boolean value -> group.add(i, value);
                            case String value -> group.add(i, value);
                            default -> throw new IllegalArgumentException("Not supported: " + row.get(i));
                        }
                    }
                    writer.write(group);
                }
            }
            return Files.readAllBytes(path);
        }
        finally {
            Files.deleteIfExists(path);
            try (Stream<Path> leftovers = Files.list(directory)) {
                for (Path leftover : leftovers.toList()) {
                    Files.delete(leftover);
                }
            }
            Files.delete(directory);
        }
    }

    /// With Trino's writer.
    private static byte[] writeOrc(Schema schema, List<List<Object>> rows)
            throws IOException
    {
        CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();
        Location location = Location.of("memory:///file.orc");
        try (OrcWriter writer = new OrcWriter(
                OutputStreamOrcDataSink.create(fileSystem.newOutputFile(location)),
                schema.columns().stream().map(NestedField::name).toList(),
                schema.columns().stream().map(field -> toTrinoType(field.type(), TESTING_TYPE_MANAGER)).toList(),
                toOrcType(schema),
                CompressionKind.ZSTD,
                new OrcWriterOptions(),
                ImmutableMap.of(),
                false,
                BOTH,
                new OrcWriterStats());
                ConnectorPageSource pages = pages(schema, rows)) {
            while (!pages.isFinished()) {
                SourcePage page = pages.getNextSourcePage();
                if (page != null) {
                    writer.write(page.getPage());
                }
            }
        }
        try (InputStream input = fileSystem.newInputFile(location).newStream()) {
            return input.readAllBytes();
        }
    }

    /// Rows as the connector gives them, made by way of a Parquet file.
    public static ConnectorPageSource pages(Schema schema, List<List<Object>> rows)
    {
        ColumnarParquetWriter writer = new ColumnarParquetWriter(schema, ImmutableSet.of(), ImmutableMap.of(), ImmutableMap.of());
        List<Integer> fieldIds = fieldIds(schema);
        for (List<Object> row : rows) {
            for (int i = 0; i < fieldIds.size(); i++) {
                writer.column(fieldIds.get(i)).append(row.get(i));
            }
        }
        byte[] file = writer.finish();
        CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();
        fileSystem.write("memory:///pages.parquet", file);
        IndexFile indexFile = new IndexFile("memory:///pages.parquet", FileFormat.PARQUET, file.length, rows.size());
        return TestingIndexFiles.newReader(fileSystem).open(SESSION, CREDENTIALS, newSimpleAggregatedMemoryContext(), IndexFileScan.of(indexFile, schema, fieldIds));
    }
}
