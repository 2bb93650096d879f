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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.expression.FunctionName;
import io.sextant.expression.ValueExpression;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.sextant.index.metadata.IndexProperties.DELETE_AFTER_COMMIT;
import static io.sextant.index.metadata.IndexProperties.PREVIOUS_VERSIONS_MAX;
import static io.sextant.index.metadata.TestingMetadata.read;
import static io.sextant.index.metadata.TestingMetadata.usersById;
import static io.sextant.index.metadata.TestingMetadata.usersSchema;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestIndexMetadata
{
    @Test
    @Tag("IX-06")
    void testChangesKeepDefinition()
    {
        IndexMetadata metadata = read("full.json");
        List<IndexMetadata> changed = List.of(
                metadata.withExtract(extract(20, 2)),
                metadata.withoutExtracts(ImmutableSet.of(11L)),
                metadata.withProperties(ImmutableMap.of("a", "b"), ImmutableSet.of()),
                metadata.withSchema(new Schema(5, metadata.latestSchema().columns())),
                metadata.replacing("metadata/v3.metadata.json", 5).metadata());
        for (IndexMetadata change : changed) {
            assertThat(change.indexUuid()).isEqualTo(metadata.indexUuid());
            assertThat(change.tableUuid()).isEqualTo(metadata.tableUuid());
            assertThat(change.location()).isEqualTo(metadata.location());
            assertThat(change.indexType()).isEqualTo(metadata.indexType());
            assertThat(change.identityFields()).isEqualTo(metadata.identityFields());
            assertThat(change.statsFields()).isEqualTo(metadata.statsFields());
            assertThat(change.orderingKey()).isEqualTo(metadata.orderingKey());
            assertThat(change.schemas().subList(0, 2)).isEqualTo(metadata.schemas());
        }
    }

    @Test
    @Tag("IX-07")
    void testPropertiesChange()
    {
        IndexMetadata metadata = usersById().properties(ImmutableMap.of("a", "1", "b", "2")).build();
        IndexMetadata changed = metadata.withProperties(ImmutableMap.of("b", "3", "c", "4"), ImmutableSet.of("a", "absent"));
        assertThat(changed.properties()).isEqualTo(ImmutableMap.of("b", "3", "c", "4"));
        assertThat(metadata.properties()).isEqualTo(ImmutableMap.of("a", "1", "b", "2"));
        assertThatThrownBy(() -> metadata.withProperties(ImmutableMap.of("a", "1"), ImmutableSet.of("a")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("IX-07")
    void testReadersDoNotDependOnProperties()
    {
        String json = TestingMetadata.compactResource("full.json")
                .replace("\"write.metadata.previous-versions-max\":\"3\"", "\"write.metadata.previous-versions-max\":\"many\"");
        IndexMetadata metadata = IndexMetadataParser.fromJson("test", json.getBytes(UTF_8));
        assertThat(metadata.unusableReason()).isEmpty();

        // A writer must not guess how much history to delete, and setting the property must remain possible
        assertThatThrownBy(() -> metadata.replacing("metadata/v3.metadata.json", 5))
                .isInstanceOf(TrinoException.class)
                .hasMessage("Index property write.metadata.previous-versions-max is not an int: 'many'; set or remove it");
        assertThat(metadata.withProperties(ImmutableMap.of(), ImmutableSet.of(PREVIOUS_VERSIONS_MAX)).replacing("metadata/v3.metadata.json", 5).droppedLogEntries()).isEmpty();
    }

    @Test
    void testBadPropertyIsRefused()
    {
        assertThatThrownBy(() -> usersById().build().withProperties(ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "1.5"), ImmutableSet.of()))
                .isInstanceOf(TrinoException.class)
                .hasMessage("Index property write.metadata.previous-versions-max is not an int: '1.5'; set or remove it");
        assertThatThrownBy(() -> usersById().build().withProperties(ImmutableMap.of(DELETE_AFTER_COMMIT, "yes"), ImmutableSet.of()))
                .isInstanceOf(TrinoException.class)
                .hasMessage("Index property write.metadata.delete-after-commit.enabled is neither true nor false: 'yes'");
    }

    @Test
    @Tag("IX-27")
    void testAddAndRemoveExtracts()
    {
        IndexMetadata metadata = usersById().build()
                .withExtract(extract(1, 0))
                .withExtract(extract(2, 0));
        assertThat(metadata.extracts()).containsExactly(extract(1, 0), extract(2, 0));
        assertThatThrownBy(() -> metadata.withExtract(extract(2, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("extracts has extract-id 2 twice");
        assertThat(metadata.withoutExtracts(ImmutableSet.of(1L, 9L)).extracts()).containsExactly(extract(2, 0));
    }

    @Test
    @Tag("IX-11")
    void testExtractNeedsItsSchema()
    {
        assertThatThrownBy(() -> usersById().build().withExtract(extract(1, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("extract 1 names extract-schema-id 3, which is not in schemas");
    }

    @Test
    @Tag("IX-15")
    void testSchemaIsAppendedAndMustWiden()
    {
        IndexMetadata metadata = usersById().build();
        Schema widened = usersSchema(1, NestedField.optional(1, "user_id", Types.LongType.get()));
        IndexMetadata evolved = metadata.withSchema(widened);
        assertThat(evolved.schemas()).containsExactly(metadata.latestSchema(), widened);

        assertNotWidening(evolved, usersSchema(2, NestedField.required(1, "user_id", Types.LongType.get())), "makes the optional field 1 user_id required");
        assertNotWidening(evolved, usersSchema(2, NestedField.optional(1, "user_id", Types.IntegerType.get())), "changes the type of field 1 user_id from long to int, which is no valid promotion");
        assertNotWidening(evolved, usersSchema(2, NestedField.optional(1, "id", Types.LongType.get())), "has field 1 id in the place of field 1 user_id");
        assertNotWidening(evolved, usersSchema(2, NestedField.optional(3, "user_id", Types.LongType.get())), "has field 3 user_id in the place of field 1 user_id");
        assertNotWidening(evolved, new Schema(2, NestedField.optional(1, "user_id", Types.LongType.get())), "has 1 fields instead of 3");
        assertThatThrownBy(() -> evolved.withSchema(usersSchema(1, NestedField.optional(1, "user_id", Types.LongType.get()))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("schemas has schema-id 1 twice");
    }

    @Test
    @Tag("IX-15")
    void testPromotions()
    {
        assertThat(SchemaEvolution.isPromotion(Types.IntegerType.get(), Types.LongType.get())).isTrue();
        assertThat(SchemaEvolution.isPromotion(Types.FloatType.get(), Types.DoubleType.get())).isTrue();
        assertThat(SchemaEvolution.isPromotion(Types.DecimalType.of(9, 2), Types.DecimalType.of(18, 2))).isTrue();
        assertThat(SchemaEvolution.isPromotion(Types.DateType.get(), Types.TimestampType.withoutZone())).isTrue();
        assertThat(SchemaEvolution.isPromotion(Types.DateType.get(), Types.TimestampNanoType.withoutZone())).isTrue();
        assertThat(SchemaEvolution.isPromotion(Types.UnknownType.get(), Types.StringType.get())).isTrue();

        assertThat(SchemaEvolution.isPromotion(Types.LongType.get(), Types.IntegerType.get())).isFalse();
        assertThat(SchemaEvolution.isPromotion(Types.IntegerType.get(), Types.DoubleType.get())).isFalse();
        assertThat(SchemaEvolution.isPromotion(Types.DecimalType.of(9, 2), Types.DecimalType.of(9, 3))).isFalse();
        assertThat(SchemaEvolution.isPromotion(Types.DecimalType.of(9, 2), Types.DecimalType.of(8, 2))).isFalse();
        assertThat(SchemaEvolution.isPromotion(Types.DateType.get(), Types.TimestampType.withZone())).isFalse();
        assertThat(SchemaEvolution.isPromotion(Types.DateType.get(), Types.TimestampNanoType.withZone())).isFalse();
        assertThat(SchemaEvolution.isPromotion(Types.StringType.get(), Types.BinaryType.get())).isFalse();
        assertThat(SchemaEvolution.isPromotion(Types.UnknownType.get(), Types.ListType.ofOptional(9, Types.StringType.get()))).isFalse();
    }

    @Test
    @Tag("IX-15")
    void testNestedFieldsMustWidenToo()
    {
        Schema older = new Schema(NestedField.required(1, "s", Types.StructType.of(NestedField.required(2, "a", Types.IntegerType.get()))));
        Schema wider = new Schema(NestedField.required(1, "s", Types.StructType.of(NestedField.optional(2, "a", Types.LongType.get()))));
        Schema flat = new Schema(NestedField.required(1, "s", Types.IntegerType.get()));
        assertThat(SchemaEvolution.findProblem(older, wider)).isEmpty();
        assertThat(SchemaEvolution.findProblem(wider, older)).contains("makes the optional field 2 a required");
        assertThat(SchemaEvolution.findProblem(older, flat).orElseThrow()).startsWith("changes the type of field 1 s");
    }

    @Test
    @Tag("IX-16")
    void testStatsFieldTypeFollowsPromotion()
    {
        IndexMetadata metadata = usersById()
                .statsFields(ImmutableList.of(
                        new StatsField(107, Types.IntegerType.get(), function("truncate", 10)),
                        new StatsField(108, Types.IntegerType.get(), function("bucket", 16))))
                .orderingKey(ImmutableList.of(108, 107))
                .build();
        Schema first = metadata.latestSchema();
        Schema widened = usersSchema(1, NestedField.required(1, "user_id", Types.LongType.get()));
        IndexMetadata evolved = metadata.withSchema(widened);
        assertThat(evolved.statsFields()).containsExactly(
                new StatsField(107, Types.LongType.get(), function("truncate", 10)),
                new StatsField(108, Types.IntegerType.get(), function("bucket", 16)));
        assertThat(evolved.unusableReason()).isEmpty();

        assertThat(evolved.typeOf(107, first)).contains(Types.IntegerType.get());
        assertThat(evolved.typeOf(107, widened)).contains(Types.LongType.get());
        assertThat(evolved.typeOf(1, first)).contains(Types.IntegerType.get());
        assertThat(evolved.typeOf(999, first)).isEmpty();
    }

    @Test
    @Tag("IX-24")
    void testTimeOfUpdateIsSetJustBeforeWriting()
    {
        IndexMetadata created = usersById().lastUpdatedMillis(0).build();
        assertThat(created.writtenAt(5000).lastUpdatedMillis()).isEqualTo(5000);

        IndexMetadata changed = created.writtenAt(5000).withExtract(extract(1, 0));
        assertThat(changed.lastUpdatedMillis()).isEqualTo(5000);
        assertThat(changed.replacing("/m/v1.metadata.json", 7000).metadata().lastUpdatedMillis()).isEqualTo(7000);
    }

    @Test
    @Tag("IX-29")
    void testReplacedFileIsLogged()
    {
        IndexMetadata metadata = usersById().lastUpdatedMillis(1000).build()
                .withExtract(extract(1, 0)).replacing("/m/v1.metadata.json", 2000).metadata()
                .withExtract(extract(2, 0)).replacing("/m/v2.metadata.json", 3000).metadata();
        assertThat(metadata.metadataLog()).containsExactly(
                new MetadataLogEntry("/m/v1.metadata.json", 1000),
                new MetadataLogEntry("/m/v2.metadata.json", 2000));
    }

    @Test
    @Tag("IX-29")
    void testLogKeepsHundredEntriesByDefault()
    {
        IndexMetadata metadata = usersById().build();
        for (int version = 1; version <= 100; version++) {
            IndexMetadata.Replacement replacement = metadata.replacing("/m/v%s.metadata.json".formatted(version), version);
            assertThat(replacement.droppedLogEntries()).isEmpty();
            metadata = replacement.metadata();
        }
        IndexMetadata.Replacement replacement = metadata.replacing("/m/v101.metadata.json", 101);
        assertThat(replacement.droppedLogEntries()).containsExactly(new MetadataLogEntry("/m/v1.metadata.json", 1000));
        assertThat(replacement.obsoleteMetadataFiles()).isEmpty();
        assertThat(replacement.metadata().metadataLog()).hasSize(100);
        assertThat(replacement.metadata().metadataLog().getFirst()).isEqualTo(new MetadataLogEntry("/m/v2.metadata.json", 1));
        assertThat(replacement.metadata().metadataLog().getLast()).isEqualTo(new MetadataLogEntry("/m/v101.metadata.json", 100));
    }

    @Test
    @Tag("IX-29")
    void testDroppedFilesAreDeletedOnDemand()
    {
        Map<String, String> properties = ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "2", DELETE_AFTER_COMMIT, "True");
        IndexMetadata metadata = logged(usersById().properties(properties), "metadata/v1.metadata.json", "metadata/v2.metadata.json", "/m/v3.metadata.json");
        IndexMetadata.Replacement replacement = metadata.replacing("/m/v4.metadata.json", 9);
        assertThat(replacement.metadata().metadataLog()).extracting(MetadataLogEntry::metadataFile).containsExactly("/m/v3.metadata.json", "/m/v4.metadata.json");
        assertThat(replacement.obsoleteMetadataFiles()).containsExactly(
                "s3://bucket/users.indexes/by_id/metadata/v1.metadata.json",
                "s3://bucket/users.indexes/by_id/metadata/v2.metadata.json");
    }

    @Test
    @Tag("IX-29")
    void testFileStillInLogIsNotDeleted()
    {
        Map<String, String> properties = ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "1", DELETE_AFTER_COMMIT, "true");
        IndexMetadata metadata = logged(usersById().properties(properties), "metadata/v1.metadata.json", "/m/v2.metadata.json");
        IndexMetadata.Replacement replacement = metadata.replacing("s3://bucket/users.indexes/by_id/metadata/v1.metadata.json", 9);
        assertThat(replacement.droppedLogEntries()).hasSize(2);
        assertThat(replacement.obsoleteMetadataFiles()).containsExactly("/m/v2.metadata.json");
    }

    @Test
    @Tag("IX-29")
    void testReplacedFileAlwaysStaysInLog()
    {
        for (String max : List.of("0", "-5", "1")) {
            IndexMetadata metadata = usersById().properties(ImmutableMap.of(PREVIOUS_VERSIONS_MAX, max)).build();
            assertThat(metadata.replacing("/m/v1.metadata.json", 9).metadata().metadataLog())
                    .containsExactly(new MetadataLogEntry("/m/v1.metadata.json", 1000));
        }
    }

    @Test
    void testLookups()
    {
        IndexMetadata metadata = read("full.json");
        assertThat(metadata.identityFieldOfSource(7)).contains(new IdentityField(7, 107));
        assertThat(metadata.identityFieldOfSource(107)).isEmpty();
        assertThat(metadata.identityFieldOfColumn(107)).contains(new IdentityField(7, 107));
        assertThat(metadata.identityFieldOfColumn(7)).isEmpty();
        assertThat(metadata.statsField(104)).isPresent();
        assertThat(metadata.statsField(1)).isEmpty();
        assertThatThrownBy(() -> metadata.schemaOf(extract(1, 99)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Extract 1 belongs to another index");
    }

    private static IndexMetadata logged(IndexMetadataBuilder builder, String... files)
    {
        return builder
                .metadataLog(List.of(files).stream().map(file -> new MetadataLogEntry(file, 1)).toList())
                .build();
    }

    private static ValueExpression function(String name, int parameter)
    {
        return new ValueExpression.Apply(FunctionName.icebergFunction(name), ImmutableList.of(
                new ValueExpression.Literal(TestingMetadata.json(String.valueOf(parameter).getBytes(UTF_8)), Optional.empty()),
                new ValueExpression.Reference(1)));
    }

    private static Extract extract(long extractId, int schemaId)
    {
        return new Extract(extractId, 5, schemaId, 1, "metadata/tracking-%s.parquet".formatted(extractId), 100, ImmutableMap.of(), Optional.empty());
    }

    private static void assertNotWidening(IndexMetadata metadata, Schema schema, String problem)
    {
        assertThatThrownBy(() -> metadata.withSchema(schema))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("schemas does not widen step by step: schema 2 " + problem);
    }
}
