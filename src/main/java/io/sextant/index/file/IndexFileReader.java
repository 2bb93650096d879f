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
import com.google.inject.Inject;
import io.airlift.units.DataSize;
import io.sextant.table.OverridingSession;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.orc.OrcReaderOptions;
import io.trino.parquet.ParquetReaderOptions;
import io.trino.parquet.cache.MemoryParquetFooterCache;
import io.trino.parquet.cache.ParquetFooterCache;
import io.trino.plugin.base.metrics.FileFormatDataSourceStats;
import io.trino.plugin.hive.orc.OrcReaderConfig;
import io.trino.plugin.hive.parquet.ParquetReaderConfig;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergFileFormat;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergPageSourceProvider;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.PartitionData;
import io.trino.plugin.iceberg.encryption.EncryptionManagerFactory;
import io.trino.plugin.iceberg.fileio.ForwardingFileIoFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.units.DataSize.Unit.BYTE;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static io.sextant.index.file.IndexFileErrors.translate;
import static io.trino.plugin.iceberg.IcebergUtil.getColumnHandle;
import static java.util.Objects.requireNonNull;

/// Reads index files of every format of Iceberg (Parquet, ORC, Avro) with the reader that the Iceberg connector has for data
/// files, columns matched by field ID.
///
/// A file that is not what the index says fails with [io.sextant.error.SextantErrorCode#INDEX_CORRUPT], one that cannot be
/// read with [io.sextant.error.SextantErrorCode#INDEX_STORAGE_ERROR]. It never just gives fewer rows.
public class IndexFileReader
{
    // They suit index files, whatever the user has set for the files of tables
    private static final Map<String, Object> SESSION_PROPERTIES = ImmutableMap.<String, Object>builder()
            // The size is in the index metadata, and a file of another size is not the file that was meant
            .put("use_file_size_from_metadata", true)
            // A look-up wants one row group, and regions are about as large as what counts as small
            .put("parquet_small_file_threshold", DataSize.of(0, BYTE))
            .put("parquet_ignore_statistics", false)
            // A bloom filter has the bits of -0.0 or of 0.0, a predicate means both
            .put("parquet_use_bloom_filter", false)
            .put("orc_bloom_filters_enabled", false)
            .buildOrThrow();

    // Field IDs from here up are those of metadata columns, to which the connector gives values of its own
    private static final int FIRST_RESERVED_FIELD_ID = Integer.MAX_VALUE - 200;

    private final TypeManager typeManager;
    private final IcebergFileSystemFactory fileSystemFactory;
    private final Function<IcebergFileSystemFactory, IcebergPageSourceProvider> pageSourceProviders;
    private final IndexFileInspector inspector;

    @Inject
    public IndexFileReader(
            IndexFileConfig config,
            IcebergFileSystemFactory fileSystemFactory,
            ForwardingFileIoFactory fileIoFactory,
            FileFormatDataSourceStats stats,
            OrcReaderConfig orcReaderConfig,
            ParquetReaderConfig parquetReaderConfig,
            TypeManager typeManager,
            EncryptionManagerFactory encryptionManagerFactory)
    {
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        OrcReaderOptions orcReaderOptions = orcReaderConfig.toOrcReaderOptions();
        ParquetReaderOptions parquetReaderOptions = ParquetReaderOptions.builder(parquetReaderConfig.toParquetReaderOptions())
                .withSmallFileThreshold(DataSize.of(0, BYTE))
                .withFooterReadSize(config.getFooterReadSize())
                .build();
        ParquetFooterCache footerCache = new MemoryParquetFooterCache(config.getFooterCacheSize());
        this.pageSourceProviders = fileSystems -> new IcebergPageSourceProvider(
                fileSystems,
                fileIoFactory,
                stats,
                orcReaderOptions,
                parquetReaderOptions,
                typeManager,
                footerCache,
                Optional.empty(),
                encryptionManagerFactory);
        this.inspector = new IndexFileInspector(fileSystemFactory, stats, orcReaderOptions, parquetReaderOptions, footerCache);
    }

    /// Opens a file for the caller to close.
    ///
    /// @param credentials those of the table that the index belongs to
    public ConnectorPageSource open(ConnectorSession session, IcebergTableCredentials credentials, AggregatedMemoryContext memoryContext, IndexFileScan scan)
    {
        List<NestedField> fields = scan.fields();
        for (NestedField field : fields) {
            if (field.fieldId() >= FIRST_RESERVED_FIELD_ID || field.fieldId() < 0) {
                throw new TrinoException(INDEX_UNSUPPORTED, "Column %s of index file %s has the reserved field ID %s".formatted(field.name(), scan.file().location(), field.fieldId()));
            }
        }
        try {
            IndexFileColumns columns = inspector.inspect(session, credentials, scan.file());
            columns.check(scan);
            TupleDomain<Integer> predicate = columns.usablePredicate(scan);
            IcebergPageSourceProvider pageSourceProvider = pageSourceProviders.apply((_, _) ->
                    ChunkVerification.verifying(fileSystemFactory.create(session.getIdentity(), credentials), scan.file(), columns.chunks()));
            List<Supplier<ConnectorPageSource>> ranges = columns.prune(scan).stream()
                    .<Supplier<ConnectorPageSource>>map(range -> () -> open(pageSourceProvider, session, credentials, memoryContext, range, predicate))
                    .collect(toImmutableList());
            return new CheckedPageSource(
                    ranges.size() == 1 ? ranges.getFirst().get() : new SequencePageSource(ranges),
                    scan.file(),
                    fields,
                    scan.isWholeFile() && scan.predicate().isAll());
        }
        catch (RuntimeException e) {
            throw translate(scan.file(), e);
        }
    }

    /// The key/value metadata of a Parquet file; empty for other formats.
    public Map<String, String> readMetadata(ConnectorSession session, IcebergTableCredentials credentials, IndexFile file)
    {
        return inspector.inspect(session, credentials, file).metadata();
    }

    private ConnectorPageSource open(
            IcebergPageSourceProvider pageSourceProvider,
            ConnectorSession session,
            IcebergTableCredentials credentials,
            AggregatedMemoryContext memoryContext,
            IndexFileScan scan,
            TupleDomain<Integer> predicate)
    {
        Schema schema = scan.file().format() == FileFormat.AVRO ? namedById(scan.schema()) : scan.schema();
        List<IcebergColumnHandle> columns = scan.fieldIds().stream()
                .map(fieldId -> getColumnHandle(schema.asStruct().field(fieldId), typeManager))
                .collect(toImmutableList());
        return pageSourceProvider.createPageSource(
                new OverridingSession(session, SESSION_PROPERTIES),
                columns,
                schema,
                PartitionSpec.unpartitioned(),
                new PartitionData(new Object[0]),
                ImmutableList.of(),
                DynamicFilter.EMPTY,
                predicate.transformKeys(fieldId -> getColumnHandle(schema.asStruct().field(fieldId), typeManager)),
                TupleDomain.all(),
                scan.file().location(),
                scan.start(),
                scan.length(),
                scan.file().sizeInBytes(),
                scan.file().recordCount(),
                IcebergFileFormat.fromIceberg(scan.file().format()),
                credentials,
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                memoryContext,
                Optional.empty());
    }

    // The connector selects Avro columns by name, and takes some names for those of metadata columns
    private static Schema namedById(Schema schema)
    {
        return new Schema(schema.columns().stream()
                .map(field -> NestedField.from(field).withName("field_" + field.fieldId()).build())
                .collect(toImmutableList()));
    }
}
