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
package io.sextant.collation;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.BaseEncoding;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.sextant.testing.TestingPostgreSql;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.text.Normalizer;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.ProcessBuilder.Redirect.DISCARD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The order of other implementations. For each collation all values get a rank, equal values the same one, and ours have to be
/// theirs: that compares every value with every other one.
///
/// The others have older data: ICU 72 as PostgreSQL of Debian 12 has it, and Unicode 13 in Perl. So the values are made of letters,
/// marks, digits and common punctuation of old scripts, whose order stays the same. Left out are what moved or differs by design:
/// Han characters, symbols, and the Hebrew punctuation U+05F3 and U+05F4.
final class TestCollationOracles
{
    private static final Map<String, String> MODIFIERS = ImmutableMap.of(
            "", "ks-level3",
            "-ci", "ks-level2",
            "-ai", "ks-level1-kc-true",
            "-ci-ai", "ks-level1");
    private static final Map<String, String> LOCALES = ImmutableMap.<String, String>builder()
            .put("root", "und-u")
            .put("en_US", "en-US-u")
            .put("de", "de-u")
            .put("de@collation=phonebook", "de-u-co-phonebk")
            .put("sv", "sv-u")
            .put("da", "da-u")
            .put("tr", "tr-u")
            .put("es@collation=traditional", "es-u-co-trad")
            .put("cs", "cs-u")
            .put("fr_CA", "fr-CA-u")
            .put("vi", "vi-u")
            .buildOrThrow();

    private static final List<String> LETTERS = List.of(
            "a",
            "A",
            "b",
            "c",
            "ch",
            "d",
            "e",
            "E",
            "g",
            "h",
            "i",
            "I",
            "k",
            "l",
            "m",
            "n",
            "o",
            "r",
            "s",
            "S",
            "ss",
            "t",
            "u",
            "z",
            "\u00e0",
            "\u00c0",
            "\u00e1",
            "\u00e4",
            "\u00e5",
            "\u00e6",
            "\u00e7",
            "\u00e9",
            "\u00c9",
            "\u00ea",
            "\u00ed",
            "\u00ef",
            "\u0131",
            "\u0130",
            "\u00f1",
            "\u00f4",
            "\u00f6",
            "\u00d6",
            "\u00f8",
            "\u00df",
            "\u1e9e",
            "\u00fc",
            "\u00dc",
            "\u010d",
            "\u0161",
            "\u017e",
            "\u0142",
            "\u0153",
            "\u0111",
            "\u00f0",
            "\u00fe",
            "\u01a1",
            "\u01b0",
            "\u1ea5",
            "\u1ec7",
            "\ufb01",
            "\uff41",
            "\u0300",
            "\u0301",
            "\u0302",
            "\u0308",
            "\u030a",
            "\u0327",
            "\u0323",
            "\u03b1",
            "\u03ac",
            "\u0391",
            "\u03b2",
            "\u03c3",
            "\u03c2",
            "\u03a3",
            "\u03c9",
            "\u1f00",
            "\u0430",
            "\u0410",
            "\u0435",
            "\u0451",
            "\u0436",
            "\u0416",
            "\u0438",
            "\u0439",
            "\u0456",
            "\u0491",
            "\u05d0",
            "\u05d1",
            "\u0627",
            "\u0628",
            "\u0e01",
            "\u0e02",
            "\u0e40",
            "\u0e41",
            "\u0e48",
            "\u0e32",
            "\u3042",
            "\u30a2",
            "\u304b",
            "\u304c",
            "\u3099",
            "\u30ab",
            "\u1112\u1161\u11ab",
            "\ud55c",
            "\uac00",
            "0",
            "1",
            "2",
            "9",
            "10",
            " ",
            "-",
            "'",
            ",",
            ".");
    private static final List<String> IGNORABLE = List.of("\u0001", "\u00ad", "\u200b", "\ufeff");

    @TempDir
    private Path directory;

    /// ICU4C by way of PostgreSQL, which compares strings, while we compare keys.
    @Test
    @Tag("CO-10")
    @Tag("case-10")
    void testOrderOfIcu4c()
            throws IOException, SQLException
    {
        try (TestingPostgreSql server = new TestingPostgreSql();
                Connection connection = connect(server)) {
            assumeTrue(hasIcu(connection), "PostgreSQL is built without ICU");
            List<String> values = values(new Random(31), 50_000);
            assertOrderOfIcu4c(connection, values, LOCALES);
            // Where punctuation does not count, comparing by ICU4C contradicts its own sort keys: it takes a mark after
            // punctuation and an ignorable character for one that counts
            List<String> withoutIgnorable = values.stream().filter(value -> IGNORABLE.stream().noneMatch(value::contains)).collect(toImmutableList());
            assertOrderOfIcu4c(connection, withoutIgnorable, ImmutableMap.of("th", "th-u"));
        }
    }

