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

/// The values of an expression for the rows of a page, in Iceberg's units: a timestamp is its microseconds or nanoseconds
/// since 1970, whatever its zone in Trino was.
public sealed interface Vector
        permits DoubleVector,
                LongVector,
                ObjectVector
{
    int size();

    boolean isNull(int position);

    /// Whether each value is null. The caller may change the result.
    default boolean[] nullFlags()
    {
        boolean[] flags = new boolean[size()];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = isNull(i);
        }
        return flags;
    }

    /// The values at some of the positions, which may repeat.
    Vector select(int[] positions, int offset, int length);

    /// These values where the flag is set, and elsewhere those of another vector of the same kind.
    Vector orElse(boolean[] flags, Vector other);
}
