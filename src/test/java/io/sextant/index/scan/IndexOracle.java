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

import io.sextant.testing.SwitchOracle;
import io.trino.Session;
import io.trino.testing.DistributedQueryRunner;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/// Runs a query with indexes switched off and on, on the same tables, and demands equal multisets of rows.
public final class IndexOracle
{
    private final SwitchOracle oracle;

    public IndexOracle(DistributedQueryRunner queryRunner, Session session)
    {
        oracle = new SwitchOracle(queryRunner, session, "index_enabled");
    }

    public Outcome run(String sql)
    {
        SwitchOracle.Outcome outcome = oracle.run(sql);
        return new Outcome(sql, outcome.rows(), outcome.metrics());
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
