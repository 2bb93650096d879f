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
package io.sextant.function;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.sextant.collation.Collations;
import io.trino.spi.function.Description;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;

/// `collation_version(collation)`: the version of the order that this server has, as it is recorded beside bounds.
public final class CollationVersionFunction
{
    private CollationVersionFunction() {}

    /// Finds the version.
    ///
    /// @throws io.trino.spi.TrinoException `INVALID_FUNCTION_ARGUMENT` if there is no such collation, naming the part of the name that is wrong
    @ScalarFunction("collation_version")
    @Description("Version of a collation on this server")
    @SqlType(StandardTypes.VARCHAR)
    public static Slice collationVersion(@SqlType(StandardTypes.VARCHAR) Slice collation)
    {
        return Slices.utf8Slice(Collations.get(collation.toStringUtf8()).version());
    }
}
