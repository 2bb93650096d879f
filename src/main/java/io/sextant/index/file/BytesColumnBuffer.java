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

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import jakarta.annotation.Nullable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.util.UUIDUtil;
import org.apache.parquet.io.api.Binary;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.Slices.utf8Slice;
import static java.lang.Math.addExact;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/// Values that Parquet stores as byte strings, one after the other in one array.
public final class BytesColumnBuffer
        extends ColumnBuffer
{
    private static final int INITIAL_CAPACITY = 1024;

    private final Type.PrimitiveType type;
    private final OptionalInt fixedLength;
    private final boolean isDecimal;
    private byte[] bytes = new byte[16 * INITIAL_CAPACITY];
    private int[] ends = new int[INITIAL_CAPACITY];

    /// @param fixedLength the length of each value, if all have one
    BytesColumnBuffer(Type.PrimitiveType type, OptionalInt fixedLength)
    {
        this.type = requireNonNull(type, "type is null");
        this.fixedLength = requireNonNull(fixedLength, "fixedLength is null");
        this.isDecimal = type.typeId() == TypeID.DECIMAL;
    }

    @Override
    public void append(@Nullable Object icebergValue)
    {
        switch (icebergValue) {
            case null -> acceptNull();
            case CharSequence value -> appendSlice(utf8Slice(value.toString()));
            case UUID value -> appendArray(UUIDUtil.convert(value));
            case BigDecimal value -> appendArray(value.unscaledValue().toByteArray());
            case byte[] value -> appendArray(value);
            case ByteBuffer value -> appendSlice(Slices.wrappedHeapBuffer(heapBuffer(value)));
            default -> throw new IllegalArgumentException("Not a value of %s: %s".formatted(type, icebergValue.getClass().getName()));
        }
    }

    private static ByteBuffer heapBuffer(ByteBuffer buffer)
    {
        if (buffer.hasArray()) {
            return buffer;
        }
        ByteBuffer copy = ByteBuffer.allocate(buffer.remaining());
        return copy.put(buffer.duplicate()).flip();
    }

    private void appendArray(byte[] value)
    {
        acceptBytes(value, 0, value.length);
    }

    private void appendSlice(Slice value)
    {
        acceptBytes(value.byteArray(), value.byteArrayOffset(), value.length());
    }

    @Override
    public void acceptBytes(byte[] array, int offset, int length)
    {
        if (isDecimal) {
            addDecimal(array, offset, length);
            return;
        }
        checkArgument(fixedLength.isEmpty() || fixedLength.getAsInt() == length, "a value of %s has %s bytes", type, length);
        int start = start(valueCount());
        ensureCapacity(addExact(start, length));
        System.arraycopy(array, offset, bytes, start, length);
        addEnd(start + length);
    }

    private void addDecimal(byte[] array, int offset, int length)
    {
        int targetLength = fixedLength.orElseThrow();
        int start = start(valueCount());
        ensureCapacity(addExact(start, targetLength));
        byte sign = (byte) (array[offset] < 0 ? -1 : 0);
        for (int i = 0; i < length - targetLength; i++) {
            checkArgument(array[offset + i] == sign, "a value is too large for %s", type);
        }
        int copied = Math.min(length, targetLength);
        Arrays.fill(bytes, start, start + targetLength - copied, sign);
        System.arraycopy(array, offset + length - copied, bytes, start + targetLength - copied, copied);
        checkArgument(bytes[start] < 0 == sign < 0, "a value is too large for %s", type);
        addEnd(start + targetLength);
    }

    private void addEnd(int end)
    {
        int index = valueCount();
        if (index == ends.length) {
            ends = Arrays.copyOf(ends, max(2 * ends.length, INITIAL_CAPACITY));
        }
        ends[index] = end;
        countValue();
    }

    private void ensureCapacity(int capacity)
    {
        if (capacity > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(max(2L * bytes.length, capacity), Integer.MAX_VALUE - 8));
        }
    }

    private int start(int index)
    {
        return index == 0 ? 0 : ends[index - 1];
    }

    /// The value is only lent: it changes with the buffer.
    Binary value(int index)
    {
        int start = start(index);
        return Binary.fromReusedByteArray(bytes, start, ends[index] - start);
    }

    Slice slice(int index)
    {
        int start = start(index);
        return Slices.wrappedBuffer(bytes, start, ends[index] - start);
    }

    @Override
    public long sizeInBytes()
    {
        return start(valueCount()) + (long) valueCount() * Integer.BYTES;
    }

    @Override
    public ColumnSummary summarize()
    {
        int count = valueCount();
        long totalLength = start(count);
        if (count == 0) {
            return ColumnSummary.withoutBounds(this, 0, totalLength);
        }
        int min = 0;
        int max = 0;
        for (int i = 1; i < count; i++) {
            if (compare(i, min) < 0) {
                min = i;
            }
            else if (compare(i, max) > 0) {
                max = i;
            }
        }
        return ColumnSummary.of(this, slice(min).getBytes(), slice(max).getBytes(), 0, totalLength);
    }

    private int compare(int left, int right)
    {
        int leftStart = start(left);
        int rightStart = start(right);
        if (isDecimal && (bytes[leftStart] ^ bytes[rightStart]) < 0) {
            return bytes[leftStart] < 0 ? -1 : 1;
        }
        return Arrays.compareUnsigned(bytes, leftStart, ends[left], bytes, rightStart, ends[right]);
    }

    @Override
    public void reset()
    {
        super.reset();
        // One huge value must not keep its memory for the rest of the file
        if (bytes.length > 64 * 1024 * 1024) {
            bytes = new byte[16 * INITIAL_CAPACITY];
        }
    }
}