    private static void assertOrderOfIcu4c(Connection connection, List<String> values, Map<String, String> locales)
            throws SQLException
    {
        try (Statement statement = connection.createStatement();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO oracle SELECT position - 1, value FROM unnest(?) WITH ORDINALITY t(value, position)")) {
            statement.execute("CREATE TEMPORARY TABLE IF NOT EXISTS oracle (id integer, value text)");
            statement.execute("TRUNCATE oracle");
            insert.setArray(1, connection.createArrayOf("text", values.toArray()));
            insert.executeUpdate();
            for (Map.Entry<String, String> locale : locales.entrySet()) {
                for (Map.Entry<String, String> modifiers : MODIFIERS.entrySet()) {
                    String tag = "%s-%s".formatted(locale.getValue(), modifiers.getValue());
                    statement.execute("CREATE COLLATION \"%s\" (provider = icu, locale = '%s', deterministic = false)".formatted(tag, tag));
                    int[] ranks = new int[values.size()];
                    try (ResultSet rows = statement.executeQuery("SELECT id, dense_rank() OVER (ORDER BY value COLLATE \"%s\") FROM oracle".formatted(tag))) {
                        while (rows.next()) {
                            ranks[rows.getInt(1)] = rows.getInt(2);
                        }
                    }
                    assertRanks("icu." + locale.getKey() + modifiers.getKey(), values, ranks);
                }
            }
        }
    }

    /// The algorithm of Unicode with the default table of Unicode, from which the root order is derived.
    @Test
    void testOrderOfUnicode()
            throws IOException, InterruptedException
    {
        assumeTrue(isPerlModuleInstalled(), "Perl has no Unicode::Collate");
        // Perl normalizes, and the root does not; even composed characters may have marks in another order
        List<String> values = values(new Random(32), 20_000).stream()
                .map(value -> Normalizer.normalize(value, Normalizer.Form.NFD))
                .distinct()
                .collect(toImmutableList());
        Path input = Files.write(directory.resolve("values"), values, UTF_8);
        Path output = directory.resolve("keys");
        for (Map.Entry<String, Integer> level : ImmutableMap.of("", 3, "-ci", 2, "-ci-ai", 1).entrySet()) {
            Process perl = new ProcessBuilder(
                    "perl",
                    "-MUnicode::Collate",
                    "-e",
                    "my $collator = Unicode::Collate->new(variable => 'non-ignorable', level => %s); binmode STDIN, ':encoding(UTF-8)'; while (<STDIN>) { chomp; print unpack('H*', pack('n*', unpack('U*', $collator->getSortKey($_)))), \"\\n\" }".formatted(level.getValue()))
                    .redirectInput(input.toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(DISCARD)
                    .start();
            assertThat(perl.waitFor()).isZero();
            List<Slice> keys = Files.readAllLines(output).stream()
                    .map(line -> Slices.wrappedBuffer(BaseEncoding.base16().lowerCase().decode(line)))
                    .collect(toImmutableList());
            assertThat(keys).hasSameSizeAs(values);
            assertRanks("icu.root" + level.getKey(), values, ranks(keys));
        }
    }

    private static void assertRanks(String collation, List<String> values, int[] expected)
    {
        CollationOrder order = Collations.get(collation).order();
        List<CollatedValue> collated = values.stream().map(value -> new CollatedValue(Slices.utf8Slice(value))).collect(toImmutableList());
        // In their order, each pair of neighbours has to have ours
        int[] sorted = IntStream.range(0, expected.length).boxed().sorted(Comparator.comparingInt(id -> expected[id])).mapToInt(Integer::intValue).toArray();
        for (int place = 1; place < sorted.length; place++) {
            int left = sorted[place - 1];
            int right = sorted[place];
            int result = Integer.signum(order.compare(collated.get(left), collated.get(right)));
            if (result != Integer.compare(expected[left], expected[right])) {
                fail("%s and %s under %s: %s".formatted(describe(values.get(left)), describe(values.get(right)), collation, result));
            }
        }
        assertThat(ranks(values.stream().map(value -> order.key(Slices.utf8Slice(value))).toList())).as(collation).isEqualTo(expected);
    }

    private static String describe(String value)
    {
        return "'%s' %s".formatted(value, value.codePoints().mapToObj(Integer::toHexString).toList());
    }

    private static int[] ranks(List<Slice> keys)
    {
        int[] ranks = new int[keys.size()];
        int rank = 0;
        Slice previous = null;
        for (int id : IntStream.range(0, keys.size()).boxed().sorted(Comparator.comparing(keys::get)).toList()) {
            if (!keys.get(id).equals(previous)) {
                rank++;
            }
            ranks[id] = rank;
            previous = keys.get(id);
        }
        return ranks;
    }

    private static List<String> values(Random random, int count)
    {
        Set<String> values = new LinkedHashSet<>(List.of("Gr\u00f6\u00dfe", "Gro\u00dfe", "\u00e0\u00df", "a\u00df", "\u00e0ss", "c\u00f4te", "cot\u00e9", "item10", "item9"));
        while (values.size() < count) {
            StringBuilder value = new StringBuilder();
            for (int letters = random.nextInt(5); letters >= 0; letters--) {
                List<String> from = random.nextInt(15) == 0 ? IGNORABLE : LETTERS;
                value.append(from.get(random.nextInt(from.size())));
            }
            values.add(value.toString());
        }
        return List.copyOf(values);
    }

    private static boolean hasIcu(Connection connection)
            throws SQLException
    {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) > 0 FROM pg_collation WHERE collprovider = 'i'")) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    private static Connection connect(TestingPostgreSql server)
            throws SQLException
    {
        Map<String, String> properties = server.catalogProperties();
        return DriverManager.getConnection(properties.get("iceberg.jdbc-catalog.connection-url"), properties.get("iceberg.jdbc-catalog.connection-user"), "");
    }

    private static boolean isPerlModuleInstalled()
            throws InterruptedException
    {
        try {
            return new ProcessBuilder("perl", "-MUnicode::Collate", "-e", "1").redirectError(DISCARD).redirectOutput(DISCARD).start().waitFor() == 0;
        }
        catch (IOException _) {
            return false;
        }
    }
}
