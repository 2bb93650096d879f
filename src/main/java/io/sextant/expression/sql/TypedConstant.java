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
package io.sextant.expression.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sextant.expression.ValueExpression.Literal;
import io.trino.spi.TrinoException;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.BinaryType;
import org.apache.iceberg.types.Types.BooleanType;
import org.apache.iceberg.types.Types.DateType;
import org.apache.iceberg.types.Types.DecimalType;
import org.apache.iceberg.types.Types.DoubleType;
import org.apache.iceberg.types.Types.FixedType;
import org.apache.iceberg.types.Types.FloatType;
import org.apache.iceberg.types.Types.IntegerType;
import org.apache.iceberg.types.Types.LongType;
import org.apache.iceberg.types.Types.StringType;
import org.apache.iceberg.types.Types.TimeType;
import org.apache.iceberg.types.Types.TimestampNanoType;
import org.apache.iceberg.types.Types.TimestampType;
import org.apache.iceberg.types.Types.UUIDType;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;

import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.TYPE_MISMATCH;
import static java.lang.Math.addExact;
import static java.lang.Math.max;
import static java.lang.Math.multiplyExact;
import static java.lang.Math.toIntExact;
import static java.math.RoundingMode.UNNECESSARY;
import static java.time.temporal.ChronoUnit.MICROS;

