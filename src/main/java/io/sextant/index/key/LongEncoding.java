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

import com.google.common.math.LongMath;
import io.trino.spi.block.Block;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import static io.sextant.index.key.KeyBuffer.BIG_ENDIAN_LONG;
import static io.trino.plugin.iceberg.util.Timestamps.timestampToNanos;
import static io.trino.plugin.iceberg.util.Timestamps.timestampTzToMicros;
import static io.trino.plugin.iceberg.util.Timestamps.timestampTzToNanos;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TimeType.TIME_MICROS;
import static io.trino.spi.type.TimestampType.TIMESTAMP_MICROS;
import static io.trino.spi.type.TimestampType.TIMESTAMP_NANOS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_NANOS;
import static io.trino.spi.type.Timestamps.PICOSECONDS_PER_MICROSECOND;
import static java.math.RoundingMode.UNNECESSARY;

/// The integers and all types that Iceberg keeps as one, in eight bytes each, so that an int stays as it is when it
/// becomes a long.
final class LongEncoding
        extends FieldEncoding
{
    private enum Kind
    {
        INTEGER("int"),
        LONG("long"),
        DATE("date"),
        TIME("time"),
        TIMESTAMP("timestamp"),
        TIMESTAMP_TZ("timestamptz"),
        TIMESTAMP_NANO("timestamp_ns"),
        TIMESTAMP_TZ_NANO("timestamptz_ns");

        private final String typeName;

        Kind(String typeName)
        {
            this.typeName = typeName;
        }

        boolean isInt()
        {
            return this == INTEGER || this == DATE;
        }
    }

    private final Kind kind;

    private LongEncoding(Kind kind)
    {
        this.kind = kind;
    }

    static LongEncoding of(Type.PrimitiveType type)
    {
        return new LongEncoding(switch (type.typeId()) {
            case INTEGER -> Kind.INTEGER;
            case LONG -> Kind.LONG;
            case DATE -> Kind.DATE;
            case TIME -> Kind.TIME;
            case TIMESTAMP -> ((Types.TimestampType) type).shouldAdjustToUTC() ? Kind.TIMESTAMP_TZ : Kind.TIMESTAMP;
            case TIMESTAMP_NANO -> ((Types.TimestampNanoType) type).shouldAdjustToUTC() ? Kind.TIMESTAMP_TZ_NANO : Kind.TIMESTAMP_NANO;
            default -> throw new IllegalArgumentException("type %s is not kept as a long".formatted(type));
        });
    }

    @Override
    void encode(Block block, int position, KeyBuffer out)
    {
        append(read(block, position), out);
    }

    private long read(Block block, int position)
    {
        return switch (kind) {
            case INTEGER -> INTEGER.getInt(block, position);
            case LONG -> BIGINT.getLong(block, position);
            case DATE -> DATE.getInt(block, position);
            case TIME -> LongMath.divide(TIME_MICROS.getLong(block, position), PICOSECONDS_PER_MICROSECOND, UNNECESSARY);
            case TIMESTAMP -> TIMESTAMP_MICROS.getLong(block, position);
            case TIMESTAMP_TZ -> timestampTzToMicros((LongTimestampWithTimeZone) TIMESTAMP_TZ_MICROS.getObject(block, position));
            case TIMESTAMP_NANO -> timestampToNanos((LongTimestamp) TIMESTAMP_NANOS.getObject(block, position));
            case TIMESTAMP_TZ_NANO -> timestampTzToNanos((LongTimestampWithTimeZone) TIMESTAMP_TZ_NANOS.getObject(block, position));
        };
    }

    @Override
    void encodeValue(Object value, KeyBuffer out)
    {
        if (value instanceof Integer intValue && (kind.isInt() || kind == Kind.LONG)) {
            append(intValue, out);
        }
        else if (value instanceof Long longValue && !kind.isInt()) {
            append(longValue, out);
        }
        else {
            throw unexpectedClass(kind.typeName, value);
        }
    }

    @Override
    int skip(byte[] bytes, int offset)
    {
        return skipFixedLength(bytes, offset, Long.BYTES);
    }

    @Override
    int decode(byte[] bytes, int offset, ValueSink sink)
    {
        sink.acceptLong(read(bytes, offset));
        return offset + Long.BYTES;
    }

    @Override
    Object decodeValue(byte[] bytes, int offset)
    {
        long value = read(bytes, offset);
        if (kind.isInt()) {
            return (int) value;
        }
        return value;
    }

    private static void append(long value, KeyBuffer out)
    {
        out.appendLong(value ^ Long.MIN_VALUE);
    }

    private long read(byte[] bytes, int offset)
    {
        checkAvailable(bytes, offset, Long.BYTES);
        long value = (long) BIG_ENDIAN_LONG.get(bytes, offset) ^ Long.MIN_VALUE;
        if (kind.isInt() && value != (int) value) {
            throw impossibleValue(kind.typeName);
        }
        return value;
    }
}
