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
import io.sextant.index.metadata.Extract;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.system.IndexStatus.Size;
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
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.connector.SystemTable.Distribution.SINGLE_COORDINATOR;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/// `"t$extracts"`: the extracts of all indexes of a table, those that no query uses included.
public class ExtractsTable
        implements SystemTable
{
    public static final String SUFFIX = "$extracts";

    private final ConnectorTableMetadata tableMetadata;
    private final IndexedTable table;
    private final ExtractStatusReader reader;
    private final VarcharMaps maps;

    public ExtractsTable(SchemaTableName systemTableName, IndexedTable table, ExtractStatusReader reader, TypeManager typeManager)
    {
        this.table = requireNonNull(table, "table is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.maps = new VarcharMaps(typeManager);
        tableMetadata = new ConnectorTableMetadata(
                requireNonNull(systemTableName, "systemTableName is null"),
                ImmutableList.<ColumnMetadata>builder()
                        .add(new ColumnMetadata("index_name", VARCHAR))
                        .add(new ColumnMetadata("extract_id", BIGINT))
                        .add(new ColumnMetadata("snapshot_id", BIGINT))
                        .add(new ColumnMetadata("created", TIMESTAMP_TZ_MILLIS))
                        .add(new ColumnMetadata("is_serving", BOOLEAN))
                        .add(new ColumnMetadata("is_snapshot_expired", BOOLEAN))
                        .add(new ColumnMetadata("is_expirable", BOOLEAN))
                        .add(new ColumnMetadata("extract_schema_id", INTEGER))
                        .add(new ColumnMetadata("tracking_file", VARCHAR))
                        .add(new ColumnMetadata("tracking_file_size_in_bytes", BIGINT))
                        .add(new ColumnMetadata("regions", BIGINT))
                        .add(new ColumnMetadata("entries", BIGINT))
                        .add(new ColumnMetadata("regions_size_in_bytes", BIGINT))
                        .add(new ColumnMetadata("properties", maps.type()))
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
        // Its builder takes no maps
        return new InMemoryRecordSet(
                tableMetadata.getColumns().stream()
                        .map(ColumnMetadata::getType)
                        .collect(toImmutableList()),
                reader.readExtracts(table).stream()
                        .map(this::row)
                        .collect(toImmutableList()))
                .cursor();
    }

    private List<?> row(ExtractStatus status)
    {
        Optional<Extract> extract = status.extract();
        return Arrays.asList(
                status.indexName(),
                extract.map(Extract::extractId).orElse(null),
                extract.map(Extract::sourceTableSnapshotId).orElse(null),
                extract.map(known -> packDateTimeWithZone(known.timestampMillis(), UTC_KEY)).orElse(null),
                extract.map(_ -> status.serving()).orElse(null),
                extract.map(_ -> status.snapshotExpired()).orElse(null),
                extract.map(_ -> status.expirable()).orElse(null),
                extract.map(Extract::extractSchemaId).orElse(null),
                extract.map(Extract::trackingFile).orElse(null),
                extract.map(Extract::trackingFileSizeInBytes).orElse(null),
                status.regions().map(Size::regions).orElse(null),
                status.regions().map(Size::entries).orElse(null),
                status.regions().map(Size::bytes).orElse(null),
                extract.map(Extract::properties).map(maps::of).orElse(null),
                status.error().orElse(null));
    }
}
