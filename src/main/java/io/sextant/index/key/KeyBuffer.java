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

import io.trino.spi.TrinoException;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

import static com.google.common.base.Preconditions.checkArgument;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static java.lang.invoke.MethodHandles.byteArrayViewVarHandle;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.util.Objects.checkFromIndexSize;

/// A growable byte array in which keys are encoded, made to be reset and used again. Not thread-safe.
public final class KeyBuffer
{
    static final VarHandle BIG_ENDIAN_LONG = byteArrayViewVarHandle(long[].class, BIG_ENDIAN);
    static final VarHandle LITTLE_ENDIAN_LONG = byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

    static final byte ESCAPE = 0x00;
    static final byte ESCAPED_ZERO = (byte) 0xFF;
    static final byte TERMINATOR = 0x00;

    private static final int INITIAL_CAPACITY = 64;
    // Some virtual machines cannot allocate the last few elements below the largest int
    private static final int MAX_CAPACITY = Integer.MAX_VALUE - 8;

    private byte[] array = new byte[INITIAL_CAPACITY];
    private int length;

    /// The bytes themselves, valid up to [#length()]. Any append may replace the array by a larger one.
    public byte[] array()
    {
        return array;
    }

    public int length()
    {
        return length;
    }

    /// Forgets the content, but keeps the memory.
    public void reset()
    {
        length = 0;
    }

    /// Cuts the content back to its first bytes, so that many keys can be encoded after one common beginning.
    public void truncate(int newLength)
    {
        checkArgument(newLength >= 0 && newLength <= length, "new length %s is not within 0 and %s", newLength, length);
        length = newLength;
    }

    public void appendByte(byte value)
    {
        reserve(1);
        array[length] = value;
        length++;
    }

    /// Appends eight bytes, the most significant first.
    public void appendLong(long value)
    {
        reserve(Long.BYTES);
        BIG_ENDIAN_LONG.set(array, length, value);
        length += Long.BYTES;
    }

    public void appendBytes(byte[] bytes, int offset, int count)
    {
        checkFromIndexSize(offset, count, bytes.length);
        reserve(count);
        System.arraycopy(bytes, offset, array, length, count);
        length += count;
    }

    public void appendBytes(byte[] bytes)
    {
        appendBytes(bytes, 0, bytes.length);
    }

    /// A copy of the content.
    public byte[] toByteArray()
    {
        return Arrays.copyOf(array, length);
    }

    /// Appends bytes of any length so that a longer string sorts after its own beginning, whatever follows either.
    void appendEscaped(byte[] bytes, int offset, int count)
    {
        checkFromIndexSize(offset, count, bytes.length);
        reserve(count + 2L);
        byte[] target = array;
        int to = length;
        int from = offset;
        int end = offset + count;
        while (from < end) {
            if (end - from >= Long.BYTES) {
                long word = (long) LITTLE_ENDIAN_LONG.get(bytes, from);
                LITTLE_ENDIAN_LONG.set(target, to, word);
                int run = bytesBeforeZero(word);
                from += run;
                to += run;
                if (run == Long.BYTES) {
                    continue;
                }
            }
            else if (bytes[from] != 0) {
                target[to] = bytes[from];
                to++;
                from++;
                continue;
            }
            from++;
            length = to;
            reserve(end - from + 4L);
            target = array;
            target[to] = ESCAPE;
            target[to + 1] = ESCAPED_ZERO;
            to += 2;
        }
        target[to] = ESCAPE;
        target[to + 1] = TERMINATOR;
        length = to + 2;
    }

    /// How many bytes of a word stand before its first zero byte in memory, eight if there is none.
    ///
    /// Subtracting one from each byte borrows upwards, so the lowest byte marked is a true zero byte.
    static int bytesBeforeZero(long littleEndianWord)
    {
        long zeros = (littleEndianWord - 0x0101_0101_0101_0101L) & ~littleEndianWord & 0x8080_8080_8080_8080L;
        return Long.numberOfTrailingZeros(zeros) >>> 3;
    }

    private void reserve(long count)
    {
        if (count > array.length - length) {
            grow(count);
        }
    }

    private void grow(long count)
    {
        long required = length + count;
        if (required > MAX_CAPACITY) {
            throw new TrinoException(INDEX_UNSUPPORTED, "An index key of %s bytes is longer than the limit of %s bytes; leave the long column out of the index".formatted(required, MAX_CAPACITY));
        }
        array = Arrays.copyOf(array, (int) Math.min(MAX_CAPACITY, Math.max(required, array.length * 2L)));
    }
}
