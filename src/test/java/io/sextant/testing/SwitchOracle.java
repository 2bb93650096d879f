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
package io.sextant.testing;

import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.execution.QueryInfo;
import io.trino.execution.StageInfo;
import io.trino.execution.StagesInfo;
import io.trino.operator.OperatorStats;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.metrics.Metrics;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Runs a query with a session switch off and on, on the same tables, and demands equal multisets of rows.
public final class SwitchOracle
{
    private final DistributedQueryRunner queryRunner;
    private final Session on;
    private final Session off;

    /// @param name of a boolean session property of the session's catalog, which is on
    public SwitchOracle(DistributedQueryRunner queryRunner, Session session, String name)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
        this.on = session;
        this.off = Session.builder(session)
                .setCatalogSessionProperty(session.getCatalog().orElseThrow(), name, "false")
                .build();
    }

    /// What the query gave with the switch on, which equals what it gave with the switch off.
    ///
    /// @param metrics the counts of split sources, and those of indexes from page sources, summed by name
    public record Outcome(String sql, int rows, Map<String, Long> metrics) {}

    public Outcome run(String sql)
    {
        return run(sql, runOff(sql));
    }

    /// Only with the switch off, for one who asks several queries at once.
    public List<MaterializedRow> runOff(String sql)
    {
        return queryRunner.execute(off, sql).getMaterializedRows();
    }

    /// Only with the switch on.
    ///
    /// @param expected what the query gives with the switch off
    public Outcome run(String sql, List<MaterializedRow> expected)
    {
        MaterializedResultWithPlan actual = queryRunner.executeWithPlan(on, sql);
        assertThat(actual.result().getMaterializedRows())
                .as(sql)
                .containsExactlyInAnyOrderElementsOf(expected);
        QueryInfo queryInfo = queryRunner.getCoordinator().getQueryManager().getFullQueryInfo(actual.queryId());
        return new Outcome(sql, expected.size(), metrics(queryInfo));
    }

    private static Map<String, Long> metrics(QueryInfo queryInfo)
    {
        Map<String, Long> counts = new HashMap<>();
        queryInfo.getStages()
                .map(StagesInfo::getStages)
                .orElseThrow().stream()
                .map(StageInfo::stageStats)
                .flatMap(stats -> stats.getSplitSourceMetrics().values().stream())
                .forEach(metrics -> add(counts, metrics, ""));
        queryInfo.getQueryStats().getOperatorSummaries().stream()
                .map(OperatorStats::getConnectorMetrics)
                .forEach(metrics -> add(counts, metrics, "index: "));
        return ImmutableMap.copyOf(counts);
    }

    private static void add(Map<String, Long> counts, Metrics metrics, String prefix)
    {
        metrics.getMetrics().forEach((name, metric) -> {
            if (name.startsWith(prefix) && metric instanceof LongCount count) {
                counts.merge(name, count.getTotal(), Long::sum);
            }
        });
    }
}
