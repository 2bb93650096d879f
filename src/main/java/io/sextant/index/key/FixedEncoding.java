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
import org.apache.iceberg.types.Types;

import java.nio.ByteBuffer;
import java.util.Arrays;

import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static org.apache.iceberg.util.ByteBuffers.toByteArray;

final class FixedEncoding
        extends FieldEncoding
{
    private final Types.FixedType type;
    private final int length;

    FixedEncoding(Types.FixedType type)
    {
        this.type = type;
        this.length = type.length();
    }

    @Override
    void encode(Block block, int position, KeyBuffer out)
    {
        VariableWidthBlock values = (VariableWidthBlock) block.getUnderlyingValueBlock();
        int index = block.getUnderlyingValuePosition(position);
        checkLength(values.getSliceLength(index));
        Slice slice = values.getRawSlice();
        out.appendBytes(slice.byteArray(), slice.byteArrayOffset() + values.getRawSliceOffset(index), length);
    }

    @Override
    void encodeValue(Object value, KeyBuffer out)
    {
        byte[] bytes = switch (value) {
            case ByteBuffer buffer -> toByteArray(buffer);
            case byte[] array -> array;
            default -> throw unexpectedClass(type.toString(), value);
        };
        checkLength(bytes.length);
        out.appendBytes(bytes);
    }

    @Override
    int skip(byte[] bytes, int offset)
    {
        return skipFixedLength(bytes, offset, length);
    }

    @Override
    int decode(byte[] bytes, int offset, ValueSink sink)
    {
        checkAvailable(bytes, offset, length);
        sink.acceptBytes(bytes, offset, length);
        return offset + length;
    }

    @Override
    Object decodeValue(byte[] bytes, int offset)
    {
        checkAvailable(bytes, offset, length);
        return ByteBuffer.wrap(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    private void checkLength(int actual)
    {
        if (actual != length) {
            throw new TrinoException(INDEX_UNSUPPORTED, "A value of %s bytes is no value of type %s and has no place in an index; correct the value".formatted(actual, type));
        }
    }
}
