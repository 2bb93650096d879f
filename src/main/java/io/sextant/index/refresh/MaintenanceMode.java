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

import io.trino.spi.TrinoException;

import java.util.Map;
import java.util.stream.Stream;

import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static java.util.Locale.ENGLISH;

/// When an index follows its table, as its property `maintenance.mode` says.
enum MaintenanceMode
{
    /// When somebody refreshes it.
    MANUAL,
    /// After each commit to the table that is made through this connector.
    ON_COMMIT;

    static final String PROPERTY = "maintenance.mode";

    /// Reads the properties of an index.
    ///
    /// @throws TrinoException with `INDEX_INVALID_DEFINITION` if the value is not allowed
    static MaintenanceMode of(Map<String, String> properties)
    {
        String text = properties.getOrDefault(PROPERTY, MANUAL.toString());
        return Stream.of(values())
                .filter(mode -> mode.toString().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new TrinoException(INDEX_INVALID_DEFINITION, "Index property %s is neither manual nor on-commit: '%s'".formatted(PROPERTY, text)));
    }

    @Override
    public String toString()
    {
        return name().toLowerCase(ENGLISH).replace('_', '-');
    }
}
