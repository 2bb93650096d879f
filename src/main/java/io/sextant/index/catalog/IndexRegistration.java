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

import io.sextant.error.SextantErrorCode;
import io.trino.spi.TrinoException;

import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/// What a table says of one of its indexes: where it lies, and the UUID that its metadata must carry.
///
/// @param name 1 to 128 lower-case letters, digits, underscores and hyphens, the first of them a letter
/// @param uuid the `index-uuid` of the index metadata
/// @param location the root of the index, absolute
public record IndexRegistration(String name, String uuid, String location)
{
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,127}");

    public IndexRegistration
    {
        requireNonNull(uuid, "uuid is null");
        requireNonNull(location, "location is null");
        checkName(name);
    }

    /// Refuses a name that an index cannot have.
    ///
    /// @throws TrinoException with [SextantErrorCode#INDEX_INVALID_DEFINITION]
    public static void checkName(String name)
    {
        requireNonNull(name, "name is null");
        if (!NAME.matcher(name).matches()) {
            throw new TrinoException(
                    SextantErrorCode.INDEX_INVALID_DEFINITION,
                    "Index name '%s' is not allowed; use 1 to 128 lower-case letters, digits, underscores and hyphens, and begin with a letter".formatted(name));
        }
    }
}
