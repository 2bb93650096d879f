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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.MetadataUpdate.AddSnapshot;
import org.apache.iceberg.MetadataUpdate.RemoveProperties;
import org.apache.iceberg.MetadataUpdate.SetProperties;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.types.Types.LongType;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.apache.iceberg.SnapshotRef.MAIN_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;

final class TestMetadataReplay
{
    private static final SummaryEntries NO_ENTRIES = (_, _) -> ImmutableMap.of();

    private final TableMetadata start = TableMetadata.newTableMetadata(
            new Schema(NestedField.required(1, "id", LongType.get())),
            PartitionSpec.unpartitioned(),
            SortOrder.unsorted(),
            "memory:///table",
            ImmutableMap.of("color", "red"));
    private final TableMetadata base = TableMetadata.buildFrom(start)
            .setBranchSnapshot(snapshot(1, Optional.empty()), MAIN_BRANCH)
            .discardChanges()
            .withMetadataLocation("memory:///table/metadata/00001-a.metadata.json")
            .build();

    @Test
    void testNothingAddedGivesTheCandidateItself()
    {
        TableMetadata candidate = append(base, 2);
        assertThat(MetadataReplay.replay(attempt(base, candidate), NO_ENTRIES)).isSameAs(candidate);
    }

    @Test
    void testEntriesAreAddedToTheNewSnapshotAlone()
    {
        TableMetadata candidate = append(base, 2);
        TableMetadata replayed = MetadataReplay.replay(attempt(base, candidate), (_, _) -> ImmutableMap.of("note", "\"quoted\" \u00e9"));
        assertThat(replayed.snapshot(2).summary()).isEqualTo(ImmutableMap.of("added-records", "1", "note", "\"quoted\" \u00e9"));
        assertThat(replayed.snapshot(2).operation()).isEqualTo("append");
        assertThat(replayed.snapshot(1)).isSameAs(base.snapshot(1));
        assertThat(replayed.currentSnapshot().snapshotId()).isEqualTo(2);
        assertThat(changes(replayed)).isEqualTo(changes(candidate));
        assertThat(addedSnapshots(replayed)).containsExactly(replayed.snapshot(2));
    }

    @Test
    void testParentOfTheSameCommitHasItsEntries()
    {
        TableMetadata candidate = append(append(base, 2), 3);
        TableMetadata replayed = MetadataReplay.replay(attempt(base, candidate), (_, parent) ->
                ImmutableMap.of("depth", parent.orElseThrow().summary().getOrDefault("depth", "") + "+"));
        assertThat(replayed.snapshot(2).summary()).containsEntry("depth", "+");
        assertThat(replayed.snapshot(3).summary()).containsEntry("depth", "++");
    }

    @Test
    void testSnapshotWithoutParent()
    {
        TableMetadata candidate = TableMetadata.buildFrom(start).setBranchSnapshot(snapshot(1, Optional.empty()), MAIN_BRANCH).build();
        List<Optional<Snapshot>> parents = new ArrayList<>();
        MetadataReplay.replay(attempt(start, candidate), (_, parent) -> {
            parents.add(parent);
            return ImmutableMap.of();
        });
        assertThat(parents).containsExactly(Optional.empty());
    }

    @Test
    void testFurtherChangesComeLast()
    {
        TableMetadata candidate = TableMetadata.buildFrom(base).setProperties(ImmutableMap.of("color", "green", "size", "1")).build();
        TableMetadata replayed = MetadataReplay.replay(
                attempt(base, candidate),
                NO_ENTRIES,
                new SetProperties(ImmutableMap.of("color", "blue")),
                new RemoveProperties(ImmutableSet.of("size")));
        assertThat(replayed.properties()).containsEntry("color", "blue").doesNotContainKey("size");
        assertThat(changes(replayed)).containsExactly(SetProperties.class, SetProperties.class, RemoveProperties.class);
    }

    /// A catalog that creates a table from a list of changes needs those of its start, too.
    @Test
    void testChangesOfTheStartAreKept()
    {
        TableMetadata candidate = TableMetadata.buildFrom(start).setBranchSnapshot(snapshot(1, Optional.empty()), MAIN_BRANCH).build();
        TableMetadata replayed = MetadataReplay.replay(attempt(start, candidate), (_, _) -> ImmutableMap.of("note", "x"));
        assertThat(start.changes()).isNotEmpty();
        assertThat(changes(replayed)).isEqualTo(changes(candidate));
        assertThat(replayed.uuid()).isEqualTo(candidate.uuid());
    }

    private static TableMetadata append(TableMetadata metadata, long id)
    {
        return TableMetadata.buildFrom(metadata)
                .setBranchSnapshot(snapshot(id, Optional.of(metadata.currentSnapshot().snapshotId())), MAIN_BRANCH)
                .build();
    }

    private static Snapshot snapshot(long id, Optional<Long> parent)
    {
        return SnapshotParser.fromJson(
                """
                {"sequence-number": %s, "snapshot-id": %s, %s "timestamp-ms": %s,
                 "summary": {"operation": "append", "added-records": "1"}, "manifest-list": "memory:///table/snap-%s.avro", "schema-id": 0}
                """.formatted(id, id, parent.map("\"parent-snapshot-id\": %s,"::formatted).orElse(""), 1_000_000_000_000L + id, id));
    }

    private static CommitAttempt attempt(TableMetadata origin, TableMetadata candidate)
    {
        return new CommitAttempt(new StaticTableOperations(origin, new InMemoryFileIO()), Optional.of(origin), origin, candidate);
    }

    private static List<Class<?>> changes(TableMetadata metadata)
    {
        return metadata.changes().stream().map(MetadataUpdate::getClass).collect(toImmutableList());
    }

    private static List<Snapshot> addedSnapshots(TableMetadata metadata)
    {
        return ImmutableList.copyOf(metadata.changes()).stream()
                .filter(AddSnapshot.class::isInstance)
                .map(change -> ((AddSnapshot) change).snapshot())
                .collect(toImmutableList());
    }
}
