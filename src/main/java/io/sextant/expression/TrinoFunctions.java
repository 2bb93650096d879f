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

import io.airlift.slice.Slice;
import io.airlift.slice.SliceUtf8;
import io.sextant.expression.BoundValue.Computed;
import io.sextant.expression.vector.DoubleVector;
import io.sextant.expression.vector.LongVector;
import io.sextant.expression.vector.ObjectVector;
import io.sextant.expression.vector.Vector;
import io.trino.spi.block.Block;
import io.trino.spi.block.SqlMap;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.LongType;

import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/// Functions that Trino has and the specification has not. Only those of one argument are here that cannot fail,
/// whose result depends on nothing else, and whose implementation Trino takes from a library.
final class TrinoFunctions
{
    private TrinoFunctions() {}

    static Optional<BoundValue> bind(String name, BoundValue argument)
    {
        return switch (name) {
            case "lower" -> Optional.of(ofString(name, argument, SliceUtf8::toLowerCase));
            case "upper" -> Optional.of(ofString(name, argument, SliceUtf8::toUpperCase));
            case "reverse" -> Optional.of(ofString(name, argument, SliceUtf8::reverse));
            case "trim" -> Optional.of(ofString(name, argument, SliceUtf8::trim));
            case "ltrim" -> Optional.of(ofString(name, argument, SliceUtf8::leftTrim));
            case "rtrim" -> Optional.of(ofString(name, argument, SliceUtf8::rightTrim));
            case "length" -> Optional.of(length(argument));
            case "cardinality" -> Optional.of(cardinality(argument));
            case "abs" -> Optional.of(abs(argument));
            default -> Optional.empty();
        };
    }

    private static BoundValue ofString(String name, BoundValue argument, UnaryOperator<Slice> function)
    {
        if (argument.type().typeId() != Type.TypeID.STRING) {
            throw wrongType(name, argument);
        }
        return new Computed(argument.type(), rows -> {
            Object[] values = ((ObjectVector) argument.evaluate(rows)).values();
            Object[] result = new Object[values.length];
            for (int i = 0; i < result.length; i++) {
                result[i] = values[i] == null ? null : function.apply((Slice) values[i]);
            }
            return new ObjectVector(result);
        });
    }

    private static BoundValue length(BoundValue argument)
    {
        return switch (argument.type().typeId()) {
            case STRING -> toLong(argument, value -> SliceUtf8.countCodePoints((Slice) value));
            case BINARY, FIXED -> toLong(argument, value -> ((Slice) value).length());
            default -> throw wrongType("length", argument);
        };
    }

    private static BoundValue cardinality(BoundValue argument)
    {
        return switch (argument.type().typeId()) {
            case LIST -> toLong(argument, value -> ((Block) value).getPositionCount());
            case MAP -> toLong(argument, value -> ((SqlMap) value).getSize());
            default -> throw wrongType("cardinality", argument);
        };
    }

    private static BoundValue toLong(BoundValue argument, ToLongFunction<Object> function)
    {
        return new Computed(LongType.get(), rows -> {
            Vector vector = argument.evaluate(rows);
            Object[] values = ((ObjectVector) vector).values();
            long[] result = new long[values.length];
            for (int i = 0; i < result.length; i++) {
                result[i] = values[i] == null ? 0 : function.applyAsLong(values[i]);
            }
            return new LongVector(result, Optional.of(vector.nullFlags()));
        });
    }

    // The smallest integer has no absolute value, so only floating-point numbers are taken
    private static BoundValue abs(BoundValue argument)
    {
        return switch (argument.type().typeId()) {
            case FLOAT, DOUBLE -> new Computed(argument.type(), rows -> {
                DoubleVector vector = (DoubleVector) argument.evaluate(rows);
                double[] result = new double[vector.size()];
                for (int i = 0; i < result.length; i++) {
                    result[i] = Math.abs(vector.values()[i]);
                }
                return new DoubleVector(result, vector.nulls());
            });
            default -> throw wrongType("abs", argument);
        };
    }

    private static UnboundException wrongType(String name, BoundValue argument)
    {
        return new UnboundException("function trino.%s does not take a value of type %s", name, argument.type());
    }
}
