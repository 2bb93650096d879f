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
package io.sextant.index.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/// Reads the fields of one JSON object, each with its type, and knows which fields nobody asked for.
/// All errors are an [IllegalArgumentException] that names the field by its path.
final class JsonFields
{
    private static final int MAX_VALUE_LENGTH_IN_ERRORS = 100;

    private final JsonNode json;
    private final String path;
    private final Set<String> known = new HashSet<>();

    /// @param path the place of the object in the file, empty for the file itself
    JsonFields(JsonNode json, String path)
    {
        this.json = requireNonNull(json, "json is null");
        this.path = requireNonNull(path, "path is null");
        checkArgument(json.isObject(), "%s is not an object: %s", path.isEmpty() ? "content" : path, abbreviated(json));
    }

    int requiredInt(String name)
    {
        JsonNode value = required(name);
        checkArgument(value.isIntegralNumber() && value.canConvertToInt(), "%s is not an int: %s", pathOf(name), abbreviated(value));
        return value.intValue();
    }

    long requiredLong(String name)
    {
        JsonNode value = required(name);
        checkArgument(value.isIntegralNumber() && value.canConvertToLong(), "%s is not a long: %s", pathOf(name), abbreviated(value));
        return value.longValue();
    }

    String requiredString(String name)
    {
        return string(name, required(name));
    }

    Optional<String> optionalString(String name)
    {
        return optional(name).map(value -> string(name, value));
    }

    /// The elements of a list that must be there.
    List<JsonNode> requiredList(String name)
    {
        return list(name, required(name));
    }

    /// The elements of a list that reads as empty where it is missing.
    List<JsonNode> optionalList(String name)
    {
        return optional(name)
                .map(value -> list(name, value))
                .orElse(ImmutableList.of());
    }

    Map<String, String> optionalStringMap(String name)
    {
        Optional<JsonNode> value = optional(name);
        if (value.isEmpty()) {
            return ImmutableMap.of();
        }
        checkArgument(value.orElseThrow().isObject(), "%s is not an object: %s", pathOf(name), abbreviated(value.orElseThrow()));
        return value.orElseThrow().properties().stream()
                .collect(toImmutableMap(Map.Entry::getKey, entry -> string(name + "." + entry.getKey(), entry.getValue())));
    }

    JsonNode required(String name)
    {
        return optional(name)
                .orElseThrow(() -> new IllegalArgumentException("%s is missing".formatted(pathOf(name))));
    }

    /// A null counts as a missing field, as in all of Iceberg's JSON.
    Optional<JsonNode> optional(String name)
    {
        known.add(name);
        return Optional.ofNullable(json.get(name))
                .filter(value -> !value.isNull());
    }

    /// The fields that none of the calls so far has asked for.
    UnknownFields unknownFields()
    {
        return new UnknownFields(json.properties().stream()
                .filter(entry -> !known.contains(entry.getKey()))
                .collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    String pathOf(String name)
    {
        return path.isEmpty() ? name : path + "." + name;
    }

    private String string(String name, JsonNode value)
    {
        checkArgument(value.isTextual(), "%s is not a string: %s", pathOf(name), abbreviated(value));
        return value.textValue();
    }

    private List<JsonNode> list(String name, JsonNode value)
    {
        checkArgument(value.isArray(), "%s is not a list: %s", pathOf(name), abbreviated(value));
        return ImmutableList.copyOf(value);
    }

    private static String abbreviated(JsonNode value)
    {
        if (value.isContainerNode()) {
            return value.isArray() ? "a list" : "an object";
        }
        String text = value.toString();
        return text.length() <= MAX_VALUE_LENGTH_IN_ERRORS ? text : text.substring(0, MAX_VALUE_LENGTH_IN_ERRORS) + "...";
    }
}
