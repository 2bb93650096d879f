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
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.trino.spi.TrinoException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.sextant.constraint.TableConstraintParser.CONSTRAINT_ID;
import static io.sextant.table.PropertyJson.MAPPER;
import static io.sextant.table.PropertyJson.isInt;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;

/// The table property that carries the constraints of a table: `sextant.constraints` =
/// `{"last-constraint-id": 2, "constraints": [..]}`. Without the property, a table has no constraints.
///
/// This class is the only one that knows the property; [TableConstraintParser] knows the JSON of one constraint.
public final class ConstraintsProperty
{
    public static final String NAME = "sextant.constraints";

    private static final String LAST_CONSTRAINT_ID = "last-constraint-id";
    private static final String CONSTRAINTS = "constraints";

    private ConstraintsProperty() {}

    /// Reads the constraints out of all properties of a table, for one who adds rows or changes constraints.
    ///
    /// @throws TrinoException if the property is malformed, since a constraint that cannot be read cannot be kept
    public static TableConstraints read(Map<String, String> tableProperties)
    {
        return parse(Optional.ofNullable(tableProperties.get(NAME)));
    }

    /// Reads the constraints out of the property.
    ///
    /// @param value empty if the table does not have the property
    /// @throws TrinoException if the property is malformed
    public static TableConstraints parse(Optional<String> value)
    {
        if (value.isEmpty()) {
            return TableConstraints.NONE;
        }
        try {
            return fromJson(MAPPER.readTree(value.orElseThrow()));
        }
        catch (JsonProcessingException | IllegalArgumentException e) {
            throw new TrinoException(
                    INVALID_TABLE_PROPERTY,
                    "Table property %s is malformed, so no rows can be added and no constraint can be changed; repair or remove it: %s".formatted(NAME, e.getMessage()),
                    e);
        }
    }

    /// Reads the constraints out of all properties of a table, for one who neither adds rows nor changes constraints:
    /// empty if the property is malformed, so that nothing can be said of the constraints, but need not be either.
    public static Optional<TableConstraints> readIfWellFormed(Map<String, String> tableProperties)
    {
        try {
            return Optional.of(read(tableProperties));
        }
        catch (TrinoException _) {
            return Optional.empty();
        }
    }

    /// The value of the property.
    public static String toValue(TableConstraints constraints)
    {
        Map<Integer, JsonNode> originals = new HashMap<>();
        constraints.original().path(CONSTRAINTS).forEach(original -> originals.put(original.get(CONSTRAINT_ID).intValue(), original));
        ObjectNode json = constraints.original().deepCopy();
        json.put(LAST_CONSTRAINT_ID, constraints.lastConstraintId());
        ArrayNode list = json.putArray(CONSTRAINTS);
        for (TableConstraint constraint : constraints.constraints()) {
            list.add(TableConstraintParser.toJson(constraint, Optional.ofNullable(originals.get(constraint.id()))));
        }
        return json.toString();
    }

    private static TableConstraints fromJson(JsonNode json)
    {
        checkArgument(json.isObject(), "not a JSON object");
        JsonNode list = json.path(CONSTRAINTS);
        checkArgument(list.isArray() || !json.hasNonNull(CONSTRAINTS), "%s is not a list", CONSTRAINTS);
        ImmutableList.Builder<TableConstraint> builder = ImmutableList.builder();
        list.forEach(element -> builder.add(TableConstraintParser.fromJson(element)));
        List<TableConstraint> constraints = builder.build();
        JsonNode lastId = json.path(LAST_CONSTRAINT_ID);
        checkArgument(isInt(lastId) || !json.hasNonNull(LAST_CONSTRAINT_ID), "%s is not an int: %s", LAST_CONSTRAINT_ID, lastId);
        // A writer that forgot to raise the last ID must not make us give an ID twice
        int highestId = constraints.stream().mapToInt(TableConstraint::id).reduce(lastId.asInt(), Math::max);
        return new TableConstraints(highestId, constraints, json);
    }
}
