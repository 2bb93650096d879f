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
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// The evidence of one scan: which index served it and what that saved, or why none did.
/// `EXPLAIN ANALYZE VERBOSE` shows it among the metrics of the split source.
final class IndexScanMetrics
{
    private volatile IndexDecision decision = new IndexDecision.NotUsable(ImmutableMap.of());
    final AtomicLong entries = new AtomicLong();
    final AtomicLong filesPruned = new AtomicLong();
    final AtomicLong filesIndexed = new AtomicLong();
    final AtomicLong filesNotCovered = new AtomicLong();
    final AtomicLong rowsPruned = new AtomicLong();

    void decided(IndexDecision decision)
    {
        this.decision = decision;
    }

    Metrics toMetrics()
    {
        ImmutableMap.Builder<String, Metric<?>> metrics = ImmutableMap.builder();
        switch (decision) {
            case IndexDecision.Usable(IndexCandidate candidate, Map<String, String> reasons) -> {
                String prefix = "index %s: ".formatted(candidate.indexName());
                metrics.put(prefix + "regions total", new LongCount(candidate.selection().totalRegions()));
                metrics.put(prefix + "regions read", new LongCount(candidate.selection().regions().size()));
                metrics.put(prefix + "entries", new LongCount(entries.get()));
                metrics.put(prefix + "files pruned", new LongCount(filesPruned.get()));
                metrics.put(prefix + "files read", new LongCount(filesIndexed.get()));
                metrics.put(prefix + "rows pruned in files read", new LongCount(rowsPruned.get()));
                metrics.put(prefix + "files not covered", new LongCount(filesNotCovered.get()));
                putReasons(metrics, reasons);
            }
            case IndexDecision.NotUsable(Map<String, String> reasons) -> putReasons(metrics, reasons);
        }
        return new Metrics(metrics.buildOrThrow());
    }

    private static void putReasons(ImmutableMap.Builder<String, Metric<?>> metrics, Map<String, String> reasons)
    {
        reasons.forEach((index, reason) -> metrics.put("index %s not used: %s".formatted(index, reason), new LongCount(1)));
    }
}
