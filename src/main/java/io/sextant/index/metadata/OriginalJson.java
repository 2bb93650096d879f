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
package io.sextant.index.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/// The JSON of the parts that Iceberg's or our own model may read with loss, as it stood in the file.
/// These parts never change, so writing their JSON back as it was keeps all that is not understood.
///
/// @param schemas by schema ID
/// @param expressions by the ID of the stats-only field
/// @param encryptionKeys by key ID
record OriginalJson(Map<Integer, JsonNode> schemas, Map<Integer, JsonNode> expressions, Map<String, JsonNode> encryptionKeys)
{
    static final OriginalJson NONE = new OriginalJson(ImmutableMap.of(), ImmutableMap.of(), ImmutableMap.of());

    OriginalJson
    {
        schemas = ImmutableMap.copyOf(requireNonNull(schemas, "schemas is null"));
        expressions = ImmutableMap.copyOf(requireNonNull(expressions, "expressions is null"));
        encryptionKeys = ImmutableMap.copyOf(requireNonNull(encryptionKeys, "encryptionKeys is null"));
    }
}
