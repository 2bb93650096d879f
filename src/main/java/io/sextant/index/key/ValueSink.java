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
package io.sextant.index.key;

import java.nio.ByteBuffer;

/// Receives the decoded value of one field without boxing. Which method is called follows from the field's type alone,
/// but for null.
public interface ValueSink
{
    void acceptNull();

    void acceptBoolean(boolean value);

    /// An int, a long, a date in days, a time in microseconds of the day, a timestamp in micro- or nanoseconds since the
    /// epoch (as its type says), or the unscaled value of a decimal whose precision is at most 18.
    void acceptLong(long value);

    void acceptFloat(float value);

    void acceptDouble(double value);

    /// The UTF-8 bytes of a string, a binary or fixed value, the 16 big-endian bytes of a uuid, or the unscaled value of
    /// a decimal whose precision is above 18 as 16 bytes, big-endian two's complement.
    ///
    /// The array is only lent: it must not be changed, and not be used after this call has returned.
    void acceptBytes(byte[] array, int offset, int length);

    /// The unscaled value of a decimal whose precision is above 18. A sink that overrides this saves an array per value.
    default void acceptInt128(long high, long low)
    {
        acceptBytes(ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array(), 0, 2 * Long.BYTES);
    }
}
