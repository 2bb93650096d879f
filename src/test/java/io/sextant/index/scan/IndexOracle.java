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

import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.execution.QueryInfo;
import io.trino.execution.StageInfo;
import io.trino.execution.StagesInfo;
import io.trino.operator.OperatorStats;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.metrics.Metrics;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;

import java.util.HashMap;
import java.util.Map;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Runs a query with indexes switched off and on, on the same tables, and demands equal multisets of rows.
public final class IndexOracle
{
    private final DistributedQueryRunner queryRunner;
    private final Session indexed;
    private final Session plain;

    public IndexOracle(DistributedQueryRunner queryRunner, Session session)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
        this.indexed = session;
        this.plain = Session.builder(session)
                .setCatalogSessionProperty(session.getCatalog().orElseThrow(), "index_enabled", "false")
                .build();
    }

    public Outcome run(String sql)
    {
        MaterializedResult expected = queryRunner.execute(plain, sql);
        MaterializedResultWithPlan actual = queryRunner.executeWithPlan(indexed, sql);
        assertThat(actual.result().getMaterializedRows())
                .as(sql)
                .containsExactlyInAnyOrderElementsOf(expected.getMaterializedRows());
        QueryInfo queryInfo = queryRunner.getCoordinator().getQueryManager().getFullQueryInfo(actual.queryId());
        return new Outcome(sql, expected.getRowCount(), metrics(queryInfo));
    }

    /// The counts of split sources, and those of indexes from page sources, summed by name.
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

    /// What the indexed run of a query gave, which equals what the plain run gave.
    public record Outcome(String sql, int rows, Map<String, Long> metrics)
    {
        /// The index answered, something was pruned, and rows came back.
        public Outcome prunesBy(String index)
        {
            usesIndex(index);
            assertThat(rows).as("rows of %s", sql).isPositive();
            assertThat(pruned(index)).as("pruned by %s: %s", sql, metrics).isPositive();
            return this;
        }

        public Outcome usesIndex(String index)
        {
            assertThat(metrics).as(sql).containsKey("index %s: regions total".formatted(index));
            return this;
        }

        /// The index did not answer.
        ///
        /// @param reason a part of what the metrics give as the reason
        public Outcome isNotUsed(String index, String reason)
        {
            assertThat(metrics.keySet())
                    .as(sql)
                    .anySatisfy(name -> assertThat(name).startsWith("index %s not used: ".formatted(index)).contains(reason));
            return this;
        }

        public Outcome returnsRows(int expected)
        {
            assertThat(rows).as(sql).isEqualTo(expected);
            return this;
        }

        boolean indexUsed()
        {
            return metrics.keySet().stream().anyMatch(name -> name.endsWith(": regions total"));
        }

        long totalPruned()
        {
            return metrics.entrySet().stream()
                    .filter(metric -> metric.getKey().endsWith(": files pruned") || metric.getKey().endsWith(": rows pruned in files read"))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        public long metric(String index, String name)
        {
            return metrics.getOrDefault("index %s: %s".formatted(index, name), 0L);
        }

        private long pruned(String index)
        {
            return metric(index, "files pruned") + metric(index, "rows pruned in files read");
        }
    }
}
