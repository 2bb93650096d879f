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
package io.sextant.collation.scan;

import io.airlift.slice.Slice;
import io.sextant.collation.CollationBounds;
import io.sextant.collation.CollationOrder;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// What the bounds of one file say of the sort keys of a column: all of them are from the lower key to the upper, both
/// included. Keys are compared as unsigned bytes.
///
/// @param lower empty if there is no least key to know
/// @param upper empty if there is no greatest key to know
record KeyInterval(Optional<Slice> lower, Optional<Slice> upper, boolean mayHaveNulls, boolean mayHaveValues)
{
    /// Of a file without usable bounds.
    static final KeyInterval UNKNOWN = new KeyInterval(Optional.empty(), Optional.empty(), true, true);

    KeyInterval
    {
        requireNonNull(lower, "lower is null");
        requireNonNull(upper, "upper is null");
    }

    static KeyInterval of(CollationBounds bounds, CollationOrder order)
    {
        Optional<Slice> lower = bounds.lower().map(order::key);
        Optional<Slice> upper = bounds.upper().map(order::key);
        if (lower.isPresent() && upper.isPresent() && lower.orElseThrow().compareTo(upper.orElseThrow()) > 0) {
            // Not written in this order, whatever the entry says
            return UNKNOWN;
        }
        return new KeyInterval(lower, upper, bounds.nullCount() > 0, bounds.nullCount() < bounds.valueCount());
    }

    boolean mayHaveKeyAtMost(Slice key)
    {
        return mayHaveValues && (lower.isEmpty() || lower.orElseThrow().compareTo(key) <= 0);
    }

    boolean mayHaveKeyBelow(Slice key)
    {
        return mayHaveValues && (lower.isEmpty() || lower.orElseThrow().compareTo(key) < 0);
    }

    boolean mayHaveKeyAtLeast(Slice key)
    {
        return mayHaveValues && (upper.isEmpty() || upper.orElseThrow().compareTo(key) >= 0);
    }

    boolean mayHaveKeyAbove(Slice key)
    {
        return mayHaveValues && (upper.isEmpty() || upper.orElseThrow().compareTo(key) > 0);
    }

    boolean mayHaveOtherKeyThan(Slice key)
    {
        return mayHaveKeyBelow(key) || mayHaveKeyAbove(key);
    }
}
