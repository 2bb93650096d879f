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

import jakarta.annotation.Nullable;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// The encoded tuples from one byte string, inclusive, to another, exclusive; without the latter, up to the last tuple.
/// A range is never empty.
///
/// Arrays are taken and handed out without a copy: who gives or gets one must not change it.
public final class KeyRange
{
    private static final byte[] EMPTY = {};

    private final byte[] low;
    @Nullable
    private final byte[] high;

    public KeyRange(byte[] low, Optional<byte[]> high)
    {
        this.low = requireNonNull(low, "low is null");
        this.high = high.orElse(null);
        checkArgument(this.high == null || Arrays.compareUnsigned(low, this.high) < 0, "low is not below high: %s", this);
    }

    /// Every tuple.
    public static KeyRange all()
    {
        return new KeyRange(EMPTY, Optional.empty());
    }

    /// Every tuple whose encoding begins with a prefix: with the encodings of its first fields as prefix, every tuple
    /// with these values.
    public static KeyRange prefix(byte[] prefix)
    {
        return new KeyRange(prefix, prefixSuccessor(prefix));
    }

    /// The smallest byte string that is greater than all that begin with a prefix; empty when there is none, as the
    /// prefix is empty or consists of bytes 0xFF.
    public static Optional<byte[]> prefixSuccessor(byte[] prefix)
    {
        int length = prefix.length;
        while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
            length--;
        }
        if (length == 0) {
            return Optional.empty();
        }
        byte[] successor = Arrays.copyOf(prefix, length);
        successor[length - 1]++;
        return Optional.of(successor);
    }

    /// The first byte string of the range.
    public byte[] low()
    {
        return low;
    }

    /// The first byte string after the range.
    public Optional<byte[]> high()
    {
        return Optional.ofNullable(high);
    }

    public boolean contains(byte[] key, int offset, int length)
    {
        return startsAtOrBefore(key, offset, length) && endsAfter(key, offset, length);
    }

    boolean startsAtOrBefore(byte[] key, int offset, int length)
    {
        return Arrays.compareUnsigned(low, 0, low.length, key, offset, offset + length) <= 0;
    }

    boolean endsAfter(byte[] key, int offset, int length)
    {
        return high == null || Arrays.compareUnsigned(high, 0, high.length, key, offset, offset + length) > 0;
    }

    /// Whether nothing lies between the end of this range and the beginning of one that starts no earlier.
    boolean touches(KeyRange next)
    {
        return high == null || Arrays.compareUnsigned(next.low, high) <= 0;
    }

    /// This range with its end moved to that of another, unless that ends earlier.
    KeyRange extendedTo(KeyRange other)
    {
        return endsAtOrAfter(other) ? this : new KeyRange(low, other.high());
    }

    boolean endsAtOrAfter(KeyRange other)
    {
        return high == null || (other.high != null && Arrays.compareUnsigned(high, other.high) >= 0);
    }

    @Override
    public boolean equals(Object object)
    {
        return object instanceof KeyRange other
                && Arrays.equals(low, other.low)
                && Arrays.equals(high, other.high);
    }

    @Override
    public int hashCode()
    {
        return 31 * Arrays.hashCode(low) + Arrays.hashCode(high);
    }

    @Override
    public String toString()
    {
        return "[%s, %s)".formatted(
                HexFormat.of().formatHex(low),
                high == null ? "unbounded" : HexFormat.of().formatHex(high));
    }
}
