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

import com.google.common.base.Splitter;
import com.ibm.icu.util.ULocale;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/// A name of the provider `icu`: a locale, then modifiers, each after a dash.
///
/// A locale is `root` or `und`, or a language with an optional script and region, and optionally one of the locale's own orders:
/// `de`, `sr_Latn_RS`, `de@collation=phonebook`. Whether ICU knows the locale is not asked here.
record IcuName(String locale, CollationModifiers modifiers)
{
    static final String ROOT = "root";

    private static final Pattern LOCALE = Pattern.compile("(?<base>root|[A-Za-z]{2,3}(_[A-Za-z]{4})?(_([A-Za-z]{2,3}|[0-9]{3}))?)(@collation=(?<type>[A-Za-z0-9]+))?");
    private static final String KEYWORD = "collation";

    IcuName
    {
        requireNonNull(locale, "locale is null");
        requireNonNull(modifiers, "modifiers is null");
    }

    /// @throws IllegalArgumentException naming the bad part
    static IcuName parse(String name)
    {
        List<String> parts = Splitter.on('-').splitToList(name);
        return new IcuName(canonicalLocale(parts.getFirst()), CollationModifiers.parse(parts.subList(1, parts.size())));
    }

    private static String canonicalLocale(String locale)
    {
        Matcher matcher = LOCALE.matcher(locale);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("locale '%s' has to be a language with an optional script and region, like en_US, or root".formatted(locale));
        }
        String base = ULocale.createCanonical(matcher.group("base")).getName();
        base = base.equals("und") ? ROOT : base;
        String type = matcher.group("type");
        return type == null ? base : base + "@" + KEYWORD + "=" + ULocale.toLegacyType(KEYWORD, type.toLowerCase(ENGLISH));
    }

    @Override
    public String toString()
    {
        return locale + modifiers;
    }
}
