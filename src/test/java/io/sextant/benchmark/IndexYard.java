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

import com.google.common.primitives.Longs;
import com.google.errorprone.annotations.FormatMethod;
import io.airlift.slice.Slices;
import io.airlift.slice.XxHash64;
import io.sextant.SextantQueryRunner;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

import static com.google.common.base.Preconditions.checkState;

/// Look-ups by index beside their peers in one process: Trino's own connector on the same table (plain) and on the same
/// rows with Bloom filters (bloom). Every figure is a ratio of medians; the floor is `SELECT 1`.
///
/// Arguments: rows (default 20,000,000) and files (default 200). Rows stand in random key order, so that minima and maxima
/// prune nothing.
public final class IndexYard
{
    private static final int WARM_UP_RUNS = 3;
    private static final int RUNS = 11;

    private final DistributedQueryRunner queryRunner;
    private final long rows;
    private final int files;
    private final long customers;

    private IndexYard(DistributedQueryRunner queryRunner, long rows, int files)
    {
        this.queryRunner = queryRunner;
        this.rows = rows;
        this.files = files;
        this.customers = rows / 30;
    }

    static void main(String[] arguments)
            throws Exception
    {
        long rows = arguments.length > 0 ? Long.parseLong(arguments[0]) : 20_000_000;
        int files = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
        try (DistributedQueryRunner queryRunner = SextantQueryRunner.builder().build()) {
            new IndexYard(queryRunner, rows, files).run();
        }
    }

    private void run()
    {
        print("%,d rows in %,d files", rows, files);
        createTable("yard", "");
        createTable("bloom", ", parquet_bloom_filter_columns = ARRAY['id', 'cust']");
        compareBuilds();
        print("%-32s %10s %10s %10s %12s %12s %14s", "workload", "plain ms", "bloom ms", "index ms", "plain/index", "bloom/index", "bytes index/plain");
        print("%-32s %10.0f", "floor: SELECT 1", median("SELECT 1").millis());
        compare("W1 SELECT * by id, hit", run -> "id = " + id(run % rows));
        compare("W2 SELECT * by id, miss", run -> "id = " + id(rows + run));
        compare("W3 SELECT * by cust", run -> "cust = " + (id(run % rows) % customers));
        compare("W5 1,000 ids", run -> "id IN (%s)".formatted(idList(run, 1000)));
    }

    private void createTable(String name, String properties)
    {
        execute("CREATE TABLE %s (id bigint, cust bigint, city varchar, ts timestamp(6), amount decimal(12, 2), note varchar) WITH (format = 'PARQUET'%s)".formatted(name, properties));
        long rowsPerFile = rows / files;
        for (int file = 0; file < files; file++) {
            execute(
                    """
                    INSERT INTO %s
                    SELECT id, id %% %s, 'Städtchen ' || CAST(id %% 10000 AS varchar), TIMESTAMP '2020-01-01 00:00:00' + (id %% 100000000) * INTERVAL '1' SECOND,
                        CAST(id %% 100000 AS decimal(12, 2)), 'a note of some fifty bytes, ' || lpad(CAST(id AS varchar), 20, ' ')
                    FROM (SELECT from_big_endian_64(xxhash64(to_big_endian_64(n))) AS id FROM TABLE(sequence(%s, %s)) AS s(n))
                    """.formatted(name, customers, file * rowsPerFile, (file + 1) * rowsPerFile - 1));
        }
        print("table %s written", name);
    }

    private void compareBuilds()
    {
        long indexed = time(() -> execute("CALL system.create_index('tpch', 'yard', 'by_id', ARRAY['id'])"));
        long sorted = time(() -> queryRunner.execute(
                plainSession(),
                "CREATE TABLE sorted_copy WITH (sorted_by = ARRAY['id']) AS SELECT id, \"$path\" path FROM yard"));
        print("build: index %,d ms, sorted copy %,d ms, ratio %.2f", indexed, sorted, (double) sorted / indexed);
        execute("CALL system.create_index('tpch', 'yard', 'by_cust', ARRAY['cust'])");
        MaterializedResult sizes = queryRunner.execute("SELECT index_name, CAST(size_in_bytes AS double) / entries FROM \"yard$indexes\"");
        sizes.getMaterializedRows().forEach(row -> print("index %s: %.2f bytes an entry", row.getField(0), (double) row.getField(1)));
    }

    private void compare(String workload, LongFunction<String> predicate)
    {
        Measured plain = median(plainSession(), run -> "SELECT * FROM yard WHERE " + predicate.apply(run));
        Measured bloom = median(plainSession(), run -> "SELECT * FROM bloom WHERE " + predicate.apply(run));
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

    private Measured median(String sql)
    {
        return median(queryRunner.getDefaultSession(), _ -> sql);
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

    private Session plainSession()
    {
        return Session.builder(queryRunner.getDefaultSession()).setCatalog(SextantQueryRunner.PLAIN_CATALOG).build();
    }

    private void execute(String sql)
    {
        queryRunner.execute(sql);
    }

    private static long time(Runnable action)
    {
        long start = System.nanoTime();
        action.run();
        return (System.nanoTime() - start) / 1_000_000;
    }

    private String idList(long run, int count)
    {
        long[] ids = new long[count];
        Arrays.setAll(ids, i -> id((run + i * 104_729L) % rows));
        return String.join(", ", Arrays.stream(ids).mapToObj(Long::toString).toList());
    }

    /// The id of the n-th row: scattered over all of bigint, and unique as far as 64 bits go.
    private static long id(long n)
    {
        return XxHash64.hash(Slices.wrappedBuffer(Longs.toByteArray(n)));
    }

    @FormatMethod
    private static void print(String format, Object... arguments)
    {
        System.out.println(String.format(Locale.ROOT, format, arguments));
    }

    private record Measured(double millis, long bytes, long rows) {}
}
