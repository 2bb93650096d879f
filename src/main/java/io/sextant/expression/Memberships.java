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

import com.google.common.collect.ImmutableSet;
import io.sextant.expression.BoundValue.Constant;
import io.sextant.expression.vector.DoubleVector;
import io.sextant.expression.vector.IcebergValues;
import io.sextant.expression.vector.LongVector;
import io.sextant.expression.vector.ObjectVector;
import it.unimi.dsi.fastutil.doubles.DoubleOpenHashSet;
import it.unimi.dsi.fastutil.doubles.DoubleSet;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import org.apache.iceberg.types.Type;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;

/// Tests whether a value is one of some constants. A null is not, and neither is NaN.
final class Memberships
{
    private Memberships() {}

    static BoundPredicate in(BoundValue value, List<Constant> constants)
    {
        Type type = value.type();
        if (!TypeAlignment.isComparable(type)) {
            throw new UnboundException("a value of type %s cannot be compared", type);
        }
        List<Object> elements = constants.stream()
                .map(constant -> align(constant, type))
                .flatMap(Optional::stream)
                .map(constant -> IcebergValues.toElement(constant.type(), constant.value().orElseThrow()))
                .collect(toImmutableList());
        if (IcebergValues.isLong(type)) {
            // A constant out of the range of a short decimal is no long
            return inLongs(value, new LongOpenHashSet(elements.stream().filter(Long.class::isInstance).mapToLong(Long.class::cast).iterator()));
        }
        if (IcebergValues.isDouble(type)) {
            return inDoubles(value, new DoubleOpenHashSet(elements.stream().mapToDouble(element -> withoutSignOfZero((double) element)).iterator()));
        }
        return inObjects(value, ImmutableSet.copyOf(elements));
    }

    // A number that the type of the value does not have is equal to none
    private static Optional<Constant> align(Constant constant, Type type)
    {
        if (constant.type().equals(type)) {
            return Optional.of(constant);
        }
        if (!TypeAlignment.isNumeric(constant.type()) || !TypeAlignment.isNumeric(type)) {
            throw new UnboundException("values of types %s and %s cannot be compared", type, constant.type());
        }
        return TypeAlignment.convertExactly(constant, type);
    }

    private static BoundPredicate inLongs(BoundValue value, LongSet set)
    {
        return rows -> {
            LongVector vector = (LongVector) value.evaluate(rows);
            boolean[] result = new boolean[vector.size()];
            for (int i = 0; i < result.length; i++) {
                result[i] = set.contains(vector.values()[i]) && !vector.isNull(i);
            }
            return result;
        };
    }

    private static BoundPredicate inDoubles(BoundValue value, DoubleSet set)
    {
        return rows -> {
            DoubleVector vector = (DoubleVector) value.evaluate(rows);
            boolean[] result = new boolean[vector.size()];
            for (int i = 0; i < result.length; i++) {
                result[i] = set.contains(withoutSignOfZero(vector.values()[i])) && !vector.isNull(i);
            }
            return result;
        };
    }

    private static BoundPredicate inObjects(BoundValue value, Set<Object> set)
    {
        return rows -> {
            Object[] values = ((ObjectVector) value.evaluate(rows)).values();
            boolean[] result = new boolean[values.length];
            for (int i = 0; i < result.length; i++) {
                result[i] = values[i] != null && set.contains(values[i]);
            }
            return result;
        };
    }

    private static double withoutSignOfZero(double value)
    {
        return value + 0.0;
    }
}
