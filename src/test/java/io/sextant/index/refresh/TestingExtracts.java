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
package io.sextant.index.refresh;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.inject.Injector;
import io.airlift.units.DataSize;
import io.sextant.SextantQueryRunner;
import io.sextant.index.file.IndexFileConfig;
import io.sextant.index.file.IndexFileReader;
import io.sextant.index.refresh.ExtractRequest.HotKeys;
import io.sextant.index.region.RegionFile;
import io.sextant.index.region.RegionFileReader;
import io.sextant.index.region.RegionFileWriter;
import io.sextant.index.region.RegionSchema;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.parquet.cache.ParquetFooterCache;
import io.trino.plugin.base.metrics.FileFormatDataSourceStats;
import io.trino.plugin.hive.orc.OrcReaderConfig;
import io.trino.plugin.hive.parquet.ParquetReaderConfig;
import io.trino.plugin.iceberg.IcebergConfig;
import io.trino.plugin.iceberg.IcebergConnector;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.plugin.iceberg.encryption.EncryptionManagerFactory;
import io.trino.plugin.iceberg.fileio.ForwardingFileIoFactory;
import io.trino.spi.BlocksHashFactory;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeManager;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorSession;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.util.SnapshotUtil;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.plugin.iceberg.TypeConverter.toTrinoType;

/// Builds extracts of the tables of a query runner, and reads back what was written.
final class TestingExtracts
{
    static final int FILE_ID = 1001;
    static final int POSITION_ID = 1002;
    private static final int FIRST_NESTED_ID = 2000;

    private final Injector injector;
    private final ConnectorSession session;
    private final TypeManager typeManager;
    private final Location directory;

    TestingExtracts(QueryRunner queryRunner)
    {
        IcebergConnector connector = (IcebergConnector) queryRunner.getCoordinator().getConnector(SextantQueryRunner.CATALOG);
        this.injector = connector.getInjector();
        this.session = TestingConnectorSession.builder().setPropertyMetadata(connector.getSessionProperties()).build();
        this.typeManager = injector.getInstance(TypeManager.class);
        this.directory = Location.of("local:///indexes/" + System.nanoTime());
    }

    BaseTable table(String name)
    {
        return injector.getInstance(TrinoCatalogFactory.class)
                .create(session.getIdentity())
                .loadTable(session, new SchemaTableName(SextantQueryRunner.SCHEMA, name));
    }

    TrinoFileSystem fileSystem()
    {
        return injector.getInstance(TrinoFileSystemFactory.class).create(session);
    }

    Location directory()
    {
        return directory;
    }

    ExtractBuilder builder(IndexBuildConfig config)
    {
        return new ExtractBuilder(injector.getInstance(IcebergPageSourceProviderFactory.class), typeManager, injector.getInstance(RegionFileReader.class), config);
    }

    /// A builder that reads files in ranges of at least a size.
    ExtractBuilder builder(IndexBuildConfig config, long minRangeSize)
    {
        EntryReaders.Settings settings = new EntryReaders.Settings(
                injector.getInstance(IcebergPageSourceProviderFactory.class),
                typeManager,
                config.getThreads(),
                config.getMaxMemory().toBytes(),
                minRangeSize);
        return new ExtractBuilder(settings, injector.getInstance(RegionFileReader.class), config.getSpillPath());
    }

    /// A builder that reads data files through another file system.
    ExtractBuilder builder(IndexBuildConfig config, IcebergFileSystemFactory fileSystemFactory)
    {
        IcebergPageSourceProviderFactory factory = new IcebergPageSourceProviderFactory(
                fileSystemFactory,
                injector.getInstance(ForwardingFileIoFactory.class),
                injector.getInstance(FileFormatDataSourceStats.class),
                injector.getInstance(OrcReaderConfig.class),
                injector.getInstance(ParquetReaderConfig.class),
                typeManager,
                injector.getInstance(ParquetFooterCache.class),
                injector.getInstance(BlocksHashFactory.class),
                injector.getInstance(IcebergConfig.class),
                injector.getInstance(EncryptionManagerFactory.class));
        return new ExtractBuilder(factory, typeManager, injector.getInstance(RegionFileReader.class), config);
    }

    IcebergFileSystemFactory icebergFileSystemFactory()
    {
        return injector.getInstance(IcebergFileSystemFactory.class);
    }

    static IndexBuildConfig config(Path spillPath)
    {
        return new IndexBuildConfig()
                .setMaxMemory(DataSize.valueOf("1MB"))
                .setSpillPath(spillPath)
                .setThreads(2);
    }

