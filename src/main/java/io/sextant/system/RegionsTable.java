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
package io.sextant.system;

import com.google.common.collect.ImmutableList;
import io.sextant.index.file.FieldStats;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.spi.block.SqlMap;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.InMemoryRecordSet;
import io.trino.spi.connector.RecordCursor;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.TypeManager;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.connector.SystemTable.Distribution.SINGLE_COORDINATOR;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/// `"t$regions"`: the region files of the extracts that serve the current snapshot, in index order.
public class RegionsTable
        implements SystemTable
{
    public static final String SUFFIX = "$regions";

    private final ConnectorTableMetadata tableMetadata;
    private final IndexedTable table;
    private final ExtractStatusReader reader;
    private final VarcharMaps maps;

    public RegionsTable(SchemaTableName systemTableName, IndexedTable table, ExtractStatusReader reader, TypeManager typeManager)
    {
        this.table = requireNonNull(table, "table is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.maps = new VarcharMaps(typeManager);
        tableMetadata = new ConnectorTableMetadata(
                requireNonNull(systemTableName, "systemTableName is null"),
                ImmutableList.<ColumnMetadata>builder()
                        .add(new ColumnMetadata("index_name", VARCHAR))
                        .add(new ColumnMetadata("extract_id", BIGINT))
                        .add(new ColumnMetadata("location", VARCHAR))
                        .add(new ColumnMetadata("file_format", VARCHAR))
                        .add(new ColumnMetadata("entries", BIGINT))
                        .add(new ColumnMetadata("size_in_bytes", BIGINT))
                        .add(new ColumnMetadata("lower_bounds", maps.type()))
                        .add(new ColumnMetadata("upper_bounds", maps.type()))
                        .add(new ColumnMetadata("group_max", maps.type()))
                        .add(new ColumnMetadata("error", VARCHAR))
                        .build());
    }

    @Override
    public Distribution getDistribution()
    {
        return SINGLE_COORDINATOR;
    }

    @Override
    public ConnectorTableMetadata getTableMetadata()
    {
        return tableMetadata;
    }

    @Override
    public RecordCursor cursor(ConnectorTransactionHandle transaction, ConnectorSession session, TupleDomain<Integer> constraint)
    {
        Iterable<List<?>> rows = () -> reader.readServingRegions(table).stream().<List<?>>flatMap(this::rows).iterator();
        return new InMemoryRecordSet(
                tableMetadata.getColumns().stream()
                        .map(ColumnMetadata::getType)
                        .collect(toImmutableList()),
                rows)
                .cursor();
    }

    private Stream<List<?>> rows(ServingRegions serving)
    {
        return switch (serving) {
            case ServingRegions.Listed listed -> listed.regions().stream().map(region -> row(listed, region));
            case ServingRegions.Unreadable(String indexName, String error) -> Stream.of(Arrays.asList(indexName, null, null, null, null, null, null, null, null, error));
        };
    }

    private List<?> row(ServingRegions.Listed serving, TrackingEntry region)
    {
        return Arrays.asList(
                serving.indexName(),
                serving.extractId(),
                region.file().location(),
                region.file().format().name().toLowerCase(ENGLISH),
                region.file().recordCount(),
                region.file().sizeInBytes(),
                keyValues(serving, region, FieldStats::lower),
                keyValues(serving, region, FieldStats::upper),
                keyValues(serving, region, FieldStats::groupMax),
                null);
    }

    private SqlMap keyValues(ServingRegions.Listed serving, TrackingEntry region, Function<FieldStats, Optional<Object>> value)
    {
        Map<String, Optional<String>> values = new LinkedHashMap<>();
        serving.key().forEach(column -> values.put(column.name(), column.toText(value.apply(region.contentStats().get(column.fieldId())))));
        return maps.ofNullable(values);
    }
}
