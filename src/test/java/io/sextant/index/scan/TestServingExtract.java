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
package io.sextant.index.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.ExtractProperties;
import io.sextant.index.metadata.IdentityField;
import io.sextant.index.metadata.IndexMetadata;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.EncryptedKeyParser;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Optional;

import static org.apache.iceberg.TableProperties.FORMAT_VERSION;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.assertj.core.api.Assertions.assertThat;

final class TestServingExtract
{
    private static final Schema SCHEMA = new Schema(optional(1, "k", Types.LongType.get()));
    private static final String TABLE_LOCATION = "memory:///t";
    // 1 <- 2 <- 3, and 4 on a branch from 1
    private static final BaseTable TABLE = table(
            snapshot(1, Optional.empty()),
            snapshot(2, Optional.of(1)),
            snapshot(3, Optional.of(2)),
            snapshot(4, Optional.of(1)));

    @Test
    @Tag("IX-28")
    void testExtractOfTheSnapshotThenOfTheNearestAncestor()
    {
        assertThat(find(3, extract(1), extract(3), extract(2))).contains(3L);
        assertThat(find(2, extract(1), extract(2), extract(3))).contains(2L);
        assertThat(find(3, extract(1), extract(2))).contains(2L);
        assertThat(find(3, extract(2), extract(1))).contains(2L);
        assertThat(find(4, extract(2), extract(1), extract(3))).contains(1L);
        assertThat(find(4, extract(2), extract(3))).isEmpty();
        assertThat(find(1, extract(2), extract(3), extract(4))).isEmpty();
        assertThat(find(1)).isEmpty();
    }

    @Test
    @Tag("IX-28")
    void testExtractOfExpiredSnapshot()
    {
        assertThat(find(3, extract(99))).isEmpty();
        assertThat(find(3, extract(99), extract(1))).contains(1L);
    }

    @Test
    void testExtractOfTableElsewhere()
    {
        Map<String, String> elsewhere = ExtractProperties.of("memory:///copied", "full");
        assertThat(find(3, new Extract(3, 3, 0, 1, "tracking", 1, elsewhere, Optional.empty()))).isEmpty();
        assertThat(find(3, new Extract(3, 3, 0, 1, "tracking", 1, ExtractProperties.of(TABLE_LOCATION, "full"), Optional.empty()))).contains(3L);
    }

    @Test
    @Tag("IX-31")
    void testEncryptedExtract()
    {
        Extract encrypted = new Extract(3, 3, 0, 1, "tracking", 1, ImmutableMap.of(), Optional.of("key"));
        assertThat(find(3, encrypted)).isEmpty();
        assertThat(find(3, encrypted, extract(2))).contains(2L);
    }

    private static Optional<Long> find(long snapshotId, Extract... extracts)
    {
        IndexMetadata metadata = IndexMetadata.builder()
                .indexUuid("5d1c1b2e-6f6c-4b52-8e57-0f0e0d3a3f10")
                .tableUuid(TABLE.operations().current().uuid())
                .location("memory:///index")
                .identityFields(ImmutableList.of(new IdentityField(1, 1)))
                .schemas(ImmutableList.of(SCHEMA))
                .orderingKey(ImmutableList.of(1))
                .encryptionKeys(ImmutableList.of(EncryptedKeyParser.fromJson("{\"key-id\":\"key\",\"encrypted-key-metadata\":\"AAAA\"}")))
                .build();
        for (Extract extract : extracts) {
            metadata = metadata.withExtract(extract);
        }
        return ServingExtract.find(metadata, TABLE, TABLE.snapshot(snapshotId))
                .map(serving -> serving.extract().extractId());
    }

    /// The extract of a snapshot, with the same ID.
    private static Extract extract(long snapshotId)
    {
        return new Extract(snapshotId, snapshotId, 0, 1, "tracking", 1, ImmutableMap.of(), Optional.empty());
    }

    private static BaseTable table(String... snapshots)
    {
        TableMetadata empty = TableMetadata.newTableMetadata(SCHEMA, PartitionSpec.unpartitioned(), TABLE_LOCATION, ImmutableMap.of(FORMAT_VERSION, "2"));
        String json = TableMetadataParser.toJson(empty)
                .replace("\"last-sequence-number\":0", "\"last-sequence-number\":" + snapshots.length)
                .replace("\"snapshots\":[]", "\"snapshots\":[%s]".formatted(String.join(",", snapshots)));
        return new BaseTable(new StaticTableOperations(TableMetadataParser.fromJson(json), new InMemoryFileIO()), "t");
    }

    private static String snapshot(int id, Optional<Integer> parent)
    {
        return "{\"snapshot-id\":%s,\"sequence-number\":%s,\"timestamp-ms\":1%s,\"manifest-list\":\"memory:///m\",\"schema-id\":0,\"summary\":{\"operation\":\"append\"}}".formatted(
                id,
                id,
                parent.map(",\"parent-snapshot-id\":%s"::formatted).orElse(""));
    }
}
