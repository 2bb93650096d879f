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
package io.sextant.index.key;

import com.google.common.collect.ImmutableList;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/// A set of encoded tuples as ranges in ascending order with gaps between them. Immutable; for the arrays within,
/// see [KeyRange].
///
/// The factories that take a prefix speak of tuples that begin with the prefix or compare to it: a tuple may go on after
/// the prefix, so "greater than" begins only where no tuple with the prefix is left. They know nothing of SQL: nulls come
/// first in the order and are thus "less than" any value, and 0.0 and -0.0 are two values.
public final class KeyRanges
{
    private static final KeyRanges NONE = new KeyRanges(ImmutableList.of());
    private static final KeyRanges ALL = new KeyRanges(ImmutableList.of(KeyRange.all()));

    private final ImmutableList<KeyRange> ranges;

    private KeyRanges(ImmutableList<KeyRange> ranges)
    {
        this.ranges = ranges;
    }

    public static KeyRanges none()
    {
        return NONE;
    }

    public static KeyRanges all()
    {
        return ALL;
    }

    public static KeyRanges of(KeyRange range)
    {
        return new KeyRanges(ImmutableList.of(range));
    }

    /// The union of ranges, which may be in any order, overlap or touch.
    public static KeyRanges of(Collection<KeyRange> ranges)
    {
        List<KeyRange> sorted = ranges.stream()
                .sorted((left, right) -> Arrays.compareUnsigned(left.low(), right.low()))
                .collect(toImmutableList());
        return ofSorted(sorted);
    }

    /// The tuples that begin with a prefix.
    public static KeyRanges point(byte[] prefix)
    {
        return of(KeyRange.prefix(prefix));
    }

    public static KeyRanges atLeast(byte[] prefix)
    {
        return of(new KeyRange(prefix, Optional.empty()));
    }

    public static KeyRanges greaterThan(byte[] prefix)
    {
        return KeyRange.prefixSuccessor(prefix)
                .map(KeyRanges::atLeast)
                .orElse(NONE);
    }

    public static KeyRanges atMost(byte[] prefix)
    {
        return KeyRange.prefixSuccessor(prefix)
                .map(KeyRanges::lessThan)
                .orElse(ALL);
    }

    public static KeyRanges lessThan(byte[] prefix)
    {
        if (prefix.length == 0) {
            return NONE;
        }
        return of(new KeyRange(new byte[0], Optional.of(prefix)));
    }

    /// The tuples whose first field is null.
    public static KeyRanges nulls()
    {
        return point(new byte[] {KeyEncoding.NULL});
    }

    /// The tuples whose first field is not null.
    public static KeyRanges notNulls()
    {
        return point(new byte[] {KeyEncoding.NOT_NULL});
    }

    static KeyRanges ofSorted(List<KeyRange> sorted)
    {
        ImmutableList.Builder<KeyRange> merged = ImmutableList.builderWithExpectedSize(sorted.size());
        int index = 0;
        while (index < sorted.size()) {
            KeyRange range = sorted.get(index);
            index++;
            while (index < sorted.size() && range.touches(sorted.get(index))) {
                range = range.extendedTo(sorted.get(index));
                index++;
            }
            merged.add(range);
        }
        return new KeyRanges(merged.build());
    }

    /// Ascending; no two overlap or touch.
    public List<KeyRange> ranges()
    {
        return ranges;
    }

    public int size()
    {
        return ranges.size();
    }

    public boolean isNone()
    {
        return ranges.isEmpty();
    }

    public boolean isAll()
    {
        return equals(ALL);
    }

    public boolean contains(byte[] key, int offset, int length)
    {
        int index = firstEndingAfter(0, ranges.size(), key, offset, length);
        return index < ranges.size() && ranges.get(index).startsAtOrBefore(key, offset, length);
    }

    /// Whether the set has a place from one byte string, inclusive, to another, exclusive; without the latter, to the end.
    public boolean overlaps(byte[] low, Optional<byte[]> high)
    {
        int direction = high.map(bytes -> Arrays.compareUnsigned(low, bytes)).orElse(-1);
        checkArgument(direction <= 0, "low is above high");
        if (direction == 0) {
            return false;
        }
        int index = firstEndingAfter(0, ranges.size(), low, 0, low.length);
        return index < ranges.size()
                && (high.isEmpty() || Arrays.compareUnsigned(ranges.get(index).low(), high.orElseThrow()) < 0);
    }

    public KeyRanges intersect(KeyRanges other)
    {
        List<KeyRange> intersection = new ArrayList<>();
        int left = 0;
        int right = 0;
        while (left < ranges.size() && right < other.ranges.size()) {
            KeyRange leftRange = ranges.get(left);
            KeyRange rightRange = other.ranges.get(right);
            byte[] low = Arrays.compareUnsigned(leftRange.low(), rightRange.low()) >= 0 ? leftRange.low() : rightRange.low();
            boolean leftEndsLater = leftRange.endsAtOrAfter(rightRange);
            KeyRange first = leftEndsLater ? rightRange : leftRange;
            if (first.endsAfter(low, 0, low.length)) {
                intersection.add(new KeyRange(low, first.high()));
            }
            if (leftEndsLater) {
                right++;
            }
            else {
                left++;
            }
        }
        return ofSorted(intersection);
    }

    /// A cursor for one pass over keys; each thread needs its own.
    public Cursor cursor()
    {
        return new Cursor();
    }

    /// The first range from one index to another that ends after a key, or the latter index.
    private int firstEndingAfter(int from, int to, byte[] key, int offset, int length)
    {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ranges.get(middle).endsAfter(key, offset, length)) {
                high = middle;
            }
            else {
                low = middle + 1;
            }
        }
        return low;
    }

    @Override
    public boolean equals(Object object)
    {
        return object instanceof KeyRanges other && ranges.equals(other.ranges);
    }

    @Override
    public int hashCode()
    {
        return ranges.hashCode();
    }

    @Override
    public String toString()
    {
        return ranges.toString();
    }

    /// Tests keys one by one. Keys in ascending order cost a constant number of comparisons on average; in any other
    /// order the answers are right, too, but cost a search each.
    public final class Cursor
    {
        // The first range that ends after the last key
        private int index;

        private Cursor() {}

        public boolean contains(byte[] key, int offset, int length)
        {
            if (index < ranges.size() && ranges.get(index).endsAfter(key, offset, length)) {
                if (ranges.get(index).startsAtOrBefore(key, offset, length)) {
                    return true;
                }
                return rewind(key, offset, length);
            }
            if (index == ranges.size()) {
                return rewind(key, offset, length);
            }
            gallop(key, offset, length);
            return index < ranges.size() && ranges.get(index).startsAtOrBefore(key, offset, length);
        }

        /// Whether the last key lies after all ranges, so that no greater key can be contained.
        public boolean isExhausted()
        {
            return index == ranges.size();
        }

        /// Tests a key before the current range, which is between it and the one before unless the keys go backwards.
        private boolean rewind(byte[] key, int offset, int length)
        {
            if (index == 0 || !ranges.get(index - 1).endsAfter(key, offset, length)) {
                return false;
            }
            index = firstEndingAfter(0, index, key, offset, length);
            return ranges.get(index).startsAtOrBefore(key, offset, length);
        }

        private void gallop(byte[] key, int offset, int length)
        {
            int step = 1;
            int from = index + 1;
            int to = from;
            while (to < ranges.size() && !ranges.get(to).endsAfter(key, offset, length)) {
                from = to + 1;
                to = Math.min(ranges.size(), from + step);
                step *= 2;
            }
            index = firstEndingAfter(from, to, key, offset, length);
        }
    }
}
