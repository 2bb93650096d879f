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

import java.util.HashMap;
import java.util.Map;

import static io.sextant.benchmark.Yard.median;
import static io.sextant.benchmark.Yard.print;

/// What constraints cost, beside the same statements without them, in one process. Every figure is a ratio of medians.
///
/// Arguments: rows (default 20,000,000) and files (default 200) of the table that has the key.
public final class ConstraintYard
{
    private static final int RUNS = 5;
    private static final long ADDED_ROWS = 1_000_000;

    private final Yard yard;

    private ConstraintYard(Yard yard)
    {
        this.yard = yard;
    }

    static void main(String[] arguments)
            throws Exception
    {
        Yard yard = Yard.start(arguments);
        try (DistributedQueryRunner _ = yard.queryRunner()) {
            new ConstraintYard(yard).run();
        }
    }

    private void run()
    {
        yard.createEmptyTable("more", "");
        yard.insertRows("more", yard.rows(), yard.rows() + ADDED_ROWS - 1);
        compareChecks();
        yard.createTable("yard", "");
        compareKeys();
        compareValidation();
    }

    private void compareChecks()
    {
        yard.createEmptyTable("unchecked", "");
        yard.createEmptyTable("checked", "");
        yard.execute("CALL system.add_constraint(schema_name => 'tpch', table_name => 'checked', constraint_name => 'c', constraint_type => 'check', expression => 'amount >= -100000 AND note IS NOT NULL')");
        // By turns, so that both meet the same noise
        Map<String, Double> millis = new HashMap<>();
        for (int warmUp = 0; warmUp < 2; warmUp++) {
            for (String table : new String[] {"unchecked", "checked"}) {
                millis.put(table, insertMillis(table));
            }
        }
        print("INSERT of %,d rows: without check %,.0f ms, with %,.0f ms, ratio %.2f", ADDED_ROWS, millis.get("unchecked"), millis.get("checked"), millis.get("checked") / millis.get("unchecked"));
    }

    private void compareKeys()
    {
        double without = insertMillis("yard");
        double added = Yard.millis(() -> yard.execute("CALL system.add_constraint(schema_name => 'tpch', table_name => 'yard', constraint_name => 'u', constraint_type => 'unique', columns => ARRAY['id'])"));
        print("CALL add_constraint that validates %,d rows: %,.0f ms", yard.rows(), added);
        double byScan = insertMillis("yard");
        yard.execute("CALL system.create_index('tpch', 'yard', 'by_id', ARRAY['id'])");
        double byIndex = insertMillis("yard");
        print("INSERT of %,d rows into %,d: without key %,.0f ms, with %,.0f ms (ratio %.2f), with key and index %,.0f ms (ratio %.2f)",
                ADDED_ROWS,
                yard.rows(),
                without,
                byScan,
                byScan / without,
                byIndex,
                byIndex / without);
        print("INSERT of one row: without index %,.0f ms, with index %,.0f ms", insertOneMillis("false"), insertOneMillis("true"));
    }

    private double insertMillis(String table)
    {
        return insertMillis(yard.queryRunner().getDefaultSession(), table, "SELECT * FROM more");
    }

    private double insertOneMillis(String indexEnabled)
    {
        Session session = Session.builder(yard.queryRunner().getDefaultSession())
                .setCatalogSessionProperty(SextantQueryRunner.CATALOG, "index_enabled", indexEnabled)
                .build();
        return insertMillis(session, "yard", "SELECT * FROM more WHERE id = " + Yard.id(yard.rows()));
    }

    private double insertMillis(Session session, String table, String source)
    {
        long snapshot = (long) yard.queryRunner().execute("SELECT snapshot_id FROM \"%s$refs\" WHERE name = 'main'".formatted(table)).getOnlyValue();
        return median(
                RUNS,
                () -> yard.queryRunner().execute(session, "INSERT INTO %s %s".formatted(table, source)),
                () -> yard.execute("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(table, snapshot)));
    }

    private void compareValidation()
    {
        double count = median(RUNS, () -> yard.execute("SELECT count(*), count(DISTINCT id) FROM yard"), () -> {});
        double onWorkers = median(RUNS, () -> yard.execute("ALTER TABLE yard EXECUTE validate_constraint(constraint_name => 'u')"), () -> {});
        double onCoordinator = median(RUNS, () -> yard.execute("CALL system.validate_constraint('tpch', 'yard', 'u')"), () -> {});
        print("validation of %,d rows: count(DISTINCT id) %,.0f ms, EXECUTE validate_constraint %,.0f ms (ratio %.2f), CALL %,.0f ms (ratio %.2f)",
                yard.rows(),
                count,
                onWorkers,
                onWorkers / count,
                onCoordinator,
                onCoordinator / count);
    }
}
