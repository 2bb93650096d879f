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

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.sextant.expression.ValueExpression.Literal;

import java.util.List;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/// A condition on a row. It is true or false, never null: a comparison is false where SQL's would be unknown,
/// and two nulls are equal.
public sealed interface Predicate
        extends Expression
{
    @Override
    default Set<Integer> referencedFieldIds()
    {
        return switch (this) {
            case Constant _ -> ImmutableSet.of();
            case Not(Predicate child) -> child.referencedFieldIds();
            case And(Predicate left, Predicate right) -> Sets.union(left.referencedFieldIds(), right.referencedFieldIds()).immutableCopy();
            case Or(Predicate left, Predicate right) -> Sets.union(left.referencedFieldIds(), right.referencedFieldIds()).immutableCopy();
            case Test(_, ValueExpression child) -> child.referencedFieldIds();
            case Comparison(_, ValueExpression left, ValueExpression right) -> Sets.union(left.referencedFieldIds(), right.referencedFieldIds()).immutableCopy();
            case Membership(_, ValueExpression child, _) -> child.referencedFieldIds();
            case Unrecognized(JsonNode json) -> ExpressionJson.referencedFieldIds(json);
        };
    }

    enum Constant
            implements Predicate
    {
        TRUE, FALSE
    }

    record Not(Predicate child)
            implements Predicate
    {
        public Not
        {
            requireNonNull(child, "child is null");
        }
    }

    record And(Predicate left, Predicate right)
            implements Predicate
    {
        public And
        {
            requireNonNull(left, "left is null");
            requireNonNull(right, "right is null");
        }
    }

    record Or(Predicate left, Predicate right)
            implements Predicate
    {
        public Or
        {
            requireNonNull(left, "left is null");
            requireNonNull(right, "right is null");
        }
    }

    /// A test of one value for null or NaN.
    record Test(TestOperator operator, ValueExpression child)
            implements Predicate
    {
        public Test
        {
            requireNonNull(operator, "operator is null");
            requireNonNull(child, "child is null");
        }
    }

    enum TestOperator
    {
        IS_NULL, NOT_NULL, IS_NAN, NOT_NAN
    }

    /// A comparison of two values; the right side of a prefix test is the prefix.
    record Comparison(ComparisonOperator operator, ValueExpression left, ValueExpression right)
            implements Predicate
    {
        public Comparison
        {
            requireNonNull(operator, "operator is null");
            requireNonNull(left, "left is null");
            requireNonNull(right, "right is null");
        }
    }

    enum ComparisonOperator
    {
        LT, LT_EQ, GT, GT_EQ, EQ, NOT_EQ, STARTS_WITH, NOT_STARTS_WITH
    }

    /// A test whether a value is one of a set of constants.
    record Membership(MembershipOperator operator, ValueExpression child, List<Literal> values)
            implements Predicate
    {
        public Membership
        {
            requireNonNull(operator, "operator is null");
            requireNonNull(child, "child is null");
            values = ImmutableList.copyOf(requireNonNull(values, "values is null"));
        }
    }

    enum MembershipOperator
    {
        IN, NOT_IN
    }

    /// A predicate whose JSON is not understood. It is kept as it was, and cannot be evaluated.
    record Unrecognized(JsonNode json)
            implements Predicate
    {
        public Unrecognized
        {
            requireNonNull(json, "json is null");
        }
    }
}
