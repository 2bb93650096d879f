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

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// The smallest and the greatest value of a file under a collation, as they were written, never shortened.
///
/// A bound that cannot be had exactly is absent. Of values that are equal under the collation, a bound is the smallest by bytes.
///
/// @param valueCount all values, nulls included, as Iceberg counts them
public record CollationBounds(Optional<Slice> lower, Optional<Slice> upper, long valueCount, long nullCount)
{
    public CollationBounds
    {
        requireNonNull(lower, "lower is null");
        requireNonNull(upper, "upper is null");
        checkArgument(nullCount >= 0 && nullCount <= valueCount, "nullCount is not from 0 to %s: %s", valueCount, nullCount);
    }
}
