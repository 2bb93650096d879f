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

import jakarta.annotation.Nullable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

import static io.sextant.index.key.TestingKeyFields.normalized;
import static java.lang.Math.toIntExact;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Keeps the last value received, as a `Boolean`, `Long`, `Float`, `Double` or byte array.
final class RecordingValueSink
        implements ValueSink
{
    @Nullable
    private Object value;

    @Nullable
    Object value()
    {
        return value;
    }

    /// The last value as the Iceberg value of a type, NaNs normalized.
    @Nullable
    Object icebergValue(Type type)
    {
        return switch (value) {
            case Long longValue -> switch (type.typeId()) {
                case INTEGER, DATE -> toIntExact(longValue);
                case DECIMAL -> BigDecimal.valueOf(longValue, ((Types.DecimalType) type).scale());
                default -> longValue;
            };
            case byte[] bytes -> switch (type.typeId()) {
                case STRING -> new String(bytes, UTF_8);
                case UUID -> new UUID(ByteBuffer.wrap(bytes).getLong(), ByteBuffer.wrap(bytes).getLong(8));
                case DECIMAL -> new BigDecimal(new BigInteger(bytes), ((Types.DecimalType) type).scale());
                default -> ByteBuffer.wrap(bytes);
            };
            case null, default -> normalized(value);
        };
    }

    @Override
    public void acceptNull()
    {
        value = null;
    }

    @Override
    public void acceptBoolean(boolean value)
    {
        this.value = value;
    }

    @Override
    public void acceptLong(long value)
    {
        this.value = value;
    }

    @Override
    public void acceptFloat(float value)
    {
        this.value = value;
    }

    @Override
    public void acceptDouble(double value)
    {
        this.value = value;
    }

    @Override
    public void acceptBytes(byte[] array, int offset, int length)
    {
        value = Arrays.copyOfRange(array, offset, offset + length);
    }
}
