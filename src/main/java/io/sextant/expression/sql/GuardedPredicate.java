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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Streams;
import io.sextant.expression.Predicate;
import io.sextant.expression.Predicate.Not;
import io.sextant.expression.Predicate.Test;
import io.sextant.expression.Predicate.TestOperator;
import io.sextant.expression.ValueExpression;

import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/// A predicate on operands for which SQL would be unknown if one of them is null.
///
/// @param falseGuards the operands to test for null, so that the predicate is false whenever one is null
/// @param trueGuards the operands to test for null, so that the predicate is true whenever one is null
record GuardedPredicate(Predicate predicate, List<ValueExpression> falseGuards, List<ValueExpression> trueGuards)
{
    GuardedPredicate
    {
        requireNonNull(predicate, "predicate is null");
        falseGuards = ImmutableList.copyOf(requireNonNull(falseGuards, "falseGuards is null"));
        trueGuards = ImmutableList.copyOf(requireNonNull(trueGuards, "trueGuards is null"));
    }

    /// A predicate that is false anyway if an operand is null.
    static GuardedPredicate falseOfNull(Predicate predicate, List<ValueExpression> operands)
    {
        return new GuardedPredicate(predicate, ImmutableList.of(), operands);
    }

    /// A predicate that is true anyway if an operand is null.
    static GuardedPredicate trueOfNull(Predicate predicate, List<ValueExpression> operands)
    {
        return new GuardedPredicate(predicate, operands, ImmutableList.of());
    }

    GuardedPredicate not()
    {
        return new GuardedPredicate(new Not(predicate), /* falseGuards= */ trueGuards, /* trueGuards= */ falseGuards);
    }

    Predicate andNoNulls()
    {
        return Condition.conjunction(withTests(TestOperator.NOT_NULL, falseGuards));
    }

    Predicate orNulls()
    {
        return Condition.disjunction(withTests(TestOperator.IS_NULL, trueGuards));
    }

    private List<Predicate> withTests(TestOperator operator, List<ValueExpression> operands)
    {
        return Streams.concat(Stream.of(predicate), ImmutableSet.copyOf(operands).stream().map(operand -> new Test(operator, operand)))
                .collect(toImmutableList());
    }
}
