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
package io.sextant.expression;

import io.sextant.expression.vector.IcebergValues;
import io.sextant.expression.vector.PageRows;
import io.sextant.expression.vector.Vector;
import org.apache.iceberg.types.Type;

import java.util.Optional;
import java.util.function.Function;

/// A value expression that can be evaluated over pages of a schema.
sealed interface BoundValue
{
    Type type();

    Vector evaluate(PageRows rows);

    /// A constant, as Iceberg represents it, or null if it is empty.
    record Constant(Type type, Optional<Object> value)
            implements BoundValue
    {
        @Override
        public Vector evaluate(PageRows rows)
        {
            return value.map(present -> IcebergValues.repeat(type, present, rows.count()))
                    .orElseGet(() -> IcebergValues.nulls(type, rows.count()));
        }
    }

    record Computed(Type type, Function<PageRows, Vector> function)
            implements BoundValue
    {
        @Override
        public Vector evaluate(PageRows rows)
        {
            return function.apply(rows);
        }
    }
}
