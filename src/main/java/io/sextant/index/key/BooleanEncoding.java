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

import static io.trino.spi.type.BooleanType.BOOLEAN;

final class BooleanEncoding
        extends FieldEncoding
{
    @Override
    void encode(Block block, int position, KeyBuffer out)
    {
        append(BOOLEAN.getBoolean(block, position), out);
    }

    @Override
    void encodeValue(Object value, KeyBuffer out)
    {
        if (!(value instanceof Boolean booleanValue)) {
            throw unexpectedClass("boolean", value);
        }
        append(booleanValue, out);
    }

    @Override
    int skip(byte[] bytes, int offset)
    {
        return skipFixedLength(bytes, offset, 1);
    }

    @Override
    int decode(byte[] bytes, int offset, ValueSink sink)
    {
        sink.acceptBoolean(read(bytes, offset));
        return offset + 1;
    }

    @Override
    Object decodeValue(byte[] bytes, int offset)
    {
        return read(bytes, offset);
    }

    private static void append(boolean value, KeyBuffer out)
    {
        out.appendByte((byte) (value ? 1 : 0));
    }

    private static boolean read(byte[] bytes, int offset)
    {
        checkAvailable(bytes, offset, 1);
        return switch (bytes[offset]) {
            case 0 -> false;
            case 1 -> true;
            default -> throw impossibleValue("boolean");
        };
    }
}
