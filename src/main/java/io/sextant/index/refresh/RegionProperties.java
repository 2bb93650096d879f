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
import com.google.common.primitives.Longs;
import io.trino.spi.TrinoException;

import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.sextant.index.metadata.IndexProperties.DELETE_AFTER_COMMIT;
import static io.sextant.index.metadata.IndexProperties.PREVIOUS_VERSIONS_MAX;

/// The index properties that govern how entries are cut into regions.
///
/// @param targetSizeInBytes the size at which a region is closed, at least [#MIN_TARGET_SIZE]
/// @param splitHotKeys whether a full region may end between entries of one key
public record RegionProperties(long targetSizeInBytes, boolean splitHotKeys)
{
    public static final String TARGET_SIZE = "write.region.target-size-bytes";
    public static final String SPLIT_HOT_KEYS = "write.region.split-hot-keys";

    private static final List<String> KNOWN = ImmutableList.of(TARGET_SIZE, SPLIT_HOT_KEYS, PREVIOUS_VERSIONS_MAX, DELETE_AFTER_COMMIT);

    private static final long MIN_TARGET_SIZE = 16 * 1024;
    private static final long MAX_TARGET_SIZE = 1024 * 1024 * 1024;
    private static final long DEFAULT_TARGET_SIZE = 8 * 1024 * 1024;

    public RegionProperties
    {
        checkArgument(targetSizeInBytes >= MIN_TARGET_SIZE && targetSizeInBytes <= MAX_TARGET_SIZE, "targetSizeInBytes is out of range: %s", targetSizeInBytes);
    }

    /// Refuses properties that a user must not set: a misspelt one would change nothing. Those that do not begin with `write.`
    /// belong to others.
    ///
    /// @throws TrinoException with `INDEX_INVALID_DEFINITION` if a property of that group is unknown, or a value is not allowed
    public static void check(Map<String, String> properties)
    {
        for (String name : properties.keySet()) {
            if (name.startsWith("write.") && !KNOWN.contains(name)) {
                throw new TrinoException(INDEX_INVALID_DEFINITION, "There is no index property %s; known are %s".formatted(name, String.join(", ", KNOWN)));
            }
        }
        of(properties);
    }

    /// Reads the properties of an index.
    ///
    /// @throws TrinoException with `INDEX_INVALID_DEFINITION` if a value is not allowed
    public static RegionProperties of(Map<String, String> properties)
    {
        return new RegionProperties(targetSize(properties), splitHotKeys(properties));
    }

    private static long targetSize(Map<String, String> properties)
    {
        String text = properties.get(TARGET_SIZE);
        if (text == null) {
            return DEFAULT_TARGET_SIZE;
        }
        Long size = Longs.tryParse(text);
        if (size == null || size < MIN_TARGET_SIZE || size > MAX_TARGET_SIZE) {
            throw new TrinoException(INDEX_INVALID_DEFINITION, "Index property %s is not a number of bytes from %s to %s: '%s'".formatted(TARGET_SIZE, MIN_TARGET_SIZE, MAX_TARGET_SIZE, text));
        }
        return size;
    }

    private static boolean splitHotKeys(Map<String, String> properties)
    {
        String text = properties.getOrDefault(SPLIT_HOT_KEYS, "false");
        if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
            throw new TrinoException(INDEX_INVALID_DEFINITION, "Index property %s is neither true nor false: '%s'".formatted(SPLIT_HOT_KEYS, text));
        }
        return Boolean.parseBoolean(text);
    }
}
