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
import io.sextant.collation.CollationOrder;
import io.sextant.collation.Collations;
import io.trino.spi.function.Description;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;

/// `collation_key(value, collation)`: the sort key of a string. Keys have the order of their values under the collation, and
/// equal values have equal keys, so that comparing, sorting, grouping and joining keys follows the collation.
///
/// The engine makes one instance for each place and thread of a query, so that the order is looked up once.
@ScalarFunction("collation_key")
@Description("Sort key of a string under a collation such as icu.en_US-ci")
public final class CollationKeyFunction
{
    // Of the last call; null before the first
    private Slice collation;
    private CollationOrder order;

    /// Computes the key.
    ///
    /// @throws io.trino.spi.TrinoException `INVALID_FUNCTION_ARGUMENT` if there is no such collation, naming the part of the name that is wrong
    @SqlType(StandardTypes.VARBINARY)
    public Slice collationKey(@SqlType(StandardTypes.VARCHAR) Slice value, @SqlType(StandardTypes.VARCHAR) Slice collation)
    {
        if (!collation.equals(this.collation)) {
            order = Collations.get(collation.toStringUtf8()).order();
            this.collation = collation.copy();
        }
        return order.key(value);
    }
}
