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

import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RuleBasedCollator;
import com.ibm.icu.util.ULocale;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.Slices.utf8Slice;
import static java.lang.Integer.signum;
import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/// The order of values is that of their keys, on many short values that differ by little.
final class TestCollationKeys
{
    private static final int THREADS = 4;
    private static final int PAIRS = 20_000;
    private static final List<String> LOCALES = List.of("root", "en_US", "de", "de@collation=phonebook", "sv", "tr", "da", "fr_CA", "th", "vi", "zh", "ja", "sk", "el", "ru");
    private static final List<String> MODIFIERS = List.of("", "-ci", "-ai", "-ci-ai", "-ci-trim");
    private static final List<String> ATOMS = List.of(
            "a",
            "A",
            "b",
            "e",
            "E",
            "o",
            "s",
            "ss",
            "S",
            "i",
            "I",
            "\u0131",
            "\u0130",
            "c",
            "ch",
            "h",
            "z",
            " ",
            " ",
            "-",
            "'",
            "1",
            "10",
            "\u00e0",
            "\u00e9",
            "\u00c9",
            "\u00f6",
            "\u00d6",
            "oe",
            "\u00e5",
            "aa",
            "\u00df",
            "\u1e9e",
            "\u00f8",
            "\u00e6",
            "\u00f4",
            "\ufb01",
            "fi",
            "\u0300",
            "\u0301",
            "\u0316",
            "\u0308",
            "\u030a",
            "\u0327",
            "\u0345",
            "\u03b1",
            "\u03ac",
            "\u0391",
            "\u03c3",
            "\u03c2",
            "\u03a3",
            "\u0436",
            "\u0416",
            "\u0451",
            "\u0435",
            "\u0419",
            "\u4e2d",
            "\u56fd",
            "\u5317",
            "\ud84c\udfb4",
            "\u3042",
            "\u30a2",
            "\u30fc",
            "\u3099",
            "\uff41",
            "\ud55c",
            "\u1112\u1161\u11ab",
            "\u0e40",
            "\u0e01",
            "\u0e02",
            "\u0e49",
            "\u05d0",
            "\u0627",
            "\u0915\u093f",
            "\u0000",
            "\u0001",
            "\u00ad",
            "\u200b",
            "\u034f",
            "\ufeff",
            "\t",
            "\u3000",
            "\ud83d\ude00",
            "\ufffd",
            "\uffff");

    @Test
    void testKeysHaveTheOrderOfValues()
    {
        Random random = new Random(11);
        for (String locale : LOCALES) {
            for (String modifiers : MODIFIERS) {
                String name = "icu." + locale + modifiers;
                CollationOrder order = Collations.get(name).order();
                int equal = 0;
                for (int pair = 0; pair < PAIRS; pair++) {
                    Slice left = value(random);
                    Slice right = random.nextInt(3) == 0 ? value(random) : changed(left, random);
                    int byKeys = signum(order.key(left).compareTo(order.key(right)));
                    if (signum(order.compare(left, right)) != byKeys || signum(order.compare(right, left)) != -byKeys) {
                        fail("'%s' and '%s' under %s: by keys %s, by values %s and %s".formatted(
                                left.toStringUtf8(), right.toStringUtf8(), name, byKeys, order.compare(left, right), order.compare(right, left)));
                    }
                    if (byKeys == 0 && !left.equals(right)) {
                        equal++;
                    }
                }
                assertThat(equal).as(name).isGreaterThan(PAIRS / 200);
            }
        }
    }

    /// Also with what each value remembers.
    @Test
    void testTotalPreorder()
    {
        Random random = new Random(12);
        List<CollatedValue> values = random.ints(250).mapToObj(_ -> new CollatedValue(value(random))).collect(toImmutableList());
        for (String locale : LOCALES) {
            for (String modifiers : MODIFIERS) {
                String name = "icu." + locale + modifiers;
                CollationOrder order = Collations.get(name).order();
                // A value remembers what was computed for one order
                List<CollatedValue> sorted = new ArrayList<>(values.stream().map(value -> new CollatedValue(value.value())).toList());
                sorted.sort(order::compare);
                for (int left = 0; left < sorted.size(); left++) {
                    assertThat(order.compare(sorted.get(left), sorted.get(left))).isZero();
                    boolean stillEqual = true;
                    for (int right = left + 1; right < sorted.size(); right++) {
                        int result = order.compare(sorted.get(left), sorted.get(right));
                        // What follows a greater value is greater
                        if (result > 0 || (result == 0 && !stillEqual) || signum(order.compare(sorted.get(right), sorted.get(left))) != -signum(result)) {
                            fail("'%s' and '%s' under %s".formatted(sorted.get(left).value().toStringUtf8(), sorted.get(right).value().toStringUtf8(), name));
                        }
                        stillEqual = result == 0;
                    }
                }
            }
        }
    }

