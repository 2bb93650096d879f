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

import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;

import static java.util.Objects.requireNonNull;

/// What an expression yields over the fields of a schema, or why it cannot be evaluated there.
///
/// Only functions that are known here are bound, and all of them are deterministic, so every bound expression is.
public sealed interface ExpressionBinding
{
    /// The expression can be evaluated.
    ///
    /// @param type the type of the expression's values
    record Bound(Type type)
            implements ExpressionBinding
    {
        public Bound
        {
            requireNonNull(type, "type is null");
        }
    }

    /// The expression cannot be evaluated.
    ///
    /// @param reason in words for a user
    record Unbound(String reason)
            implements ExpressionBinding
    {
        public Unbound
        {
            requireNonNull(reason, "reason is null");
        }
    }

    static ExpressionBinding bind(ValueExpression expression, Schema schema)
    {
        try {
            return new Bound(new ExpressionBinder(schema).bind(expression).type());
        }
        catch (UnboundException e) {
            return new Unbound(e.getMessage());
        }
    }
}
