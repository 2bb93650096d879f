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
package io.sextant.collation.metadata;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/// The collations of a table, by field ID.
///
/// @param original the JSON that this was read from, with all that is not understood
public record TableCollations(Map<Integer, FieldCollation> fields, ObjectNode original)
{
    public static final TableCollations NONE = new TableCollations(ImmutableMap.of(), JsonNodeFactory.instance.objectNode());

    public TableCollations
    {
        fields = ImmutableMap.copyOf(requireNonNull(fields, "fields is null"));
        requireNonNull(original, "original is null");
        Set<Integer> metricIds = new HashSet<>();
        for (FieldCollation field : fields.values()) {
            for (CollationMetric metric : field.metrics()) {
                checkArgument(metricIds.add(metric.id()), "metric ID %s is used twice", metric.id());
                checkArgument(!fields.containsKey(metric.id()), "metric ID %s is that of a field", metric.id());
            }
        }
    }

    public Optional<FieldCollation> find(int fieldId)
    {
        return Optional.ofNullable(fields.get(fieldId));
    }

    public TableCollations with(int fieldId, FieldCollation collation)
    {
        Map<Integer, FieldCollation> changed = new HashMap<>(fields);
        changed.put(fieldId, collation);
        return new TableCollations(changed, original);
    }

    /// Only the fields with IDs that pass.
    public TableCollations retain(IntPredicate fieldIds)
    {
        return new TableCollations(
                fields.entrySet().stream()
                        .filter(field -> fieldIds.test(field.getKey()))
                        .collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue)),
                original);
    }
}
