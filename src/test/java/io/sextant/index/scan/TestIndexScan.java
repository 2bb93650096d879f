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

import io.sextant.index.scan.IndexOracle.Outcome;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static java.util.Collections.nCopies;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/// The cases in which other index systems gave wrong answers, and the rules of the format that bind a reader.
@TestInstance(PER_CLASS)
final class TestIndexScan
        extends AbstractTestQueryFramework
{
    private TestingIndexes indexes;
    private IndexOracle oracle;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return TestingIndexes.queryRunner().build();
    }

    @BeforeAll
    void createOracle()
    {
        indexes = new TestingIndexes(getDistributedQueryRunner());
        oracle = new IndexOracle(getDistributedQueryRunner(), getSession());
    }

    @Test
    @Tag("case-1")
    void testNullNeverMatchesComplement()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES NULL, 1", 2);
        assertUpdate("INSERT INTO " + table + " VALUES 0, " + String.join(", ", nCopies(50, "NULL")), 51);
        indexes.createIndex(table, "by_k", "k");
        oracle.run("SELECT * FROM " + table + " WHERE k <> 0 OR k < 0").returnsRows(1).usesIndex("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k <> 0 OR k < 5").returnsRows(2).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE NOT (k = 0)").returnsRows(1).usesIndex("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k IS NULL").returnsRows(51).usesIndex("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k IS NOT NULL").returnsRows(2).prunesBy("by_k");
    }

    @Test
    @Tag("case-2")
    void testCompactionOverDeletes()
    {
        String table = indexes.createTable("id bigint", "format_version = 2");
        for (int file = 0; file < 3; file++) {
            // Each file spans all IDs, so that only the index can prune it
            assertUpdate("INSERT INTO %s SELECT 3 * n + %s FROM TABLE(sequence(0, 4999)) AS s(n)".formatted(table, file), 5000);
        }
        indexes.createIndex(table, "by_id", "id");
        assertUpdate("DELETE FROM " + table + " WHERE id BETWEEN 1001 AND 9999", 8999);
        checkProbes(table).forEach(probe -> probe.prunesBy("by_id"));
        assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
        assertThat(checkProbes(table)).allMatch(probe -> probe.metric("by_id", "files not covered") == 1);
        indexes.refreshIndex(table, "by_id");
        checkProbes(table).forEach(probe -> probe.prunesBy("by_id"));
    }

    /// Returns the outcomes of the probes that find a row.
    private List<Outcome> checkProbes(String table)
    {
        oracle.run("SELECT * FROM %s WHERE id = 5000".formatted(table)).returnsRows(0).usesIndex("by_id");
        return IntStream.of(0, 500, 1000, 10000, 14999)
                .mapToObj(id -> oracle.run("SELECT * FROM %s WHERE id = %s".formatted(table, id)).returnsRows(1).usesIndex("by_id"))
                .toList();
    }

    @Test
    @Tag("case-3")
    void testRewriteLeavesOldAddresses()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES 1, 7, NULL", 3);
        assertUpdate("INSERT INTO " + table + " VALUES 7, 8", 2);
        assertUpdate("INSERT INTO " + table + " VALUES NULL, 9", 2);
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("ALTER TABLE " + table + " EXECUTE optimize");
        oracle.run("SELECT * FROM " + table + " WHERE k IS NULL").returnsRows(2).usesIndex("by_k");
        Outcome outcome = oracle.run("SELECT * FROM " + table + " WHERE k = 7").returnsRows(2).usesIndex("by_k");
        assertThat(outcome.metric("by_k", "files not covered")).isEqualTo(1);
        assertThat(computeScalar("SELECT coverage FROM \"" + table + "$indexes\"")).isEqualTo(0.0);
    }

    @Test
    @Tag("case-3")
    void testRewriteOfSomeFilesLeavesOldAddresses()
    {
        String table = indexes.createTable("k integer, p integer", "format_version = 2, partitioning = ARRAY['p']");
        indexes.insert(table, "(1, 1), (7, 1), (NULL, 1)", "(-1000, 1), (1000, 1)");
        indexes.insert(table, "(7, 1), (8, 1)", "(-1000, 1), (1000, 1)");
        indexes.insert(table, "(7, 2), (NULL, 2)", "(-1000, 2), (1000, 2)");
        indexes.insert(table, "(9, 3)", "(-1000, 3), (1000, 3)");
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("ALTER TABLE " + table + " EXECUTE optimize WHERE p = 1");
        for (String sql : new String[] {"SELECT * FROM " + table + " WHERE k = 7", "SELECT * FROM " + table + " WHERE k IS NULL OR k = 7 AND p > 1"}) {
            Outcome outcome = oracle.run(sql).returnsRows(3).prunesBy("by_k");
            assertThat(outcome.metric("by_k", "files not covered")).isEqualTo(1);
            assertThat(outcome.metric("by_k", "files read")).isEqualTo(1);
        }
        assertThat((double) computeScalar("SELECT coverage FROM \"" + table + "$indexes\"")).isStrictlyBetween(0.0, 1.0);
    }

    @Test
    @Tag("IX-28")
    @Tag("IX-34")
    @Tag("case-4")
    void testRowsNotYetIndexed()
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        indexes.insert(table, "(5, 'first')", "(-1000, ''), (1000, '')");
        indexes.insert(table, "(6, 'other')", "(-1000, ''), (1000, '')");
        long indexed = indexes.currentSnapshot(table);
        indexes.createIndex(table, "by_k", "k");
        indexes.insert(table, "(5, 'second')", "(-1000, ''), (1000, '')");
        Outcome outcome = oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(2).prunesBy("by_k");
        assertThat(outcome.metric("by_k", "files not covered")).isEqualTo(1);
        assertThat(outcome.metric("by_k", "files read")).isEqualTo(1);
        oracle.run("SELECT * FROM %s FOR VERSION AS OF %s WHERE k = 5".formatted(table, indexed)).returnsRows(1).prunesBy("by_k");
    }

    @Test
    @Tag("IX-28")
    void testTimeTravelBeforeExtract()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES 5", 1);
        long before = indexes.currentSnapshot(table);
        assertUpdate("INSERT INTO " + table + " VALUES 5", 1);
        indexes.createIndex(table, "by_k", "k");
        oracle.run("SELECT * FROM %s FOR VERSION AS OF %s WHERE k = 5".formatted(table, before))
                .returnsRows(1)
                .isNotUsed("by_k", "no extract is of snapshot");
    }

    @Test
    @Tag("IX-28")
    void testRollback()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES 4, 5", 2);
        long before = indexes.currentSnapshot(table);
        assertUpdate("INSERT INTO " + table + " VALUES 5", 1);
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(table, before));
        assertUpdate("INSERT INTO " + table + " VALUES 5, 5", 2);
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(3).isNotUsed("by_k", "no extract is of snapshot");
        indexes.refreshIndex(table, "by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k = 5").returnsRows(3).usesIndex("by_k");
    }

    @Test
    @Tag("case-6")
    void testEmptyString()
    {
        String table = indexes.createTable("k varchar", "format_version = 2");
        indexes.insert(table, "('')", "('zz')");
        indexes.insert(table, "('a')", "('zz')");
        indexes.insert(table, "(NULL)", "('zz')");
        indexes.createIndex(table, "by_k", "k");
        oracle.run("SELECT * FROM " + table + " WHERE k = ''").returnsRows(1).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k IS NULL").returnsRows(1).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k >= '' AND k < 'b'").returnsRows(2).prunesBy("by_k");
    }

    @Test
    @Tag("case-9")
    void testNegation()
    {
        String table = indexes.createTable("k varchar, n integer", "format_version = 2");
        for (int letter = 0; letter < 26; letter++) {
            indexes.insert(table, "('%s', %s)".formatted((char) ('a' + letter), letter), "('0', -1), ('~', -1)");
        }
        indexes.createIndex(table, "by_k", "k");
        oracle.run("SELECT * FROM " + table + " WHERE (k = 'a') = false AND n >= 0").returnsRows(25);
        oracle.run("SELECT * FROM " + table + " WHERE (k = 'a') = false AND k BETWEEN 'a' AND 'z'").returnsRows(25).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE NOT (k IN ('a', 'b')) AND k BETWEEN 'a' AND 'z'").returnsRows(24).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE (k < 'd' AND k > '0' OR k = 'x') AND NOT k = 'b'").returnsRows(3).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k = 'a' OR n = 3").returnsRows(2).isNotUsed("by_k", "does not bind its leading key column");
    }

    @Test
    @Tag("case-15")
    void testNullsAndNaN()
    {
        String table = indexes.createTable("k double, d date", "format_version = 2");
        indexes.insert(table, "(nan(), NULL), (DOUBLE '-0.0', NULL)", "(-100, DATE '1990-01-01')");
        indexes.insert(table, "(0.0, DATE '2020-01-01')", "(-100, DATE '1990-01-01')");
        indexes.insert(table, "(1.5, DATE '2020-01-02')", "(-100, DATE '1990-01-01')");
        indexes.insert(table, "(NULL, NULL)", "(-100, DATE '1990-01-01')");
        indexes.createIndex(table, "by_k", "k");
        indexes.createIndex(table, "by_d", "d");
        oracle.run("SELECT * FROM " + table + " WHERE k = 0.0").returnsRows(2).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k = DOUBLE '-0.0'").returnsRows(2).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE is_nan(k)").returnsRows(1).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE is_nan(k) OR k = 1.5").returnsRows(2).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k > 1").returnsRows(1).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k >= 0").returnsRows(3).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE k <> 1.5").returnsRows(43);
        oracle.run("SELECT * FROM " + table + " WHERE NOT (k > 1)").returnsRows(43);
        oracle.run("SELECT * FROM " + table + " WHERE k IS NULL").returnsRows(1).prunesBy("by_k");
        oracle.run("SELECT * FROM " + table + " WHERE d IS NULL").returnsRows(3).prunesBy("by_d");
        oracle.run("SELECT * FROM " + table + " WHERE d = DATE '2020-01-02'").returnsRows(1).prunesBy("by_d");
    }

    @Test
    @Tag("case-15")
    void testFileOfNullsOnly()
    {
        String table = indexes.createTable("d date", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES NULL, NULL", 2);
        indexes.insert(table, "(DATE '2020-01-01')", "(DATE '1990-01-01'), (DATE '2030-01-01')");
        indexes.insert(table, "(NULL)", "(DATE '1990-01-01'), (DATE '2030-01-01')");
        indexes.createIndex(table, "by_d", "d");
        Outcome nulls = oracle.run("SELECT * FROM " + table + " WHERE d IS NULL").returnsRows(3).prunesBy("by_d");
        assertThat(nulls.metric("by_d", "files read")).isEqualTo(2);
        Outcome value = oracle.run("SELECT * FROM " + table + " WHERE d = DATE '2020-01-01'").returnsRows(1).prunesBy("by_d");
        assertThat(value.metric("by_d", "files read")).isEqualTo(1);
        Outcome either = oracle.run("SELECT * FROM " + table + " WHERE d = DATE '2020-01-01' OR d IS NULL").returnsRows(4).prunesBy("by_d");
        assertThat(either.metric("by_d", "files read")).isEqualTo(3);
    }

    @Test
    @Tag("case-7")
    void testUpdateMovesBetweenPartitions()
    {
        String table = indexes.createTable("id integer, p integer, k varchar", "format_version = 2, partitioning = ARRAY['p']");
        indexes.insert(table, "(1, 1, 'a')", "(-1, 1, 'A'), (9, 1, 'z')");
        indexes.insert(table, "(2, 2, 'c')", "(-1, 2, 'A'), (9, 2, 'z')");
        indexes.insert(table, "(3, 3, 'd')", "(-1, 3, 'A'), (9, 3, 'z')");
        indexes.createIndex(table, "by_k", "k");
        indexes.createIndex(table, "by_id", "id");
        assertUpdate("MERGE INTO %s t USING (VALUES (1, 2, 'b')) s(id, p, k) ON t.id = s.id WHEN MATCHED THEN UPDATE SET p = s.p, k = s.k".formatted(table), 1);
        for (int state = 0; state < 2; state++) {
            oracle.run("SELECT * FROM " + table + " WHERE k = 'a'").returnsRows(0).usesIndex("by_k");
            oracle.run("SELECT * FROM " + table + " WHERE k = 'b'").returnsRows(1).prunesBy("by_k");
            oracle.run("SELECT * FROM " + table + " WHERE id = 1").returnsRows(1).prunesBy("by_id");
            indexes.refreshIndex(table, "by_k");
            indexes.refreshIndex(table, "by_id");
        }
    }

    @Test
    @Tag("case-12")
    void testTypeWidening()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        indexes.insert(table, "(1)", "(-1000), (1000)");
        indexes.insert(table, "(2)", "(-1000), (1000)");
        indexes.createIndex(table, "by_k", "k");
        assertUpdate("ALTER TABLE " + table + " ALTER COLUMN k SET DATA TYPE bigint");
        oracle.run("SELECT * FROM " + table + " WHERE k = 1").returnsRows(1).prunesBy("by_k");
        assertUpdate("INSERT INTO " + table + " VALUES 3000000000", 1);
        for (int state = 0; state < 2; state++) {
            oracle.run("SELECT * FROM " + table + " WHERE k = 1").returnsRows(1).prunesBy("by_k");
            oracle.run("SELECT * FROM " + table + " WHERE k = 3000000000").returnsRows(1).usesIndex("by_k");
            oracle.run("SELECT * FROM " + table + " WHERE k BETWEEN 2 AND 999 OR k > 1000").returnsRows(2).prunesBy("by_k");
            indexes.refreshIndex(table, "by_k");
        }
    }

    @Test
    void testHugeInList()
    {
        String table = indexes.createTable("k bigint, x integer", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " SELECT n, 1 FROM TABLE(sequence(500000, 600000)) AS s(n)", 100_001);
        assertUpdate("INSERT INTO " + table + " SELECT n * 1000, 2 FROM TABLE(sequence(1, 100)) AS s(n)", 100);
        indexes.createIndex(table, "by_k", "k");
        // The point ranges are more than the product of several lists may have
        String keys = LongStream.rangeClosed(0, 100_001).map(n -> n * 2 + 1000).mapToObj(Long::toString).collect(joining(", "));
        oracle.run("SELECT * FROM " + table + " WHERE k IN (" + keys + ")").returnsRows(100).prunesBy("by_k");
    }

    @Test
    @Tag("case-17")
    void testLargeInListAndDynamicFilter()
    {
        String table = indexes.createTable("k uuid, file integer", "format_version = 2, partitioning = ARRAY['file']");
        for (int first = 0; first < 500; first += 100) {
            assertUpdate("INSERT INTO %s SELECT uuid(), file FROM TABLE(sequence(%s, %s)) AS f(file) CROSS JOIN TABLE(sequence(1, 75))".formatted(table, first, first + 99), 7500);
        }
        assertThat(computeScalar("SELECT count(*) FROM \"" + table + "$files\"")).isEqualTo(500L);
        indexes.createIndex(table, "by_k", "k");
        String keys = getQueryRunner().execute("SELECT CAST(k AS varchar) FROM " + table + " WHERE file % 25 = 0").getOnlyColumn()
                .map("UUID '%s'"::formatted)
                .collect(joining(", "));
        Outcome inList = oracle.run("SELECT * FROM " + table + " WHERE k IN (" + keys + ")").returnsRows(1500).prunesBy("by_k");
        assertThat(inList.metric("by_k", "files read")).isEqualTo(20);

        assertUpdate("CREATE TABLE " + table + "_keys AS SELECT k FROM " + table + " WHERE file % 25 = 0", 1500);
        Session waiting = Session.builder(getSession())
                .setCatalogSessionProperty("sextant", "dynamic_filtering_wait_timeout", "1m")
                .build();
        Outcome join = new IndexOracle(getDistributedQueryRunner(), waiting)
                .run("SELECT t.* FROM %s t JOIN %s_keys s ON t.k = s.k".formatted(table, table))
                .returnsRows(1500)
                .prunesBy("by_k");
        assertThat(join.metric("by_k", "files read")).isEqualTo(20);
    }

    @Test
    void testExplainShowsTheEvidence()
    {
        String table = indexes.createTable("k integer, v integer", "format_version = 2");
        indexes.insert(table, "(5, 1)", "(-1000, 0), (1000, 0)");
        indexes.insert(table, "(6, 2)", "(-1000, 0), (1000, 0)");
        indexes.createIndex(table, "by_k", "k");
        assertThat((String) computeScalar("EXPLAIN ANALYZE VERBOSE SELECT * FROM " + table + " WHERE k = 5"))
                .contains("index by_k: regions total", "index by_k: regions read", "index by_k: entries", "index by_k: files pruned", "index by_k: files read");
        assertThat((String) computeScalar("EXPLAIN ANALYZE VERBOSE SELECT * FROM " + table + " WHERE v = 1"))
                .contains("index by_k not used: the predicate does not bind its leading key column k");
    }

    @Test
    void testSeveralKeyColumns()
    {
        String table = indexes.createTable("a integer, b varchar, c bigint, v varchar", "format_version = 2");
        for (int file = 0; file < 8; file++) {
            assertUpdate("INSERT INTO %s SELECT n %% 5, 'b' || CAST(n %% 7 AS varchar), n, 'v' FROM TABLE(sequence(%s, %s)) AS s(n)".formatted(table, file * 50, file * 50 + 49), 50);
        }
        indexes.createIndex(table, "by_abc", "a", "b", "c");
        oracle.run("SELECT * FROM " + table + " WHERE a = 3 AND b = 'b2' AND c = 23").returnsRows(1).prunesBy("by_abc");
        oracle.run("SELECT * FROM " + table + " WHERE a IN (1, 3) AND b IN ('b2', 'b3') AND c BETWEEN 10 AND 40").prunesBy("by_abc");
        oracle.run("SELECT * FROM " + table + " WHERE a = 3 AND c = 23").returnsRows(1).prunesBy("by_abc");
        oracle.run("SELECT * FROM " + table + " WHERE a < 2 AND c = 100").returnsRows(1).prunesBy("by_abc");
        oracle.run("SELECT * FROM " + table + " WHERE b = 'b2'").isNotUsed("by_abc", "does not bind its leading key column a");
    }
}
