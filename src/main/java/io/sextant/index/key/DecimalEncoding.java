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
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import org.apache.iceberg.types.Types;

import java.math.BigDecimal;
import java.math.BigInteger;

import static io.sextant.index.key.KeyBuffer.BIG_ENDIAN_LONG;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static java.math.RoundingMode.UNNECESSARY;

/// Decimals of every precision in sixteen bytes each, so that they stay as they are when the precision grows.
final class DecimalEncoding
        extends FieldEncoding
{
    private final Types.DecimalType type;
    private final DecimalType trinoType;

    DecimalEncoding(Types.DecimalType type)
    {
        this.type = type;
        this.trinoType = createDecimalType(type.precision(), type.scale());
    }

    @Override
    void encode(Block block, int position, KeyBuffer out)
    {
        if (trinoType.isShort()) {
            long value = trinoType.getLong(block, position);
            append(value >> (Long.SIZE - 1), value, out);
            return;
        }
        Int128ArrayBlock values = (Int128ArrayBlock) block.getUnderlyingValueBlock();
        int index = block.getUnderlyingValuePosition(position);
        append(values.getInt128High(index), values.getInt128Low(index), out);
    }

    @Override
    void encodeValue(Object value, KeyBuffer out)
    {
        if (!(value instanceof BigDecimal decimal)) {
            throw unexpectedClass(type.toString(), value);
        }
        Int128 unscaled;
        try {
            unscaled = Int128.valueOf(decimal.setScale(type.scale(), UNNECESSARY).unscaledValue());
        }
        catch (ArithmeticException e) {
            throw new TrinoException(NUMERIC_VALUE_OUT_OF_RANGE, "Value %s is out of the range of %s".formatted(decimal, type), e);
        }
        append(unscaled.getHigh(), unscaled.getLow(), out);
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
        long high = readHigh(bytes, offset);
        long low = readLow(bytes, offset);
        if (!trinoType.isShort()) {
            sink.acceptInt128(high, low);
        }
        else if (high == low >> (Long.SIZE - 1)) {
            sink.acceptLong(low);
        }
        else {
            throw impossibleValue(type.toString());
        }
        return offset + 2 * Long.BYTES;
    }

    @Override
    Object decodeValue(byte[] bytes, int offset)
    {
        checkAvailable(bytes, offset, 2 * Long.BYTES);
        BigInteger unscaled = Int128.valueOf(readHigh(bytes, offset), readLow(bytes, offset)).toBigInteger();
        BigDecimal value = new BigDecimal(unscaled, type.scale());
        if (value.precision() > type.precision()) {
            throw impossibleValue(type.toString());
        }
        return value;
    }

    private static void append(long high, long low, KeyBuffer out)
    {
        out.appendLong(high ^ Long.MIN_VALUE);
        out.appendLong(low);
    }

    private static long readHigh(byte[] bytes, int offset)
    {
        return (long) BIG_ENDIAN_LONG.get(bytes, offset) ^ Long.MIN_VALUE;
    }

    private static long readLow(byte[] bytes, int offset)
    {
        return (long) BIG_ENDIAN_LONG.get(bytes, offset + Long.BYTES);
    }
}
