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
package io.sextant.system;

import com.google.common.collect.ImmutableMap;
import io.trino.spi.block.SqlMap;
import io.trino.spi.type.MapType;
import io.trino.spi.type.TypeManager;

import java.util.Map;
import java.util.Optional;

import static io.trino.spi.block.MapValueBuilder.buildMapValue;
import static io.trino.spi.type.VarcharType.VARCHAR;

/// Values of the type `map(varchar, varchar)`.
final class VarcharMaps
{
    private final MapType type;

    VarcharMaps(TypeManager typeManager)
    {
        type = new MapType(VARCHAR, VARCHAR, typeManager.getTypeOperators());
    }

    MapType type()
    {
        return type;
    }

    SqlMap of(Map<String, String> map)
    {
        ImmutableMap.Builder<String, Optional<String>> values = ImmutableMap.builder();
        map.forEach((key, value) -> values.put(key, Optional.of(value)));
        return ofNullable(values.buildOrThrow());
    }

    SqlMap ofNullable(Map<String, Optional<String>> map)
    {
        return buildMapValue(type, map.size(), (keys, values) -> map.forEach((key, value) -> {
            VARCHAR.writeString(keys, key);
            value.ifPresentOrElse(known -> VARCHAR.writeString(values, known), values::appendNull);
        }));
    }
}
