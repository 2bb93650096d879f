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
package io.sextant.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.apache.iceberg.MetadataUpdate.SetProperties;
import org.apache.iceberg.MetadataUpdateParser;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.util.JsonUtil;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Ordering.usingToString;
import static org.assertj.core.api.Assertions.assertThat;

/// Compares replayed metadata with what Iceberg has made, in the two forms in which catalogs commit it: as a whole, and as
/// the list of changes.
final class ReplayOracle
{
    private ReplayOracle() {}

    /// A replay that adds nothing gives the candidate again.
    static void assertExact(CommitAttempt attempt)
    {
        // A change without effect, or there would be no replay
        TableMetadata replayed = MetadataReplay.replay(attempt, (_, _) -> ImmutableMap.of(), new SetProperties(ImmutableMap.of()));
        assertSameWithoutNumbers(replayed, attempt.candidate());
    }

    /// The metadata are equal but for the numbers of snapshots that [TestingCommitGuard] adds.
    static void assertSameWithoutNumbers(TableMetadata actual, TableMetadata expected)
    {
        assertThat(changes(actual)).isEqualTo(changes(expected));
        assertThat(json(actual)).isEqualTo(json(expected));
    }

    private static List<JsonNode> changes(TableMetadata metadata)
    {
        return metadata.changes().stream()
                .map(MetadataUpdateParser::toJson)
                .map(json -> JsonUtil.parse(json, node -> withoutNumbers(node, node.path("snapshot"))))
                .collect(toImmutableList());
    }

    private static JsonNode json(TableMetadata metadata)
    {
        ObjectNode json = JsonUtil.parse(TableMetadataParser.toJson(metadata), ObjectNode.class::cast);
        // The time of the build
        json.remove("last-updated-ms");
        json.path("snapshot-log").forEach(entry -> ((ObjectNode) entry).remove("timestamp-ms"));
        json.path("snapshots").forEach(snapshot -> withoutNumbers(json, snapshot));
        // Kept in a hash map
        json.replace("statistics", sorted(json.path("statistics")));
        return json;
    }

    private static JsonNode withoutNumbers(JsonNode json, JsonNode snapshot)
    {
        if (snapshot.path("summary") instanceof ObjectNode summary) {
            summary.remove(TestingCommitGuard.NUMBER);
        }
        return json;
    }

    private static ArrayNode sorted(JsonNode array)
    {
        ArrayNode sorted = JsonUtil.mapper().createArrayNode();
        usingToString().sortedCopy(ImmutableList.copyOf(array)).forEach(sorted::add);
        return sorted;
    }
}
