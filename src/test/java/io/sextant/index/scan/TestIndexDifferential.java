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

import com.google.common.collect.ImmutableList;
import io.sextant.SextantQueryRunner;
import io.sextant.index.scan.IndexOracle.Outcome;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.trino.testing.TestingNames.randomNameSuffix;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/// Random tables of all key types with random histories; random predicates must give the same rows with and without indexes.
final class TestIndexDifferential
        extends AbstractTestQueryFramework
{
    private static final int STEPS = 8;
    private static final int QUERIES_PER_STEP = 32;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder().build();
    }

    // 8 tables x 8 steps x 32 queries = 2,048 pairs
    @RepeatedTest(8)
    void testRandomHistory(RepetitionInfo repetition)
    {
        new History(repetition.getCurrentRepetition()).run();
    }

    private final class History
    {
        private static final List<String> TABLE_PROPERTIES = ImmutableList.of(
                "format_version = 2",
                "format_version = 3",
                "format_version = 1",
                "format_version = 2, format = 'ORC'",
                "format_version = 3, partitioning = ARRAY['c_integer']",
                "format_version = 2, partitioning = ARRAY['bucket(id, 3)']",
                "format_version = 2, format = 'AVRO'",
                "format_version = 3, format = 'ORC', partitioning = ARRAY['year(c_timestamp)']");

        private final Random random;
        private final String table = "random_" + randomNameSuffix();
        private final String tableProperties;
        private final RandomPredicate predicates;
        private final IndexOracle oracle;
        private final List<Index> indexes = new ArrayList<>();
        private int nextId;
        private int usedByIndex;
        private long pruned;
        private long rows;
        private boolean widened;

        private History(long seed)
        {
            random = new Random(seed);
            tableProperties = TABLE_PROPERTIES.get((int) (seed - 1) % TABLE_PROPERTIES.size());
            predicates = new RandomPredicate(random);
            Session session = Session.builder(getSession())
                    .setCatalogSessionProperty("sextant", "index_max_fraction", "1")
                    .build();
            oracle = new IndexOracle(getDistributedQueryRunner(), session);
        }

        private void run()
        {
            assertUpdate("CREATE TABLE %s (id bigint, part integer, %s) WITH (%s)".formatted(
                    table,
                    Stream.of(RandomColumn.values()).map(column -> column.columnName() + " " + column.type()).collect(joining(", ")),
                    tableProperties));
            insert();
            insert();
            for (int index = 0; index < 3; index++) {
                createIndex();
            }
            for (int step = 0; step < STEPS; step++) {
                change(step);
                query();
            }
            assertThat(usedByIndex).as("queries that an index served").isGreaterThan(STEPS * QUERIES_PER_STEP / 4);
            assertThat(pruned).as("files and rows pruned").isPositive();
            assertThat(rows).as("rows").isPositive();
        }

        private void change(int step)
        {
            // Version 1 has no deletes of rows
            switch (tableProperties.contains("format_version = 1") ? random.nextInt(4) * 2 : random.nextInt(8)) {
                case 0, 1 -> insert();
                case 2 -> execute("ALTER TABLE %s EXECUTE optimize".formatted(table));
                case 3 -> update();
                case 4 -> evolve(step);
                case 5 -> merge();
                case 6 -> createIndex();
                default -> execute("DELETE FROM %s WHERE id %% 7 = %s".formatted(table, random.nextInt(7)));
            }
            if (random.nextInt(3) == 0) {
                Index index = indexes.get(random.nextInt(indexes.size()));
                execute("CALL system.refresh_index('tpch', '%s', '%s')".formatted(table, index.name()));
            }
        }

        private void insert()
        {
            execute("INSERT INTO %s (id, part, %s) VALUES %s".formatted(
                    table,
                    Stream.of(RandomColumn.values()).map(RandomColumn::columnName).collect(joining(", ")),
                    IntStream.range(0, 40 + random.nextInt(40)).mapToObj(_ -> row()).collect(joining(", "))));
        }

        private String row()
        {
            nextId++;
            return "(%s, %s, %s)".formatted(
                    nextId,
                    random.nextInt(3),
                    Stream.of(RandomColumn.values()).map(column -> column.value(random)).collect(joining(", ")));
        }

        private void update()
        {
            RandomColumn column = predicates.anyColumn();
            execute("UPDATE %s SET %s = %s WHERE id %% 5 = %s".formatted(table, column.columnName(), column.value(random), random.nextInt(5)));
        }

        private void merge()
        {
            RandomColumn column = predicates.anyColumn();
            execute(
                    """
                    MERGE INTO %s t USING (SELECT id FROM %s WHERE id %% 11 = 3) s ON t.id = s.id
                    WHEN MATCHED AND t.id %% 2 = 0 THEN DELETE
                    WHEN MATCHED THEN UPDATE SET %s = %s
                    """.formatted(table, table, column.columnName(), column.value(random)));
        }

        private void evolve(int step)
        {
            if (!widened && !tableProperties.contains("c_integer")) {
                widened = true;
                execute("ALTER TABLE %s ALTER COLUMN c_integer SET DATA TYPE bigint".formatted(table));
                return;
            }
            execute("ALTER TABLE %s ADD COLUMN extra_%s varchar".formatted(table, step));
        }

        private void createIndex()
        {
            int depth = 1 + random.nextInt(3);
            List<RandomColumn> key = Stream.generate(predicates::anyColumn).distinct().limit(depth).toList();
            RandomColumn include = Stream.generate(predicates::anyColumn).filter(column -> !key.contains(column)).findFirst().orElseThrow();
            Index index = new Index("index_" + indexes.size(), key);
            execute("CALL system.create_index(schema_name => 'tpch', table_name => '%s', index_name => '%s', key => ARRAY[%s], include => ARRAY['%s'], properties => MAP(ARRAY['write.region.target-size-bytes'], ARRAY['16384']))".formatted(
                    table,
                    index.name(),
                    key.stream().map(column -> "'%s'".formatted(column.columnName())).collect(joining(", ")),
                    include.columnName()));
            indexes.add(index);
        }

        private void query()
        {
            for (int query = 0; query < QUERIES_PER_STEP; query++) {
                Index index = indexes.get(random.nextInt(indexes.size()));
                String predicate = predicates.on(index.key().getFirst());
                if (index.key().size() > 1 && random.nextBoolean()) {
                    predicate += " AND " + predicates.term(index.key().get(1));
                }
                Outcome outcome = oracle.run("SELECT * FROM %s WHERE %s".formatted(table, predicate));
                rows += outcome.rows();
                usedByIndex += outcome.indexUsed() ? 1 : 0;
                pruned += outcome.totalPruned();
            }
        }

        private void execute(String sql)
        {
            getQueryRunner().execute(sql);
        }
    }

    private record Index(String name, List<RandomColumn> key) {}
}
