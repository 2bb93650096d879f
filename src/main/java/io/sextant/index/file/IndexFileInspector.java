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

import com.google.common.cache.Cache;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.trino.cache.EvictableCacheBuilder;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputFile;
import io.trino.orc.OrcColumn;
import io.trino.orc.OrcDataSource;
import io.trino.orc.OrcReader;
import io.trino.orc.OrcReaderOptions;
import io.trino.parquet.ParquetDataSource;
import io.trino.parquet.ParquetReaderOptions;
import io.trino.parquet.cache.ParquetFooterCache;
import io.trino.parquet.cache.ParquetFooterCacheKey;
import io.trino.parquet.metadata.ParquetMetadata;
import io.trino.parquet.reader.MetadataReader;
import io.trino.plugin.base.metrics.FileFormatDataSourceStats;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.TrinoOrcDataSource;
import io.trino.plugin.iceberg.fileio.ForwardingInputFile;
import io.trino.spi.connector.ConnectorSession;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.iceberg.avro.AvroSchemaUtil;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.schema.MessageType;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.sextant.index.file.IndexFileErrors.corrupt;
import static io.sextant.index.file.IndexFileErrors.translate;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.plugin.hive.parquet.ParquetPageSourceFactory.createDataSource;
import static io.trino.plugin.iceberg.util.OrcIcebergIds.fileColumnsByIcebergId;
import static java.util.Objects.requireNonNull;

/// Finds out what an index file says of itself, once per file, as the file never changes.
final class IndexFileInspector
{
    private static final int MAX_CACHED_FILES = 10_000;

    private final IcebergFileSystemFactory fileSystemFactory;
    private final FileFormatDataSourceStats stats;
    private final OrcReaderOptions orcReaderOptions;
    private final ParquetReaderOptions parquetReaderOptions;
    private final ParquetFooterCache footerCache;
    private final Cache<FileKey, IndexFileColumns> cache = EvictableCacheBuilder.newBuilder()
            .maximumSize(MAX_CACHED_FILES)
            .build();

