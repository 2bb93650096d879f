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
package io.sextant.index.scan;

import com.google.common.collect.ImmutableList;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.key.KeyPoints;
import io.sextant.index.key.KeyRange;
import io.sextant.index.key.KeyRanges;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.SortedRangeSet;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;
import org.apache.iceberg.types.Type.PrimitiveType;
import org.apache.iceberg.types.Type.TypeID;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;

/// The values that a predicate allows in one column, as ranges of the encoding of that one field.
/// The ranges never leave out a value that SQL lets through; they may hold more (NaN next to an open end, either zero
/// for the other), since the engine filters the rows again.
///
/// @param points the ranges as single values, where they are
/// @param domain the same as Trino's domain, where pruning by it is safe too
public record ColumnRanges(PrimitiveType type, KeyRanges ranges, Optional<KeyPoints> points, Optional<Domain> domain)
{
    private static final byte[] NULL = {0};
    private static final byte[] FIRST_VALUE = {1};
    private static final byte[] AFTER_ALL_VALUES = {2};

    public ColumnRanges
    {
        requireNonNull(type, "type is null");
        requireNonNull(ranges, "ranges is null");
        requireNonNull(points, "points is null");
        requireNonNull(domain, "domain is null");
    }

    /// Single values.
    ///
    /// @param values encoded, each as the only field
    /// @param domain the same as Trino's domain, where pruning by it is safe too
    public static ColumnRanges ofPoints(PrimitiveType type, Collection<byte[]> values, Optional<Domain> domain)
    {
        KeyPoints points = KeyPoints.of(values);
        return new ColumnRanges(type, points.toRanges(), Optional.of(points), domain);
    }

    /// Absent if the domain says nothing that ranges could express.
    static Optional<ColumnRanges> of(PrimitiveType type, Domain domain)
    {
        ValueSet values = domain.getValues();
        if (domain.isAll() || !(values.isAll() || values.isNone() || values instanceof SortedRangeSet)) {
            return Optional.empty();
        }
        // Row-group statistics say nothing on NaN, and a zero in them has no certain sign
        boolean prunesSafely = !(domain.getType() instanceof DoubleType) && !(domain.getType() instanceof RealType);
        Optional<Domain> safeDomain = Optional.of(domain).filter(_ -> prunesSafely);
        Encoder encoder = new Encoder(KeyEncoding.of(ImmutableList.of(type)), domain.getType());
        if (values.isNone() || values.isDiscreteSet()) {
            ImmutableList.Builder<byte[]> points = ImmutableList.builder();
            if (domain.isNullAllowed()) {
                points.add(NULL);
            }
            if (!values.isNone()) {
                values.getDiscreteSet().forEach(value -> points.addAll(encoder.point(value)));
            }
            return Optional.of(ofPoints(type, points.build(), safeDomain));
        }
        ImmutableList.Builder<KeyRange> ranges = ImmutableList.builder();
        if (domain.isNullAllowed()) {
            ranges.add(KeyRange.prefix(NULL));
        }
        if (values instanceof SortedRangeSet sorted) {
            sorted.getOrderedRanges().forEach(range -> encoder.range(range).ifPresent(ranges::add));
        }
        else {
            ranges.add(new KeyRange(FIRST_VALUE, Optional.of(AFTER_ALL_VALUES)));
        }
        return Optional.of(new ColumnRanges(type, KeyRanges.of(ranges.build()), Optional.empty(), safeDomain));
    }

    /// The not-a-number values of a floating-point column, of either sign.
    static ColumnRanges notANumber(PrimitiveType type)
    {
        List<Object> values = type.typeId() == TypeID.FLOAT
                ? ImmutableList.of(Float.NaN, Float.intBitsToFloat(0xFFC00000))
                : ImmutableList.of(Double.NaN, Double.longBitsToDouble(0xFFF8000000000000L));
        KeyEncoding encoding = KeyEncoding.of(ImmutableList.of(type));
        ImmutableList.Builder<byte[]> points = ImmutableList.builder();
        for (Object value : values) {
            KeyBuffer buffer = new KeyBuffer();
            encoding.encodeValue(0, value, buffer);
            points.add(buffer.toByteArray());
        }
        return ofPoints(type, points.build(), Optional.empty());
    }

    ColumnRanges intersect(ColumnRanges other)
    {
        Optional<Domain> bothDomains = domain.isPresent() && other.domain.isPresent()
                ? Optional.of(domain.orElseThrow().intersect(other.domain.orElseThrow()))
                : domain.or(other::domain);
        if (points.isPresent() || other.points.isPresent()) {
            List<byte[]> common = (points.isPresent() ? points : other.points).orElseThrow().points().stream()
                    .filter(point -> ranges.contains(point, 0, point.length) && other.ranges.contains(point, 0, point.length))
                    .toList();
            return ofPoints(type, common, bothDomains);
        }
        return new ColumnRanges(type, ranges.intersect(other.ranges), Optional.empty(), bothDomains);
    }

    ColumnRanges union(ColumnRanges other)
    {
        Optional<Domain> eitherDomain = domain.isPresent() && other.domain.isPresent()
                ? Optional.of(domain.orElseThrow().union(other.domain.orElseThrow()))
                : Optional.empty();
        if (points.isPresent() && other.points.isPresent()) {
            return ofPoints(type, concat(points.orElseThrow().points(), other.points.orElseThrow().points()), eitherDomain);
        }
        return new ColumnRanges(type, KeyRanges.of(concat(ranges.ranges(), other.ranges.ranges())), Optional.empty(), eitherDomain);
    }

    private static <T> List<T> concat(List<T> left, List<T> right)
    {
        return ImmutableList.<T>builder().addAll(left).addAll(right).build();
    }

    private record Encoder(KeyEncoding encoding, Type type)
    {
        /// Both zeros, where the value is one of them.
        List<byte[]> point(Object value)
        {
            byte[] low = encode(value, false);
            byte[] high = encode(value, true);
            return Arrays.equals(low, high) ? ImmutableList.of(low) : ImmutableList.of(low, high);
        }

        /// Absent if no value lies in the range.
        Optional<KeyRange> range(Range range)
        {
            byte[] low = FIRST_VALUE;
            if (!range.isLowUnbounded()) {
                byte[] value = encode(range.getLowBoundedValue(), false);
                low = range.isLowInclusive() ? value : KeyRange.prefixSuccessor(value).orElseThrow();
            }
            byte[] high = AFTER_ALL_VALUES;
            if (!range.isHighUnbounded()) {
                byte[] value = encode(range.getHighBoundedValue(), true);
                high = range.isHighInclusive() ? KeyRange.prefixSuccessor(value).orElseThrow() : value;
            }
            return Arrays.compareUnsigned(low, high) < 0 ? Optional.of(new KeyRange(low, Optional.of(high))) : Optional.empty();
        }

        private byte[] encode(Object value, boolean high)
        {
            KeyBuffer buffer = new KeyBuffer();
            encoding.encode(0, writeNativeValue(type, withZeroOf(value, high)), 0, buffer);
            return buffer.toByteArray();
        }

        // SQL takes -0.0 and 0.0 for equal, the order of keys does not: a low end starts at -0.0, a high one ends at 0.0
        private Object withZeroOf(Object value, boolean high)
        {
            if (type.equals(DOUBLE) && (double) value == 0) {
                return high ? 0.0 : -0.0;
            }
            if (type.equals(REAL) && Float.intBitsToFloat((int) (long) value) == 0) {
                return (long) Float.floatToRawIntBits(high ? 0.0f : -0.0f);
            }
            return value;
        }
    }
}
