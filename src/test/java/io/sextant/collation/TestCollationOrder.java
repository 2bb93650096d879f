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

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.airlift.slice.Slices.utf8Slice;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

final class TestCollationOrder
{
    private static final List<String> ALL_MODIFIERS = List.of("", "-ci", "-ai", "-ci-ai");

    @Test
    @Tag("case-6")
    void testCase()
    {
        assertOrder("icu.en", "a", "<", "A");
        assertOrder("icu.en-ai", "a", "<", "A");
        assertOrder("icu.en-ci", "a", "=", "A");
        assertOrder("icu.en-ci-ai", "a", "=", "A");
        assertOrder("icu.en", "A", "<", "b");
        assertOrder("icu.en-ci", "\u0394\u03a9", "=", "\u03b4\u03c9");
        assertOrder("icu.en-ci", "\u0416", "=", "\u0436");
        // Capitals come first
        for (String locale : List.of("da", "mt")) {
            assertOrder("icu." + locale, "a", ">", "A");
            assertOrder("icu." + locale + "-ci", "a", "=", "A");
        }
    }

    @Test
    @Tag("case-7")
    void testAccents()
    {
        for (String modifiers : List.of("", "-ci")) {
            assertOrder("icu.en" + modifiers, "e", "<", "\u00e9");
            assertOrder("icu.en" + modifiers, "resume", "<", "r\u00e9sum\u00e9");
            assertOrder("icu.en" + modifiers, "r\u00e9sum\u00e9", "<", "resumes");
        }
        for (String modifiers : List.of("-ai", "-ci-ai")) {
            assertOrder("icu.en" + modifiers, "e", "=", "\u00e9");
            assertOrder("icu.en" + modifiers, "resume", "=", "r\u00e9sum\u00e9");
        }
    }

    /// Disregarding accents does not disregard case.
    @Test
    @Tag("case-8")
    void testCaseAndAccents()
    {
        assertOrder("icu.en", "E", "<", "\u00e9");
        assertOrder("icu.en-ci", "E", "<", "\u00e9");
        assertOrder("icu.en-ai", "E", ">", "\u00e9");
        assertOrder("icu.en-ci-ai", "E", "=", "\u00e9");
    }

    @Test
    @Tag("case-9")
    void testSharpS()
    {
        for (String modifiers : List.of("", "-ci")) {
            assertOrder("icu.de" + modifiers, "\u00df", ">", "ss");
            assertOrder("icu.de" + modifiers, "Ma\u00dfe", ">", "Masse");
            assertOrder("icu.de" + modifiers, "STRASSE", "<", "stra\u00dfe");
        }
        assertOrder("icu.de-ci-ai", "\u00df", "=", "ss");
        assertOrder("icu.de-ci-ai", "Ma\u00dfe", "=", "Masse");
        assertOrder("icu.de-ci-ai", "STRASSE", "=", "stra\u00dfe");
        assertOrder("icu.de", "\u1e9e", ">", "\u00df");
        assertOrder("icu.de-ci", "\u1e9e", "=", "\u00df");
    }

    /// Comparing by ICU4J directly contradicts its sort keys here.
    @Test
    @Tag("CO-10")
    @Tag("case-10")
    void testAccentBeforeSharpS()
    {
        for (String locale : List.of("en", "de", "sv", "da", "tr", "de@collation=phonebook")) {
            for (String modifiers : List.of("", "-ci")) {
                // In these an \u00f6 is no accented o
                boolean ownLetter = List.of("sv", "da", "tr", "de@collation=phonebook").contains(locale);
                assertOrder("icu." + locale + modifiers, "Gr\u00f6\u00dfe", locale.equals("de@collation=phonebook") ? "<" : ">", "Gro\u00dfe");
                assertOrder("icu." + locale + modifiers, "\u00e0\u00df", ">", "a\u00df");
                assertOrder("icu." + locale + modifiers, "a\u00df", "<", "\u00e0ss");
                if (!ownLetter) {
                    assertOrder("icu." + locale + modifiers, "Gr\u00f6\u00dfe", "<", "Gros\u00dfe");
                }
            }
        }
        assertOrder("icu.de-ci-ai", "Gr\u00f6\u00dfe", "=", "Gro\u00dfe");
    }

    @Test
    @Tag("case-11")
    void testDotlessI()
    {
        assertOrder("icu.tr-ci", "I", "=", "\u0131");
        assertOrder("icu.tr-ci", "i", "=", "\u0130");
        assertOrder("icu.tr-ci", "I", "<", "i");
        assertOrder("icu.en-ci", "I", "<", "\u0131");
        assertOrder("icu.en-ci", "i", "<", "\u0130");
        assertOrder("icu.en-ci", "I", "=", "i");
        assertOrder("icu.en-ci-ai", "i", "=", "\u0130");
    }

