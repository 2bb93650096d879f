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

import static java.util.Objects.requireNonNull;

/// Everything else: slices, decimals of more than 18 digits, nested values. A null element is a null.
public final class ObjectVector
        implements Vector
{
    private final Object[] values;

    public ObjectVector(Object[] values)
    {
        this.values = requireNonNull(values, "values is null");
    }

    public Object[] values()
    {
        return values;
    }

    @Override
    public int size()
    {
        return values.length;
    }

    @Override
    public boolean isNull(int position)
    {
        return values[position] == null;
    }

    @Override
    public ObjectVector select(int[] positions, int offset, int length)
    {
        Object[] selected = new Object[length];
        for (int i = 0; i < length; i++) {
            selected[i] = values[positions[offset + i]];
        }
        return new ObjectVector(selected);
    }

    @Override
    public ObjectVector orElse(boolean[] flags, Vector other)
    {
        Object[] result = values.clone();
        for (int i = 0; i < result.length; i++) {
            if (!flags[i]) {
                result[i] = ((ObjectVector) other).values[i];
            }
        }
        return new ObjectVector(result);
    }
}
