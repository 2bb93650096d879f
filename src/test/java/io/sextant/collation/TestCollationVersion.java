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

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.ibm.icu.text.Collator;
import com.ibm.icu.util.ULocale;
import com.ibm.icu.util.VersionInfo;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

final class TestCollationVersion
{
    private static final String VERSION = "153.136.0.0";
    // Of all locales with rules of their own
    private static final String TAILORED_VERSION = "153.136.48.0";

    @Test
    @Tag("CO-08")
    @Tag("case-28")
    void testVersionIsThatOfTheCollator()
    {
        for (String locale : List.of("root", "en", "en_US", "de", "fr", "it")) {
            assertThat(Collations.get("icu." + locale).version()).as(locale).isEqualTo(VERSION);
        }
        for (String locale : List.of("sv", "ja", "tr", "da", "zh", "fr_CA", "de@collation=phonebook")) {
            assertThat(Collations.get("icu." + locale).version()).as(locale).isEqualTo(TAILORED_VERSION)
                    .isEqualTo(Collator.getInstance(new ULocale(locale)).getVersion().toString());
        }
        assertThat(VERSION).isNotEqualTo(VersionInfo.ICU_VERSION.toString());
    }

    @Test
    @Tag("CO-08")
    void testModifiersDoNotChangeVersion()
    {
        for (String modifiers : List.of("-ci", "-ai", "-ci-ai", "-trim")) {
            assertThat(Collations.get("icu.en_US" + modifiers).version()).isEqualTo(VERSION);
            assertThat(Collations.get("icu.sv" + modifiers).version()).isEqualTo(TAILORED_VERSION);
        }
    }

    @Test
    @Tag("CO-08")
    @Tag("case-28")
    void testOnlyTheSameVersionMatches()
    {
        Collation collation = Collations.get("icu.en_US-ci");
        assertThat(collation.matchesVersion(VERSION)).isTrue();
        for (String other : List.of("153.128.0.0", "153.136.48.0", "153.136.0.1", "153.136.1.0", "153.137.0.0", "152.136.0.0", "153.112.0.0", "78.3.0.0", "78.3")) {
            assertThat(collation.matchesVersion(other)).as(other).isFalse();
        }
        assertThat(Collations.get("icu.sv").matchesVersion(TAILORED_VERSION)).isTrue();
        assertThat(Collations.get("icu.sv").matchesVersion(VERSION)).isFalse();
    }

    /// ICU4C writes no zeros at the end.
    @Test
    @Tag("CO-08")
    @Tag("case-29")
    void testZerosAtTheEndMayBeMissing()
    {
        assertThat(Collations.get("icu.en_US").matchesVersion("153.136")).isTrue();
        assertThat(Collations.get("icu.en_US").matchesVersion("153.136.0")).isTrue();
        assertThat(Collations.get("icu.sv").matchesVersion("153.136.48")).isTrue();
        assertThat(Collations.get("icu.en_US").matchesVersion("153")).isFalse();
        assertThat(Collations.get("icu.sv").matchesVersion("153.136")).isFalse();
    }

    @Test
    @Tag("CO-08")
    void testWhatIsNoVersionDoesNotMatch()
    {
        Collation collation = Collations.get("icu.en_US");
        for (String text : List.of(
                "",
                " ",
                ".",
                "...",
                "null",
                "x",
                "153.136.",
                "153.136..0",
                "153..136",
                ".153.136",
                "153.136.0.0.",
                "153.136.0.0.0",
                "0153.136",
                "153.136.00.0",
                " 153.136.0.0",
                "153.136.0.0 ",
                "153.136.0.0\n",
                "153,136,0,0",
                "v153.136.0.0",
                "153.136.0.0-1",
                "+153.136.0.0",
                "-1",
                "256.0.0.0",
                "99999999999.1",
                "\u0661.136.0.0")) {
            assertThat(collation.matchesVersion(text)).as(text).isFalse();
        }
    }

    @Test
    @Tag("CO-08")
    @Tag("case-28")
    void testEmptyVersionIsNeverUsable()
    {
        assertThat(new CollationVersion("").matches("")).isFalse();
        assertThat(new CollationVersion(VERSION).matches("")).isFalse();
        assertThat(new CollationVersion("").matches(VERSION)).isFalse();
    }

    /// ICU 72 and 73 report one version for two orders.
    @Test
    @Tag("CO-08")
    void testVersionOfTwoOrdersIsNeverUsable()
    {
        for (String ambiguous : List.of("153.120", "153.120.0", "153.120.0.0", "153.120.42", "153.120.42.0", "153.120.43.8")) {
            assertThat(new CollationVersion(ambiguous).matches(ambiguous)).as(ambiguous).isFalse();
            assertThat(new CollationVersion("153.120.0.0").matches(ambiguous)).as(ambiguous).isFalse();
        }
        for (String usable : List.of("153.121.0.0", "153.112.0.0", "153.12", "153.12.120", "15.3.120")) {
            assertThat(new CollationVersion(usable).matches(usable)).as(usable).isTrue();
        }
    }

    /// Bounds in tables rely on one order for one version. If an upgrade of ICU changes an order but not the version, as 73 did,
    /// that version must become one which is never usable; if it changes both, the new values belong here.
    @Test
    @Tag("CO-08")
    @Tag("case-31")
    void testOrderOfTheVersion()
    {
        assertThat(List.of(orderOfCharacters("icu.root"), orderOfCharacters("icu.sv"), orderOfCharacters("icu.zh"), orderOfCharacters("icu.th-ci"))).containsExactly(
                "153.136.0.0 84f7f98e76f90018e34013a8e4b203bf",
                "153.136.48.0 5f0f668b995a24ec0ee67747c0ded2c4",
                "153.136.48.0 38f136a0559737e5538167409c152d36",
                "153.136.48.0 9442f83d6cd79e874e0d500ae3c97817");
    }

    /// The version, and a hash of all characters in their order, with what is equal side by side.
    private static String orderOfCharacters(String name)
    {
        record Entry(int character, Slice key) {}

        Collation collation = Collations.get(name);
        CollationOrder order = collation.order();
        List<Entry> entries = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(character -> Character.isBmpCodePoint(character) || character < 0x20000)
                .filter(character -> character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE)
                .mapToObj(character -> new Entry(character, order.key(Slices.utf8Slice(Character.toString(character)))))
                .sorted(Comparator.comparing(Entry::key).thenComparingInt(Entry::character))
                .collect(toImmutableList());
        Hasher hasher = Hashing.murmur3_128().newHasher();
        Slice previous = Slices.EMPTY_SLICE;
        for (Entry entry : entries) {
            hasher.putBoolean(entry.key().equals(previous)).putInt(entry.character());
            previous = entry.key();
        }
        return collation.version() + " " + hasher.hash();
    }
}
