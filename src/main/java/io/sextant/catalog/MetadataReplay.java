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

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.MetadataUpdate.AddSnapshot;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.util.JsonUtil;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Adds to a commit by applying its changes to its origin once more. Table metadata cannot be edited otherwise, and some
/// catalogs commit the list of changes instead of the metadata.
public final class MetadataReplay
{
    private static final String SUMMARY = "summary";

    private MetadataReplay() {}

    /// Adds entries to the summary of each new snapshot, and further changes at the end, such as
    /// [MetadataUpdate.SetProperties] and [MetadataUpdate.RemoveProperties].
    ///
    /// @return the candidate itself if nothing is added
    public static TableMetadata replay(CommitAttempt attempt, SummaryEntries entries, MetadataUpdate... furtherChanges)
    {
        List<MetadataUpdate> changes = ImmutableList.<MetadataUpdate>builder()
                .addAll(withEntries(attempt, entries))
                .add(furtherChanges)
                .build();
        if (changes.equals(attempt.changes())) {
            return attempt.candidate();
        }
        TableMetadata.Builder metadata = TableMetadata.buildFrom(attempt.origin());
        changes.forEach(change -> change.applyTo(metadata));
        return metadata.build();
    }

    private static List<MetadataUpdate> withEntries(CommitAttempt attempt, SummaryEntries entries)
    {
        Map<Long, Snapshot> newSnapshots = new HashMap<>();
        ImmutableList.Builder<MetadataUpdate> changes = ImmutableList.builder();
        for (MetadataUpdate change : attempt.changes()) {
            if (change instanceof AddSnapshot addition) {
                Snapshot snapshot = addition.snapshot();
                Optional<Snapshot> parent = Optional.ofNullable(snapshot.parentId())
                        .map(id -> newSnapshots.getOrDefault(id, attempt.origin().snapshot(id)));
                Map<String, String> added = entries.of(snapshot, parent);
                if (!added.isEmpty()) {
                    snapshot = withEntries(snapshot, added);
                    change = new AddSnapshot(snapshot);
                }
                newSnapshots.put(snapshot.snapshotId(), snapshot);
            }
            changes.add(change);
        }
        return changes.build();
    }

    private static Snapshot withEntries(Snapshot snapshot, Map<String, String> entries)
    {
        ObjectNode json = JsonUtil.parse(SnapshotParser.toJson(snapshot), ObjectNode.class::cast);
        entries.forEach(json.withObjectProperty(SUMMARY)::put);
        return SnapshotParser.fromJson(json.toString());
    }
}
