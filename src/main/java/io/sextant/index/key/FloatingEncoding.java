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

import io.trino.spi.block.Block;

import static io.sextant.index.key.KeyBuffer.BIG_ENDIAN_LONG;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;

/// Floats and doubles, both as the bits of a double, so that a float stays as it is when it becomes a double.
///
/// The bits are ordered as sign and magnitude: -NaN, -Infinity, negative numbers, -0.0, +0.0, positive numbers,
/// +Infinity, +NaN. A NaN keeps its sign, but not its payload: the order knows only two NaNs.
abstract sealed class FloatingEncoding
        extends FieldEncoding
{
    private static final long POSITIVE_NAN = 0x7FF8_0000_0000_0000L;
    private static final long NEGATIVE_NAN = 0xFFF8_0000_0000_0000L;
    private static final int POSITIVE_FLOAT_NAN = 0x7FC0_0000;
    private static final int NEGATIVE_FLOAT_NAN = 0xFFC0_0000;

    @Override
    int skip(byte[] bytes, int offset)
    {
        return skipFixedLength(bytes, offset, Long.BYTES);
    }

    private static void append(float value, KeyBuffer out)
    {
        if (Float.isNaN(value)) {
            // Which NaN the widening of a NaN yields is not specified
            appendBits(Float.floatToRawIntBits(value) < 0 ? NEGATIVE_NAN : POSITIVE_NAN, out);
            return;
        }
        appendBits(Double.doubleToRawLongBits(value), out);
    }

    private static void append(double value, KeyBuffer out)
    {
        long bits = Double.doubleToRawLongBits(value);
        if (Double.isNaN(value)) {
            bits = bits < 0 ? NEGATIVE_NAN : POSITIVE_NAN;
        }
        appendBits(bits, out);
    }

    private static void appendBits(long bits, KeyBuffer out)
    {
        // All bits of a negative number flip, of another only the sign
        out.appendLong(bits ^ ((bits >> (Long.SIZE - 1)) | Long.MIN_VALUE));
    }

    private static double readDouble(byte[] bytes, int offset)
    {
        checkAvailable(bytes, offset, Long.BYTES);
        long encoded = (long) BIG_ENDIAN_LONG.get(bytes, offset);
        return Double.longBitsToDouble(encoded ^ ((~encoded >> (Long.SIZE - 1)) | Long.MIN_VALUE));
    }

    private static float readFloat(byte[] bytes, int offset)
    {
        double value = readDouble(bytes, offset);
        if (Double.isNaN(value)) {
            return Float.intBitsToFloat(Double.doubleToRawLongBits(value) < 0 ? NEGATIVE_FLOAT_NAN : POSITIVE_FLOAT_NAN);
        }
        float narrowed = (float) value;
        if (narrowed != value) {
            throw impossibleValue("float");
        }
        return narrowed;
    }

    static final class ForFloat
            extends FloatingEncoding
    {
        @Override
        void encode(Block block, int position, KeyBuffer out)
        {
            append(REAL.getFloat(block, position), out);
        }

        @Override
        void encodeValue(Object value, KeyBuffer out)
        {
            if (!(value instanceof Float floatValue)) {
                throw unexpectedClass("float", value);
            }
            append(floatValue.floatValue(), out);
        }

        @Override
        int decode(byte[] bytes, int offset, ValueSink sink)
        {
            sink.acceptFloat(readFloat(bytes, offset));
            return offset + Long.BYTES;
        }

        @Override
        Object decodeValue(byte[] bytes, int offset)
        {
            return readFloat(bytes, offset);
        }
    }

    static final class ForDouble
            extends FloatingEncoding
    {
        @Override
        void encode(Block block, int position, KeyBuffer out)
        {
            append(DOUBLE.getDouble(block, position), out);
        }

        @Override
        void encodeValue(Object value, KeyBuffer out)
        {
            switch (value) {
                case Float floatValue -> append(floatValue.floatValue(), out);
                case Double doubleValue -> append(doubleValue.doubleValue(), out);
                default -> throw unexpectedClass("double", value);
            }
        }

        @Override
        int decode(byte[] bytes, int offset, ValueSink sink)
        {
            sink.acceptDouble(readDouble(bytes, offset));
            return offset + Long.BYTES;
        }

        @Override
        Object decodeValue(byte[] bytes, int offset)
        {
            return readDouble(bytes, offset);
        }
    }
}
