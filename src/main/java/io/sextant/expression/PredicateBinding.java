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

import static java.util.Objects.requireNonNull;

/// How a predicate is evaluated over the fields of a schema, or why it cannot be.
///
/// Only functions that are known here are bound, and all of them are deterministic, so every bound predicate is.
public sealed interface PredicateBinding
{
    /// The predicate can be evaluated.
    record Bound(PageEvaluator evaluator)
            implements PredicateBinding
    {
        public Bound
        {
            requireNonNull(evaluator, "evaluator is null");
        }
    }

    /// The predicate cannot be evaluated.
    ///
    /// @param reason in words for a user
    record Unbound(String reason)
            implements PredicateBinding
    {
        public Unbound
        {
            requireNonNull(reason, "reason is null");
        }
    }

    static PredicateBinding bind(Predicate predicate, Schema schema)
    {
        try {
            return new Bound(new PageEvaluator(new ExpressionBinder(schema).bind(predicate)));
        }
        catch (UnboundException e) {
            return new Unbound(e.getMessage());
        }
    }
}
