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

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/// What a collation disregards: `ci` case, `ai` accents, and spaces by `ltrim`, `rtrim` or `trim`; `cs` and `as` are the default.
record CollationModifiers(boolean caseSensitive, boolean accentSensitive, Trim trim)
{
    private static final String ALLOWED = "cs, ci, as, ai, ltrim, rtrim, trim";

    CollationModifiers
    {
        requireNonNull(trim, "trim is null");
    }

    /// Modifiers come in any order and case, at most one of each kind.
    ///
    /// @throws IllegalArgumentException naming the bad modifier
    static CollationModifiers parse(List<String> words)
    {
        Optional<String> caseWord = Optional.empty();
        Optional<String> accentWord = Optional.empty();
        Optional<String> trimWord = Optional.empty();
        for (String written : words) {
            String word = written.toLowerCase(ENGLISH);
            switch (word) {
                case "cs", "ci" -> caseWord = only(caseWord, word);
                case "as", "ai" -> accentWord = only(accentWord, word);
                case "ltrim", "rtrim", "trim" -> trimWord = only(trimWord, word);
                case "upper", "lower", "casefold" -> throw new IllegalArgumentException("modifier '%s' is not supported for a locale; use ci to disregard case".formatted(written));
                default -> throw new IllegalArgumentException("modifier '%s' is unknown; allowed are %s".formatted(written, ALLOWED));
            }
        }
        return new CollationModifiers(
                caseWord.map("cs"::equals).orElse(true),
                accentWord.map("as"::equals).orElse(true),
                trimWord.map(word -> Trim.valueOf(word.toUpperCase(ENGLISH))).orElse(Trim.NONE));
    }

    private static Optional<String> only(Optional<String> earlier, String word)
    {
        if (earlier.isPresent()) {
            throw new IllegalArgumentException(earlier.orElseThrow().equals(word) ?
                    "modifier '%s' is given twice".formatted(word) :
                    "modifiers '%s' and '%s' exclude each other".formatted(earlier.orElseThrow(), word));
        }
        return Optional.of(word);
    }

    /// The modifiers that are not the default, each with a dash before it.
    @Override
    public String toString()
    {
        ImmutableList.Builder<String> words = ImmutableList.<String>builder().add("");
        if (!caseSensitive) {
            words.add("ci");
        }
        if (!accentSensitive) {
            words.add("ai");
        }
        if (trim != Trim.NONE) {
            words.add(trim.name().toLowerCase(ENGLISH));
        }
        return String.join("-", words.build());
    }
}
