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
package io.sextant.enforcement;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import io.sextant.testing.TableFiles;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.apache.iceberg.util.JsonUtil;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/// What all snapshots of a table say of its constraints, held against the rows that the snapshots have.
final class TableHistory
{
    private static final int SNAPSHOTS_PER_QUERY = 10;

    private final QueryRunner queryRunner;
    private final String table;

    TableHistory(QueryRunner queryRunner, String table)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
        this.table = requireNonNull(table, "table is null");
    }

    /// The rows that break `CHECK (condition)`.
    static String breakCheck(String condition)
    {
        return "SELECT count(*) FROM %s WHERE NOT (" + condition + ")";
    }

    /// The keys that more than one row has.
    static String breakUnique(String column)
    {
        return "SELECT count(*) FROM (SELECT 1 FROM %s WHERE " + column + " IS NOT NULL GROUP BY " + column + " HAVING count(*) > 1)";
    }

    /// The IDs of the constraints in each status, by snapshot, oldest first.
    Map<Long, Map<Integer, String>> statuses()
    {
        Map<Long, Map<Integer, String>> statuses = new LinkedHashMap<>();
        for (MaterializedRow row : rows("SELECT snapshot_id, element_at(summary, 'sextant.constraint-statuses') FROM %s ORDER BY committed_at".formatted(system("snapshots")))) {
            statuses.put((Long) row.getField(0), row.getField(1) == null ? ImmutableMap.of() : parse((String) row.getField(1)));
        }
        return statuses;
    }

    private static Map<Integer, String> parse(String json)
    {
        Map<Integer, String> statuses = new TreeMap<>();
        for (Map.Entry<String, JsonNode> list : JsonUtil.parse(json, JsonNode::properties)) {
            assertThat(list.getKey()).isIn("validated", "valid", "invalid", "unvalidated");
            list.getValue().forEach(id -> assertThat(statuses.put(id.intValue(), list.getKey())).as("ID %s twice in %s", id, json).isNull());
        }
        return statuses;
    }

    /// Each status must be true of the rows of its snapshot, where `unvalidated` is always true.
    ///
    /// @param violations a query for each constraint that any snapshot names, by ID; it counts what breaks the constraint
    void assertStatusesAreTrue(Map<Integer, String> violations)
    {
        Map<Long, Map<Integer, String>> statuses = statuses();
        assertThat(statuses.values().stream().flatMap(status -> status.keySet().stream()).collect(toImmutableSet()))
                .as("IDs in snapshots")
                .isSubsetOf(violations.keySet());
        List<Long> snapshots = new ArrayList<>(statuses.keySet());
        for (int start = 0; start < snapshots.size(); start += SNAPSHOTS_PER_QUERY) {
            List<Long> some = snapshots.subList(start, Math.min(start + SNAPSHOTS_PER_QUERY, snapshots.size()));
            String sql = some.stream()
                    .flatMap(snapshot -> statuses.get(snapshot).keySet().stream()
                            .map(id -> "SELECT BIGINT '%s', %s, (%s)".formatted(snapshot, id, violations.get(id).formatted("%s FOR VERSION AS OF %s".formatted(table, snapshot)))))
                    .collect(joining(" UNION ALL "));
            if (sql.isEmpty()) {
                continue;
            }
            for (MaterializedRow row : rows(sql)) {
                String status = statuses.get((Long) row.getField(0)).get((Integer) row.getField(1));
                long broken = (long) row.getField(2);
                boolean isTrue = switch (status) {
                    case "validated", "valid" -> broken == 0;
                    case "invalid" -> broken > 0;
                    default -> true;
                };
                assertThat(isTrue).as("constraint %s is %s in snapshot %s, where %s rows or keys break it; all: %s", row.getField(1), status, row.getField(0), broken, statuses).isTrue();
            }
        }
    }

    /// Once it is there, a constraint that is never dropped is in every snapshot.
    void assertListedToTheEnd(int id)
    {
        List<Boolean> listed = statuses().values().stream().map(statuses -> statuses.containsKey(id)).toList();
        assertThat(listed.subList(listed.indexOf(true), listed.size())).as("constraint %s", id).containsOnly(true);
    }

    /// Statements that failed, and attempts that lost a race, leave nothing among the metadata.
    void assertNoLeftovers(Path lake)
    {
        Set<String> known = new TreeSet<>();
        rows("SELECT manifest_list FROM " + system("snapshots")).forEach(row -> known.add(fileName((String) row.getField(0))));
        rows("SELECT DISTINCT path FROM " + system("all_manifests")).forEach(row -> known.add(fileName((String) row.getField(0))));
        assertThat(avroFiles(lake)).isEqualTo(known);
    }

    private Set<String> avroFiles(Path lake)
    {
        return TableFiles.of(lake, table).stream()
                .map(file -> file.getFileName().toString())
                .filter(file -> file.endsWith(".avro"))
                .collect(toImmutableSet());
    }

    private static String fileName(String location)
    {
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private String system(String suffix)
    {
        return "\"%s$%s\"".formatted(table, suffix);
    }

    private List<MaterializedRow> rows(String sql)
    {
        return queryRunner.execute(sql).getMaterializedRows();
    }
}
