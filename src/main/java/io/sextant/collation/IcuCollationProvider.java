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

import java.util.List;
import java.util.Set;

import static com.ibm.icu.text.Collator.PRIMARY;
import static com.ibm.icu.text.Collator.SECONDARY;
import static com.ibm.icu.text.Collator.TERTIARY;

/// The collations of ICU4J.
///
/// Case and accents are levels of the collation algorithm. All other settings stay as the locale has them, as in Spark: whether
/// punctuation counts, whether capitals come first, how characters are normalized.
final class IcuCollationProvider
        implements CollationProvider
{
    private static final Set<ULocale> COLLATED = ImmutableSet.copyOf(Collator.getAvailableULocales());
    private static final Set<ULocale> LOCALES = ImmutableSet.copyOf(ULocale.getAvailableLocales());
    private static final String KEYWORD = "collation";

    @Override
    public String name()
    {
        return CollationName.ICU;
    }

    @Override
    public Collation create(CollationName name)
    {
        IcuName icuName = IcuName.parse(name.ownName());
        RuleBasedCollator collator = ((RuleBasedCollator) Collator.getInstance(locale(name, icuName))).cloneAsThawed();
        CollationModifiers modifiers = icuName.modifiers();
        if (modifiers.accentSensitive()) {
            collator.setStrength(modifiers.caseSensitive() ? TERTIARY : SECONDARY);
        }
        else {
            collator.setStrength(PRIMARY);
            collator.setCaseLevel(modifiers.caseSensitive());
        }
        return new IcuCollation(CollationName.parse(name.canonical()), collator, modifiers.trim());
    }

    /// ICU gives the order of the root for whatever it does not know; that must not pass for the order that was meant.
    private static ULocale locale(CollationName name, IcuName icuName)
    {
        ULocale locale = new ULocale(icuName.locale());
        ULocale base = new ULocale(locale.getBaseName());
        if (!isKnown(base)) {
            throw new IllegalArgumentException("Unsupported collation '%s': ICU has no collation for locale '%s'".formatted(name, base));
        }
        String type = locale.getKeywordValue(KEYWORD);
        if (type != null) {
            List<String> types = List.of(Collator.getKeywordValuesForLocale(KEYWORD, base, false));
            if (!types.contains(type)) {
                throw new IllegalArgumentException("Unsupported collation '%s': locale '%s' has no order '%s'; it has %s".formatted(name, base, type, String.join(", ", types)));
            }
        }
        return locale;
    }

    private static boolean isKnown(ULocale locale)
    {
        boolean isRoot = locale.getName().isEmpty();
        return isRoot
                || COLLATED.contains(locale)
                || (LOCALES.contains(locale) && COLLATED.contains(new ULocale(locale.getLanguage())))
                // Has an order by way of another locale, as zh_TW that of zh_Hant_TW
                || !Collator.getInstance(locale).getLocale(ULocale.ACTUAL_LOCALE).getName().isEmpty();
    }
}
