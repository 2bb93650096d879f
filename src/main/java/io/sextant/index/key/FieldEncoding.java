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
import io.trino.spi.block.Block;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;

/// How the values of one type, null apart, become bytes and come back. An abstract class rather than an interface, as
/// virtual calls are the faster ones where several types meet.
abstract sealed class FieldEncoding
        permits BooleanEncoding,
                BytesEncoding,
                DecimalEncoding,
                FixedEncoding,
                FloatingEncoding,
                LongEncoding,
                UuidEncoding
{
    abstract void encode(Block block, int position, KeyBuffer out);

    abstract void encodeValue(Object value, KeyBuffer out);

    abstract int skip(byte[] bytes, int offset);

    abstract int decode(byte[] bytes, int offset, ValueSink sink);

    abstract Object decodeValue(byte[] bytes, int offset);

    static void checkAvailable(byte[] bytes, int offset, int count)
    {
        if (count > bytes.length - offset) {
            throw new TrinoException(INDEX_CORRUPT, "An index key is damaged: it ends within a value that begins at offset %s; rebuild the index".formatted(offset));
        }
    }

    static int skipFixedLength(byte[] bytes, int offset, int count)
    {
        checkAvailable(bytes, offset, count);
        return offset + count;
    }

    static TrinoException impossibleValue(String type)
    {
        return new TrinoException(INDEX_CORRUPT, "An index key is damaged: it holds a value that type %s does not have; rebuild the index".formatted(type));
    }

    static IllegalArgumentException unexpectedClass(String type, Object value)
    {
        return new IllegalArgumentException("a value of type %s cannot be given as %s".formatted(type, value.getClass().getName()));
    }
}
