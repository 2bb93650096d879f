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

import com.google.common.collect.HashMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.SetMultimap;
import io.sextant.constraint.StatusTransition.AddedRows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

import static io.sextant.constraint.ConstraintStatus.INVALID;
import static io.sextant.constraint.ConstraintStatus.UNVALIDATED;
import static io.sextant.constraint.ConstraintStatus.VALID;
import static io.sextant.constraint.ConstraintStatus.VALIDATED;
import static io.sextant.constraint.StatusTransition.AddedRows.NONE;
import static io.sextant.constraint.StatusTransition.AddedRows.UNVERIFIED;
import static io.sextant.constraint.StatusTransition.AddedRows.VERIFIED;
import static io.sextant.constraint.TestingConstraints.CODE;
import static io.sextant.constraint.TestingConstraints.ID;
import static io.sextant.constraint.TestingConstraints.PRICE;
import static io.sextant.constraint.TestingConstraints.notNull;
import static io.sextant.constraint.TestingConstraints.primaryKey;
import static io.sextant.constraint.TestingConstraints.unique;
import static org.assertj.core.api.Assertions.assertThat;

/// Compares statuses with the rows that they speak of, over all small tables and all commits to them.
///
/// A row is a number. Checked rows must be even, keys must differ.
final class TestStatusTruth
{
    private static final int MAX_ROWS = 3;
    private static final List<List<Integer>> TABLES = tables(0, MAX_ROWS);

    /// What a writer knows when it decides on a status.
    private record Knowledge(Optional<ConstraintStatus> parent, AddedRows added, boolean removesRows) {}

    @Test
    @Tag("CN-24")
    @Tag("CN-25")
    @Tag("CN-26")
    @Tag("CN-27")
    @Tag("CN-28")
    void testCheckHasTheStatusThatIsCertain()
    {
        assertCertain(notNull(PRICE), TestStatusTruth::areEven, (_, added) -> areEven(added));
    }

    @Test
    @Tag("CN-24")
    @Tag("CN-25")
    @Tag("CN-26")
    @Tag("CN-27")
    @Tag("CN-28")
    void testKeyHasTheStatusThatIsCertain()
    {
        assertCertain(unique(CODE), TestStatusTruth::differ, TestStatusTruth::addNewKeys);
        assertCertain(primaryKey(ID), TestStatusTruth::differ, TestStatusTruth::addNewKeys);
    }

    /// @param canVerify whether a writer that leaves the first rows of a table can verify the second ones, which it adds
    private static void assertCertain(ConstraintCondition condition, Predicate<List<Integer>> holds, BiPredicate<List<Integer>, List<Integer>> canVerify)
    {
        SetMultimap<Knowledge, Boolean> truths = HashMultimap.create();
        for (List<Integer> before : TABLES) {
            for (List<Integer> left : parts(before)) {
                for (List<Integer> added : TABLES) {
                    boolean holdsAfter = holds.test(concat(left, added));
                    for (Knowledge knowledge : knowledge(before, holds.test(before), left, added, canVerify.test(left, added))) {
                        truths.put(knowledge, holdsAfter);
                    }
                }
            }
        }

        // Every parent with every kind of addition and removal
        assertThat(truths.keySet()).hasSize(5 * 3 * 2);
        for (Knowledge knowledge : truths.keySet()) {
            Set<Boolean> truth = truths.get(knowledge);
            ConstraintStatus status = StatusTransition.statusAfter(condition, knowledge.parent(), knowledge.added(), knowledge.removesRows());
            if (truth.size() > 1) {
                assertThat(status).as(knowledge.toString()).isEqualTo(UNVALIDATED);
            }
            else if (truth.contains(true)) {
                assertThat(status).as(knowledge.toString()).isIn(VALIDATED, VALID);
            }
            else {
                assertThat(status).as(knowledge.toString()).isEqualTo(INVALID);
            }
        }
    }

    /// All that writers of one commit may know. They may take a commit for one that adds or removes rows though it does not.
    private static Set<Knowledge> knowledge(List<Integer> before, boolean heldBefore, List<Integer> left, List<Integer> added, boolean canVerify)
    {
        ImmutableSet.Builder<Knowledge> knowledge = ImmutableSet.builder();
        for (Optional<ConstraintStatus> parent : parents(before, heldBefore)) {
            for (AddedRows addedRows : additions(added, canVerify)) {
                knowledge.add(new Knowledge(parent, addedRows, true));
                if (left.size() == before.size()) {
                    knowledge.add(new Knowledge(parent, addedRows, false));
                }
            }
        }
        return knowledge.build();
    }

    private static Set<Optional<ConstraintStatus>> parents(List<Integer> before, boolean heldBefore)
    {
        ImmutableSet.Builder<Optional<ConstraintStatus>> parents = ImmutableSet.builder();
        parents.add(Optional.of(UNVALIDATED));
        if (heldBefore) {
            parents.add(Optional.of(VALIDATED));
            parents.add(Optional.of(VALID));
        }
        else {
            parents.add(Optional.of(INVALID));
        }
        if (before.isEmpty()) {
            parents.add(Optional.empty());
        }
        return parents.build();
    }

    private static Set<AddedRows> additions(List<Integer> added, boolean canVerify)
    {
        if (added.isEmpty()) {
            return ImmutableSet.of(NONE, VERIFIED, UNVERIFIED);
        }
        return canVerify ? ImmutableSet.of(VERIFIED, UNVERIFIED) : ImmutableSet.of(UNVERIFIED);
    }

    private static boolean areEven(List<Integer> rows)
    {
        return rows.stream().allMatch(row -> row % 2 == 0);
    }

    private static boolean differ(List<Integer> rows)
    {
        return new HashSet<>(rows).size() == rows.size();
    }

    private static boolean addNewKeys(List<Integer> left, List<Integer> added)
    {
        return differ(added) && added.stream().noneMatch(left::contains);
    }

    private static List<List<Integer>> tables(int lowest, int maxRows)
    {
        ImmutableList.Builder<List<Integer>> tables = ImmutableList.builder();
        tables.add(ImmutableList.of());
        if (maxRows > 0) {
            for (int row = lowest; row < MAX_ROWS; row++) {
                for (List<Integer> others : tables(row, maxRows - 1)) {
                    tables.add(concat(ImmutableList.of(row), others));
                }
            }
        }
        return tables.build();
    }

    private static List<List<Integer>> parts(List<Integer> rows)
    {
        List<List<Integer>> parts = new ArrayList<>();
        for (int chosen = 0; chosen < 1 << rows.size(); chosen++) {
            ImmutableList.Builder<Integer> part = ImmutableList.builder();
            for (int i = 0; i < rows.size(); i++) {
                if ((chosen & 1 << i) != 0) {
                    part.add(rows.get(i));
                }
            }
            parts.add(part.build());
        }
        return parts;
    }

    private static List<Integer> concat(List<Integer> first, List<Integer> second)
    {
        return ImmutableList.<Integer>builder().addAll(first).addAll(second).build();
    }
}
