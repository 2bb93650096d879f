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
package io.sextant.index.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.metadata.IndexMetadataParser;
import org.apache.iceberg.util.JsonUtil;

import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/// The IDs of the last commits of an index, the newest last, one for each version up to the one that holds them. They stand in
/// the metadata file as `sextant-commits`, a field of our own, which other readers ignore.
///
/// A writer cannot tell from an error whether its metadata file came to be, nor from the file alone whether later versions
/// build on it: once old files are deleted, their numbers can be taken again. It finds its commit's ID in the newest
/// metadata file or knows that the commit did not happen, as long as [#reaches] holds.
record CommitTrail(List<String> commitIds)
{
    static final int MAX_LENGTH = 64;

    private static final String FIELD = "sextant-commits";

    CommitTrail
    {
        commitIds = ImmutableList.copyOf(requireNonNull(commitIds, "commitIds is null"));
    }

    static CommitTrail of(IndexMetadata metadata)
    {
        JsonNode ids = metadata.unknownFields().values().get(FIELD);
        if (ids == null || !ids.isArray()) {
            return new CommitTrail(ImmutableList.of());
        }
        ImmutableList.Builder<String> builder = ImmutableList.builder();
        for (JsonNode id : ids) {
            builder.add(id.asText());
        }
        return new CommitTrail(builder.build());
    }

    CommitTrail with(String commitId)
    {
        List<String> kept = commitIds.subList(Math.max(0, commitIds.size() - (MAX_LENGTH - 1)), commitIds.size());
        return new CommitTrail(ImmutableList.<String>builder().addAll(kept).add(commitId).build());
    }

    boolean contains(String commitId)
    {
        return commitIds.contains(commitId);
    }

    /// Whether this trail, found in the metadata file of one version, names the commit of an earlier version too.
    boolean reaches(int version, int trailVersion)
    {
        return version > trailVersion - commitIds.size();
    }

    /// The content of a metadata file that carries this trail.
    byte[] toJson(IndexMetadata metadata)
    {
        ObjectNode json;
        try {
            json = (ObjectNode) JsonUtil.mapper().readTree(IndexMetadataParser.toJson(metadata));
        }
        catch (JsonProcessingException e) {
            throw new IllegalStateException("Index metadata is not written as JSON", e);
        }
        ArrayNode ids = json.putArray(FIELD);
        commitIds.forEach(ids::add);
        return json.toString().getBytes(UTF_8);
    }
}
