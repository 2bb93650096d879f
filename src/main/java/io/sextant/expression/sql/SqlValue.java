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
package io.sextant.expression.sql;

import io.sextant.expression.FunctionName;
import io.sextant.expression.ValueExpression;
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import io.sextant.expression.ValueExpression.Unrecognized;
import org.apache.iceberg.types.Type;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// A value of SQL: a literal, or an expression over the row.
sealed interface SqlValue
{
    /// The same value for each row.
    record Constant(SqlConstant constant)
            implements SqlValue
    {
        public Constant
        {
            requireNonNull(constant, "constant is null");
        }
    }

    /// A value that an expression yields for each row.
    ///
    /// @param offset what the value of SQL is greater by than that of the expression
    /// @param text as the user wrote it
    record Computed(ValueExpression expression, Type type, int offset, String text)
            implements SqlValue
    {
        public Computed
        {
            requireNonNull(expression, "expression is null");
            requireNonNull(type, "type is null");
            requireNonNull(text, "text is null");
        }

        /// What is null exactly if this is.
        Optional<ValueExpression> nullable()
        {
            return nullable(expression);
        }

        private static Optional<ValueExpression> nullable(ValueExpression expression)
        {
            return switch (expression) {
                case Literal _ -> Optional.empty();
                // Other functions have one argument that is not a literal, and are null exactly if it is
                case Apply apply when !apply.function().equals(FunctionName.icebergFunction("if_else")) -> nullable((ValueExpression) apply.arguments().getLast());
                case Apply _, Reference _, Unrecognized _ -> Optional.of(expression);
            };
        }
    }
}
