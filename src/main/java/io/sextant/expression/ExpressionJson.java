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
package io.sextant.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableSet;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

/// What the JSON forms of values and of predicates have in common.
final class ExpressionJson
{
    static final String TYPE = "type";
    static final String REFERENCE = "reference";
    static final String ID = "id";
    static final String VALUE = "value";
    static final String DATA_TYPE = "data-type";

    /// Keeps the recursion over an expression far from the end of the stack.
    static final int MAX_DEPTH = 500;

    private ExpressionJson() {}

    static void checkDepth(JsonNode json)
    {
        record Level(JsonNode node, int depth) {}

        Deque<Level> open = new ArrayDeque<>();
        open.push(new Level(json, 0));
        while (!open.isEmpty()) {
            Level level = open.pop();
            checkArgument(level.depth() <= MAX_DEPTH, "the expression is nested more than %s levels deep", MAX_DEPTH);
            level.node().forEach(child -> open.push(new Level(child, level.depth() + 1)));
        }
    }

    /// The fields that JSON refers to, wherever it does so in the usual form.
    static Set<Integer> referencedFieldIds(JsonNode json)
    {
        return json.findParents(ID).stream()
                .filter(node -> node.path(TYPE).asText().equals(REFERENCE) && isInt(node.get(ID)))
                .map(node -> node.get(ID).intValue())
                .collect(toImmutableSet());
    }

    static boolean isInt(JsonNode json)
    {
        return json.isIntegralNumber() && json.canConvertToInt();
    }

    static boolean hasOnly(JsonNode json, String... names)
    {
        Set<String> allowed = ImmutableSet.copyOf(names);
        return json.properties().stream().allMatch(entry -> allowed.contains(entry.getKey()));
    }

    static Optional<Type> primitiveType(JsonNode json)
    {
        if (!json.isTextual()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Types.fromTypeName(json.textValue()));
        }
        catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    static ObjectNode object(String type)
    {
        return JsonNodeFactory.instance.objectNode().put(TYPE, type);
    }

    static IllegalArgumentException namedReference(JsonNode name)
    {
        return new IllegalArgumentException("the expression refers to a field by name instead of by ID: " + name);
    }
}
