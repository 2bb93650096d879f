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

import io.sextant.expression.sql.SqlValue.Computed;
import io.trino.spi.TrinoException;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.PrimitiveType;
import org.apache.iceberg.types.Type.TypeID;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.TYPE_MISMATCH;
import static org.apache.iceberg.types.TypeUtil.isPromotionAllowed;

/// Which values SQL compares as Iceberg does. SQL rounds some numbers first, Iceberg none.
final class SqlComparability
{
    private SqlComparability() {}

    static TypedConstant constant(SqlConstant constant, Computed value)
    {
        TypedConstant typed = TypedConstant.of(constant, value.type());
        if (value.offset() == 0) {
            return typed;
        }
        if (typed.type().typeId() != TypeID.INTEGER) {
            throw new TrinoException(NOT_SUPPORTED, "%s can only be compared with an integer, not with %s".formatted(value.text(), constant.text()));
        }
        BigDecimal shifted = BigDecimal.valueOf((int) typed.value()).subtract(BigDecimal.valueOf(value.offset()));
        return TypedConstant.of(new SqlConstant(Optional.of(shifted), constant.text()), value.type());
    }

    /// Constants of one type.
    static List<TypedConstant> constants(List<SqlConstant> constants, Computed value)
    {
        List<TypedConstant> typed = constants.stream()
                .map(constant -> constant(constant, value))
                .collect(toImmutableList());
        Type common = typed.stream()
                .map(TypedConstant::type)
                .reduce((left, right) -> commonType(left, right, value))
                .orElseThrow();
        return typed.stream()
                .map(constant -> constant.promote(common))
                .collect(toImmutableList());
    }

    static void check(Computed left, Computed right)
    {
        Type leftType = left.type();
        Type rightType = right.type();
        boolean comparable = isNumeric(leftType) ? isNumeric(rightType) : leftType.equals(rightType) && leftType.isPrimitiveType();
        if (!comparable) {
            throw new TrinoException(TYPE_MISMATCH, "%s of type %s cannot be compared with %s of type %s".formatted(left.text(), leftType, right.text(), rightType));
        }
        if (isFloating(leftType) != isFloating(rightType) && !isIntWithDouble(leftType, rightType) && !isIntWithDouble(rightType, leftType)) {
            throw new TrinoException(NOT_SUPPORTED, "Comparison of %s of type %s with %s of type %s would round".formatted(left.text(), leftType, right.text(), rightType));
        }
        if (left.offset() != right.offset()) {
            throw new TrinoException(NOT_SUPPORTED, "%s cannot be compared with %s".formatted(left.text(), right.text()));
        }
    }

    private static Type commonType(Type left, Type right, Computed value)
    {
        if (isPromotionAllowed(left, (PrimitiveType) right)) {
            return right;
        }
        if (isPromotionAllowed(right, (PrimitiveType) left)) {
            return left;
        }
        throw new TrinoException(NOT_SUPPORTED, "Values of the IN list of %s have no common type: %s and %s".formatted(value.text(), left, right));
    }

    private static boolean isIntWithDouble(Type left, Type right)
    {
        return left.typeId() == TypeID.INTEGER && right.typeId() == TypeID.DOUBLE;
    }

    private static boolean isNumeric(Type type)
    {
        return switch (type.typeId()) {
            case INTEGER, LONG, DECIMAL -> true;
            default -> isFloating(type);
        };
    }

    private static boolean isFloating(Type type)
    {
        return type.typeId() == TypeID.FLOAT || type.typeId() == TypeID.DOUBLE;
    }
}