    /// The keys are ICU's own for the strength that the modifiers mean.
    @Test
    void testKeysOfIcu()
    {
        Random random = new Random(13);
        for (String locale : LOCALES) {
            for (String modifiers : List.of("", "-ci", "-ai", "-ci-ai")) {
                RuleBasedCollator collator = ((RuleBasedCollator) Collator.getInstance(new ULocale(locale))).cloneAsThawed();
                switch (modifiers) {
                    case "" -> collator.setStrength(Collator.TERTIARY);
                    case "-ci" -> collator.setStrength(Collator.SECONDARY);
                    case "-ci-ai" -> collator.setStrength(Collator.PRIMARY);
                    default -> {
                        collator.setStrength(Collator.PRIMARY);
                        collator.setCaseLevel(true);
                    }
                }
                CollationOrder order = Collations.get("icu." + locale + modifiers).order();
                for (int i = 0; i < 500; i++) {
                    Slice value = value(random);
                    assertThat(order.key(value)).isEqualTo(Slices.wrappedBuffer(collator.getCollationKey(value.toStringUtf8()).toByteArray()));
                }
            }
        }
    }

    @Test
    @Tag("case-39")
    void testThreads()
            throws Exception
    {
        Random random = new Random(14);
        List<Slice> values = random.ints(3000).mapToObj(_ -> value(random)).toList();
        for (String name : List.of("icu.en_US-ci", "icu.el", "icu.th-ai", "icu.zh")) {
            Collation collation = Collations.get(name);
            List<Slice> expectedKeys = keys(collation, values);
            List<Integer> expected = comparisons(collation, values);
            CyclicBarrier start = new CyclicBarrier(THREADS);
            try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
                List<Future<?>> futures = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    futures.add(executor.submit(() -> {
                        start.await();
                        for (int round = 0; round < 5; round++) {
                            assertThat(keys(collation, values).equals(expectedKeys)).isTrue();
                            assertThat(comparisons(collation, values).equals(expected)).isTrue();
                        }
                        return null;
                    }));
                }
                for (Future<?> future : futures) {
                    future.get();
                }
            }
        }
    }

    private static List<Slice> keys(Collation collation, List<Slice> values)
    {
        CollationOrder order = collation.order();
        return values.stream().map(order::key).toList();
    }

    private static List<Integer> comparisons(Collation collation, List<Slice> values)
    {
        CollationOrder order = collation.order();
        List<Integer> results = new ArrayList<>();
        for (int i = 1; i < values.size(); i++) {
            results.add(signum(order.compare(values.get(i - 1), values.get(i))));
        }
        return results;
    }

    static Slice value(Random random)
    {
        StringBuilder text = new StringBuilder();
        for (int atoms = random.nextInt(6); atoms > 0; atoms--) {
            text.append(ATOMS.get(random.nextInt(ATOMS.size())));
        }
        return utf8Slice(text.toString());
    }

    /// Another value that differs in one place, or in the order of two characters.
    private static Slice changed(Slice value, Random random)
    {
        List<String> characters = new ArrayList<>(value.toStringUtf8().codePoints().mapToObj(Character::toString).toList());
        int place = random.nextInt(characters.size() + 1);
        int change = random.nextInt(4);
        if (change == 0 || place == characters.size()) {
            characters.add(place, ATOMS.get(random.nextInt(ATOMS.size())));
        }
        else if (change == 1) {
            characters.set(place, ATOMS.get(random.nextInt(ATOMS.size())));
        }
        else if (change == 2) {
            String character = characters.get(place);
            characters.set(place, character.equals(character.toUpperCase(ROOT)) ? character.toLowerCase(ROOT) : character.toUpperCase(ROOT));
        }
        else {
            Collections.swap(characters, place, random.nextInt(characters.size()));
        }
        return utf8Slice(String.join("", characters));
    }
}