/// A constant of an Iceberg type, as Iceberg represents it.
record TypedConstant(Type type, Object value)
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    // Up to here, rounding a long to a double does not carry it over to the other side of a double
    private static final double EXACT_INTEGERS = 1L << 53;
    private static final int MAX_PRECISION = 38;

    /// The constant that SQL compares values of a type with.
    ///
    /// @throws TrinoException if SQL does not compare them, or if the comparison would round
    static TypedConstant of(SqlConstant constant, Type type)
    {
        Object value = constant.value().orElseThrow();
        try {
            Optional<TypedConstant> converted = switch (type.typeId()) {
                case BOOLEAN -> value instanceof Boolean ? Optional.of(new TypedConstant(type, value)) : Optional.empty();
                case INTEGER -> toInteger(value);
                case LONG -> toLong(value);
                case FLOAT -> toFloat(value);
                case DOUBLE -> toDouble(value);
                case DECIMAL -> value instanceof BigDecimal number ? Optional.of(toDecimal(number, ((DecimalType) type).scale(), ((DecimalType) type).precision())) : Optional.empty();
                case STRING -> value instanceof String ? Optional.of(new TypedConstant(type, value)) : Optional.empty();
                case BINARY -> value instanceof ByteBuffer ? Optional.of(new TypedConstant(type, value)) : Optional.empty();
                case FIXED -> value instanceof ByteBuffer buffer ? Optional.of(toFixed(buffer, (FixedType) type)) : Optional.empty();
                case UUID -> value instanceof UUID ? Optional.of(new TypedConstant(type, value)) : Optional.empty();
                case DATE -> value instanceof LocalDate date ? Optional.of(new TypedConstant(type, toIntExact(date.toEpochDay()))) : Optional.empty();
                case TIME -> value instanceof LocalTime time ? Optional.of(new TypedConstant(type, toMicros(time))) : Optional.empty();
                case TIMESTAMP -> toInstant(value, ((TimestampType) type).shouldAdjustToUTC()).map(instant -> new TypedConstant(type, toMicros(instant)));
                case TIMESTAMP_NANO -> toInstant(value, ((TimestampNanoType) type).shouldAdjustToUTC()).map(instant -> new TypedConstant(type, toNanos(instant)));
                default -> Optional.empty();
            };
            return converted.orElseThrow(() -> new TrinoException(TYPE_MISMATCH, "A value of type %s cannot be compared with %s%s".formatted(type, constant.text(), remedy(value, type))));
        }
        catch (ArithmeticException e) {
            throw new TrinoException(NOT_SUPPORTED, "Type %s cannot hold %s exactly%s".formatted(type, constant.text(), remedy(value, type)), e);
        }
    }

    /// The constant with the type that its form implies.
    static TypedConstant of(SqlConstant constant)
    {
        return of(constant, switch (constant.value().orElseThrow()) {
            case Boolean _ -> BooleanType.get();
            case BigDecimal number when number.scale() <= 0 -> isInt(number) ? IntegerType.get() : LongType.get();
            case BigDecimal number -> DecimalType.of(max(number.precision(), number.scale()), number.scale());
            case Double _ -> DoubleType.get();
            case Float _ -> FloatType.get();
            case String _ -> StringType.get();
            case ByteBuffer _ -> BinaryType.get();
            case UUID _ -> UUIDType.get();
            case LocalDate _ -> DateType.get();
            case LocalTime _ -> TimeType.get();
            case LocalDateTime timestamp -> timestamp.truncatedTo(MICROS).equals(timestamp) ? TimestampType.withoutZone() : TimestampNanoType.withoutZone();
            case Instant instant -> instant.truncatedTo(MICROS).equals(instant) ? TimestampType.withZone() : TimestampNanoType.withZone();
            default -> throw new IllegalArgumentException("Unexpected constant: " + constant);
        });
    }

    /// The constant as one of a type to which its own can be promoted.
    TypedConstant promote(Type target)
    {
        return new TypedConstant(target, switch (target.typeId()) {
            case LONG -> ((Number) value).longValue();
            case DOUBLE -> ((Number) value).doubleValue();
            default -> value;
        });
    }

    Literal toLiteral()
    {
        try {
            return new Literal(MAPPER.readTree(SingleValueParser.toJson(type, value)), Optional.of(type));
        }
        catch (JsonProcessingException e) {
            throw new IllegalStateException("Not the JSON of a value", e);
        }
    }

    private static Optional<TypedConstant> toInteger(Object value)
    {
        return switch (value) {
            case BigDecimal number -> Optional.of(toExactNumber(number));
            // Every int is a double
            case Double number -> Optional.of(new TypedConstant(DoubleType.get(), number));
            default -> Optional.empty();
        };
    }

    private static Optional<TypedConstant> toLong(Object value)
    {
        return switch (value) {
            case BigDecimal number -> Optional.of(toExactNumber(number).type().typeId() == Type.TypeID.INTEGER ? toExactNumber(number).promote(LongType.get()) : toExactNumber(number));
            case Double number when Math.abs(number) < EXACT_INTEGERS -> Optional.of(new TypedConstant(DoubleType.get(), number));
            case Double _ -> throw new ArithmeticException("comparison would round");
            default -> Optional.empty();
        };
    }

    private static TypedConstant toExactNumber(BigDecimal number)
    {
        if (isInt(number)) {
            return new TypedConstant(IntegerType.get(), number.intValueExact());
        }
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() <= 0 && stripped.precision() - stripped.scale() <= 19 ? new TypedConstant(LongType.get(), number.longValueExact()) : toDecimal(number, max(stripped.scale(), 0), 0);
    }

    private static boolean isInt(BigDecimal number)
    {
        return number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0 && number.compareTo(BigDecimal.valueOf(Integer.MIN_VALUE)) >= 0 && number.stripTrailingZeros().scale() <= 0;
    }

    private static Optional<TypedConstant> toFloat(Object value)
    {
        return switch (value) {
            case Float number -> Optional.of(new TypedConstant(FloatType.get(), number));
            case Double number -> Optional.of(new TypedConstant(DoubleType.get(), number));
            case BigDecimal number -> Optional.of(new TypedConstant(FloatType.get(), exactly(number, number.floatValue()).floatValue()));
            default -> Optional.empty();
        };
    }

    private static Optional<TypedConstant> toDouble(Object value)
    {
        return switch (value) {
            case Float number -> Optional.of(new TypedConstant(DoubleType.get(), (double) number));
            case Double number -> Optional.of(new TypedConstant(DoubleType.get(), number));
            case BigDecimal number -> Optional.of(new TypedConstant(DoubleType.get(), exactly(number, number.doubleValue()).doubleValue()));
            default -> Optional.empty();
        };
    }

    private static Number exactly(BigDecimal number, double rounded)
    {
        if (!Double.isFinite(rounded) || new BigDecimal(rounded).compareTo(number) != 0) {
            throw new ArithmeticException("number would be rounded");
        }
        return rounded;
    }

    private static TypedConstant toDecimal(BigDecimal number, int scale, int precision)
    {
        BigDecimal scaled = number.setScale(scale, UNNECESSARY);
        if (scaled.precision() > MAX_PRECISION || scale > MAX_PRECISION) {
            throw new ArithmeticException("too many digits");
        }
        return new TypedConstant(DecimalType.of(max(max(scaled.precision(), scale), precision), scale), scaled);
    }

    private static TypedConstant toFixed(ByteBuffer bytes, FixedType type)
    {
        if (bytes.remaining() != type.length()) {
            throw new ArithmeticException("other length");
        }
        return new TypedConstant(type, bytes);
    }

    // The zone of a timestamp without one would be that of the session
    private static Optional<Instant> toInstant(Object value, boolean withZone)
    {
        return switch (value) {
            case Instant instant when withZone -> Optional.of(instant);
            case LocalDateTime timestamp when !withZone -> Optional.of(timestamp.toInstant(ZoneOffset.UTC));
            case LocalDate date when !withZone -> Optional.of(date.atStartOfDay().toInstant(ZoneOffset.UTC));
            default -> Optional.empty();
        };
    }

    private static long toMicros(LocalTime time)
    {
        if (!time.truncatedTo(MICROS).equals(time)) {
            throw new ArithmeticException("nanoseconds");
        }
        return time.toNanoOfDay() / 1000;
    }

    private static long toMicros(Instant instant)
    {
        if (!instant.truncatedTo(MICROS).equals(instant)) {
            throw new ArithmeticException("nanoseconds");
        }
        return addExact(multiplyExact(instant.getEpochSecond(), 1_000_000), instant.getNano() / 1000);
    }

    private static long toNanos(Instant instant)
    {
        return addExact(multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    private static String remedy(Object value, Type type)
    {
        return switch (value) {
            case BigDecimal number when type.typeId() == Type.TypeID.DOUBLE -> "; write %sE0 for the nearest double".formatted(number.toPlainString());
            case BigDecimal number when type.typeId() == Type.TypeID.FLOAT -> "; write REAL '%s' for the nearest float".formatted(number.toPlainString());
            case LocalDateTime _, LocalDate _ when type.equals(TimestampType.withZone()) || type.equals(TimestampNanoType.withZone()) -> "; add a time zone to the timestamp, such as UTC";
            default -> "";
        };
    }
}
