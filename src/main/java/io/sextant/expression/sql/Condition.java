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
import io.sextant.expression.Predicate;
import io.sextant.expression.Predicate.And;
import io.sextant.expression.Predicate.Constant;
import io.sextant.expression.Predicate.Or;

import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/// A condition of SQL, which is true, false or unknown, by the predicates that say which of them it is.
record Condition(Predicate isTrue, Predicate isFalse, Predicate isNotTrue, Predicate isNotFalse)
{
    /// Unknown for every row, as NULL is.
    static final Condition UNKNOWN = new Condition(Constant.FALSE, Constant.FALSE, Constant.TRUE, Constant.TRUE);

    Condition
    {
        requireNonNull(isTrue, "isTrue is null");
        requireNonNull(isFalse, "isFalse is null");
        requireNonNull(isNotTrue, "isNotTrue is null");
        requireNonNull(isNotFalse, "isNotFalse is null");
    }

    /// A condition that is never unknown.
    static Condition known(Predicate holds, Predicate fails)
    {
        return new Condition(holds, fails, fails, holds);
    }

    static Condition constant(boolean value)
    {
        return value ? known(Constant.TRUE, Constant.FALSE) : known(Constant.FALSE, Constant.TRUE);
    }

    /// A condition that is unknown if an operand is null.
    ///
    /// @param holds says whether the condition is true, if no operand is null
    /// @param fails says whether the condition is false, if no operand is null
    static Condition of(GuardedPredicate holds, GuardedPredicate fails)
    {
        return new Condition(holds.andNoNulls(), fails.andNoNulls(), fails.orNulls(), holds.orNulls());
    }

    Condition not()
    {
        return new Condition(/* isTrue= */ isFalse, /* isFalse= */ isTrue, /* isNotTrue= */ isNotFalse, /* isNotFalse= */ isNotTrue);
    }

    static Condition and(List<Condition> conditions)
    {
        return new Condition(
                conjunction(all(conditions, Condition::isTrue)),
                disjunction(all(conditions, Condition::isFalse)),
                disjunction(all(conditions, Condition::isNotTrue)),
                conjunction(all(conditions, Condition::isNotFalse)));
    }

    static Condition or(List<Condition> conditions)
    {
        return and(conditions.stream().map(Condition::not).collect(toImmutableList())).not();
    }

    /// This condition without unknown, which becomes false.
    Condition isTrueTest()
    {
        return known(isTrue, isNotTrue);
    }

    Condition isUnknownTest()
    {
        return known(conjunction(ImmutableList.of(isNotTrue, isNotFalse)), disjunction(ImmutableList.of(isTrue, isFalse)));
    }

    /// One condition where this one is true, and another where it is not.
    Condition choose(Condition whenTrue, Condition otherwise)
    {
        Function<Function<Condition, Predicate>, Predicate> choice = form -> disjunction(ImmutableList.of(
                conjunction(ImmutableList.of(isTrue, form.apply(whenTrue))),
                conjunction(ImmutableList.of(isNotTrue, form.apply(otherwise)))));
        return new Condition(choice.apply(Condition::isTrue), choice.apply(Condition::isFalse), choice.apply(Condition::isNotTrue), choice.apply(Condition::isNotFalse));
    }

    private static List<Predicate> all(List<Condition> conditions, Function<Condition, Predicate> form)
    {
        return conditions.stream().map(form).collect(toImmutableList());
    }

    static Predicate conjunction(List<Predicate> predicates)
    {
        return combine(predicates, Constant.TRUE, Constant.FALSE, And::new);
    }

    static Predicate disjunction(List<Predicate> predicates)
    {
        return combine(predicates, Constant.FALSE, Constant.TRUE, Or::new);
    }

    private static Predicate combine(List<Predicate> predicates, Constant neutral, Constant absorbing, BinaryOperator<Predicate> operator)
    {
        if (predicates.contains(absorbing)) {
            return absorbing;
        }
        List<Predicate> operands = predicates.stream().filter(predicate -> predicate != neutral).collect(toImmutableList());
        return operands.isEmpty() ? neutral : balance(operands, operator);
    }

    // As shallow as can be, since the depth of a stored expression is limited
    private static Predicate balance(List<Predicate> predicates, BinaryOperator<Predicate> operator)
    {
        if (predicates.size() == 1) {
            return predicates.getFirst();
        }
        int middle = predicates.size() / 2;
        return operator.apply(balance(predicates.subList(0, middle), operator), balance(predicates.subList(middle, predicates.size()), operator));
    }
}
