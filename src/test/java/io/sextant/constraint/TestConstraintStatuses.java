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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.sextant.constraint.ConstraintStatus.INVALID;
import static io.sextant.constraint.ConstraintStatus.UNVALIDATED;
import static io.sextant.constraint.ConstraintStatus.VALID;
import static io.sextant.constraint.ConstraintStatus.VALIDATED;
import static io.sextant.constraint.TestingConstraints.compactResource;
import static io.sextant.constraint.TestingConstraints.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

final class TestConstraintStatuses
{
    private static final ConstraintStatuses STATUSES = new ConstraintStatuses(ImmutableMap.of(1, VALIDATED, 20, VALID, 3, VALID, 4, INVALID, 2, UNVALIDATED));

    @Test
    void testRead()
    {
        assertThat(read(compactResource("statuses.json"))).isEqualTo(STATUSES);
    }

    @Test
    void testWrite()
    {
        assertThat(STATUSES.toSummaryValue()).isEqualTo(compactResource("statuses.json"));
        assertThat(new ConstraintStatuses(ImmutableMap.of(7, VALID)).toSummaryValue()).isEqualTo("{\"valid\":[7]}");
        assertThat(ConstraintStatuses.NONE.toSummaryValue()).isEqualTo("{}");
    }

    @Test
    @Tag("CN-15")
    @Tag("CN-23")
    void testStatusOfConstraint()
    {
        assertThat(STATUSES.statusOf(1)).isEqualTo(VALIDATED);
        assertThat(STATUSES.statusOf(20)).isEqualTo(VALID);
        assertThat(STATUSES.statusOf(4)).isEqualTo(INVALID);
        assertThat(STATUSES.statusOf(2)).isEqualTo(UNVALIDATED);
        assertThat(STATUSES.statusOf(5)).isEqualTo(UNVALIDATED);
        assertThat(ConstraintStatuses.NONE.statusOf(1)).isEqualTo(UNVALIDATED);
    }

    @Test
    @Tag("CN-23")
    void testMissingListsAreEmpty()
    {
        assertThat(read("{}")).isEqualTo(ConstraintStatuses.NONE);
        assertThat(read("{\"valid\":[7],\"invalid\":[]}")).isEqualTo(new ConstraintStatuses(ImmutableMap.of(7, VALID)));
        assertThat(read("{\"valid\":[7],\"invalid\":null,\"checked\":[8]}")).isEqualTo(new ConstraintStatuses(ImmutableMap.of(7, VALID)));
    }

    @Test
    @Tag("CN-23")
    void testSnapshotWithoutStatuses()
    {
        assertThat(ConstraintStatuses.of(snapshot("append", ImmutableMap.of("added-data-files", "1")))).isEqualTo(ConstraintStatuses.NONE);
        assertThat(ConstraintStatuses.of(snapshot(null, ImmutableMap.of()))).isEqualTo(ConstraintStatuses.NONE);
    }

    @Test
    @Tag("CN-22")
    @Tag("CN-23")
    void testMalformedStatusesAreNone()
    {
        for (String value : ImmutableList.of(
                "",
                "valid",
                "[1]",
                "7",
                "{\"valid\":[1]",
                "{\"valid\":[1]} {}",
                "{\"valid\":1}",
                "{\"valid\":{\"1\":1}}",
                "{\"valid\":[\"1\"]}",
                "{\"valid\":[1.0]}",
                "{\"valid\":[null]}",
                "{\"valid\":[3000000000]}",
                "{\"valid\":[1,1]}",
                "{\"valid\":[1],\"invalid\":[1]}",
                "{\"valid\":[1],\"valid\":[2]}")) {
            assertThat(read(value)).as(value).isEqualTo(ConstraintStatuses.NONE);
        }
    }

    @Test
    @Tag("CN-22")
    void testBetterKnowledgeReplacesAStatus()
    {
        ConstraintStatuses statuses = STATUSES.with(2, VALIDATED).with(9, INVALID);
        assertThat(statuses.statuses()).isEqualTo(Map.of(1, VALIDATED, 2, VALIDATED, 3, VALID, 4, INVALID, 9, INVALID, 20, VALID));
        assertThat(statuses.toSummaryValue()).isEqualTo("{\"validated\":[1,2],\"valid\":[3,20],\"invalid\":[4,9]}");
    }

    private static ConstraintStatuses read(String value)
    {
        return ConstraintStatuses.of(snapshot("append", ImmutableMap.of("sextant.constraint-statuses", value)));
    }
}
