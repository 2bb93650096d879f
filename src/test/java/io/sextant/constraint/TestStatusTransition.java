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
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import io.sextant.constraint.StatusTransition.AddedRows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.sextant.constraint.ConstraintStatus.INVALID;
import static io.sextant.constraint.ConstraintStatus.UNVALIDATED;
import static io.sextant.constraint.ConstraintStatus.VALID;
import static io.sextant.constraint.ConstraintStatus.VALIDATED;
import static io.sextant.constraint.StatusTransition.AddedRows.NONE;
import static io.sextant.constraint.StatusTransition.AddedRows.UNVERIFIED;
import static io.sextant.constraint.StatusTransition.AddedRows.VERIFIED;
import static io.sextant.constraint.TestingConstraints.CODE;
import static io.sextant.constraint.TestingConstraints.ID;
import static io.sextant.constraint.TestingConstraints.NOW;
import static io.sextant.constraint.TestingConstraints.PRICE;
import static io.sextant.constraint.TestingConstraints.SCHEMA;
import static io.sextant.constraint.TestingConstraints.check;
import static io.sextant.constraint.TestingConstraints.notNull;
import static io.sextant.constraint.TestingConstraints.primaryKey;
import static io.sextant.constraint.TestingConstraints.unique;
import static io.sextant.constraint.TestingConstraints.userDefined;
import static org.assertj.core.api.Assertions.assertThat;

final class TestStatusTransition
{
    private static final List<Optional<ConstraintStatus>> PARENTS = ImmutableList.of(
            Optional.of(VALIDATED), Optional.of(VALID), Optional.of(INVALID), Optional.of(UNVALIDATED), Optional.empty());

    @Test
    @Tag("CN-28")
    void testNoRowsAddedOrRemoved()
    {
        assertStatuses(NONE, false, VALIDATED, VALID, INVALID, UNVALIDATED, VALIDATED);
    }

    @Test
    @Tag("CN-24")
    @Tag("CN-28")
    void testRowsRemoved()
    {
        assertStatuses(NONE, true, VALIDATED, VALID, UNVALIDATED, UNVALIDATED, VALIDATED);
    }

    @Test
    @Tag("CN-25")
    void testRowsAddedAndVerified()
    {
        assertStatuses(VERIFIED, false, VALID, VALID, INVALID, UNVALIDATED, VALIDATED);
    }

    @Test
    @Tag("CN-25")
    @Tag("CN-26")
    void testRowsAddedAndVerifiedAndOthersRemoved()
    {
        assertStatuses(VERIFIED, true, VALID, VALID, UNVALIDATED, UNVALIDATED, VALIDATED);
    }

    @Test
    @Tag("CN-26")
    @Tag("CN-27")
    void testRowsAddedUnverified()
    {
        assertStatuses(UNVERIFIED, false, UNVALIDATED, UNVALIDATED, INVALID, UNVALIDATED, UNVALIDATED);
        assertStatuses(UNVERIFIED, true, UNVALIDATED, UNVALIDATED, UNVALIDATED, UNVALIDATED, UNVALIDATED);
    }

    @Test
    @Tag("CN-18")
    void testUserDefinedFunctionKeepsNoStatus()
    {
        for (ConstraintCondition condition : ImmutableList.of(userDefined(), new Unrecognized("foreign-key", ImmutableSet.of(), "not known"))) {
            for (Optional<ConstraintStatus> parent : PARENTS) {
                for (AddedRows added : AddedRows.values()) {
                    assertThat(StatusTransition.statusAfter(condition, parent, added, false)).isEqualTo(UNVALIDATED);
                    assertThat(StatusTransition.statusAfter(condition, parent, added, true)).isEqualTo(UNVALIDATED);
                }
            }
        }
    }

