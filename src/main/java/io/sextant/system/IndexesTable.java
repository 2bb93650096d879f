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
import io.sextant.index.refresh.IndexBuilds;
import io.sextant.index.refresh.IndexBuilds.Build;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.system.IndexStatus.Reach;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.InMemoryRecordSet;
import io.trino.spi.connector.RecordCursor;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.connector.SystemTable.Distribution.SINGLE_COORDINATOR;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/// `"t$indexes"`: the indexes of a table, built or being built, and how well each covers the current snapshot.
public class IndexesTable
        implements SystemTable
{
    public static final String SUFFIX = "$indexes";

    private final ConnectorTableMetadata tableMetadata;
    private final IndexedTable table;
    private final IndexBuilds indexBuilds;
    private final IndexStatusReader statusReader;

    public IndexesTable(SchemaTableName systemTableName, IndexedTable table, IndexBuilds indexBuilds, IndexStatusReader statusReader)
    {
        this.table = requireNonNull(table, "table is null");
        this.indexBuilds = requireNonNull(indexBuilds, "indexBuilds is null");
        this.statusReader = requireNonNull(statusReader, "statusReader is null");
        tableMetadata = new ConnectorTableMetadata(
                requireNonNull(systemTableName, "systemTableName is null"),
                ImmutableList.<ColumnMetadata>builder()
                        .add(new ColumnMetadata("index_name", VARCHAR))
                        .add(new ColumnMetadata("state", VARCHAR))
                        .add(new ColumnMetadata("key", new ArrayType(VARCHAR)))
                        .add(new ColumnMetadata("include", new ArrayType(VARCHAR)))
                        .add(new ColumnMetadata("snapshot_id", BIGINT))
                        .add(new ColumnMetadata("lag", BIGINT))
                        .add(new ColumnMetadata("lag_rows", BIGINT))
                        .add(new ColumnMetadata("coverage", DOUBLE))
                        .add(new ColumnMetadata("file_coverage", DOUBLE))
                        .add(new ColumnMetadata("entries", BIGINT))
                        .add(new ColumnMetadata("regions", BIGINT))
                        .add(new ColumnMetadata("size_in_bytes", BIGINT))
                        .add(new ColumnMetadata("location", VARCHAR))
                        .add(new ColumnMetadata("progress", VARCHAR))
                        .add(new ColumnMetadata("last_error", VARCHAR))
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
        InMemoryRecordSet.Builder rows = InMemoryRecordSet.builder(tableMetadata);
        List<Build> builds = indexBuilds.running(table.name());
        List<IndexStatus> statuses = statusReader.read(table, builds);
        statuses.forEach(status -> addRow(rows, status));
        // An index is registered only once it is built
        Set<String> registered = statuses.stream().map(IndexStatus::name).collect(toImmutableSet());
        builds.stream()
                .filter(build -> !registered.contains(build.index().name()))
                .map(build -> IndexStatus.building(build.index().name(), build.progress().toString()))
                .forEach(status -> addRow(rows, status));
        return rows.build().cursor();
    }

    private static void addRow(InMemoryRecordSet.Builder rows, IndexStatus status)
    {
        rows.addRow(
                status.name(),
                status.state().name().toLowerCase(ENGLISH),
                VarcharArrays.blockOf(status.key()),
                VarcharArrays.blockOf(status.include()),
                status.reach().map(Reach::snapshotId).orElse(null),
                status.reach().map(Reach::lag).orElse(null),
                status.reach().map(Reach::lagRows).orElse(null),
                status.reach().map(Reach::coverage).orElse(null),
                status.reach().map(Reach::fileCoverage).orElse(null),
                status.size().map(IndexStatus.Size::entries).orElse(null),
                status.size().map(IndexStatus.Size::regions).orElse(null),
                status.size().map(IndexStatus.Size::bytes).orElse(null),
                status.location().orElse(null),
                status.progress().orElse(null),
                status.lastError().orElse(null));
    }
}
