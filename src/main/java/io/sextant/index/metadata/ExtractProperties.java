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

import com.google.common.collect.ImmutableMap;

import java.util.Map;
import java.util.Optional;

/// The properties that Sextant keeps with each extract. The format leaves them free; other writers may omit them.
public final class ExtractProperties
{
    private static final String TABLE_LOCATION = "sextant.table-location";

    private static final String BUILD = "sextant.build";

    private ExtractProperties() {}

    /// The properties of a new extract.
    ///
    /// @param build how it was built, in words for a user
    public static Map<String, String> of(String tableLocation, String build)
    {
        return ImmutableMap.of(TABLE_LOCATION, tableLocation, BUILD, build);
    }

    /// How the extract was built, in words for a user, if its writer told.
    public static Optional<String> buildOf(Extract extract)
    {
        return Optional.ofNullable(extract.properties().get(BUILD));
    }

    /// Whether the data files that the entries name are those of a table at this location. A table that was copied
    /// elsewhere keeps its UUID and snapshot IDs, yet none of its files has the name that the extract knows.
    public static boolean isOfTableAt(Extract extract, String tableLocation)
    {
        String indexed = extract.properties().get(TABLE_LOCATION);
        return indexed == null || indexed.equals(tableLocation);
    }
}
