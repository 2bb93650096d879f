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
package io.sextant.expression;

import io.sextant.expression.BoundValue.Computed;
import io.sextant.expression.BoundValue.Constant;
import io.sextant.expression.vector.DoubleVector;
import io.sextant.expression.vector.IcebergValues;
import io.sextant.expression.vector.LongVector;
import io.sextant.expression.vector.ObjectVector;
import io.sextant.expression.vector.Vector;
import io.trino.spi.type.Int128;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.DecimalType;
import org.apache.iceberg.types.Types.DoubleType;
import org.apache.iceberg.types.Types.LongType;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static io.trino.spi.type.Decimals.MAX_PRECISION;
import static java.math.RoundingMode.UNNECESSARY;

/// Two values that can be compared in one domain, without any rounding. All numbers can be aligned; other types only with themselves.
record TypeAlignment(BoundValue left, BoundValue right, Domain domain)
{
    enum Domain
    {
        LONGS, DOUBLES, OBJECTS,
        /// Numbers of types that have no common one
        NUMBERS,
    }

    static TypeAlignment of(BoundValue left, BoundValue right)
    {
        Type leftType = left.type();
        Type rightType = right.type();
        if (isNumeric(leftType) && isNumeric(rightType)) {
            return alignNumbers(convertConstant(left, rightType), convertConstant(right, leftType));
        }
        if (!leftType.equals(rightType) || !isComparable(leftType)) {
            throw new UnboundException("values of types %s and %s cannot be compared", leftType, rightType);
        }
        return new TypeAlignment(left, right, IcebergValues.isLong(leftType) ? Domain.LONGS : Domain.OBJECTS);
    }

    static boolean isNumeric(Type type)
    {
        return switch (type.typeId()) {
            case INTEGER, LONG, FLOAT, DOUBLE, DECIMAL -> true;
            default -> false;
        };
    }

    static boolean isComparable(Type type)
    {
        return type.isPrimitiveType() && switch (type.typeId()) {
            case GEOMETRY, GEOGRAPHY, UNKNOWN -> false;
            default -> true;
        };
    }

    /// A number as a value of another numeric type, or of a larger one of its kind, if it is the same number there.
    static Optional<Constant> convertExactly(Constant constant, Type type)
    {
        return constant.value()
                .filter(value -> !(value instanceof Number number) || Double.isFinite(number.doubleValue()) || value instanceof BigDecimal)
                .flatMap(value -> convertExactly(IcebergValues.toBigDecimal(value), type));
    }

    private static Optional<Constant> convertExactly(BigDecimal value, Type type)
    {
        try {
            return switch (type.typeId()) {
                case INTEGER, LONG -> Optional.of(new Constant(LongType.get(), Optional.of(value.longValueExact())));
                case FLOAT, DOUBLE -> Optional.of(value.doubleValue())
                        .filter(number -> Double.isFinite(number) && new BigDecimal(number).compareTo(value) == 0)
                        .map(number -> new Constant(DoubleType.get(), Optional.of(number)));
                case DECIMAL -> {
                    DecimalType decimal = (DecimalType) type;
                    BigDecimal scaled = value.setScale(decimal.scale(), UNNECESSARY);
                    yield scaled.precision() > MAX_PRECISION ? Optional.empty() :
                            Optional.of(new Constant(DecimalType.of(Math.max(decimal.precision(), scaled.precision()), decimal.scale()), Optional.of(scaled)));
                }
                default -> Optional.empty();
            };
        }
        catch (ArithmeticException _) {
            return Optional.empty();
        }
    }

    /// The values as those of a type to which theirs may be promoted, in its vectors.
    static BoundValue promote(BoundValue value, Type type)
    {
        if (type.typeId() == TypeID.DECIMAL && !IcebergValues.isLong(type) && IcebergValues.isLong(value.type())) {
            return convert(value, type, TypeAlignment::toInt128s);
        }
        return convert(value, type, UnaryOperator.identity());
    }

    private static BoundValue convertConstant(BoundValue value, Type type)
    {
        return value instanceof Constant constant ? convertExactly(constant, type).map(BoundValue.class::cast).orElse(value) : value;
    }

    private static TypeAlignment alignNumbers(BoundValue left, BoundValue right)
    {
        boolean leftDouble = IcebergValues.isDouble(left.type());
        boolean rightDouble = IcebergValues.isDouble(right.type());
        if (leftDouble && rightDouble) {
            return new TypeAlignment(left, right, Domain.DOUBLES);
        }
        // Every int is a double, not every long
        if (leftDouble && right.type().typeId() == TypeID.INTEGER) {
            return new TypeAlignment(left, convert(right, left.type(), TypeAlignment::toDoubles), Domain.DOUBLES);
        }
        if (rightDouble && left.type().typeId() == TypeID.INTEGER) {
            return new TypeAlignment(convert(left, right.type(), TypeAlignment::toDoubles), right, Domain.DOUBLES);
        }
        if (leftDouble || rightDouble || scale(left.type()) != scale(right.type())) {
            return new TypeAlignment(left, right, Domain.NUMBERS);
        }
        boolean leftLong = IcebergValues.isLong(left.type());
        boolean rightLong = IcebergValues.isLong(right.type());
        if (leftLong && rightLong) {
            return new TypeAlignment(left, right, Domain.LONGS);
        }
        return new TypeAlignment(
                leftLong ? convert(left, right.type(), TypeAlignment::toInt128s) : left,
                rightLong ? convert(right, left.type(), TypeAlignment::toInt128s) : right,
                Domain.OBJECTS);
    }

    private static int scale(Type type)
    {
        return type instanceof DecimalType decimal ? decimal.scale() : 0;
    }

    private static BoundValue convert(BoundValue value, Type type, UnaryOperator<Vector> conversion)
    {
        return new Computed(type, rows -> conversion.apply(value.evaluate(rows)));
    }

    private static DoubleVector toDoubles(Vector vector)
    {
        LongVector longs = (LongVector) vector;
        double[] values = new double[longs.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = longs.values()[i];
        }
        return new DoubleVector(values, longs.nulls());
    }

    private static ObjectVector toInt128s(Vector vector)
    {
        long[] longs = ((LongVector) vector).values();
        Object[] values = new Object[longs.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = vector.isNull(i) ? null : Int128.valueOf(longs[i]);
        }
        return new ObjectVector(values);
    }
}
