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
package io.sextant.index.tracking;

import com.google.common.collect.ImmutableList;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/// Whether the statistics of one field in one region agree with each other. Pruning trusts them, so what cannot be true is
/// worse than nothing.
record StatsCheck(
        TrackedField field,
        Optional<Object> lower,
        Optional<Object> upper,
        Optional<Object> groupMax,
        OptionalLong valueCount,
        OptionalLong nullCount,
        OptionalLong nanCount)
{
    /// What is wrong, if anything is.
    Optional<String> contradiction()
    {
        if (valueCount.isPresent() && (exceeds(nullCount) || exceeds(nanCount) || nullOrNaNCount() > valueCount.getAsLong())) {
            return Optional.of("null_value_count and nan_value_count are %s and %s, but value_count is %s".formatted(nullCount, nanCount, valueCount.getAsLong()));
        }
        if (lower.filter(StatsCheck::isNaN).isPresent() || upper.filter(StatsCheck::isNaN).isPresent()) {
            return Optional.of("a bound is NaN");
        }
        if (lower.isPresent() && upper.isPresent() && compare(lower.orElseThrow(), upper.orElseThrow()) > 0) {
            return Optional.of("lower_bound %s is above upper_bound %s".formatted(lower.orElseThrow(), upper.orElseThrow()));
        }
        return field.inKey() ? contradictionInKey() : Optional.empty();
    }

    /// Whether both bounds are there, or neither because no value is other than null or NaN.
    boolean boundsAreKnown()
    {
        if (lower.isPresent() || upper.isPresent()) {
            return lower.isPresent() && upper.isPresent();
        }
        return valueCount.isPresent() && nullOrNaNCount() == valueCount.getAsLong();
    }

    private Optional<String> contradictionInKey()
    {
        if (lower.isPresent() != upper.isPresent()) {
            return Optional.of("only one bound is there");
        }
        if (lower.isEmpty() && valueCount.isPresent() && nullCount.isPresent() && (!field.hasNanCount() || nanCount.isPresent()) && !boundsAreKnown()) {
            return Optional.of("there are no bounds, but values other than null and NaN");
        }
        if (groupMax.isPresent() && !isNaN(groupMax.orElseThrow())) {
            Object max = groupMax.orElseThrow();
            if (lower.isEmpty()) {
                return Optional.of("there are no bounds, but group_max_value is %s".formatted(max));
            }
            if (compare(max, lower.orElseThrow()) < 0 || compare(max, upper.orElseThrow()) > 0) {
                return Optional.of("group_max_value %s is not within the bounds %s and %s".formatted(max, lower.orElseThrow(), upper.orElseThrow()));
            }
        }
        if (groupMax.isEmpty() && !field.isOptional()) {
            return Optional.of("group_max_value is null, but the field is required");
        }
        if (groupMax.isEmpty() && nullCount.isPresent() && nullCount.getAsLong() == 0) {
            return Optional.of("group_max_value is null, but null_value_count is 0");
        }
        return Optional.empty();
    }

    private boolean exceeds(OptionalLong count)
    {
        return count.isPresent() && count.getAsLong() > valueCount.getAsLong();
    }

    private long nullOrNaNCount()
    {
        return nullCount.orElse(0) + nanCount.orElse(0);
    }

    private int compare(Object left, Object right)
    {
        return Arrays.compareUnsigned(encode(left), encode(right));
    }

    private byte[] encode(Object value)
    {
        KeyBuffer buffer = new KeyBuffer();
        KeyEncoding.of(ImmutableList.of(field.type())).encodeValue(0, value, buffer);
        return buffer.toByteArray();
    }

    private static boolean isNaN(Object value)
    {
        return switch (value) {
            case Float number -> number.isNaN();
            case Double number -> number.isNaN();
            default -> false;
        };
    }
}
