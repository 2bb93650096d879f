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

import com.ibm.icu.text.RuleBasedCollator;

import static java.util.Objects.requireNonNull;

final class IcuCollation
        implements Collation
{
    private final CollationName name;
    private final CollationVersion version;
    // Frozen: shared collators take a lock for every comparison, so that each order has a copy
    private final RuleBasedCollator collator;
    private final Trim trim;

    IcuCollation(CollationName name, RuleBasedCollator collator, Trim trim)
    {
        this.name = requireNonNull(name, "name is null");
        this.collator = (RuleBasedCollator) collator.cloneAsThawed().freeze();
        this.trim = requireNonNull(trim, "trim is null");
        version = new CollationVersion(collator.getVersion().toString());
    }

    @Override
    public CollationName name()
    {
        return name;
    }

    @Override
    public String version()
    {
        return version.text();
    }

    @Override
    public boolean matchesVersion(String recorded)
    {
        return version.matches(recorded);
    }

    @Override
    public CollationOrder order()
    {
        return new IcuCollationOrder(collator.cloneAsThawed(), trim);
    }

    @Override
    public String toString()
    {
        return name.canonical();
    }
}
