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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Streams;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.PrimaryKey;
import io.sextant.constraint.ConstraintCondition.Unique;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import io.sextant.expression.Predicate;
import io.sextant.expression.PredicateParser;
import io.sextant.table.PropertyJson;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.sextant.table.PropertyJson.isInt;

/// The JSON form of a [TableConstraint]: `constraint-id`, `type`, `name`, `enforced`, `timestamp-ms`, and either
/// `expression` or `field-ids`.
///
/// Without the first five a constraint cannot be told from others, so they must be right; a type or a condition that is not
/// understood makes the condition [Unrecognized]. Other fields are ignored.
final class TableConstraintParser
{
    static final String CONSTRAINT_ID = "constraint-id";

    private static final String TYPE = "type";
    private static final String NAME = "name";
    private static final String ENFORCED = "enforced";
    private static final String TIMESTAMP_MS = "timestamp-ms";
    private static final String EXPRESSION = "expression";
    private static final String FIELD_IDS = "field-ids";

    private TableConstraintParser() {}

    /// @throws IllegalArgumentException if it is no constraint at all
    static TableConstraint fromJson(JsonNode json)
    {
        checkArgument(json.isObject(), "a constraint is not an object");
        checkArgument(isInt(json.path(CONSTRAINT_ID)), "a constraint has no int %s", CONSTRAINT_ID);
        int id = json.get(CONSTRAINT_ID).intValue();
        checkArgument(json.path(TYPE).isTextual(), "constraint %s has no string %s", id, TYPE);
        checkArgument(json.path(NAME).isTextual(), "constraint %s has no string %s", id, NAME);
        checkArgument(json.path(ENFORCED).isBoolean(), "constraint %s has no boolean %s", id, ENFORCED);
        JsonNode timestamp = json.path(TIMESTAMP_MS);
        checkArgument(timestamp.isIntegralNumber() && timestamp.canConvertToLong(), "constraint %s has no long %s", id, TIMESTAMP_MS);
        return new TableConstraint(id, json.get(NAME).textValue(), json.get(ENFORCED).booleanValue(), timestamp.longValue(), condition(json));
    }

    /// @param original the JSON that the constraint was read from, of which only the name and the enforcement can have changed
    static JsonNode toJson(TableConstraint constraint, Optional<JsonNode> original)
    {
        ObjectNode json = original.isPresent() ? original.orElseThrow().deepCopy() : JsonNodeFactory.instance.objectNode();
        json.put(CONSTRAINT_ID, constraint.id());
        json.put(TYPE, constraint.condition().type());
        json.put(NAME, constraint.name());
        json.put(ENFORCED, constraint.enforced());
        json.put(TIMESTAMP_MS, constraint.timestampMillis());
        if (original.isPresent()) {
            return json;
        }
        switch (constraint.condition()) {
            case Check(Predicate expression) -> json.set(EXPRESSION, PredicateParser.toJson(expression));
            case ConstraintCondition.Key key -> {
                ArrayNode fieldIds = json.putArray(FIELD_IDS);
                key.fieldIds().forEach(fieldIds::add);
            }
            case Unrecognized unrecognized -> throw new IllegalArgumentException("the constraint was not read from JSON: " + unrecognized.reason());
        }
        return json;
    }

    private static ConstraintCondition condition(JsonNode json)
    {
        try {
            String type = json.get(TYPE).textValue();
            return switch (type) {
                case Check.TYPE -> check(json);
                case Unique.TYPE -> key(json, Unique::new);
                case PrimaryKey.TYPE -> key(json, PrimaryKey::new);
                default -> throw new IllegalArgumentException("constraint type %s is not known".formatted(type));
            };
        }
        catch (IllegalArgumentException e) {
            return new Unrecognized(json.get(TYPE).textValue(), recognizableFieldIds(json), e.getMessage());
        }
    }

    private static Check check(JsonNode json)
    {
        checkArgument(json.hasNonNull(EXPRESSION) && !json.hasNonNull(FIELD_IDS), "a check constraint has an %s and no %s", EXPRESSION, FIELD_IDS);
        return new Check(PredicateParser.fromJson(json.get(EXPRESSION)));
    }

    private static ConstraintCondition.Key key(JsonNode json, Function<Set<Integer>, ConstraintCondition.Key> constructor)
    {
        JsonNode fieldIds = json.path(FIELD_IDS);
        checkArgument(fieldIds.isArray() && !json.hasNonNull(EXPRESSION), "a key has a list of %s and no %s", FIELD_IDS, EXPRESSION);
        Set<Integer> distinct = ints(fieldIds);
        checkArgument(!distinct.isEmpty() && distinct.size() == fieldIds.size(), "%s are not distinct field IDs, at least one: %s", FIELD_IDS, fieldIds);
        return constructor.apply(distinct);
    }

    private static Set<Integer> recognizableFieldIds(JsonNode json)
    {
        return ImmutableSet.<Integer>builder()
                .addAll(ints(json.path(FIELD_IDS)))
                .addAll(new Predicate.Unrecognized(json).referencedFieldIds())
                .build();
    }

    private static Set<Integer> ints(JsonNode list)
    {
        return Streams.stream(list)
                .filter(PropertyJson::isInt)
                .map(JsonNode::intValue)
                .collect(toImmutableSet());
    }
}
