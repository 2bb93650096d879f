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
package io.sextant.index.refresh;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// What a user asks for in a new index.
///
/// @param key the columns of the ordering key, in order; a field inside a struct has a dotted name
/// @param include columns that are stored beside the key
/// @param location the root of the index; beside the table if absent
public record IndexDefinition(String name, List<String> key, List<String> include, Optional<String> location, Map<String, String> properties)
{
    public IndexDefinition
    {
        requireNonNull(name, "name is null");
        key = ImmutableList.copyOf(requireNonNull(key, "key is null"));
        include = ImmutableList.copyOf(requireNonNull(include, "include is null"));
        requireNonNull(location, "location is null");
        properties = ImmutableMap.copyOf(requireNonNull(properties, "properties is null"));
    }

    public List<String> columns()
    {
        return ImmutableList.<String>builder()
                .addAll(key)
                .addAll(include)
                .build();
    }
}
