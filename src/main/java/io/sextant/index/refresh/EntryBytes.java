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
package io.sextant.index.refresh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Reads and compares the bytes of entries, and the variable-length sizes that stand before stored entries:
/// seven bits to a byte, lowest first, the high bit set on all bytes but the last.
final class EntryBytes
{
    static final int MAX_SIZE_LENGTH = 5;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private EntryBytes() {}

    /// Up to eight bytes from `offset`, big endian, filled with zeros from `end` on.
    static long window(byte[] array, int offset, int end)
    {
        if (end - offset >= Long.BYTES) {
            return (long) LONG.get(array, offset);
        }
        long window = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            window <<= Byte.SIZE;
            if (offset + i < end) {
                window |= array[offset + i] & 0xFF;
            }
        }
        return window;
    }

    /// How many of the first `limit` bytes of two entries are equal.
    static int commonLength(byte[] left, int leftOffset, byte[] right, int rightOffset, int limit)
    {
        int mismatch = Arrays.mismatch(left, leftOffset, leftOffset + limit, right, rightOffset, rightOffset + limit);
        return mismatch < 0 ? limit : mismatch;
    }

    static int sizeLength(int size)
    {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(size | 1) + 6) / 7;
    }

    static int readSize(byte[] array, int offset)
    {
        int size = array[offset];
        if (size >= 0) {
            return size;
        }
        size &= 0x7F;
        for (int shift = 7; ; shift += 7) {
            offset++;
            byte next = array[offset];
            size |= (next & 0x7F) << shift;
            if (next >= 0) {
                return size;
            }
        }
    }

    /// Writes a size and returns the offset after it.
    static int writeSize(int size, byte[] array, int offset)
    {
        while (size > 0x7F) {
            array[offset] = (byte) (size | 0x80);
            offset++;
            size >>>= 7;
        }
        array[offset] = (byte) size;
        return offset + 1;
    }
}
