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
package io.sextant.demo;

import com.google.common.collect.ImmutableList;
import io.trino.jdbc.QueryStats;
import io.trino.jdbc.StageStats;
import io.trino.jdbc.TrinoStatement;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import static com.google.common.base.Verify.verify;

/// Runs queries without and with the index, side by side.
final class Comparison
{
    private static final int RUNS = 7;

    private final Connection connection;

    Comparison(Connection connection)
    {
        this.connection = connection;
    }

    void print(List<String> queries)
            throws SQLException
    {
        System.out.printf("%n%-90s %10s %18s%n", "", "files read", "median time, ms");
        System.out.printf("%-90s %5s %5s %8s %8s%n", "query", "plain", "index", "plain", "index");
        for (String query : queries) {
            ImmutableList.Builder<Run> plain = ImmutableList.builder();
            ImmutableList.Builder<Run> indexed = ImmutableList.builder();
            // In turns, so that a busy machine disturbs both alike
            for (int run = 0; run < RUNS; run++) {
                plain.add(run(query, false));
                indexed.add(run(query, true));
            }
            Run plainRun = median(plain.build());
            Run indexedRun = median(indexed.build());
            verify(plainRun.rows().equals(indexedRun.rows()), "The index changes the answer of: %s", query);
            System.out.printf("%-90s %5s %5s %8s %8s%n", query, plainRun.files(), indexedRun.files(), plainRun.milliseconds(), indexedRun.milliseconds());
        }
    }

    private record Run(List<List<Object>> rows, int files, long milliseconds) {}

    private static Run median(List<Run> runs)
    {
        return runs.stream()
                .sorted(Comparator.comparingLong(Run::milliseconds))
                .toList()
                .get(runs.size() / 2);
    }

    private Run run(String query, boolean indexEnabled)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION lake.index_enabled = " + indexEnabled);
            AtomicReference<QueryStats> stats = new AtomicReference<>();
            statement.unwrap(TrinoStatement.class).setProgressMonitor(stats::set);
            long start = System.nanoTime();
            List<List<Object>> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery(query)) {
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    List<Object> row = new ArrayList<>();
                    for (int column = 1; column <= columns; column++) {
                        row.add(result.getObject(column));
                    }
                    rows.add(row);
                }
            }
            long milliseconds = (System.nanoTime() - start) / 1_000_000;
            return new Run(rows, stats.get().getRootStage().map(Comparison::splits).orElse(0), milliseconds);
        }
    }

    /// The splits of the stages that read tables. A small file is one split.
    private static int splits(StageStats stage)
    {
        if (stage.getSubStages().isEmpty()) {
            return stage.getCompletedSplits();
        }
        return stage.getSubStages().stream().mapToInt(Comparison::splits).sum();
    }
}