    /// @param footerCache the cache of the reader that is to read the file, which then needs not read the footer again
    IndexFileInspector(
            IcebergFileSystemFactory fileSystemFactory,
            FileFormatDataSourceStats stats,
            OrcReaderOptions orcReaderOptions,
            ParquetReaderOptions parquetReaderOptions,
            ParquetFooterCache footerCache)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.stats = requireNonNull(stats, "stats is null");
        this.orcReaderOptions = requireNonNull(orcReaderOptions, "orcReaderOptions is null");
        this.parquetReaderOptions = requireNonNull(parquetReaderOptions, "parquetReaderOptions is null");
        this.footerCache = requireNonNull(footerCache, "footerCache is null");
    }

    private record FileKey(String location, long sizeInBytes) {}

    IndexFileColumns inspect(ConnectorSession session, IcebergTableCredentials credentials, IndexFile file)
    {
        try {
            return cache.get(new FileKey(file.location(), file.sizeInBytes()), () -> read(session, credentials, file));
        }
        catch (ExecutionException | RuntimeException e) {
            throw translate(file, e.getCause() instanceof Exception cause ? cause : e);
        }
    }

    private IndexFileColumns read(ConnectorSession session, IcebergTableCredentials credentials, IndexFile file)
            throws IOException
    {
        TrinoFileSystem fileSystem = fileSystemFactory.create(session.getIdentity(), credentials);
        TrinoInputFile inputFile = fileSystem.newInputFile(Location.of(file.location()), file.sizeInBytes());
        return switch (file.format()) {
            case PARQUET -> readParquet(fileSystem, file, inputFile);
            case ORC -> {
                checkSize(fileSystem, file);
                yield readOrc(file, inputFile);
            }
            case AVRO -> {
                checkSize(fileSystem, file);
                yield readAvro(inputFile);
            }
            default -> throw corrupt(file, "its format %s is none for data files".formatted(file.format()));
        };
    }

    private IndexFileColumns readParquet(TrinoFileSystem fileSystem, IndexFile file, TrinoInputFile inputFile)
            throws IOException
    {
        try (ParquetDataSource dataSource = createDataSource(inputFile, OptionalLong.of(file.sizeInBytes()), parquetReaderOptions, newSimpleAggregatedMemoryContext(), stats)) {
            Slice footer = MetadataReader.readFooterBytes(dataSource, parquetReaderOptions);
            ParquetMetadata metadata = MetadataReader.parseFooter(dataSource.getId(), file.sizeInBytes(), footer, Optional.empty(), Optional.empty());
            checkParquetSize(fileSystem, file, footer.length(), metadata.getParquetMetadata());
            Optional<String> problem = FileSeal.findProblem(metadata.getParquetMetadata(), inputFile.location().fileName());
            if (problem.isPresent()) {
                throw corrupt(file, problem.orElseThrow());
            }
            footerCache.put(new ParquetFooterCacheKey(inputFile.location().toString(), file.sizeInBytes()), footer);
            MessageType schema = metadata.getFileMetaData().getSchema();
            checkNames(file, schema);
            ImmutableMap.Builder<Integer, Optional<Type>> types = ImmutableMap.builder();
            for (NestedField field : ParquetSchemaUtil.convertAndPrune(schema).columns()) {
                types.put(field.fieldId(), Optional.of(field.type()));
            }
            long recordCount = metadata.getParquetMetadata().getRow_groups().stream()
                    .mapToLong(RowGroup::getNum_rows)
                    .sum();
            Map<Integer, Optional<Type>> fileTypes = types.buildOrThrow();
            return new IndexFileColumns(
                    fileTypes,
                    OptionalLong.of(recordCount),
                    metadata.getFileMetaData().getKeyValueMetaData(),
                    rowGroups(fileTypes, metadata.getParquetMetadata()),
                    FileSeal.chunks(metadata.getParquetMetadata()));
        }
    }

    private static List<RowGroupBounds> rowGroups(Map<Integer, Optional<Type>> types, FileMetaData metadata)
    {
        Set<Integer> fieldIds = types.entrySet().stream()
                .filter(entry -> entry.getValue().filter(RowGroupBounds::isNeededFor).isPresent())
                .map(Map.Entry::getKey)
                .collect(toImmutableSet());
        if (fieldIds.isEmpty() || !ColumnarParquetWriter.isWriterOf(metadata)) {
            return ImmutableList.of();
        }
        return RowGroupBounds.of(metadata, fieldIds);
    }

    // The end of a file can be read without its size, so that a wrong size would go unnoticed. In a file of our own the
    // footer follows the last column chunk, and the size needs no request of its own
    private static void checkParquetSize(TrinoFileSystem fileSystem, IndexFile file, int footerLength, FileMetaData metadata)
            throws IOException
    {
        if (!ColumnarParquetWriter.isWriterOf(metadata)) {
            checkSize(fileSystem, file);
            return;
        }
        long end = ColumnarParquetWriter.endOfChunks(metadata);
        if (end + footerLength != file.sizeInBytes()) {
            throw corrupt(file, "it has %s bytes, the index says %s".formatted(end + footerLength, file.sizeInBytes()));
        }
    }

    private static void checkSize(TrinoFileSystem fileSystem, IndexFile file)
            throws IOException
    {
        long length = fileSystem.newInputFile(Location.of(file.location())).length();
        if (length != file.sizeInBytes()) {
            throw corrupt(file, "it has %s bytes, the index says %s".formatted(length, file.sizeInBytes()));
        }
    }

    // The connector finds a column by ID, but its pages by name, and takes names in lower case
    private static void checkNames(IndexFile file, MessageType schema)
    {
        Set<String> names = new HashSet<>();
        for (org.apache.parquet.schema.Type field : schema.getFields()) {
            if (!names.add(field.getName())) {
                throw corrupt(file, "it has two columns with the name %s".formatted(field.getName()));
            }
        }
    }

    private IndexFileColumns readOrc(IndexFile file, TrinoInputFile inputFile)
            throws IOException
    {
        try (OrcDataSource dataSource = new TrinoOrcDataSource(inputFile, orcReaderOptions, stats)) {
            OrcReader reader = OrcReader.createOrcReader(dataSource, orcReaderOptions)
                    .orElseThrow(() -> corrupt(file, "it is empty"));
            Map<Integer, OrcColumn> columns = fileColumnsByIcebergId(reader, Optional.empty());
            ImmutableMap.Builder<Integer, Optional<Type>> types = ImmutableMap.builder();
            columns.forEach((fieldId, column) -> types.put(fieldId, OrcColumnTypes.toIcebergType(column)));
            return new IndexFileColumns(types.buildOrThrow(), OptionalLong.of(reader.getFooter().getNumberOfRows()), ImmutableMap.of(), ImmutableList.of(), SealedChunks.NONE);
        }
    }

    private static IndexFileColumns readAvro(TrinoInputFile inputFile)
            throws IOException
    {
        try (DataFileStream<?> stream = new DataFileStream<>(new ForwardingInputFile(inputFile).newStream(), new GenericDatumReader<>())) {
            ImmutableMap.Builder<Integer, Optional<Type>> types = ImmutableMap.builder();
            for (org.apache.avro.Schema.Field field : stream.getSchema().getFields()) {
                if (AvroSchemaUtil.hasFieldId(field)) {
                    types.put(AvroSchemaUtil.getFieldId(field), Optional.of(AvroSchemaUtil.convert(field.schema())));
                }
            }
            return new IndexFileColumns(types.buildOrThrow(), OptionalLong.empty(), ImmutableMap.of(), ImmutableList.of(), SealedChunks.NONE);
        }
    }
}
