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

import io.airlift.slice.Slice;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.VariableWidthBlock;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static io.sextant.index.key.KeyBuffer.ESCAPED_ZERO;
import static io.sextant.index.key.KeyBuffer.LITTLE_ENDIAN_LONG;
import static io.sextant.index.key.KeyBuffer.TERMINATOR;
import static io.sextant.index.key.KeyBuffer.bytesBeforeZero;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.iceberg.util.ByteBuffers.toByteArray;

/// Byte strings of any length: the zero byte is escaped, so that two zero bytes can end the value.
abstract sealed class BytesEncoding
        extends FieldEncoding
{
    @Override
    void encode(Block block, int position, KeyBuffer out)
    {
        VariableWidthBlock values = (VariableWidthBlock) block.getUnderlyingValueBlock();
        int index = block.getUnderlyingValuePosition(position);
        Slice slice = values.getRawSlice();
        out.appendEscaped(slice.byteArray(), slice.byteArrayOffset() + values.getRawSliceOffset(index), values.getSliceLength(index));
    }

    @Override
    int skip(byte[] bytes, int offset)
    {
        int zero = nextZero(bytes, offset);
        while (isEscapedZero(bytes, zero)) {
            zero = nextZero(bytes, zero + 2);
        }
        return zero + 2;
    }

    @Override
    int decode(byte[] bytes, int offset, ValueSink sink)
    {
        int zero = nextZero(bytes, offset);
        if (!isEscapedZero(bytes, zero)) {
            sink.acceptBytes(bytes, offset, zero - offset);
            return zero + 2;
        }
        int end = skip(bytes, zero);
        byte[] value = unescape(bytes, offset, end);
        sink.acceptBytes(value, 0, value.length);
        return end;
    }

    /// A copy of the value that begins at an offset.
    byte[] read(byte[] bytes, int offset)
    {
        return unescape(bytes, offset, skip(bytes, offset));
    }

    private static byte[] unescape(byte[] bytes, int offset, int end)
    {
        int last = end - 2;
        int escapes = 0;
        for (int zero = nextZero(bytes, offset); zero < last; zero = nextZero(bytes, zero + 2)) {
            escapes++;
        }
        byte[] value = new byte[last - offset - escapes];
        int from = offset;
        int to = 0;
        for (int zero = nextZero(bytes, offset); zero < last; zero = nextZero(bytes, from)) {
            // The zero byte itself belongs to the value, only the byte after it does not
            int count = zero + 1 - from;
            System.arraycopy(bytes, from, value, to, count);
            to += count;
            from = zero + 2;
        }
        System.arraycopy(bytes, from, value, to, last - from);
        return value;
    }

    private static int nextZero(byte[] bytes, int offset)
    {
        int index = offset;
        while (bytes.length - index >= Long.BYTES) {
            int run = bytesBeforeZero((long) LITTLE_ENDIAN_LONG.get(bytes, index));
            index += run;
            if (run < Long.BYTES) {
                return index;
            }
        }
        while (index < bytes.length) {
            if (bytes[index] == 0) {
                return index;
            }
            index++;
        }
        throw new TrinoException(INDEX_CORRUPT, "An index key is damaged: the value that begins at offset %s has no end; rebuild the index".formatted(offset));
    }

    private static boolean isEscapedZero(byte[] bytes, int zero)
    {
        checkAvailable(bytes, zero, 2);
        byte mark = bytes[zero + 1];
        if (mark == TERMINATOR) {
            return false;
        }
        if (mark == ESCAPED_ZERO) {
            return true;
        }
        throw new TrinoException(INDEX_CORRUPT, "An index key is damaged: byte %s follows a zero byte at offset %s; rebuild the index".formatted(mark, zero));
    }

    static final class ForString
            extends BytesEncoding
    {
        @Override
        void encodeValue(Object value, KeyBuffer out)
        {
            if (!(value instanceof CharSequence text)) {
                throw unexpectedClass("string", value);
            }
            try {
                ByteBuffer bytes = UTF_8.newEncoder().encode(CharBuffer.wrap(text));
                out.appendEscaped(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            }
            catch (CharacterCodingException e) {
                throw new TrinoException(INDEX_UNSUPPORTED, "A string with half a surrogate pair has no place in an index; correct the value", e);
            }
        }

        @Override
        Object decodeValue(byte[] bytes, int offset)
        {
            try {
                return UTF_8.newDecoder().decode(ByteBuffer.wrap(read(bytes, offset))).toString();
            }
            catch (CharacterCodingException e) {
                throw new TrinoException(INDEX_UNSUPPORTED, "A string value is not valid UTF-8 and cannot be handled in an index; correct the value", e);
            }
        }
    }

    static final class ForBinary
            extends BytesEncoding
    {
        @Override
        void encodeValue(Object value, KeyBuffer out)
        {
            byte[] bytes = switch (value) {
                case ByteBuffer buffer -> toByteArray(buffer);
                case byte[] array -> array;
                default -> throw unexpectedClass("binary", value);
            };
            out.appendEscaped(bytes, 0, bytes.length);
        }

        @Override
        Object decodeValue(byte[] bytes, int offset)
        {
            return ByteBuffer.wrap(read(bytes, offset));
        }
    }
}