    @Test
    @Tag("case-12")
    void testSpacesCount()
    {
        for (String modifiers : ALL_MODIFIERS) {
            assertOrder("icu.en" + modifiers, "a", "<", "a ");
            assertOrder("icu.en" + modifiers, "", "<", " ");
            assertOrder("icu.en" + modifiers, "a b", "<", "ab");
            // Punctuation does not count in Thai
            assertOrder("icu.th" + modifiers, "a b", "=", "ab");
            assertOrder("icu.th" + modifiers, "", "=", " ");
        }
    }

    @Test
    @Tag("case-12")
    void testTrim()
    {
        for (String modifiers : ALL_MODIFIERS) {
            String name = "icu.en" + modifiers;
            assertOrder(name + "-rtrim", "a", "=", "a ");
            assertOrder(name + "-rtrim", "a", "=", "a   ");
            assertOrder(name + "-rtrim", "", "=", "  ");
            assertOrder(name + "-rtrim", " a", "<", "a");
            assertOrder(name + "-rtrim", "a b", "<", "ab");
            assertOrder(name + "-ltrim", "a", "=", "  a");
            assertOrder(name + "-ltrim", "", "=", "  ");
            assertOrder(name + "-ltrim", "a", "<", "a ");
            assertOrder(name + "-trim", "a", "=", "  a   ");
            assertOrder(name + "-trim", "", "=", " ");
            assertOrder(name + "-trim", " a b ", "=", "a b");
            assertOrder(name + "-trim", "a  b", "<", "a b");
        }
        assertOrder("icu.en-ci-rtrim", "A ", "=", "a");
        assertOrder("icu.en-rtrim", "A ", ">", "a");
    }

    @Test
    @Tag("case-12")
    void testOnlyU0020IsTrimmed()
    {
        for (String space : List.of("\t", "\n", "\r", "\u00a0", "\u2003", "\u3000", "\u202f", "\u1680")) {
            for (String modifier : List.of("-rtrim", "-trim")) {
                assertOrder("icu.en" + modifier, "a", "<", "a" + space);
                assertOrder("icu.en" + modifier, "a", "<", "a " + space);
                assertOrder("icu.en" + modifier, "a" + space, "=", "a" + space + " ");
            }
            for (String modifier : List.of("-ltrim", "-trim")) {
                assertOrder("icu.en" + modifier, "a", ">", space + "a");
                assertOrder("icu.en" + modifier, space + "a", "=", " " + space + "a");
            }
        }
        // It ends in the byte of a space's code but is none
        assertOrder("icu.en-rtrim", "\u0420", "=", "\u0420 ");
        assertOrder("icu.en-rtrim", "\u2020", "<", "\u2020\u2020");
    }

    @Test
    @Tag("case-14")
    void testCanonicallyEquivalent()
    {
        for (String locale : List.of("root", "en", "de", "fr_CA", "vi")) {
            for (String modifiers : ALL_MODIFIERS) {
                String name = "icu." + locale + modifiers;
                assertOrder(name, "\u00e9", "=", "e\u0301");
                assertOrder(name, "\u00c5", "=", "\u212b");
                assertOrder(name, "K", "=", "\u212a");
                assertOrder(name, "\ud55c", "=", "\u1112\u1161\u11ab");
            }
        }
        // Normalization is a matter of the locale
        assertOrder("icu.vi", "a\u0301\u0316", "=", "a\u0316\u0301");
    }

    @Test
    @Tag("case-16")
    void testIgnorable()
    {
        for (String modifiers : ALL_MODIFIERS) {
            for (String ignorable : List.of("\u0000", "\u0001", "\u007f", "\u00ad", "\u200b", "\ufeff", "\u034f", "\u200e")) {
                assertOrder("icu.en" + modifiers, "", "=", ignorable);
                assertOrder("icu.en" + modifiers, "a", "=", "a" + ignorable);
                assertOrder("icu.en" + modifiers, "ab", "=", "a" + ignorable + ignorable + "b");
                assertOrder("icu.en" + modifiers, ignorable, "<", "a");
            }
        }
    }

    @Test
    @Tag("case-17")
    void testEmpty()
    {
        for (String modifiers : ALL_MODIFIERS) {
            for (String other : List.of("a", "0", "!", "\u4e2d", "\uffff", "\ufffe")) {
                assertOrder("icu.en" + modifiers, "", "<", other);
            }
        }
    }

