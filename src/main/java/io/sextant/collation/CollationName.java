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

import static java.util.Objects.requireNonNull;

/// The name of a collation, as a schema has it: `utf8`, or a provider, a dot, and the provider's own name.
///
/// Names of the provider `icu` are checked by the grammar of [IcuName]. Names of other providers are well-formed and mean nothing here.
/// Two names are equal when their canonical forms are: `icu.en_USA-cs` and `icu.en_US` are one collation. The name as written is kept,
/// since it goes back into the schema unchanged.
public final class CollationName
{
    /// The order of bytes, which is the same as no collation.
    public static final String UTF8 = "utf8";

    static final String ICU = "icu";

    private final String written;
    private final String canonical;
    private final String provider;

    private CollationName(String written, String canonical, String provider)
    {
        this.written = requireNonNull(written, "written is null");
        this.canonical = requireNonNull(canonical, "canonical is null");
        this.provider = requireNonNull(provider, "provider is null");
    }

    /// The name that is written so.
    ///
    /// @throws IllegalArgumentException naming the part that is wrong, and what would be right
    public static CollationName parse(String name)
    {
        if (name.equals(UTF8)) {
            return new CollationName(name, name, "");
        }
        int dot = name.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("Invalid collation '%s': no provider; it has to be utf8, or begin with a provider and a dot, like icu.en_US".formatted(name));
        }
        String provider = name.substring(0, dot);
        String ownName = name.substring(dot + 1);
        if (provider.isBlank()) {
            throw new IllegalArgumentException("Invalid collation '%s': the provider before the dot is empty".formatted(name));
        }
        if (ownName.isBlank()) {
            throw new IllegalArgumentException("Invalid collation '%s': nothing follows the provider '%s'".formatted(name, provider));
        }
        if (!provider.equals(ICU)) {
            return new CollationName(name, name, provider);
        }
        try {
            return new CollationName(name, ICU + "." + IcuName.parse(ownName), provider);
        }
        catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Invalid collation '%s': %s".formatted(name, e.getMessage()), e);
        }
    }

    public boolean isUtf8()
    {
        return canonical.equals(UTF8);
    }

    /// As the schema has it.
    public String written()
    {
        return written;
    }

    /// Without modifiers that change nothing, in the usual order and case. For unknown providers, as written.
    public String canonical()
    {
        return canonical;
    }

    /// Empty for `utf8`.
    public String provider()
    {
        return provider;
    }

    /// What follows the provider in the canonical form.
    String ownName()
    {
        return canonical.substring(canonical.indexOf('.') + 1);
    }

    @Override
    public boolean equals(Object other)
    {
        return other instanceof CollationName name && canonical.equals(name.canonical);
    }

    @Override
    public int hashCode()
    {
        return canonical.hashCode();
    }

    @Override
    public String toString()
    {
        return written;
    }
}