    @Test
    @Tag("CN-18")
    void testUserDefinedFunctionIsFoundAnywhere()
    {
        String call = "{'type': 'apply', 'function': %s, 'arguments': [{'type': 'reference', 'id': 3}]}";
        String own = call.formatted("'is_ean'");
        String foreign = call.formatted("{'catalog': 'other', 'identifier': ['identity']}");
        String iceberg = call.formatted("{'catalog': 'iceberg_functions', 'identifier': ['identity']}");
        for (String pattern : ImmutableList.of(
                "{'type': 'is-null', 'child': %s}",
                "{'type': 'not', 'child': {'type': 'is-nan', 'child': %s}}",
                "{'type': 'and', 'left': {'type': 'eq', 'left': %s, 'right': 1}, 'right': true}",
                "{'type': 'and', 'left': true, 'right': {'type': 'eq', 'left': 1, 'right': %s}}",
                "{'type': 'or', 'left': {'type': 'in', 'child': %s, 'values': [1]}, 'right': true}",
                "{'type': 'or', 'left': true, 'right': {'type': 'lt', 'left': %s, 'right': 1}}",
                "{'type': 'is-null', 'child': {'type': 'apply', 'function': {'catalog': 'iceberg_functions', 'identifier': ['truncate']}, 'arguments': [3, %s]}}")) {
            assertThat(afterDelete(pattern.formatted(own))).as(pattern).isEqualTo(UNVALIDATED);
            assertThat(afterDelete(pattern.formatted(foreign))).as(pattern).isEqualTo(UNVALIDATED);
            assertThat(afterDelete(pattern.formatted(iceberg))).as(pattern).isEqualTo(VALID);
        }
        // What is not understood may call one
        assertThat(afterDelete("{'type': 'matches', 'child': {'type': 'reference', 'id': 3}}")).isEqualTo(UNVALIDATED);
        assertThat(afterDelete("{'type': 'is-null', 'child': {'type': 'case'}}")).isEqualTo(UNVALIDATED);
    }

    @Test
    @Tag("CN-22")
    void testEveryConstraintHasOneStatus()
    {
        TableConstraints constraints = TableConstraints.NONE
                .addEnforced("dropped", notNull(PRICE), SCHEMA, NOW)
                .addEnforced("check", notNull(PRICE), SCHEMA, NOW)
                .addNotEnforced("unique", unique(CODE), SCHEMA, NOW)
                .drop("dropped")
                .addEnforced("new", primaryKey(ID), SCHEMA, NOW);
        ConstraintStatuses parent = new ConstraintStatuses(ImmutableMap.of(1, VALID, 2, VALIDATED, 3, VALIDATED));
        assertThat(StatusTransition.statusesAfter(constraints, Optional.of(parent), new RowChange(true, false), ImmutableSet.of(1, 2, 4)).statuses())
                .isEqualTo(Map.of(2, VALID, 3, UNVALIDATED, 4, UNVALIDATED));
        assertThat(StatusTransition.statusesAfter(constraints, Optional.of(parent), new RowChange(false, true), ImmutableSet.of()).statuses())
                .isEqualTo(Map.of(2, VALIDATED, 3, VALIDATED, 4, UNVALIDATED));
        assertThat(StatusTransition.statusesAfter(constraints, Optional.of(ConstraintStatuses.NONE), new RowChange(false, false), ImmutableSet.of()).statuses())
                .isEqualTo(Map.of(2, UNVALIDATED, 3, UNVALIDATED, 4, UNVALIDATED));
        assertThat(StatusTransition.statusesAfter(constraints, Optional.empty(), new RowChange(true, false), ImmutableSet.of(3)).statuses())
                .isEqualTo(Map.of(2, UNVALIDATED, 3, VALIDATED, 4, UNVALIDATED));
    }

    /// One line of the table of transitions: the status after a parent of each status, and without a parent.
    private static void assertStatuses(AddedRows added, boolean removesRows, ConstraintStatus... expected)
    {
        for (ConstraintCondition condition : Set.of(notNull(PRICE), unique(CODE), primaryKey(ID))) {
            for (int i = 0; i < expected.length; i++) {
                assertThat(StatusTransition.statusAfter(condition, PARENTS.get(i), added, removesRows))
                        .as("%s after %s", condition, PARENTS.get(i))
                        .isEqualTo(expected[i]);
            }
        }
    }

    private static ConstraintStatus afterDelete(String expression)
    {
        return StatusTransition.statusAfter(check(expression), Optional.of(VALID), NONE, true);
    }
}
