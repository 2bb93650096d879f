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
package io.sextant.index.file;

import jakarta.annotation.Nullable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;

import java.math.BigDecimal;
import java.util.Arrays;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Double.doubleToRawLongBits;
import static java.lang.Double.longBitsToDouble;
import static java.lang.Float.floatToRawIntBits;
import static java.lang.Float.intBitsToFloat;
import static java.lang.Math.max;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/// Values that Parquet stores in at most eight bytes: booleans as 0 and 1, floats and doubles as their bits.
public final class LongColumnBuffer
        extends ColumnBuffer
{
    private static final int INITIAL_CAPACITY = 1024;

    private final Type.PrimitiveType type;
    private final boolean isInt;
    private long[] values = new long[INITIAL_CAPACITY];

    /// @param isInt whether Parquet stores the values in four bytes
    LongColumnBuffer(Type.PrimitiveType type, boolean isInt)
    {
        this.type = requireNonNull(type, "type is null");
        this.isInt = isInt;
    }

    @Override
    public void append(@Nullable Object icebergValue)
    {
        switch (icebergValue) {
            case null -> acceptNull();
            case Boolean value -> acceptBoolean(value);
            case Integer value -> acceptLong(value);
            case Long value -> acceptLong(value);
            case Float value when type.typeId() == TypeID.DOUBLE -> acceptDouble(value);
            case Float value -> acceptFloat(value);
            case Double value -> acceptDouble(value);
            case BigDecimal value -> acceptLong(value.unscaledValue().longValueExact());
            default -> throw new IllegalArgumentException("Not a value of %s: %s".formatted(type, icebergValue.getClass().getName()));
        }
    }

    @Override
    public void acceptBoolean(boolean value)
    {
        checkArgument(type.typeId() == TypeID.BOOLEAN, "not a column of booleans: %s", type);
        add(value ? 1 : 0);
    }

    @Override
    public void acceptLong(long value)
    {
        add(isInt ? toIntExact(value) : value);
    }

    @Override
    public void acceptFloat(float value)
    {
        checkArgument(type.typeId() == TypeID.FLOAT, "not a column of floats: %s", type);
        add(floatToRawIntBits(value));
    }

    @Override
    public void acceptDouble(double value)
    {
        checkArgument(type.typeId() == TypeID.DOUBLE, "not a column of doubles: %s", type);
        add(doubleToRawLongBits(value));
    }

    private void add(long value)
    {
        int index = valueCount();
        if (index == values.length) {
            values = Arrays.copyOf(values, max(values.length * 2, INITIAL_CAPACITY));
        }
        values[index] = value;
        countValue();
    }

    long value(int index)
    {
        return values[index];
    }

    @Override
    public long sizeInBytes()
    {
        return (long) valueCount() * (isInt ? Integer.BYTES : Long.BYTES);
    }

    @Override
    public ColumnSummary summarize()
    {
        return switch (type.typeId()) {
            case FLOAT -> summarizeFloats();
            case DOUBLE -> summarizeDoubles();
            default -> summarizeIntegers();
        };
    }

    private ColumnSummary summarizeIntegers()
    {
        int count = valueCount();
        if (count == 0) {
            return ColumnSummary.withoutBounds(this, 0, 0);
        }
        long min = values[0];
        long max = values[0];
        for (int i = 1; i < count; i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
        }
        return ColumnSummary.of(this, min, max, 0, 0);
    }

    private ColumnSummary summarizeFloats()
    {
        int count = valueCount();
        int nans = 0;
        float min = Float.NaN;
        float max = Float.NaN;
        for (int i = 0; i < count; i++) {
            float value = intBitsToFloat((int) values[i]);
            if (Float.isNaN(value)) {
                nans++;
                continue;
            }
            // Float.compare separates the zeros; the order of the index does too
            min = Float.isNaN(min) || Float.compare(value, min) < 0 ? value : min;
            max = Float.isNaN(max) || Float.compare(value, max) > 0 ? value : max;
        }
        if (nans == count) {
            return ColumnSummary.withoutBounds(this, nans, 0);
        }
        return ColumnSummary.of(this, min, max, nans, 0);
    }

    private ColumnSummary summarizeDoubles()
    {
        int count = valueCount();
        int nans = 0;
        double min = Double.NaN;
        double max = Double.NaN;
        for (int i = 0; i < count; i++) {
            double value = longBitsToDouble(values[i]);
            if (Double.isNaN(value)) {
                nans++;
                continue;
            }
            min = Double.isNaN(min) || Double.compare(value, min) < 0 ? value : min;
            max = Double.isNaN(max) || Double.compare(value, max) > 0 ? value : max;
        }
        if (nans == count) {
            return ColumnSummary.withoutBounds(this, nans, 0);
        }
        return ColumnSummary.of(this, min, max, nans, 0);
    }
}
