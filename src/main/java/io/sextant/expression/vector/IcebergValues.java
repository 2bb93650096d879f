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
package io.sextant.expression.vector;

import io.airlift.slice.Slice;
import io.trino.spi.type.Int128;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.DecimalType;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

import static io.airlift.slice.Slices.utf8Slice;
import static io.airlift.slice.Slices.wrappedBuffer;
import static io.trino.spi.type.Decimals.MAX_SHORT_PRECISION;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;
import static io.trino.spi.type.UuidType.trinoUuidToJavaUuid;
import static org.apache.iceberg.util.ByteBuffers.toByteArray;

/// Values as Iceberg's own classes represent them, and the elements of vectors.
public final class IcebergValues
{
    private static final BigDecimal INFINITY = BigDecimal.TEN.pow(400);

    private IcebergValues() {}

    public static Vector repeat(Type type, Object value, int size)
    {
        return switch (toElement(type, value)) {
            case Long element -> {
                long[] values = new long[size];
                Arrays.fill(values, element);
                yield new LongVector(values, Optional.empty());
            }
            case Double element -> {
                double[] values = new double[size];
                Arrays.fill(values, element);
                yield new DoubleVector(values, Optional.empty());
            }
            case Object element -> {
                Object[] values = new Object[size];
                Arrays.fill(values, element);
                yield new ObjectVector(values);
            }
        };
    }

    public static Vector nulls(Type type, int size)
    {
        boolean[] nulls = new boolean[size];
        Arrays.fill(nulls, true);
        if (isLong(type)) {
            return new LongVector(new long[size], Optional.of(nulls));
        }
        return isDouble(type) ? new DoubleVector(new double[size], Optional.of(nulls)) : new ObjectVector(new Object[size]);
    }

    /// Applies a function of Iceberg's values to all that are not null.
    public static Vector map(Type type, Vector vector, Type resultType, UnaryOperator<Object> function)
    {
        int size = vector.size();
        long[] longs = new long[isLong(resultType) ? size : 0];
        Object[] objects = new Object[isLong(resultType) ? 0 : size];
        boolean[] nulls = new boolean[size];
        for (int i = 0; i < size; i++) {
            if (vector.isNull(i)) {
                nulls[i] = true;
                continue;
            }
            Object element = toElement(resultType, function.apply(fromElement(type, vector, i)));
            if (element instanceof Long value) {
                longs[i] = value;
            }
            else {
                objects[i] = element;
            }
        }
        return isLong(resultType) ? new LongVector(longs, Optional.of(nulls)) : new ObjectVector(objects);
    }

    /// Whether values of a type stand in a vector of longs.
    public static boolean isLong(Type type)
    {
        return switch (type.typeId()) {
            case BOOLEAN, INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO -> true;
            case DECIMAL -> ((DecimalType) type).precision() <= MAX_SHORT_PRECISION;
            default -> false;
        };
    }

    public static boolean isDouble(Type type)
    {
        return type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE;
    }

    /// The numbers without any rounding. NaN becomes zero, and infinity a number that no other type has.
    public static Object[] toBigDecimals(Type type, Vector vector)
    {
        Object[] numbers = new Object[vector.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (!vector.isNull(i)) {
                numbers[i] = toBigDecimal(fromElement(type, vector, i));
            }
        }
        return numbers;
    }

    public static BigDecimal toBigDecimal(Object value)
    {
        return switch (value) {
            case BigDecimal decimal -> decimal;
            case Integer number -> BigDecimal.valueOf(number);
            case Long number -> BigDecimal.valueOf(number);
            case Number number when Double.isNaN(number.doubleValue()) -> BigDecimal.ZERO;
            case Number number when Double.isInfinite(number.doubleValue()) -> number.doubleValue() > 0 ? INFINITY : INFINITY.negate();
            case Number number -> new BigDecimal(number.doubleValue());
            default -> throw new IllegalArgumentException("not a number: " + value);
        };
    }

    public static Object toElement(Type type, Object value)
    {
        return switch (type.typeId()) {
            case BOOLEAN -> (boolean) value ? 1L : 0L;
            case FLOAT, DOUBLE -> ((Number) value).doubleValue();
            case DECIMAL -> isLong(type) ? ((BigDecimal) value).unscaledValue().longValueExact() : (Object) Int128.valueOf(((BigDecimal) value).unscaledValue());
            case STRING -> utf8Slice(value.toString());
            case UUID -> javaUuidToTrinoUuid((UUID) value);
            case FIXED, BINARY -> wrappedBuffer(toByteArray((ByteBuffer) value));
            default -> ((Number) value).longValue();
        };
    }

    private static Object fromElement(Type type, Vector vector, int position)
    {
        return switch (vector) {
            case LongVector longs -> fromLong(type, longs.values()[position]);
            case DoubleVector doubles -> doubles.values()[position];
            case ObjectVector objects -> fromObject(type, objects.values()[position]);
        };
    }

    private static Object fromLong(Type type, long value)
    {
        return switch (type.typeId()) {
            case BOOLEAN -> value != 0;
            case INTEGER, DATE -> (int) value;
            case DECIMAL -> BigDecimal.valueOf(value, ((DecimalType) type).scale());
            default -> value;
        };
    }

    private static Object fromObject(Type type, Object value)
    {
        return switch (type.typeId()) {
            case DECIMAL -> new BigDecimal(((Int128) value).toBigInteger(), ((DecimalType) type).scale());
            case STRING -> ((Slice) value).toStringUtf8();
            case UUID -> trinoUuidToJavaUuid((Slice) value);
            case FIXED, BINARY -> ((Slice) value).toByteBuffer();
            default -> value;
        };
    }
}
