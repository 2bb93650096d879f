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
import io.sextant.index.metadata.IndexMetadata;
import org.apache.iceberg.Schema;

import java.util.Map;
import java.util.Optional;

import static java.util.stream.Collectors.joining;

/// Ties a tracking file to what gives its entries their meaning, which the index metadata alone would say otherwise: the
/// index, the snapshot of the table, the field that each column copies, and the key. The file's key/value metadata have it
/// under `sextant.extract`.
///
/// Files of other writers are not tied, and pass.
final class ExtractSeal
{
    private static final String KEY = "sextant.extract";

    private ExtractSeal() {}

    /// @param schema of the extract
    static Map<String, String> toMetadata(IndexMetadata metadata, Schema schema, long snapshotId)
    {
        return ImmutableMap.of(KEY, describe(metadata, schema, snapshotId));
    }

    static Optional<String> findProblem(Map<String, String> fileMetadata, IndexMetadata metadata, Schema schema, long snapshotId)
    {
        String expected = describe(metadata, schema, snapshotId);
        return Optional.ofNullable(fileMetadata.get(KEY))
                .filter(found -> !found.equals(expected))
                .map(found -> "it belongs to %s, but the index metadata say %s".formatted(found, expected));
    }

    private static String describe(IndexMetadata metadata, Schema schema, long snapshotId)
    {
        return "index %s, snapshot %s, columns %s, key %s".formatted(
                metadata.indexUuid(),
                snapshotId,
                metadata.identityFields().stream()
                        .filter(field -> schema.findField(field.fieldId()) != null)
                        .map(field -> "%s=%s".formatted(field.fieldId(), field.sourceId()))
                        .sorted()
                        .collect(joining(" ")),
                metadata.orderingKey().stream().map(String::valueOf).collect(joining(" ")));
    }
}
