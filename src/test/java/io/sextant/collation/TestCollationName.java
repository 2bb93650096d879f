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

import com.google.common.collect.ImmutableSet;
import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RuleBasedCollator;
import com.ibm.icu.util.ULocale;
import io.airlift.slice.Slices;
import io.trino.spi.StandardErrorCode;
import io.trino.spi.TrinoException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestCollationName
{
    @Test
    @Tag("CO-06")
    void testUtf8NeedsNoProvider()
    {
        CollationName name = CollationName.parse("utf8");
        assertThat(name.isUtf8()).isTrue();
        assertThat(name.provider()).isEmpty();
        assertThat(name.written()).isEqualTo("utf8");
        assertThat(name.canonical()).isEqualTo("utf8");
        assertThat(name).isNotEqualTo(CollationName.parse("icu.root"));
    }

    @Test
    @Tag("CO-06")
    @Tag("CO-17")
    void testUtf8IsNoCollation()
    {
        assertThat(Collations.find("utf8")).isEmpty();
        assertUnsupported("utf8", "Collation 'utf8' is the order of bytes, which varchar has without a collation");
    }

    @Test
    @Tag("CO-06")
    void testOnlyUtf8HasNoProvider()
    {
        for (String name : List.of("", " ", "UTF8", "Utf8", "utf-8", "utf8 ", "utf8-ci", "utf8-ai", "utf8-rtrim", "utf8-lower", "en_US", "en_US-ci", "icu")) {
            assertMalformed(name, "Invalid collation '%s': no provider; it has to be utf8, or begin with a provider and a dot, like icu.en_US".formatted(name));
        }
    }

    @Test
    @Tag("CO-06")
    void testEmptyParts()
    {
        assertMalformed(".en_US", "Invalid collation '.en_US': the provider before the dot is empty");
        assertMalformed(" .en_US", "Invalid collation ' .en_US': the provider before the dot is empty");
        assertMalformed("icu.", "Invalid collation 'icu.': nothing follows the provider 'icu'");
        assertMalformed("spark. ", "Invalid collation 'spark. ': nothing follows the provider 'spark'");
        assertMalformed("icu.-ci", "Invalid collation 'icu.-ci': locale '' has to be a language with an optional script and region, like en_US, or root");
    }

    @Test
    void testCanonicalForm()
    {
        assertCanonical("icu.en_US", "icu.en_US");
        assertCanonical("icu.en_US-ci", "icu.en_US-ci");
        // Defaults change nothing
        assertCanonical("icu.en_US-cs", "icu.en_US");
        assertCanonical("icu.en_US-as", "icu.en_US");
        assertCanonical("icu.en_US-cs-as", "icu.en_US");
        assertCanonical("icu.en_US-cs-ai", "icu.en_US-ai");
        // Modifiers come in any order and case
        assertCanonical("icu.en_US-ai-ci", "icu.en_US-ci-ai");
        assertCanonical("icu.en_US-TRIM-Ai-cI", "icu.en_US-ci-ai-trim");
        assertCanonical("icu.en_US-rtrim-ci", "icu.en_US-ci-rtrim");
        assertCanonical("icu.en_US-ltrim-as-ci", "icu.en_US-ci-ltrim");
        // Spellings of one locale
        assertCanonical("icu.en_USA", "icu.en_US");
        assertCanonical("icu.eng", "icu.en");
        assertCanonical("icu.EN_us", "icu.en_US");
        assertCanonical("icu.deu_DEU-cs", "icu.de_DE");
        assertCanonical("icu.iw", "icu.he");
        assertCanonical("icu.sr_latn_rs", "icu.sr_Latn_RS");
        assertCanonical("icu.es_419", "icu.es_419");
        assertCanonical("icu.und", "icu.root");
        assertCanonical("icu.root", "icu.root");
        assertCanonical("icu.und-ci", "icu.root-ci");
        // A locale's own orders
        assertCanonical("icu.de@collation=phonebook", "icu.de@collation=phonebook");
        assertCanonical("icu.de@collation=PHONEBK-ci", "icu.de@collation=phonebook-ci");
        assertCanonical("icu.es@collation=trad", "icu.es@collation=traditional");
    }

    @Test
    void testDifferentCollationsHaveDifferentNames()
    {
        Set<CollationName> names = ImmutableSet.of(
                CollationName.parse("icu.en_US"),
                CollationName.parse("icu.en_US-ci"),
                CollationName.parse("icu.en_US-ai"),
                CollationName.parse("icu.en_US-ci-ai"),
                CollationName.parse("icu.en_US-rtrim"),
                CollationName.parse("icu.en_US-ltrim"),
                CollationName.parse("icu.en_US-trim"),
                CollationName.parse("icu.en"),
                CollationName.parse("icu.de"),
                CollationName.parse("icu.de@collation=phonebook"));
        assertThat(names).hasSize(10).contains(CollationName.parse("icu.en_USA-as-cs")).doesNotContain(CollationName.parse("icu.en_GB"));
    }

    @Test
    @Tag("CO-07")
    @Tag("CO-16")
    void testWrittenFormIsKept()
    {
        for (String name : List.of("utf8", "icu.en_USA-CS", "icu.und", "icu.de@collation=PHONEBK", "icu.zz-CI", "spark.UTF8_LCASE", "ICU.en_US", "x. y.z ", "a.b-bogus-bogus")) {
            CollationName parsed = CollationName.parse(name);
            assertThat(parsed.written()).isEqualTo(name);
            assertThat(parsed).hasToString(name);
            assertThat(CollationName.parse(parsed.written())).isEqualTo(parsed);
            // The canonical form is a name of the same collation
            assertThat(CollationName.parse(parsed.canonical())).isEqualTo(parsed).hasSameHashCodeAs(parsed);
            assertThat(CollationName.parse(parsed.canonical()).canonical()).isEqualTo(parsed.canonical());
        }
    }

    /// A version is no part of a name: the draft's beginnings had one after the locale.
    @Test
    @Tag("CO-07")
    void testNoVersionInName()
    {
        assertMalformed("icu.en_US.72", "Invalid collation 'icu.en_US.72': locale 'en_US.72' has to be a language with an optional script and region, like en_US, or root");
        assertMalformed("icu.en_US-153.136.0.0", "Invalid collation 'icu.en_US-153.136.0.0': modifier '153.136.0.0' is unknown; allowed are cs, ci, as, ai, ltrim, rtrim, trim");
        assertThat(Collations.get("icu.sv").name().canonical()).isEqualTo("icu.sv");
    }

    @Test
    void testBadModifiers()
    {
        assertBadModifier("icu.en_US-ci-cs", "modifiers 'ci' and 'cs' exclude each other");
        assertBadModifier("icu.en_US-cs-ai-ci", "modifiers 'cs' and 'ci' exclude each other");
        assertBadModifier("icu.en_US-ai-as", "modifiers 'ai' and 'as' exclude each other");
        assertBadModifier("icu.en_US-rtrim-trim", "modifiers 'rtrim' and 'trim' exclude each other");
        assertBadModifier("icu.en_US-ltrim-rtrim", "modifiers 'ltrim' and 'rtrim' exclude each other");
        assertBadModifier("icu.en_US-ci-CI", "modifier 'ci' is given twice");
        assertBadModifier("icu.en_US-as-as", "modifier 'as' is given twice");
        assertBadModifier("icu.en_US-trim-ci-trim", "modifier 'trim' is given twice");
        assertBadModifier("icu.en_US-bogus", "modifier 'bogus' is unknown; allowed are cs, ci, as, ai, ltrim, rtrim, trim");
        assertBadModifier("icu.en_US-ci-Bogus", "modifier 'Bogus' is unknown; allowed are cs, ci, as, ai, ltrim, rtrim, trim");
        assertBadModifier("icu.en_US-", "modifier '' is unknown; allowed are cs, ci, as, ai, ltrim, rtrim, trim");
        assertBadModifier("icu.en_US--ci", "modifier '' is unknown; allowed are cs, ci, as, ai, ltrim, rtrim, trim");
        assertBadModifier("icu.en_US-ci ", "modifier 'ci ' is unknown; allowed are cs, ci, as, ai, ltrim, rtrim, trim");
        assertBadModifier("icu.en_US-c\u0131", "modifier 'c\u0131' is unknown; allowed are cs, ci, as, ai, ltrim, rtrim, trim");
        // Tags of BCP 47 look like modifiers
        assertBadModifier("icu.en-US", "modifier 'US' is unknown; allowed are cs, ci, as, ai, ltrim, rtrim, trim");
        assertBadModifier("icu.en-u-ks-level2", "modifier 'u' is unknown; allowed are cs, ci, as, ai, ltrim, rtrim, trim");
        // Casing is of the utf8 base only
        for (String word : List.of("upper", "lower", "casefold", "LOWER")) {
            assertBadModifier("icu.en_US-" + word, "modifier '%s' is not supported for a locale; use ci to disregard case".formatted(word));
        }
    }

    @Test
    void testBadLocales()
    {
        for (String locale : List.of(
                "klingon",
                "utf8",
                "e",
                "en_",
                "_US",
                "en_US_POSIX",
                "en__US",
                "en_US_",
                "en_USAAA",
                "en_1",
                "en_12",
                "en_Latin_US",
                "en US",
                " en",
                "en ",
                "en_US ",
                "rooT",
                "ROOT",
                "root_US",
                "en.US",
                "en/../x",
                "\u00e9n",
                "de@collation",
                "de@collation=",
                "de@collation=a=b",
                "de@colstrength=primary",
                "de@collation=phonebook;colcasefirst=upper",
                "de__PHONEBOOK",
                "*")) {
            assertMalformed("icu." + locale, "Invalid collation 'icu.%s': locale '%s' has to be a language with an optional script and region, like en_US, or root".formatted(locale, locale));
        }
    }

    /// ICU itself gives the order of the root for these.
    @Test
    @Tag("CO-06")
    void testUnknownLocaleIsNotRoot()
    {
        for (String locale : List.of("zz", "xx_YY", "sp", "jp", "en_ZZ", "de_XX", "mul", "zxx", "en_Cyrl")) {
            assertThat(Collator.getInstance(new ULocale(locale)).getLocale(ULocale.VALID_LOCALE)).as(locale).isIn(ULocale.ROOT, ULocale.ENGLISH, ULocale.GERMAN);
            for (String modifiers : List.of("", "-ci", "-ci-ai-trim")) {
                assertUnsupported("icu." + locale + modifiers, "Unsupported collation 'icu.%s%s': ICU has no collation for locale '%s'".formatted(locale, modifiers, locale));
            }
        }
    }

    @Test
    @Tag("CO-06")
    void testUnknownOrderOfLocale()
    {
        assertUnsupported("icu.de@collation=bogus", "Unsupported collation 'icu.de@collation=bogus': locale 'de' has no order 'bogus'; it has standard, phonebook, search, emoji, eor");
        assertUnsupported("icu.sv@collation=phonebook", "Unsupported collation 'icu.sv@collation=phonebook': locale 'sv' has no order 'phonebook'; it has ");
        assertUnsupported("icu.zz@collation=standard", "Unsupported collation 'icu.zz@collation=standard': ICU has no collation for locale 'zz'");
    }

    @Test
    @Tag("CO-06")
    void testUnknownProvider()
    {
        for (String name : List.of("spark.UTF8_LCASE", "ICU.en_US", "icu .en_US", "utf8.ci")) {
            String provider = name.substring(0, name.indexOf('.'));
            assertThat(CollationName.parse(name).provider()).isEqualTo(provider);
            assertUnsupported(name, "Unsupported collation '%s': provider '%s' is unknown; it has to be icu".formatted(name, provider));
        }
        // Means nothing here, so that nothing can be left out of it
        assertThat(CollationName.parse("spark.en-cs")).isNotEqualTo(CollationName.parse("spark.en"));
        assertThat(CollationName.parse("ICU.en_US")).isNotEqualTo(CollationName.parse("icu.en_US"));
    }

    /// Every locale that ICU has a collation for is found, and has ICU's order: canonical forms lose nothing.
    @Test
    void testAllLocales()
    {
        List<String> probes = List.of("a b", "ab", "AB", "z", "\u00e4", "\u00e5", "\u00f8", "ch", "cz", "ll", "\u0131", "I", "\u0e40\u0e01", "\u5317\u4eac", "\u4e2d", "\u0436", "\u0491", "\u00e9a", "e\u0301b", "1");
        int count = 0;
        for (ULocale locale : Collator.getAvailableULocales()) {
            if (!locale.getVariant().isEmpty()) {
                continue;
            }
            String name = "icu." + (locale.equals(ULocale.ROOT) ? "root" : locale.getName());
            Collation collation = Collations.get(name);
            RuleBasedCollator expected = (RuleBasedCollator) Collator.getInstance(locale);
            assertThat(collation.version()).as(name).isEqualTo(expected.getVersion().toString());
            CollationOrder order = collation.order();
            for (String probe : probes) {
                assertThat(order.key(Slices.utf8Slice(probe)).getBytes()).as("%s %s", name, probe).isEqualTo(expected.getCollationKey(probe).toByteArray());
            }
            count++;
        }
        assertThat(count).isGreaterThan(100);
    }

    @Test
    void testOneCollationForAllSpellings()
    {
        assertThat(Collations.get("icu.en_USA-CS")).isSameAs(Collations.get("icu.en_US"));
        assertThat(Collations.find("icu.und-ai-ci")).containsSame(Collations.get("icu.root-ci-ai"));
        assertThat(Collations.get("icu.deu-cs").name().written()).isEqualTo("icu.de");
        assertThat(Collations.get("icu.de@collation=phonebk")).hasToString("icu.de@collation=phonebook");
    }

    private static void assertCanonical(String name, String canonical)
    {
        CollationName parsed = CollationName.parse(name);
        assertThat(parsed.canonical()).isEqualTo(canonical);
        assertThat(parsed.provider()).isEqualTo("icu");
        assertThat(parsed.written()).isEqualTo(name);
        assertThat(parsed).isEqualTo(CollationName.parse(canonical)).hasSameHashCodeAs(CollationName.parse(canonical));
        assertThat(parsed.isUtf8()).isFalse();
    }

    private static void assertBadModifier(String name, String problem)
    {
        assertMalformed(name, "Invalid collation '%s': %s".formatted(name, problem));
    }

    private static void assertMalformed(String name, String message)
    {
        assertThatThrownBy(() -> CollationName.parse(name)).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
        assertUnsupported(name, message);
    }

    /// An error for one who asks for the collation, and no collation for readers and writers of bounds.
    private static void assertUnsupported(String name, String message)
    {
        assertThat(Collations.find(name)).as(name).isEmpty();
        assertThatThrownBy(() -> Collations.get(name))
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(StandardErrorCode.INVALID_FUNCTION_ARGUMENT.toErrorCode()))
                .hasMessageStartingWith(message);
    }
}
