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
package io.sextant.constraint;

import com.google.common.collect.ImmutableSet;
import io.sextant.expression.Expression;
import io.sextant.expression.FunctionName;
import io.sextant.expression.Predicate;
import io.sextant.expression.ValueExpression;

import java.util.Set;

/// Finds functions whose definition may change while an expression that calls them stays the same.
final class UserDefinedFunctions
{
    private static final Set<String> BUILT_IN_CATALOGS = ImmutableSet.of(FunctionName.ICEBERG_FUNCTIONS, FunctionName.TRINO);

    private UserDefinedFunctions() {}

    /// Whether an expression calls such a function, or may do so in a part that is not understood.
    static boolean mayBeIn(Expression expression)
    {
        return switch (expression) {
            case Predicate.Constant _, ValueExpression.Literal _, ValueExpression.Reference _ -> false;
            case Predicate.Not(Predicate child) -> mayBeIn(child);
            case Predicate.And(Predicate left, Predicate right) -> mayBeIn(left) || mayBeIn(right);
            case Predicate.Or(Predicate left, Predicate right) -> mayBeIn(left) || mayBeIn(right);
            case Predicate.Test test -> mayBeIn(test.child());
            case Predicate.Comparison comparison -> mayBeIn(comparison.left()) || mayBeIn(comparison.right());
            case Predicate.Membership membership -> mayBeIn(membership.child());
            case ValueExpression.Apply apply -> !isBuiltIn(apply.function()) || apply.arguments().stream().anyMatch(UserDefinedFunctions::mayBeIn);
            case Predicate.Unrecognized _, ValueExpression.Unrecognized _ -> true;
        };
    }

    private static boolean isBuiltIn(FunctionName function)
    {
        return function.catalog().filter(BUILT_IN_CATALOGS::contains).isPresent();
    }
}
