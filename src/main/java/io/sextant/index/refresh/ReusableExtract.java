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
package io.sextant.index.refresh;

import io.sextant.index.key.KeyEncoding;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.ExtractProperties;
import io.sextant.index.metadata.IndexMetadata;
import org.apache.iceberg.Schema;

import java.util.List;
import java.util.Optional;

import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.MetadataColumns.FILE_PATH;
import static org.apache.iceberg.MetadataColumns.ROW_POSITION;

/// The extract that a new one may be derived from (index format, "Refresh").
sealed interface ReusableExtract
{
    record Found(Extract extract)
            implements ReusableExtract
    {
        public Found
        {
            requireNonNull(extract, "extract is null");
        }
    }

    /// All rows must be read.
    ///
    /// @param reason in words for a user
    record None(String reason)
            implements ReusableExtract
    {
        public None
        {
            requireNonNull(reason, "reason is null");
        }
    }

    /// Finds the latest extract of a snapshot that the table still has, if regions keep their order and meaning.
    ///
    /// @param schema of the new extract, which the metadata need not have yet
    static ReusableExtract find(IndexedTable table, IndexMetadata metadata, Schema schema)
    {
        if (metadata.extracts().isEmpty()) {
            return new None("the index has no extract yet");
        }
        Optional<Extract> latest = metadata.extracts().stream()
                .filter(extract -> table.table().snapshot(extract.sourceTableSnapshotId()) != null)
                .max(comparingLong(Extract::timestampMillis));
        if (latest.isEmpty()) {
            return new None("the snapshots of all extracts have expired");
        }
        Extract extract = latest.orElseThrow();
        return findObstacle(table, metadata, extract, schema)
                .<ReusableExtract>map(None::new)
                .orElseGet(() -> new Found(extract));
    }

    private static Optional<String> findObstacle(IndexedTable table, IndexMetadata metadata, Extract extract, Schema schema)
    {
        if (extract.keyId().isPresent()) {
            return Optional.of("the latest extract is encrypted");
        }
        if (!ExtractProperties.isOfTableAt(extract, table.table().location())) {
            return Optional.of("the table was at another place when it was indexed");
        }
        if (metadata.identityFieldOfSource(FILE_PATH.fieldId()).isEmpty() || metadata.identityFieldOfSource(ROW_POSITION.fieldId()).isEmpty()) {
            return Optional.of("entries do not name rows");
        }
        List<Integer> schemaIds = metadata.schemas().stream().map(Schema::schemaId).toList();
        int place = schemaIds.indexOf(schema.schemaId());
        if (place >= 0 && place < schemaIds.indexOf(extract.extractSchemaId())) {
            return Optional.of("the latest extract has a later schema");
        }
        Schema before = metadata.schemaOf(extract);
        return schema.columns().stream()
                .filter(column -> !KeyEncoding.keepsBytes(before.findType(column.fieldId()), column.type()))
                .map(column -> "column %s was promoted from %s to %s".formatted(column.name(), before.findType(column.fieldId()), column.type()))
                .findFirst();
    }
}
