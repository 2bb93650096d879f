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
import io.trino.spi.block.Int128ArrayBlock;

import java.util.UUID;

import static io.sextant.index.key.KeyBuffer.BIG_ENDIAN_LONG;

final class UuidEncoding
        extends FieldEncoding
{
    @Override
    void encode(Block block, int position, KeyBuffer out)
    {
        Int128ArrayBlock values = (Int128ArrayBlock) block.getUnderlyingValueBlock();
        int index = block.getUnderlyingValuePosition(position);
        // Trino reads the bytes of a uuid as two little-endian longs
        out.appendLong(Long.reverseBytes(values.getInt128High(index)));
        out.appendLong(Long.reverseBytes(values.getInt128Low(index)));
    }

    @Override
    void encodeValue(Object value, KeyBuffer out)
    {
        if (!(value instanceof UUID uuid)) {
            throw unexpectedClass("uuid", value);
        }
        out.appendLong(uuid.getMostSignificantBits());
        out.appendLong(uuid.getLeastSignificantBits());
    }

    @Override
    int skip(byte[] bytes, int offset)
    {
        return skipFixedLength(bytes, offset, 2 * Long.BYTES);
    }

    @Override
    int decode(byte[] bytes, int offset, ValueSink sink)
    {
        checkAvailable(bytes, offset, 2 * Long.BYTES);
        sink.acceptBytes(bytes, offset, 2 * Long.BYTES);
        return offset + 2 * Long.BYTES;
    }

    @Override
    Object decodeValue(byte[] bytes, int offset)
    {
        checkAvailable(bytes, offset, 2 * Long.BYTES);
        return new UUID((long) BIG_ENDIAN_LONG.get(bytes, offset), (long) BIG_ENDIAN_LONG.get(bytes, offset + Long.BYTES));
    }
}
