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
package io.sextant.index.tracking;

import com.google.common.collect.ImmutableMap;
import io.sextant.index.file.FieldStats;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.metadata.IndexMetadataParser;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.nio.charset.StandardCharsets.UTF_8;

/// An index, and tracking files of it in memory.
final class TestingTrackingFiles
{
    static final String LOCATION = "memory:///i/metadata/tracking.parquet";

    /// The index of the worked example of the index format.
    static final IndexMetadata BY_BUCKET = metadata(
            """
            {"id": 1, "name": "user_id", "required": true, "type": "long"},
            {"id": 105, "name": "_file", "required": true, "type": "string"},
            {"id": 106, "name": "_pos", "required": true, "type": "long"}
            """,
            """
            {"field-id": 104, "type": "expr-value", "data-type": "int", "expr": {
              "type": "apply",
              "function": {"catalog": "iceberg_functions", "identifier": ["bucket"]},
              "arguments": [256, {"type": "reference", "id": 1}]
            }}
            """,
            "104, 1");

    private TestingTrackingFiles() {}

    static IndexMetadata metadata(String columns, String statsFields, String orderingKey)
    {
        String json =
                """
                {
                  "format-version": 1,
                  "index-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
                  "table-uuid": "a3f1f3c2-0f4d-4c1a-8f2b-5f0c9a1b7d11",
                  "location": "memory:///i",
                  "last-updated-ms": 1764500000000,
                  "index-type": "scalar",
                  "identity-fields": [{"source-id": 1, "field-id": 1}],
                  "schemas": [{"type": "struct", "schema-id": 0, "fields": [%s]}],
                  "stats-fields": [%s],
                  "ordering-key": [%s]
                }
                """.formatted(columns, statsFields, orderingKey);
        return IndexMetadataParser.fromJson("memory:///i/metadata/v1.metadata.json", json.getBytes(UTF_8));
    }

    static TrackingSchema schema(IndexMetadata metadata)
    {
        return TrackingSchema.of(metadata, metadata.latestSchema());
    }

    static List<TrackingEntry> read(IndexMetadata metadata, byte[] file)
    {
        return read(metadata, file, file.length, Optional.empty());
    }

    static List<TrackingEntry> read(IndexMetadata metadata, byte[] file, long statedSize, Optional<String> keyId)
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        try {
            fileSystem.newOutputFile(Location.of(LOCATION)).createOrOverwrite(file);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new TrackingFileReader(TESTING_TYPE_MANAGER).read(fileSystem, metadata, extract(statedSize, keyId));
    }

    static Extract extract(long statedSize, Optional<String> keyId)
    {
        return new Extract(1, 1, 0, 1, "metadata/tracking.parquet", statedSize, ImmutableMap.of(), keyId);
    }

    static FieldStats stats(@Nullable Object lower, @Nullable Object upper, @Nullable Object groupMax)
    {
        return new FieldStats(
                Optional.ofNullable(lower),
                Optional.ofNullable(upper),
                Optional.ofNullable(groupMax),
                false,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalInt.empty());
    }
}
