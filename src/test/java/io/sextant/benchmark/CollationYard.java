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

import io.sextant.SextantQueryRunner;
import io.trino.Session;
import io.trino.testing.DistributedQueryRunner;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkState;
import static io.sextant.benchmark.Yard.print;

/// What collations save and cost, in one process. Every figure is a ratio of medians.
///
/// Arguments: rows (default 20,000,000) and files (default 200) of a table.
public final class CollationYard
{
    private static final int RUNS = 7;
    private static final long ADDED_ROWS = 1_000_000;
    private static final int CITIES = 10_000;
    private static final String COLLATION = "icu.de-ci-ai";

    private final Yard yard;

    private CollationYard(Yard yard)
    {
        this.yard = yard;
    }

    static void main(String[] arguments)
            throws Exception
    {
        Yard yard = Yard.start(arguments);
        try (DistributedQueryRunner _ = yard.queryRunner()) {
            new CollationYard(yard).run();
        }
    }

    private void run()
    {
        compareInserts();
        compareLookUps("ordered", "n * %s / %s".formatted(CITIES, yard.rows()));
        compareLookUps("scattered", "n * 7919 %% %s".formatted(CITIES));
    }

    private void compareInserts()
    {
        createTable("source");
        insert("source", "n * 7919 %% %s".formatted(CITIES), 0, ADDED_ROWS);
        createTable("plain_city");
        createTable("collated_city");
        setCollation("collated_city");
        // By turns, so that both meet the same noise
        Map<String, List<Double>> millis = new HashMap<>();
        for (int run = 0; run < RUNS + 2; run++) {
            for (String table : new String[] {"plain_city", "collated_city"}) {
                double time = Yard.millis(() -> yard.execute("INSERT INTO %s SELECT * FROM source".formatted(table)));
                if (run >= 2) {
                    millis.computeIfAbsent(table, _ -> new ArrayList<>()).add(time);
                }
            }
        }
        double without = median(millis.get("plain_city"));
        double with = median(millis.get("collated_city"));
        print("INSERT of %,d rows: without collation %,.0f ms, with %,.0f ms, ratio %.2f", ADDED_ROWS, without, with, with / without);
    }

    private void compareLookUps(String table, String city)
    {
        createTable(table);
        setCollation(table);
        long rowsPerFile = yard.rows() / yard.files();
        for (int file = 0; file < yard.files(); file++) {
            insert(table, city, file * rowsPerFile, rowsPerFile);
        }
        String collated = "SELECT count(*), sum(amount) FROM %s WHERE collation_key(city, '%s') = collation_key('STADTCHEN 04711', '%s')".formatted(table, COLLATION, COLLATION);
        String lower = "SELECT count(*), sum(amount) FROM %s WHERE lower(city) = 'städtchen 04711'".formatted(table);
        Session unpruned = Session.builder(yard.queryRunner().getDefaultSession())
                .setCatalogSessionProperty(SextantQueryRunner.CATALOG, "collation_pruning_enabled", "false")
                .build();
        checkState(yard.queryRunner().execute(collated).getMaterializedRows().equals(yard.queryRunner().execute(unpruned, collated).getMaterializedRows()), "answers differ");
        double pruned = Yard.median(RUNS, () -> yard.execute(collated), () -> {});
        double scan = Yard.median(RUNS, () -> yard.queryRunner().execute(unpruned, collated), () -> {});
        double byLower = Yard.median(RUNS, () -> yard.queryRunner().execute(yard.plainSession(), lower), () -> {});
        print("W8 on cities %s: pruned %,.0f ms, not pruned %,.0f ms (ratio %.1f), lower() in Trino's connector %,.0f ms (ratio %.1f)", table, pruned, scan, scan / pruned, byLower, byLower / pruned);
    }

    private void createTable(String name)
    {
        yard.execute("CREATE TABLE %s (id bigint, city varchar, amount decimal(12, 2), note varchar)".formatted(name));
    }

    private void setCollation(String table)
    {
        yard.execute("CALL system.set_collation('tpch', '%s', 'city', '%s')".formatted(table, COLLATION));
    }

    private void insert(String table, String city, long first, long rows)
    {
        yard.execute(
                """
                INSERT INTO %s
                SELECT n, 'Städtchen ' || lpad(CAST(%s AS varchar), 5, '0'), CAST(n %% 100000 AS decimal(12, 2)), 'a note of some fifty bytes, ' || lpad(CAST(n AS varchar), 20, ' ')
                FROM TABLE(sequence(%s, %s)) AS s(n)
                """.formatted(table, city, first, first + rows - 1));
    }

    private static double median(List<Double> values)
    {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
