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
package io.sextant.index.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;
import org.apache.iceberg.util.JsonUtil;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS;
import static java.util.Objects.requireNonNull;

/// The indexes that a table names in its properties, one property each:
/// `sextant.index.<name>` = `{"index-uuid": "...", "location": "..."}`. Unknown JSON fields are ignored.
///
/// This class is the only one that knows this form.
///
/// @param indexes the registrations that can be read, by name, in the order of the names
/// @param malformed why a property cannot be read, by what follows `sextant.index.` in its name; the table has such an
///         index, but nobody can use it until it is dropped and created again
public record IndexRegistrations(Map<String, IndexRegistration> indexes, Map<String, String> malformed)
{
    private static final String PREFIX = "sextant.index.";
    private static final ObjectReader JSON = JsonUtil.mapper().reader().with(FAIL_ON_TRAILING_TOKENS);
    private static final String INDEX_UUID = "index-uuid";
    private static final String LOCATION = "location";

    public IndexRegistrations
    {
        indexes = ImmutableSortedMap.copyOf(indexes);
        malformed = ImmutableSortedMap.copyOf(malformed);
    }

    /// Whether a table with these properties has any index, readable or not. Looks at names only.
    public static boolean anyIn(Map<String, String> properties)
    {
        return properties.keySet().stream().anyMatch(property -> property.startsWith(PREFIX));
    }

    /// Reads the registrations out of all properties of a table. Never fails: a malformed property must not break a query.
    public static IndexRegistrations fromTableProperties(Map<String, String> properties)
    {
        ImmutableMap.Builder<String, IndexRegistration> indexes = ImmutableMap.builder();
        ImmutableMap.Builder<String, String> malformed = ImmutableMap.builder();
        properties.forEach((property, value) -> {
            if (property.startsWith(PREFIX)) {
                String name = property.substring(PREFIX.length());
                try {
                    indexes.put(name, fromJson(name, value));
                }
                catch (IllegalArgumentException | JsonProcessingException | TrinoException e) {
                    malformed.put(name, "Table property %s is malformed: %s".formatted(property, e.getMessage()));
                }
            }
        });
        return new IndexRegistrations(indexes.buildOrThrow(), malformed.buildOrThrow());
    }

    /// The name of the table property that registers an index.
    public static String propertyName(String indexName)
    {
        return PREFIX + requireNonNull(indexName, "indexName is null");
    }

    /// The value of the table property that registers an index.
    public static String propertyValue(IndexRegistration registration)
    {
        return JsonUtil.generate(
                generator -> {
                    generator.writeStartObject();
                    generator.writeStringField(INDEX_UUID, registration.uuid());
                    generator.writeStringField(LOCATION, registration.location());
                    generator.writeEndObject();
                },
                false);
    }

    public Optional<IndexRegistration> find(String indexName)
    {
        return Optional.ofNullable(indexes.get(indexName));
    }

    /// Whether the table registers an index of that name, readable or not.
    public boolean contains(String indexName)
    {
        return indexes.containsKey(indexName) || malformed.containsKey(indexName);
    }

    private static IndexRegistration fromJson(String name, String value)
            throws JsonProcessingException
    {
        JsonNode json = JSON.readTree(value);
        if (!json.isObject()) {
            throw new IllegalArgumentException("not a JSON object: " + value);
        }
        String uuid = string(json, INDEX_UUID);
        if (!UUID.fromString(uuid).toString().equalsIgnoreCase(uuid)) {
            throw new IllegalArgumentException("not a UUID: " + uuid);
        }
        String location = string(json, LOCATION);
        if (Location.of(location).path().isEmpty()) {
            throw new IllegalArgumentException("location has no path: " + location);
        }
        return new IndexRegistration(name, uuid, location);
    }

    private static String string(JsonNode json, String field)
    {
        JsonNode value = json.get(field);
        if (value == null || !value.isTextual()) {
            throw new IllegalArgumentException("no string field " + field);
        }
        return value.textValue();
    }
}
