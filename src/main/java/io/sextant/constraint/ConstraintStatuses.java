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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import org.apache.iceberg.Snapshot;

import java.util.HashMap;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static io.sextant.constraint.ConstraintStatus.UNVALIDATED;
import static io.sextant.table.PropertyJson.MAPPER;
import static io.sextant.table.PropertyJson.isInt;

/// The status of each constraint in one snapshot, by constraint ID. It may name constraints that the table no longer has.
///
/// In the summary of the snapshot it stands as a list of IDs for each status: `{"validated": [1], "valid": [2, 3]}`, where
/// a list may be missing. This class is the only one that knows this form.
public record ConstraintStatuses(Map<Integer, ConstraintStatus> statuses)
{
    /// What is known of a snapshot that says nothing: no constraint holds there for sure.
    public static final ConstraintStatuses NONE = new ConstraintStatuses(ImmutableMap.of());

    /// The key in the summary of a snapshot.
    public static final String SUMMARY_KEY = "sextant.constraint-statuses";

    public ConstraintStatuses
    {
        statuses = ImmutableSortedMap.copyOf(statuses);
    }

    /// Reads what a snapshot says. Never fails: statuses that cannot be read are as good as none.
    public static ConstraintStatuses of(Snapshot snapshot)
    {
        // Snapshots of the first writers of format version 1 have no summary
        if (snapshot.summary() == null || !snapshot.summary().containsKey(SUMMARY_KEY)) {
            return NONE;
        }
        try {
            return fromJson(MAPPER.readTree(snapshot.summary().get(SUMMARY_KEY)));
        }
        catch (JsonProcessingException | IllegalArgumentException _) {
            return NONE;
        }
    }

    /// The value for [#SUMMARY_KEY] in the summary of a snapshot.
    public String toSummaryValue()
    {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        for (ConstraintStatus status : ConstraintStatus.values()) {
            statuses.forEach((id, statusOfId) -> {
                if (statusOfId == status) {
                    json.withArray("/" + status).add(id);
                }
            });
        }
        return json.toString();
    }

    /// The status of a constraint. One that is not named did not exist when the snapshot was made.
    public ConstraintStatus statusOf(int constraintId)
    {
        return statuses.getOrDefault(constraintId, UNVALIDATED);
    }

    /// These statuses, but for one constraint whose status is known better, since all rows of the snapshot were checked.
    public ConstraintStatuses with(int constraintId, ConstraintStatus status)
    {
        return new ConstraintStatuses(ImmutableMap.<Integer, ConstraintStatus>builder()
                .putAll(statuses)
                .put(constraintId, status)
                .buildKeepingLast());
    }

    private static ConstraintStatuses fromJson(JsonNode json)
    {
        checkArgument(json.isObject(), "not an object: %s", json);
        Map<Integer, ConstraintStatus> statuses = new HashMap<>();
        for (ConstraintStatus status : ConstraintStatus.values()) {
            JsonNode ids = json.path(status.toString());
            checkArgument(ids.isArray() || !json.hasNonNull(status.toString()), "not a list: %s", ids);
            for (JsonNode id : ids) {
                checkArgument(isInt(id), "not a constraint ID: %s", id);
                checkArgument(statuses.put(id.intValue(), status) == null, "constraint %s is listed twice", id);
            }
        }
        return new ConstraintStatuses(statuses);
    }
}
