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
import io.sextant.expression.Predicate;

import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// What a constraint asks of the live rows of a table. It never changes: another condition is another constraint.
public sealed interface ConstraintCondition
{
    /// The type of the constraint, as JSON and SQL name it.
    String type();

    /// The IDs of the fields without which the condition has no meaning.
    Set<Integer> referencedFieldIds();

    /// Every row satisfies a predicate.
    record Check(Predicate expression)
            implements ConstraintCondition
    {
        static final String TYPE = "check";

        public Check
        {
            requireNonNull(expression, "expression is null");
        }

        @Override
        public String type()
        {
            return TYPE;
        }

        @Override
        public Set<Integer> referencedFieldIds()
        {
            return expression.referencedFieldIds();
        }
    }

    /// No two rows have the same values in a set of fields.
    sealed interface Key
            extends ConstraintCondition
    {
        Set<Integer> fieldIds();

        @Override
        default Set<Integer> referencedFieldIds()
        {
            return fieldIds();
        }
    }

    /// A key for the rows that have a value in each of the fields; a row with a null in one of them is not compared.
    record Unique(Set<Integer> fieldIds)
            implements Key
    {
        static final String TYPE = "unique";

        public Unique
        {
            fieldIds = checkFieldIds(fieldIds);
        }

        @Override
        public String type()
        {
            return TYPE;
        }
    }

    /// A key for all rows, none of which has a null in one of the fields.
    record PrimaryKey(Set<Integer> fieldIds)
            implements Key
    {
        static final String TYPE = "primary-key";

        public PrimaryKey
        {
            fieldIds = checkFieldIds(fieldIds);
        }

        @Override
        public String type()
        {
            return TYPE;
        }
    }

    /// A condition whose JSON is not understood. It cannot be evaluated.
    ///
    /// @param referencedFieldIds the fields that the JSON names in one of the usual forms
    /// @param reason in words for a user
    record Unrecognized(String type, Set<Integer> referencedFieldIds, String reason)
            implements ConstraintCondition
    {
        public Unrecognized
        {
            requireNonNull(type, "type is null");
            referencedFieldIds = ImmutableSet.copyOf(referencedFieldIds);
            requireNonNull(reason, "reason is null");
        }
    }

    private static Set<Integer> checkFieldIds(Set<Integer> fieldIds)
    {
        checkArgument(!fieldIds.isEmpty(), "fieldIds is empty");
        return ImmutableSet.copyOf(fieldIds);
    }
}
