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
package io.sextant.index.file;

import org.apache.iceberg.types.Type;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// What is known about the values of one field in one index file (index format, `content_stats`).
///
/// Values are Iceberg's internal ones: Boolean, Integer, Long, Float, Double, BigDecimal, String, UUID, ByteBuffer.
///
/// @param lower lower bound of the values that are neither null nor NaN; empty when there is none
/// @param upper upper bound of the values that are neither null nor NaN; empty when there is none
/// @param groupMax the field's value in the last entry of the region, never truncated; empty when that value is null, and
///         for fields that are not in the ordering key
/// @param tightBounds whether the bounds are values of the field rather than merely below and above them
/// @param valueCount rows, with those whose value is null
/// @param averageSize average size in bytes of the values that are not null, for types of variable length
public record FieldStats(
        Optional<Object> lower,
        Optional<Object> upper,
        Optional<Object> groupMax,
        boolean tightBounds,
        OptionalLong valueCount,
        OptionalLong nullValueCount,
        OptionalLong nanValueCount,
        OptionalInt averageSize)
{
    public FieldStats
    {
        requireNonNull(lower, "lower is null");
        requireNonNull(upper, "upper is null");
        requireNonNull(groupMax, "groupMax is null");
        requireNonNull(valueCount, "valueCount is null");
        requireNonNull(nullValueCount, "nullValueCount is null");
        requireNonNull(nanValueCount, "nanValueCount is null");
        requireNonNull(averageSize, "averageSize is null");
        checkArgument(lower.isPresent() == upper.isPresent(), "only one bound is present: %s, %s", lower, upper);
    }

    /// The same of a field whose type was promoted to another one, in which all values keep their places.
    public FieldStats promotedTo(Type type)
    {
        return new FieldStats(
                lower.map(value -> promote(value, type)),
                upper.map(value -> promote(value, type)),
                groupMax.map(value -> promote(value, type)),
                tightBounds,
                valueCount,
                nullValueCount,
                nanValueCount,
                averageSize);
    }

    private static Object promote(Object value, Type type)
    {
        return switch (type.typeId()) {
            case LONG -> ((Number) value).longValue();
            case DOUBLE -> ((Number) value).doubleValue();
            // The scale of a decimal stays
            default -> value;
        };
    }
}
