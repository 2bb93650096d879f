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

import com.google.common.primitives.Ints;
import io.trino.spi.TrinoException;

import java.util.Map;

import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static java.lang.Math.max;

/// The index properties that govern the metadata log. Names and defaults are those of the table properties.
public final class IndexProperties
{
    /// How many replaced metadata files the log keeps. As for tables, at least one is kept.
    public static final String PREVIOUS_VERSIONS_MAX = "write.metadata.previous-versions-max";
    public static final int PREVIOUS_VERSIONS_MAX_DEFAULT = 100;

    /// Whether a commit deletes the metadata files that it drops from the log; false by default.
    public static final String DELETE_AFTER_COMMIT = "write.metadata.delete-after-commit.enabled";

    private IndexProperties() {}

    static int previousVersionsMax(Map<String, String> properties)
    {
        String text = properties.getOrDefault(PREVIOUS_VERSIONS_MAX, String.valueOf(PREVIOUS_VERSIONS_MAX_DEFAULT));
        Integer value = Ints.tryParse(text);
        if (value == null) {
            throw new TrinoException(INDEX_INVALID_DEFINITION, "Index property %s is not an int: '%s'; set or remove it".formatted(PREVIOUS_VERSIONS_MAX, text));
        }
        return max(1, value);
    }

    static boolean deleteAfterCommit(Map<String, String> properties)
    {
        return Boolean.parseBoolean(properties.get(DELETE_AFTER_COMMIT));
    }

    /// Refuses values that a user may not set, though a file written elsewhere may have them.
    static void check(Map<String, String> properties)
    {
        previousVersionsMax(properties);
        String delete = properties.getOrDefault(DELETE_AFTER_COMMIT, "false");
        if (!delete.equalsIgnoreCase("true") && !delete.equalsIgnoreCase("false")) {
            throw new TrinoException(INDEX_INVALID_DEFINITION, "Index property %s is neither true nor false: '%s'".formatted(DELETE_AFTER_COMMIT, delete));
        }
    }
}
