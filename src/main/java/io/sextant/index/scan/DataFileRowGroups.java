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
package io.sextant.index.scan;

import com.google.inject.Inject;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInputFile;
import io.trino.parquet.ParquetDataSource;
import io.trino.parquet.ParquetReaderOptions;
import io.trino.parquet.cache.ParquetFooterCache;
import io.trino.parquet.cache.ParquetFooterCacheKey;
import io.trino.parquet.metadata.BlockMetadata;
import io.trino.parquet.reader.MetadataReader;
import io.trino.plugin.base.metrics.FileFormatDataSourceStats;
import io.trino.plugin.hive.parquet.ParquetReaderConfig;
import io.trino.plugin.hive.parquet.TrinoParquetDataSource;
import io.trino.plugin.iceberg.IcebergFileFormat;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergSplit;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static io.trino.plugin.iceberg.IcebergErrorCode.ICEBERG_CANNOT_OPEN_SPLIT;
import static java.util.Objects.requireNonNull;

/// Finds the row groups of data files that hold chosen rows. Costs one read of the footer, where a file has more row groups
/// than one.
public class DataFileRowGroups
{
    private final IcebergFileSystemFactory fileSystemFactory;
    private final FileFormatDataSourceStats stats;
    private final ParquetReaderOptions options;
    private final ParquetFooterCache footerCache;

    @Inject
    public DataFileRowGroups(
            IcebergFileSystemFactory fileSystemFactory,
            FileFormatDataSourceStats stats,
            ParquetReaderConfig config,
            ParquetFooterCache footerCache)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.stats = requireNonNull(stats, "stats is null");
        this.options = config.toParquetReaderOptions();
        this.footerCache = requireNonNull(footerCache, "footerCache is null");
    }

    /// The row groups to read of a split's file; absent if it has but one, or none that can be told apart.
    Optional<RowGroupRange> wanted(ConnectorSession session, IcebergTableCredentials credentials, IndexedSplit split)
    {
        IcebergSplit file = split.file();
        if (split.rowGroups() < 2 || file.fileFormat() != IcebergFileFormat.PARQUET || file.parquetFileDecryptionData().isPresent()) {
            return Optional.empty();
        }
        TrinoInputFile inputFile = fileSystemFactory.create(session.getIdentity(), credentials).newInputFile(Location.of(file.path()), file.fileSize());
        ParquetFooterCacheKey cacheKey = new ParquetFooterCacheKey(inputFile.location().toString(), file.fileSize());
        try (ParquetDataSource dataSource = new TrinoParquetDataSource(inputFile, options, stats)) {
            List<BlockMetadata> rowGroups = MetadataReader.readFooter(dataSource, options, Optional.empty(), Optional.empty(), footerCache, cacheKey).getBlocks();
            return Optional.of(RowGroupRange.of(rowGroups, split.positions(), file.fileSize()));
        }
        catch (IOException e) {
            throw new TrinoException(ICEBERG_CANNOT_OPEN_SPLIT, "Footer of data file %s cannot be read: %s".formatted(file.path(), e.getMessage()), e);
        }
    }
}