    /// A request for an index on the current snapshot, with `_file`, `_pos` and the given columns.
    ExtractRequest request(String tableName, List<String> key, List<String> includes, DataSize regionSize)
    {
        BaseTable table = table(tableName);
        Schema tableSchema = SnapshotUtil.schemaFor(table, table.currentSnapshot().snapshotId());
        List<NestedField> columns = new ArrayList<>();
        Map<Integer, Integer> sourceIds = new HashMap<>();
        List<Integer> keyIds = new ArrayList<>();
        for (String name : key) {
            keyIds.add(addColumn(name, tableSchema, columns, sourceIds));
        }
        columns.add(NestedField.required(FILE_ID, "file", Types.StringType.get()));
        sourceIds.put(FILE_ID, MetadataColumns.FILE_PATH.fieldId());
        columns.add(NestedField.required(POSITION_ID, "pos", Types.LongType.get()));
        sourceIds.put(POSITION_ID, MetadataColumns.ROW_POSITION.fieldId());
        includes.forEach(name -> addColumn(name, tableSchema, columns, sourceIds));
        RegionSchema schema = new RegionSchema(new Schema(columns), keyIds, OptionalInt.of(FILE_ID), OptionalInt.of(POSITION_ID));
        return new ExtractRequest(
                session,
                table,
                table.currentSnapshot().snapshotId(),
                schema,
                sourceIds,
                ImmutableMap.of(),
                fileSystem(),
                () -> directory.appendPath(RegionFileWriter.newFileName()),
                regionSize,
                HotKeys.KEEP_TOGETHER);
    }

    private static int addColumn(String name, Schema tableSchema, List<NestedField> columns, Map<Integer, Integer> sourceIds)
    {
        NestedField field = name.startsWith("_") ? MetadataColumns.metadataColumn(null, name) : tableSchema.findField(name);
        boolean topLevel = tableSchema.asStruct().field(field.fieldId()) != null;
        boolean allRequired = topLevel && field.isRequired();
        int fieldId = topLevel ? field.fieldId() : FIRST_NESTED_ID + columns.size();
        columns.add(NestedField.from(field).withId(fieldId).withName("c" + fieldId).isOptional(!allRequired).build());
        sourceIds.put(fieldId, field.fieldId());
        return fieldId;
    }

    static ExtractRequest with(ExtractRequest request, TrinoFileSystem fileSystem, HotKeys hotKeys)
    {
        return new ExtractRequest(
                request.session(),
                request.table(),
                request.snapshotId(),
                request.schema(),
                request.sourceIds(),
                request.functions(),
                fileSystem,
                request.regionLocations(),
                request.targetRegionSize(),
                hotKeys);
    }

    /// The rows of regions as they stand, columns in entry order.
    List<List<Object>> read(ExtractRequest request, List<RegionFile> regions)
            throws IOException
    {
        RegionFileReader reader = new RegionFileReader(new IndexFileReader(
                new IndexFileConfig(),
                icebergFileSystemFactory(),
                injector.getInstance(ForwardingFileIoFactory.class),
                injector.getInstance(FileFormatDataSourceStats.class),
                injector.getInstance(OrcReaderConfig.class),
                injector.getInstance(ParquetReaderConfig.class),
                typeManager,
                injector.getInstance(EncryptionManagerFactory.class)));
        List<Type> types = RegionFileReader.storedColumns(request.schema()).stream()
                .map(field -> toTrinoType(field.type(), typeManager))
                .toList();
        List<List<Object>> rows = new ArrayList<>();
        for (RegionFile region : regions) {
            try (ConnectorPageSource pages = reader.open(
                    session,
                    IcebergTableCredentials.forFileIO(request.table().io()),
                    newSimpleAggregatedMemoryContext(),
                    request.schema(),
                    region.file())) {
                while (!pages.isFinished()) {
                    SourcePage page = pages.getNextSourcePage();
                    for (int position = 0; page != null && position < page.getPositionCount(); position++) {
                        Object[] row = new Object[types.size()];
                        for (int channel = 0; channel < row.length; channel++) {
                            row[channel] = types.get(channel).getObjectValue(page.getBlock(channel), position);
                        }
                        rows.add(Arrays.asList(row));
                    }
                }
            }
        }
        return rows;
    }

    List<String> files(Location location)
            throws IOException
    {
        ImmutableList.Builder<String> files = ImmutableList.builder();
        FileIterator iterator = fileSystem().listFiles(location);
        while (iterator.hasNext()) {
            files.add(iterator.next().location().toString());
        }
        return files.build();
    }
}
