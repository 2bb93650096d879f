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
import com.google.common.collect.Maps;
import io.trino.spi.TrinoException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;

/// The collations that are supported here, by name.
public final class Collations
{
    private static final Map<String, CollationProvider> PROVIDERS = ImmutableMap.copyOf(Maps.uniqueIndex(List.of(new IcuCollationProvider()), CollationProvider::name));
    // There are some thousand canonical names at most
    private static final Map<CollationName, Collation> COLLATIONS = new ConcurrentHashMap<>();

    private Collations() {}

    /// For readers and writers of bounds. Empty for a name that is invalid or means nothing here, and for `utf8`, which needs none.
    public static Optional<Collation> find(String name)
    {
        try {
            return Optional.of(resolve(name));
        }
        catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// For users who ask to compare with the collation.
    ///
    /// @throws TrinoException `INVALID_FUNCTION_ARGUMENT`, naming the part of the name that is wrong
    public static Collation get(String name)
    {
        try {
            return resolve(name);
        }
        catch (IllegalArgumentException e) {
            throw new TrinoException(INVALID_FUNCTION_ARGUMENT, e.getMessage(), e);
        }
    }

    private static Collation resolve(String written)
    {
        CollationName name = CollationName.parse(written);
        Collation collation = COLLATIONS.get(name);
        return collation == null ? COLLATIONS.computeIfAbsent(name, Collations::create) : collation;
    }

    private static Collation create(CollationName name)
    {
        if (name.isUtf8()) {
            throw new IllegalArgumentException("Collation '%s' is the order of bytes, which varchar has without a collation".formatted(name));
        }
        CollationProvider provider = PROVIDERS.get(name.provider());
        if (provider == null) {
            throw new IllegalArgumentException("Unsupported collation '%s': provider '%s' is unknown; it has to be %s".formatted(name, name.provider(), CollationName.ICU));
        }
        return provider.create(name);
    }
}
