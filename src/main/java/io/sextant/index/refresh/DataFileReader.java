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

import io.airlift.concurrent.MoreFutures;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.plugin.iceberg.IcebergFileFormat;
import io.trino.plugin.iceberg.IcebergPageSourceProvider;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.PartitionData;
import io.trino.plugin.iceberg.delete.DeleteFile;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.TableProperties.DEFAULT_NAME_MAPPING;

/// Reads the live rows of data files through the Iceberg connector, which applies deletes, promotions, defaults and
/// partition constants, and gives them to a sink as entries. Used by one thread.
final class DataFileReader
{
    private final ConnectorSession session;
    private final BaseTable table;
    private final Schema schema;
    private final IcebergPageSourceProvider pageSources;
    private final IcebergTableCredentials credentials;
    private final Optional<NameMapping> nameMapping;
    private final EntryEncoder encoder;
    private final DataFilePaths paths;
    private final BuildProgress progress;
    private final AggregatedMemoryContext memory = newSimpleAggregatedMemoryContext();

    /// @param pageSources shared by the readers of one build, as it keeps equality deletes
    DataFileReader(
            ConnectorSession session,
            BaseTable table,
            Schema schema,
            IcebergPageSourceProvider pageSources,
            EntryEncoder encoder,
            DataFilePaths paths,
            BuildProgress progress)
    {
        this.session = requireNonNull(session, "session is null");
        this.table = requireNonNull(table, "table is null");
        this.schema = requireNonNull(schema, "schema is null");
        this.pageSources = requireNonNull(pageSources, "pageSources is null");
        this.credentials = IcebergTableCredentials.forFileIO(table.io());
        this.nameMapping = Optional.ofNullable(table.properties().get(DEFAULT_NAME_MAPPING)).map(NameMappingParser::fromJson);
        this.encoder = requireNonNull(encoder, "encoder is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    long memoryUsage()
    {
        return memory.getBytes();
    }

    void read(FileRange range, EntryEncoder.EntrySink sink)
    {
        DataFile file = range.task().file();
        int ordinal = paths.ordinal(file.location());
        long rows = 0;
        try (ConnectorPageSource pageSource = open(range)) {
            while (!pageSource.isFinished()) {
                progress.checkpoint();
                SourcePage page = pageSource.getNextSourcePage();
                if (page == null) {
                    MoreFutures.getFutureValue(pageSource.isBlocked());
                    continue;
                }
                encoder.encode(page, file.location(), ordinal, file.specId(), sink);
                rows += page.getPositionCount();
                progress.addReadEntries(page.getPositionCount());
            }
        }
        catch (IOException e) {
            throw new TrinoException(INDEX_BUILD_FAILED, "Data file %s of table %s could not be closed".formatted(file.location(), table.name()), e);
        }
        progress.addReadRange(range.length());
        OptionalLong fileRows = range.count().add(rows);
        if (fileRows.isPresent()) {
            checkRowCount(range, fileRows.getAsLong());
            progress.addReadFile();
        }
    }

    /// An index that lacks a row would hide it from queries, so a file must have as many as the table says.
    private void checkRowCount(FileRange range, long rows)
    {
        DataFile file = range.task().file();
        boolean expected = range.task().deletes().isEmpty() ? rows == file.recordCount() : rows <= file.recordCount();
        if (!expected) {
            throw new TrinoException(
                    INDEX_BUILD_FAILED,
                    "Data file %s of table %s has %s live rows, its metadata says %s; the table is damaged and cannot be indexed".formatted(file.location(), table.name(), rows, file.recordCount()));
        }
    }

    private ConnectorPageSource open(FileRange range)
    {
        DataFile file = range.task().file();
        PartitionSpec spec = requireNonNull(table.specs().get(file.specId()), "the table has no spec of its data file");
        return pageSources.createPageSource(
                session,
                encoder.columns(),
                schema,
                spec,
                partition(file),
                range.task().deletes().stream().map(DeleteFile::fromIceberg).collect(toImmutableList()),
                DynamicFilter.EMPTY,
                TupleDomain.all(),
                TupleDomain.all(),
                file.location(),
                range.start(),
                range.length(),
                file.fileSizeInBytes(),
                file.recordCount(),
                IcebergFileFormat.fromIceberg(file.format()),
                credentials,
                optional(file.dataSequenceNumber()),
                optional(file.firstRowId()),
                nameMapping,
                memory,
                Optional.empty());
    }

    private static PartitionData partition(DataFile file)
    {
        Object[] values = new Object[file.partition().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = file.partition().get(i, Object.class);
        }
        return new PartitionData(values);
    }

    private static OptionalLong optional(Long value)
    {
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
