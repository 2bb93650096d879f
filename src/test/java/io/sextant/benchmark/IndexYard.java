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
package io.sextant.benchmark;

import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;

import static com.google.common.base.Preconditions.checkState;
import static io.sextant.benchmark.Yard.id;
import static io.sextant.benchmark.Yard.millis;
import static io.sextant.benchmark.Yard.print;

/// Look-ups by index beside their peers in one process: Trino's own connector on the same table (plain) and on the same
/// rows with Bloom filters (bloom). Every figure is a ratio of medians; the floor is `SELECT 1`.
///
/// Arguments: rows (default 20,000,000) and files (default 200).
public final class IndexYard
{
    private static final int WARM_UP_RUNS = 3;
    private static final int RUNS = 11;
    private static final int BUILDS = 3;

    private final Yard yard;
    private final DistributedQueryRunner queryRunner;

    private IndexYard(Yard yard)
    {
        this.yard = yard;
        this.queryRunner = yard.queryRunner();
    }

    static void main(String[] arguments)
            throws Exception
    {
        Yard yard = Yard.start(arguments);
        try (DistributedQueryRunner _ = yard.queryRunner()) {
            new IndexYard(yard).run();
        }
    }

    private void run()
    {
        yard.createTable("yard", "");
        yard.createTable("bloom", ", parquet_bloom_filter_columns = ARRAY['id', 'cust']");
        compareBuilds();
        print("%-32s %10s %10s %10s %12s %12s %14s", "workload", "plain ms", "bloom ms", "index ms", "plain/index", "bloom/index", "bytes index/plain");
        print("%-32s %10.0f", "floor: SELECT 1", median(queryRunner.getDefaultSession(), _ -> "SELECT 1").millis());
        compare("W1 SELECT * by id, hit", run -> "id = " + id(run % yard.rows()));
        compare("W2 SELECT * by id, miss", run -> "id = " + id(yard.rows() + run));
        compare("W3 SELECT * by cust", run -> "cust = " + (id(run % yard.rows()) % yard.customers()));
        compare("W5 1,000 ids", run -> "id IN (%s)".formatted(idList(run, 1000)));
    }

    /// By turns, so that both meet the same noise.
    private void compareBuilds()
    {
        double[] indexed = new double[BUILDS];
        double[] sorted = new double[BUILDS];
        for (int build = 0; build < BUILDS; build++) {
            String index = "by_id" + build;
            String copy = "sorted_copy" + build;
            indexed[build] = millis(() -> yard.execute("CALL system.create_index('tpch', 'yard', '%s', ARRAY['id'])".formatted(index)));
            sorted[build] = millis(() -> queryRunner.execute(
                    yard.plainSession(),
                    "CREATE TABLE %s WITH (sorted_by = ARRAY['id']) AS SELECT id, \"$path\" path FROM yard".formatted(copy)));
            print("build: index %,.0f ms, sorted copy %,.0f ms, ratio %.2f", indexed[build], sorted[build], sorted[build] / indexed[build]);
        }
        yard.execute("CALL system.create_index('tpch', 'yard', 'by_cust', ARRAY['cust'])");
        MaterializedResult sizes = queryRunner.execute("SELECT index_name, CAST(size_in_bytes AS double) / entries FROM \"yard$indexes\"");
        sizes.getMaterializedRows().forEach(row -> print("index %s: %.2f bytes an entry", row.getField(0), (double) row.getField(1)));
        for (int build = 1; build < BUILDS; build++) {
            yard.execute("CALL system.drop_index('tpch', 'yard', 'by_id%s')".formatted(build));
        }
    }

    private void compare(String workload, LongFunction<String> predicate)
    {
        Measured plain = median(yard.plainSession(), run -> "SELECT * FROM yard WHERE " + predicate.apply(run));
        Measured bloom = median(yard.plainSession(), run -> "SELECT * FROM bloom WHERE " + predicate.apply(run));
        Measured index = median(queryRunner.getDefaultSession(), run -> "SELECT * FROM yard WHERE " + predicate.apply(run));
        checkState(plain.rows() == index.rows(), "%s: %s rows by index, %s without", workload, index.rows(), plain.rows());
        print("%-32s %10.0f %10.0f %10.0f %12.1f %12.1f %13.2f%%",
                workload,
                plain.millis(),
                bloom.millis(),
                index.millis(),
                plain.millis() / index.millis(),
                bloom.millis() / index.millis(),
                100.0 * index.bytes() / plain.bytes());
    }

    private Measured median(Session session, LongFunction<String> sql)
    {
        List<Double> millis = new ArrayList<>();
        long bytes = 0;
        long resultRows = 0;
        for (int run = 0; run < WARM_UP_RUNS + RUNS; run++) {
            String query = sql.apply(run * 7919L);
            long start = System.nanoTime();
            MaterializedResultWithPlan result = queryRunner.executeWithPlan(session, query);
            double elapsed = (System.nanoTime() - start) / 1e6;
            if (run >= WARM_UP_RUNS) {
                millis.add(elapsed);
                bytes += physicalInputBytes(result.queryId());
                resultRows += result.result().getRowCount();
            }
        }
        double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Measured(sorted[sorted.length / 2], bytes, resultRows);
    }

    private long physicalInputBytes(QueryId queryId)
    {
        return queryRunner.getCoordinator().getQueryManager().getFullQueryInfo(queryId).getQueryStats().getPhysicalInputDataSize().toBytes();
    }

    private String idList(long run, int count)
    {
        long[] ids = new long[count];
        Arrays.setAll(ids, i -> id((run + i * 104_729L) % yard.rows()));
        return String.join(", ", Arrays.stream(ids).mapToObj(Long::toString).toList());
    }

    private record Measured(double millis, long bytes, long rows) {}
}
