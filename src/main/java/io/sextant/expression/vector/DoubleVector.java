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

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// Numbers of single and of double precision.
public final class DoubleVector
        implements Vector
{
    private final double[] values;
    private final Optional<boolean[]> nulls;

    public DoubleVector(double[] values, Optional<boolean[]> nulls)
    {
        this.values = requireNonNull(values, "values is null");
        this.nulls = requireNonNull(nulls, "nulls is null");
    }

    public double[] values()
    {
        return values;
    }

    public Optional<boolean[]> nulls()
    {
        return nulls;
    }

    @Override
    public int size()
    {
        return values.length;
    }

    @Override
    public boolean isNull(int position)
    {
        return nulls.isPresent() && nulls.orElseThrow()[position];
    }

    /// Whether each value is NaN. The caller may change the result.
    public boolean[] nanFlags()
    {
        boolean[] flags = new boolean[values.length];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = Double.isNaN(values[i]) && !isNull(i);
        }
        return flags;
    }

    @Override
    public DoubleVector select(int[] positions, int offset, int length)
    {
        double[] selected = new double[length];
        for (int i = 0; i < length; i++) {
            selected[i] = values[positions[offset + i]];
        }
        return new DoubleVector(selected, nulls.map(flags -> {
            boolean[] selectedFlags = new boolean[length];
            for (int i = 0; i < length; i++) {
                selectedFlags[i] = flags[positions[offset + i]];
            }
            return selectedFlags;
        }));
    }

    @Override
    public DoubleVector orElse(boolean[] flags, Vector other)
    {
        DoubleVector others = (DoubleVector) other;
        double[] result = values.clone();
        boolean[] resultNulls = nullFlags();
        for (int i = 0; i < result.length; i++) {
            if (!flags[i]) {
                result[i] = others.values[i];
                resultNulls[i] = others.isNull(i);
            }
        }
        return new DoubleVector(result, Optional.of(resultNulls));
    }
}
