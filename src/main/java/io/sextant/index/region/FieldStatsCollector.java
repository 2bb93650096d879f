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
package io.sextant.index.region;

import io.sextant.index.file.ColumnSummary;
import io.sextant.index.file.FieldStats;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.util.UUIDUtil;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import static java.lang.Math.toIntExact;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/// Adds up what is known of one field in the row groups of a region.
final class FieldStatsCollector
{
    private final NestedField field;
    private final boolean hasBounds;
    private Optional<Object> min = Optional.empty();
    private Optional<Object> max = Optional.empty();
    private long valueCount;
    private long nullCount;
    private long nanCount;
    private long totalLength;

    FieldStatsCollector(NestedField field, boolean hasBounds)
    {
        this.field = requireNonNull(field, "field is null");
        this.hasBounds = hasBounds;
    }

    void add(ColumnSummary summary)
    {
        if (hasBounds && summary.min().isPresent()) {
            Object newMin = summary.min().orElseThrow();
            Object newMax = summary.max().orElseThrow();
            if (min.isEmpty() || compare(newMin, min.orElseThrow()) < 0) {
                min = Optional.of(newMin);
            }
            if (max.isEmpty() || compare(newMax, max.orElseThrow()) > 0) {
                max = Optional.of(newMax);
            }
        }
        valueCount += summary.rowCount();
        nullCount += summary.nullCount();
        nanCount += summary.nanCount();
        totalLength += summary.totalLength();
    }

    FieldStats finish(Optional<Object> groupMax)
    {
        TypeID typeId = field.type().typeId();
        boolean canBeNan = typeId == TypeID.FLOAT || typeId == TypeID.DOUBLE;
        boolean hasLength = typeId == TypeID.STRING || typeId == TypeID.BINARY;
        long nonNullCount = valueCount - nullCount;
        return new FieldStats(
                min.map(this::toIcebergValue),
                max.map(this::toIcebergValue),
                groupMax,
                hasBounds,
                OptionalLong.of(valueCount),
                field.isOptional() ? OptionalLong.of(nullCount) : OptionalLong.empty(),
                canBeNan ? OptionalLong.of(nanCount) : OptionalLong.empty(),
                hasLength && nonNullCount > 0 ? OptionalInt.of(toIntExact(totalLength / nonNullCount)) : OptionalInt.empty());
    }

    private int compare(Object left, Object right)
    {
        return switch (left) {
            case Long value -> Long.compare(value, (Long) right);
            case Float value -> Float.compare(value, (Float) right);
            case Double value -> Double.compare(value, (Double) right);
            case byte[] value when field.type().typeId() == TypeID.DECIMAL -> new BigInteger(value).compareTo(new BigInteger((byte[]) right));
            case byte[] value -> Arrays.compareUnsigned(value, (byte[]) right);
            default -> throw new IllegalStateException("Not a bound: " + left.getClass());
        };
    }

    private Object toIcebergValue(Object bound)
    {
        Type.PrimitiveType type = field.type().asPrimitiveType();
        return switch (bound) {
            case Long value -> toIcebergValue(type, value);
            case byte[] value -> toIcebergValue(type, value);
            default -> bound;
        };
    }

    private static Object toIcebergValue(Type.PrimitiveType type, long value)
    {
        return switch (type.typeId()) {
            case BOOLEAN -> value != 0;
            case INTEGER, DATE -> toIntExact(value);
            case DECIMAL -> BigDecimal.valueOf(value, ((Types.DecimalType) type).scale());
            default -> value;
        };
    }

    private static Object toIcebergValue(Type.PrimitiveType type, byte[] value)
    {
        return switch (type.typeId()) {
            case STRING -> new String(value, UTF_8);
            case UUID -> UUIDUtil.convert(value);
            case DECIMAL -> new BigDecimal(new BigInteger(value), ((Types.DecimalType) type).scale());
            default -> ByteBuffer.wrap(value);
        };
    }
}
