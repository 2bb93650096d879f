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

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.trino.Session;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

/// Makes tables by SQL and remembers where each row was written, by its column `id`.
///
/// Positions come from the order in which the rows of a file come out while nothing was deleted from it.
final class TestingTables
{
    private final QueryRunner queryRunner;
    private final Map<Long, Place> places = new HashMap<>();

    record Place(String path, long position) {}

    TestingTables(QueryRunner queryRunner)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
    }

    Place place(long id)
    {
        return places.get(id);
    }

    Set<Long> ids()
    {
        return ImmutableSet.copyOf(places.keySet());
    }

    String createTable(String columns, String properties)
    {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        queryRunner.execute("CREATE TABLE %s (%s) WITH (%s)".formatted(name, columns, properties));
        return name;
    }

    void insert(String table, String query)
    {
        change("INSERT INTO %s %s".formatted(table, query));
        recordPlaces(table);
    }

    /// Inserts into a table that has equality deletes: only the new files have rows in the order of their positions.
    void insertNew(String table, String query)
    {
        Map<Long, Place> before = new HashMap<>(places);
        insert(table, query);
        places.putAll(before);
    }

    void change(String sql)
    {
        queryRunner.execute(sql);
        // UPDATE table, MERGE INTO table
        List<String> words = Splitter.on(' ').splitToList(sql);
        switch (words.getFirst()) {
            case "UPDATE" -> recordPlaces(words.get(1));
            case "MERGE" -> recordPlaces(words.get(2));
            default -> {}
        }
    }

    /// Positions are those of rows in files that have been seen for the first time, when all their rows are live.
    void recordPlaces(String table)
    {
        Set<String> known = places.values().stream().map(Place::path).collect(toSet());
        // One split for each file, or rows come out of order
        Session oneByOne = Session.builder(queryRunner.getDefaultSession())
                .setSystemProperty("task_concurrency", "1")
                .setCatalogSessionProperty("plain", "max_split_size", "1GB")
                .build();
        Map<String, Long> positions = new HashMap<>();
        for (MaterializedRow row : queryRunner.execute(oneByOne, "SELECT id, \"$path\" FROM plain.tpch." + table)) {
            String path = (String) row.getField(1);
            if (!known.contains(path)) {
                places.put((Long) row.getField(0), new Place(path, positions.merge(path, 1L, Long::sum) - 1));
            }
        }
    }

    /// Commits equality deletes of one value of a column to partitions `p0` and `p1` of a table partitioned by `part`.
    static void deleteByEquality(BaseTable table, String column, Long value)
            throws IOException
    {
        Schema deleteSchema = table.schema().select(column);
        RowDelta rowDelta = table.newRowDelta();
        for (String part : ImmutableList.of("p0", "p1")) {
            PartitionKey partition = new PartitionKey(table.spec(), table.schema());
            Record row = GenericRecord.create(table.schema());
            row.setField("part", part);
            partition.partition(row);
            EqualityDeleteWriter<Record> writer = Avro.writeDeletes(table.io().newOutputFile(table.location() + "/data/eq-" + UUID.randomUUID() + ".avro"))
                    .forTable(table)
                    .rowSchema(deleteSchema)
                    .createWriterFunc(DataWriter::create)
                    .equalityFieldIds(table.schema().findField(column).fieldId())
                    .withPartition(partition)
                    .buildEqualityWriter();
            try (writer) {
                Record record = GenericRecord.create(deleteSchema);
                record.setField(column, value);
                writer.write(record);
            }
            rowDelta.addDeletes(writer.toDeleteFile());
        }
        rowDelta.commit();
    }
}
