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
import io.trino.testing.DistributedQueryRunner;

import java.util.Locale;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/// The tables of the benchmarks, and a clock.
///
/// Rows stand in random key order, so that minima and maxima prune nothing: `id` is unique and scattered, `cust` has about
/// 30 scattered rows each.
///
/// @param rows of a table
/// @param files of a table
record Yard(DistributedQueryRunner queryRunner, long rows, int files)
{
    Yard
    {
        requireNonNull(queryRunner, "queryRunner is null");
    }

    /// A new server, for one run.
    ///
    /// @param arguments rows (default 20,000,000) and files (default 200)
    static Yard start(String[] arguments)
            throws Exception
    {
        long rows = arguments.length > 0 ? Long.parseLong(arguments[0]) : 20_000_000;
        int files = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
        Yard yard = new Yard(SextantQueryRunner.builder().build(), rows, files);
        print("%,d rows in %,d files", rows, files);
        return yard;
    }

    /// The id of the n-th row: scattered over all of bigint, and unique as far as 64 bits go.
    static long id(long n)
    {
        return XxHash64.hash(Slices.wrappedBuffer(Longs.toByteArray(n)));
    }

    /// How many different values cust has.
    long customers()
    {
        return rows / 30;
    }

    void createEmptyTable(String name, String properties)
    {
        execute("CREATE TABLE %s (id bigint, cust bigint, city varchar, ts timestamp(6), amount decimal(12, 2), note varchar) WITH (format = 'PARQUET'%s)".formatted(name, properties));
    }

    void createTable(String name, String properties)
    {
        createEmptyTable(name, properties);
        long rowsPerFile = rows / files;
        for (int file = 0; file < files; file++) {
            insertRows(name, file * rowsPerFile, (file + 1) * rowsPerFile - 1);
        }
        print("table %s written", name);
    }

    /// Adds the rows of some numbers.
    void insertRows(String table, long first, long last)
    {
        execute(
                """
                INSERT INTO %s
                SELECT id, id %% %s, 'Städtchen ' || CAST(id %% 10000 AS varchar), TIMESTAMP '2020-01-01 00:00:00' + (id %% 100000000) * INTERVAL '1' SECOND,
                    CAST(id %% 100000 AS decimal(12, 2)), 'a note of some fifty bytes, ' || lpad(CAST(id AS varchar), 20, ' ')
                FROM (SELECT from_big_endian_64(xxhash64(to_big_endian_64(n))) AS id FROM TABLE(sequence(%s, %s)) AS s(n))
                """.formatted(table, customers(), first, last));
    }

    void execute(String sql)
    {
        queryRunner.execute(sql);
    }

    /// A session of Trino's own connector on the same tables.
    Session plainSession()
    {
        return Session.builder(queryRunner.getDefaultSession()).setCatalog(SextantQueryRunner.PLAIN_CATALOG).build();
    }

    static double millis(Runnable action)
    {
        long start = System.nanoTime();
        action.run();
        return (System.nanoTime() - start) / 1e6;
    }

    /// The median of the milliseconds that an action takes.
    ///
    /// @param cleanUp undoes the action, and is not counted
    static double median(int runs, Runnable action, Runnable cleanUp)
    {
        return IntStream.range(0, runs)
                .mapToDouble(_ -> {
                    double millis = millis(action);
                    cleanUp.run();
                    return millis;
                })
                .sorted()
                .skip(runs / 2)
                .findFirst()
                .orElseThrow();
    }

    @FormatMethod
    static void print(String format, Object... arguments)
    {
        System.out.println(String.format(Locale.ROOT, format, arguments));
    }
}
