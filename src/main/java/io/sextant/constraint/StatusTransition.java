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

import com.google.common.collect.ImmutableMap;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import io.sextant.expression.Predicate;

import java.util.Optional;
import java.util.Set;

import static io.sextant.constraint.ConstraintStatus.INVALID;
import static io.sextant.constraint.ConstraintStatus.UNVALIDATED;
import static io.sextant.constraint.ConstraintStatus.VALID;
import static io.sextant.constraint.ConstraintStatus.VALIDATED;

/// What can be said of the constraints in a new snapshot from what is known of its parent and of the commit.
public final class StatusTransition
{
    private StatusTransition() {}

    /// What a commit adds, as far as one constraint is concerned.
    enum AddedRows
    {
        NONE, VERIFIED, UNVERIFIED
    }

    /// The statuses to write into a new snapshot: one for each constraint of the table.
    ///
    /// @param parent what the parent says; empty if the snapshot has no parent, so that all of its rows are added ones
    /// @param verifiedConstraints the IDs of the constraints that all added rows are known to keep, among themselves and beside
    ///         the rows that the commit leaves of the parent
    public static ConstraintStatuses statusesAfter(TableConstraints constraints, Optional<ConstraintStatuses> parent, RowChange change, Set<Integer> verifiedConstraints)
    {
        ImmutableMap.Builder<Integer, ConstraintStatus> statuses = ImmutableMap.builder();
        for (TableConstraint constraint : constraints.constraints()) {
            int id = constraint.id();
            Optional<ConstraintStatus> parentStatus = parent.map(known -> known.statusOf(id));
            statuses.put(id, statusAfter(constraint.condition(), parentStatus, addedRows(change, verifiedConstraints.contains(id)), change.removesRows()));
        }
        return new ConstraintStatuses(statuses.buildOrThrow());
    }

    /// The status of one constraint, whose condition did not change since the parent was written.
    static ConstraintStatus statusAfter(ConstraintCondition condition, Optional<ConstraintStatus> parent, AddedRows added, boolean removesRows)
    {
        if (!isFixed(condition)) {
            return UNVALIDATED;
        }
        if (parent.isEmpty()) {
            // The added rows are all there are
            return added == AddedRows.UNVERIFIED ? UNVALIDATED : VALIDATED;
        }
        return switch (parent.orElseThrow()) {
            case VALIDATED -> switch (added) {
                case NONE -> VALIDATED;
                case VERIFIED -> VALID;
                case UNVERIFIED -> UNVALIDATED;
            };
            case VALID -> added == AddedRows.UNVERIFIED ? UNVALIDATED : VALID;
            // The row that breaks it may be among the removed ones
            case INVALID -> removesRows ? UNVALIDATED : INVALID;
            case UNVALIDATED -> UNVALIDATED;
        };
    }

    /// Whether the condition means the same in the parent and in the new snapshot, and fewer rows cannot break it.
    private static boolean isFixed(ConstraintCondition condition)
    {
        return switch (condition) {
            case Check(Predicate expression) -> !UserDefinedFunctions.mayBeIn(expression);
            case ConstraintCondition.Key _ -> true;
            case Unrecognized _ -> false;
        };
    }

    private static AddedRows addedRows(RowChange change, boolean verified)
    {
        if (!change.addsRows()) {
            return AddedRows.NONE;
        }
        return verified ? AddedRows.VERIFIED : AddedRows.UNVERIFIED;
    }
}
