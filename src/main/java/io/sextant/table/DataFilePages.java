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
package io.sextant.table;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Streams;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergFileFormat;
import io.trino.plugin.iceberg.IcebergPageSourceProvider;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.PartitionData;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.concurrent.MoreFutures.getFutureValue;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Gatherers.mapConcurrent;
import static org.apache.iceberg.TableProperties.DEFAULT_NAME_MAPPING;

/// Opens data files of a table through the Iceberg connector, which applies deletes, promotions, defaults and partition
/// constants. Thread-safe.
public final class DataFilePages
{
    private static final Map<String, Object> WITHOUT_BLOOM_FILTERS = ImmutableMap.of("parquet_use_bloom_filter", false);

    private final ConnectorSession session;
    private final BaseTable table;
    private final Schema schema;
    private final IcebergPageSourceProvider pageSources;
    private final IcebergTableCredentials credentials;
    private final Optional<NameMapping> nameMapping;

    /// @param schema in which rows are read
    /// @param pageSources keeps equality deletes, so it is to be shared by all that read one snapshot
    public DataFilePages(ConnectorSession session, BaseTable table, Schema schema, IcebergPageSourceProvider pageSources)
    {
        this.session = requireNonNull(session, "session is null");
        this.table = requireNonNull(table, "table is null");
        this.schema = requireNonNull(schema, "schema is null");
        this.pageSources = requireNonNull(pageSources, "pageSources is null");
        this.credentials = IcebergTableCredentials.forFileIO(table.io());
        this.nameMapping = Optional.ofNullable(table.properties().get(DEFAULT_NAME_MAPPING)).map(NameMappingParser::fromJson);
    }

    /// Gives all live rows of a file to a consumer, page by page.
    ///
    /// @param predicate which lets row groups be left out; rows that are read need not fulfil it
    public void read(
            DataFile file,
            List<DeleteFile> deletes,
            List<IcebergColumnHandle> columns,
            TupleDomain<IcebergColumnHandle> predicate,
            Consumer<SourcePage> consumer)
    {
        readWhile(file, deletes, columns, predicate, page -> {
            consumer.accept(page);
            return true;
        });
    }

    /// Gives live rows of a file to a consumer, page by page, as long as it wants more.
    ///
    /// @param predicate which lets row groups be left out; rows that are read need not fulfil it
    public void readWhile(
            DataFile file,
            List<DeleteFile> deletes,
            List<IcebergColumnHandle> columns,
            TupleDomain<IcebergColumnHandle> predicate,
            Predicate<SourcePage> consumer)
    {
        try (ConnectorPageSource pageSource = open(file, deletes, 0, file.fileSizeInBytes(), columns, predicate, newSimpleAggregatedMemoryContext())) {
            while (!pageSource.isFinished()) {
                SourcePage page = pageSource.getNextSourcePage();
                if (page == null) {
                    getFutureValue(pageSource.isBlocked());
                    continue;
                }
                if (!consumer.test(page)) {
                    return;
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Gives the files of a scan to a consumer, some at a time, each on a thread of its own.
    public static void forEachFile(TableScan scan, int threads, Consumer<FileScanTask> consumer)
    {
        try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
            Streams.stream(tasks)
                    .gather(mapConcurrent(threads, task -> {
                        consumer.accept(task);
                        return task;
                    }))
                    .forEach(_ -> {});
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The live rows of the row groups, stripes or blocks that start within a range of a file.
    ///
    /// @param predicate which lets row groups be left out; rows that are read need not fulfil it
    public ConnectorPageSource open(
            DataFile file,
            List<DeleteFile> deletes,
            long start,
            long length,
            List<IcebergColumnHandle> columns,
            TupleDomain<IcebergColumnHandle> predicate,
            AggregatedMemoryContext memory)
    {
        PartitionSpec spec = requireNonNull(table.specs().get(file.specId()), "the table has no spec of its data file");
        return pageSources.createPageSource(
                sessionFor(columns),
                columns,
                schema,
                spec,
                partition(file),
                deletes.stream().map(io.trino.plugin.iceberg.delete.DeleteFile::fromIceberg).collect(toImmutableList()),
                DynamicFilter.EMPTY,
                predicate,
                TupleDomain.all(),
                file.location(),
                start,
                length,
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

    /// An integer column that was promoted is a bigint here, and is looked for as such even in the Bloom filters of Parquet files
    /// that have integers, where it never is. ORC files hash both alike.
    private ConnectorSession sessionFor(List<IcebergColumnHandle> columns)
    {
        return columns.stream().anyMatch(column -> column.getType().equals(BIGINT))
                ? new OverridingSession(session, WITHOUT_BLOOM_FILTERS)
                : session;
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