    @Test
    @Tag("case-19")
    void testDigitsAreNoNumbers()
    {
        assertOrder("icu.en", "item10", "<", "item9");
        assertOrder("icu.en-ci-ai", "item10", "<", "item9");
    }

    @Test
    @Tag("case-20")
    void testContractions()
    {
        assertOrder("icu.es", "ch", "<", "cz");
        assertOrder("icu.es@collation=traditional", "ch", ">", "cz");
        assertOrder("icu.es@collation=traditional", "ch", "<", "d");
        for (String locale : List.of("sk", "cs")) {
            assertOrder("icu." + locale, "ch", ">", "cz");
            assertOrder("icu." + locale, "ch", ">", "h");
            assertOrder("icu." + locale, "ch", "<", "i");
        }
    }

    @Test
    @Tag("case-23")
    void testAccentsFromTheEnd()
    {
        assertOrder("icu.fr", "c\u00f4te", ">", "cot\u00e9");
        assertOrder("icu.fr_CA", "c\u00f4te", "<", "cot\u00e9");
        assertOrder("icu.fr_CA-ai", "c\u00f4te", "=", "cot\u00e9");
    }

    @Test
    @Tag("CO-14")
    @Tag("case-25")
    void testPrefixIsNoRange()
    {
        assertOrder("icu.sk", "chata", ">", "d");
        assertOrder("icu.sk", "c", "<", "d");
    }

    @Test
    @Tag("CO-10")
    @Tag("case-26")
    void testPrefixIsGreater()
    {
        assertOrder("icu.th", "abc\u0e40", ">", "abc\u0e40\u0e01");
    }

    @Test
    void testInvalidUtf8CountsAsReplacementCharacter()
    {
        for (String modifiers : List.of("", "-ci", "-ai", "-ci-ai", "-trim")) {
            CollationOrder order = Collations.get("icu.en" + modifiers).order();
            for (byte[] invalid : new byte[][] {
                    {(byte) 0xFF}, {(byte) 0x80}, {(byte) 0xC0, (byte) 0x80}, {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, {(byte) 0xE2, (byte) 0x82}, {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
                    {'a', (byte) 0xFF, 'b'}, {' ', (byte) 0xFE}, {(byte) 0xE2, (byte) 0x82, ' '},
            }) {
                Slice value = Slices.wrappedBuffer(invalid);
                String text = new String(invalid, UTF_8);
                assertThat(text).contains("\ufffd");
                assertThat(relation(order, value, utf8Slice(text))).isEqualTo("=");
                assertThat(relation(order, value, utf8Slice("zzz" + text))).isEqualTo(relation(order, utf8Slice(text), utf8Slice("zzz" + text)));
                assertThat(relation(order, value, value.copy())).isEqualTo("=");
            }
            assertThat(relation(order, Slices.wrappedBuffer((byte) 0xFF), Slices.wrappedBuffer((byte) 0xFE))).isEqualTo("=");
        }
    }

    @Test
    void testSliceOfLargerMemory()
    {
        CollationOrder order = Collations.get("icu.en-ci-trim").order();
        Slice memory = utf8Slice("xx apple yy");
        assertThat(relation(order, memory.slice(2, 7), utf8Slice("APPLE"))).isEqualTo("=");
        assertThat(order.key(memory.slice(2, 7))).isEqualTo(order.key(utf8Slice("apple")));
        assertThat(memory.toStringUtf8()).isEqualTo("xx apple yy");
    }

    /// Keys are made in a buffer that is used again.
    @Test
    void testKeysStay()
    {
        CollationOrder order = Collations.get("icu.de").order();
        Slice key = order.key(utf8Slice("Gr\u00f6\u00dfe"));
        Slice copy = key.copy();
        order.key(utf8Slice("zzzzzzzzzzzzzzzzzzzzzzzzzzzz"));
        assertThat(key).isEqualTo(copy);
    }

    static String relation(CollationOrder order, Slice left, Slice right)
    {
        int result = order.compare(left, right);
        assertThat(Integer.signum(order.compare(right, left))).isEqualTo(-Integer.signum(result));
        assertThat(Integer.signum(order.key(left).compareTo(order.key(right)))).isEqualTo(Integer.signum(result));
        return result < 0 ? "<" : result > 0 ? ">" : "=";
    }

    private static void assertOrder(String collation, String left, String expected, String right)
    {
        assertThat(relation(Collations.get(collation).order(), utf8Slice(left), utf8Slice(right)))
                .as("'%s' and '%s' under %s", left, right, collation)
                .isEqualTo(expected);
    }
}
