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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.sextant.constraint.ConstraintStatus.INVALID;
import static io.sextant.constraint.ConstraintStatus.UNVALIDATED;
import static io.sextant.constraint.ConstraintStatus.VALID;
import static io.sextant.constraint.ConstraintStatus.VALIDATED;
import static io.sextant.constraint.TestingConstraints.CODE;
import static io.sextant.constraint.TestingConstraints.NOW;
import static io.sextant.constraint.TestingConstraints.PRICE;
import static io.sextant.constraint.TestingConstraints.SCHEMA;
import static io.sextant.constraint.TestingConstraints.notNull;
import static io.sextant.constraint.TestingConstraints.unique;
import static io.sextant.constraint.TestingConstraints.userDefined;
import static org.assertj.core.api.Assertions.assertThat;

/// Lives through random histories of a table and looks at its rows whenever a snapshot claims something.
///
/// A row is a number from 0 to 5. The history has commits of all kinds, verified or not, those of a writer that knows no
/// constraints, validations, constraints that come and go, functions that are redefined, and rollbacks.
final class TestStatusHistories
{
    private static final int HISTORIES = 300;
    private static final int COMMITS = 60;

    @Test
    @Tag("CN-15")
    @Tag("CN-18")
    @Tag("CN-22")
    @Tag("CN-23")
    @Tag("CN-27")
    void testNoStatusIsFalse()
    {
        Map<String, Set<ConstraintStatus>> seen = new HashMap<>();
        for (int seed = 0; seed < HISTORIES; seed++) {
            History history = new History(new Random(seed), seen);
            for (int i = 0; i < COMMITS; i++) {
                history.step();
            }
        }
        assertThat(seen).isEqualTo(Map.of(
                "even", EnumSet.allOf(ConstraintStatus.class),
                "different", EnumSet.allOf(ConstraintStatus.class),
                "below limit", EnumSet.of(VALIDATED, INVALID, UNVALIDATED),
                "not empty", EnumSet.of(VALIDATED, INVALID, UNVALIDATED)));
    }

    private record TestingSnapshot(List<Integer> rows, ConstraintStatuses statuses) {}

    private static final class History
    {
        private final Random random;
        private final Map<String, Set<ConstraintStatus>> seen;
        private final List<TestingSnapshot> snapshots = new ArrayList<>();
        private TableConstraints constraints = new TableConstraints(
                4,
                ImmutableList.of(
                        new TableConstraint(1, "even", true, NOW, notNull(PRICE)),
                        new TableConstraint(2, "different", true, NOW, unique(CODE)),
                        new TableConstraint(3, "below limit", true, NOW, userDefined()),
                        new TableConstraint(4, "not empty", true, NOW, new Unrecognized("not-empty", ImmutableSet.of(), "not known"))),
                TableConstraints.NONE.original());
        private Optional<TestingSnapshot> head = Optional.empty();
        private int limit = 3;

        History(Random random, Map<String, Set<ConstraintStatus>> seen)
        {
            this.random = random;
            this.seen = seen;
        }

        void step()
        {
            switch (random.nextInt(12)) {
                case 0 -> limit = random.nextInt(6);
                case 1 -> redefine("even");
                case 2 -> redefine("different");
                case 3 -> head = snapshots.isEmpty() ? head : Optional.of(snapshots.get(random.nextInt(snapshots.size())));
                case 4 -> commitOfOtherWriter();
                case 5, 6 -> validate();
                default -> commit();
            }
        }

        private void redefine(String name)
        {
            TableConstraint constraint = constraints.get(name);
            constraints = constraints.drop(name).addNotEnforced(name, constraint.condition(), SCHEMA, NOW);
        }

        private void commitOfOtherWriter()
        {
            add(new TestingSnapshot(concat(remaining(), added()), ConstraintStatuses.NONE));
        }

        private void validate()
        {
            List<Integer> rows = rows();
            ConstraintStatuses statuses = statusesAfter(new RowChange(false, false), ImmutableSet.of());
            for (TableConstraint constraint : constraints.constraints()) {
                if (random.nextBoolean()) {
                    statuses = statuses.with(constraint.id(), holds(constraint, rows) ? VALIDATED : INVALID);
                }
            }
            addOwn(rows, statuses);
        }

        private void commit()
        {
            List<Integer> remaining = random.nextBoolean() ? rows() : remaining();
            List<Integer> added = random.nextInt(3) == 0 ? ImmutableList.of() : added();
            List<Integer> rows = concat(remaining, added);
            // In doubt, a commit counts as one that adds and removes rows
            RowChange change = new RowChange(!added.isEmpty() || random.nextInt(5) == 0, remaining.size() < rows().size() || random.nextInt(5) == 0);
            Set<Integer> verified = constraints.constraints().stream()
                    .filter(constraint -> random.nextInt(4) != 0 && isVerified(constraint, remaining, added))
                    .map(TableConstraint::id)
                    .collect(toImmutableSet());
            addOwn(rows, statusesAfter(change, verified));
        }

        private ConstraintStatuses statusesAfter(RowChange change, Set<Integer> verified)
        {
            return StatusTransition.statusesAfter(constraints, head.map(TestingSnapshot::statuses), change, verified);
        }

        private void addOwn(List<Integer> rows, ConstraintStatuses statuses)
        {
            assertThat(statuses.statuses().keySet()).isEqualTo(constraints.constraints().stream().map(TableConstraint::id).collect(toImmutableSet()));
            for (TableConstraint constraint : constraints.constraints()) {
                ConstraintStatus status = statuses.statusOf(constraint.id());
                seen.computeIfAbsent(constraint.name(), _ -> EnumSet.noneOf(ConstraintStatus.class)).add(status);
                if (status != UNVALIDATED) {
                    assertThat(status == VALIDATED || status == VALID)
                            .as("%s is %s in %s with limit %s", constraint.name(), status, rows, limit)
                            .isEqualTo(holds(constraint, rows));
                }
            }
            add(new TestingSnapshot(rows, statuses));
        }

        private void add(TestingSnapshot snapshot)
        {
            snapshots.add(snapshot);
            head = Optional.of(snapshot);
        }

        private boolean holds(TableConstraint constraint, List<Integer> rows)
        {
            return switch (constraint.name()) {
                case "even" -> rows.stream().allMatch(row -> row % 2 == 0);
                case "different" -> new HashSet<>(rows).size() == rows.size();
                case "below limit" -> rows.stream().allMatch(row -> row < limit);
                default -> !rows.isEmpty();
            };
        }

        /// Whether a writer can prove of each added row that it keeps the constraint.
        private boolean isVerified(TableConstraint constraint, List<Integer> remaining, List<Integer> added)
        {
            return holds(constraint, added) && (!constraint.name().equals("different") || added.stream().noneMatch(remaining::contains));
        }

        private List<Integer> rows()
        {
            return head.map(TestingSnapshot::rows).orElse(ImmutableList.of());
        }

        private List<Integer> remaining()
        {
            return rows().stream().filter(_ -> random.nextBoolean()).collect(toImmutableList());
        }

        private List<Integer> added()
        {
            return random.ints(random.nextInt(3), 0, 6).boxed().collect(toImmutableList());
        }

        private static List<Integer> concat(List<Integer> first, List<Integer> second)
        {
            return ImmutableList.<Integer>builder().addAll(first).addAll(second).build();
        }
    }
}
