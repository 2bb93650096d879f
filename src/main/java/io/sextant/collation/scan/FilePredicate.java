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
package io.sextant.collation.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.airlift.slice.Slice;
import io.sextant.collation.metadata.CollatedColumn;

import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.function.BiPredicate;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/// A predicate over rows, asked of a whole file: may any of its rows fulfill it? What is not understood may always be
/// fulfilled, so the answer "no" is certain.
sealed interface FilePredicate
{
    /// What any file may fulfill.
    static FilePredicate anything()
    {
        return new All(ImmutableList.of());
    }

    boolean mayHold(Function<CollatedColumn, KeyInterval> file);

    /// Whether no bounds could ever make the answer "no".
    default boolean isAnything()
    {
        return equals(anything());
    }

    static FilePredicate and(Collection<FilePredicate> terms)
    {
        return new All(terms.stream()
                .filter(term -> !term.isAnything())
                .toList());
    }

    static FilePredicate or(Collection<FilePredicate> terms)
    {
        return terms.stream().anyMatch(FilePredicate::isAnything) ? anything() : new Any(ImmutableList.copyOf(terms));
    }

    record All(List<FilePredicate> terms)
            implements FilePredicate
    {
        @Override
        public boolean mayHold(Function<CollatedColumn, KeyInterval> file)
        {
            return terms.stream().allMatch(term -> term.mayHold(file));
        }
    }

    record Any(List<FilePredicate> terms)
            implements FilePredicate
    {
        @Override
        public boolean mayHold(Function<CollatedColumn, KeyInterval> file)
        {
            return terms.stream().anyMatch(term -> term.mayHold(file));
        }
    }

    /// A comparison of the sort key with a constant.
    record Comparison(CollatedColumn column, Operator operator, Slice key)
            implements FilePredicate
    {
        enum Operator
        {
            EQUAL((keys, key) -> keys.mayHaveKeyAtMost(key) && keys.mayHaveKeyAtLeast(key)),
            NOT_EQUAL(KeyInterval::mayHaveOtherKeyThan),
            LESS_THAN(KeyInterval::mayHaveKeyBelow),
            LESS_THAN_OR_EQUAL(KeyInterval::mayHaveKeyAtMost),
            GREATER_THAN(KeyInterval::mayHaveKeyAbove),
            GREATER_THAN_OR_EQUAL(KeyInterval::mayHaveKeyAtLeast);

            private final BiPredicate<KeyInterval, Slice> mayHold;

            Operator(BiPredicate<KeyInterval, Slice> mayHold)
            {
                this.mayHold = requireNonNull(mayHold, "mayHold is null");
            }

            /// The operator that is true of two values just where this one is false.
            Operator negated()
            {
                return switch (this) {
                    case EQUAL -> NOT_EQUAL;
                    case NOT_EQUAL -> EQUAL;
                    case LESS_THAN -> GREATER_THAN_OR_EQUAL;
                    case LESS_THAN_OR_EQUAL -> GREATER_THAN;
                    case GREATER_THAN -> LESS_THAN_OR_EQUAL;
                    case GREATER_THAN_OR_EQUAL -> LESS_THAN;
                };
            }
        }

        @Override
        public boolean mayHold(Function<CollatedColumn, KeyInterval> file)
        {
            return operator.mayHold.test(file.apply(column), key);
        }
    }

    /// Equality of the sort key with one of many.
    record OneOf(CollatedColumn column, NavigableSet<Slice> keys)
            implements FilePredicate
    {
        public OneOf
        {
            keys = ImmutableSortedSet.copyOf(keys);
        }

        @Override
        public boolean mayHold(Function<CollatedColumn, KeyInterval> file)
        {
            KeyInterval interval = file.apply(column);
            if (keys.isEmpty() || !interval.mayHaveValues()) {
                return false;
            }
            Slice least = interval.lower().map(keys::ceiling).orElse(interval.lower().isEmpty() ? keys.first() : null);
            return least != null && interval.mayHaveKeyAtLeast(least);
        }
    }

    record IsNull(CollatedColumn column)
            implements FilePredicate
    {
        @Override
        public boolean mayHold(Function<CollatedColumn, KeyInterval> file)
        {
            return file.apply(column).mayHaveNulls();
        }
    }

    record IsNotNull(CollatedColumn column)
            implements FilePredicate
    {
        @Override
        public boolean mayHold(Function<CollatedColumn, KeyInterval> file)
        {
            return file.apply(column).mayHaveValues();
        }
    }
}
