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

import com.fasterxml.jackson.databind.node.IntNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.expression.FunctionName;
import io.sextant.expression.ValueExpression;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Optional;

import static io.sextant.index.metadata.TestingMetadata.compactResource;
import static io.sextant.index.metadata.TestingMetadata.read;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestIndexMetadataParser
{
    @Test
    @Tag("IX-23")
    void testReadAllFields()
    {
        IndexMetadata metadata = read("full.json");
        assertThat(metadata.indexUuid()).isEqualTo("9c12d441-03fe-4693-9a96-a0705ddf69c1");
        assertThat(metadata.tableUuid()).isEqualTo("a3f1f3c2-0f4d-4c1a-8f2b-5f0c9a1b7d11");
        assertThat(metadata.location()).isEqualTo("s3://bucket/warehouse/users.indexes/by_bucket");
        assertThat(metadata.lastUpdatedMillis()).isEqualTo(1764500300000L);
        assertThat(metadata.indexType()).isEqualTo("scalar");
        assertThat(metadata.identityFields()).containsExactly(
                new IdentityField(1, 1),
                new IdentityField(2147483646, 105),
                new IdentityField(2147483645, 106),
                new IdentityField(7, 107));
        assertThat(metadata.statsFields()).containsExactly(
                new StatsField(104, Types.IntegerType.get(), bucketOfUserId()),
                new StatsField(108, Types.StringType.get(), new ValueExpression.Apply(FunctionName.icebergFunction("truncate"), ImmutableList.of(
                        new ValueExpression.Literal(TestingMetadata.json("3".getBytes(UTF_8)), Optional.of(Types.IntegerType.get())),
                        new ValueExpression.Reference(107)))));
        assertThat(metadata.orderingKey()).containsExactly(104, 1);
        assertThat(metadata.properties()).isEqualTo(ImmutableMap.of(
                "write.metadata.previous-versions-max", "3",
                "write.metadata.delete-after-commit.enabled", "true",
                "write.region.target-size-bytes", "33554432"));
        assertThat(metadata.metadataLog()).containsExactly(
                new MetadataLogEntry("metadata/v1.metadata.json", 1764500000000L),
                new MetadataLogEntry("s3://bucket/warehouse/users.indexes/by_bucket/metadata/v2.metadata.json", 1764500100000L));
        assertThat(metadata.unknownFields()).isEqualTo(UnknownFields.NONE);
        assertThat(metadata.unusableReason()).isEmpty();
    }

    @Test
    @Tag("IX-11")
    void testReadSchemasAndExtracts()
    {
        IndexMetadata metadata = read("full.json");
        assertThat(metadata.schemas()).extracting(Schema::schemaId).containsExactly(4, 2);
        assertThat(metadata.latestSchema().schemaId()).isEqualTo(2);
        assertThat(metadata.schema(4).orElseThrow().findType(1)).isEqualTo(Types.IntegerType.get());
        assertThat(metadata.schema(2).orElseThrow().findType(1)).isEqualTo(Types.LongType.get());
        assertThat(metadata.schema(0)).isEmpty();

        Extract first = new Extract(11, 8744736658442914487L, 4, 1764500100000L, "metadata/tracking-11.parquet", 4096, ImmutableMap.of(), Optional.empty());
        Extract second = new Extract(-7, 8744736658442914487L, 2, 1764500200000L, "s3://other/tracking-12.parquet", 8192, ImmutableMap.of("sextant.entry-count", "5"), Optional.of("tracking-key"));
        assertThat(metadata.extracts()).containsExactly(first, second);
        assertThat(metadata.extract(-7)).contains(second);
        assertThat(metadata.extract(12)).isEmpty();
        assertThat(metadata.schemaOf(second).schemaId()).isEqualTo(2);
    }

    @Test
    @Tag("IX-27")
    void testExtractsOfSnapshot()
    {
        IndexMetadata metadata = read("full.json");
        assertThat(metadata.extractsOf(8744736658442914487L)).extracting(Extract::extractId).containsExactly(11L, -7L);
        assertThat(metadata.extractsOf(1)).isEmpty();
    }

    @Test
    void testReadEncryptionKeys()
    {
        IndexMetadata metadata = read("full.json");
        assertThat(metadata.encryptionKeys()).hasSize(2);
        assertThat(metadata.encryptionKeys().getLast().keyId()).isEqualTo("tracking-key");
        assertThat(metadata.encryptionKeys().getLast().encryptedKeyMetadata()).isEqualTo(ByteBuffer.wrap("tracking key".getBytes(UTF_8)));
        assertThat(metadata.encryptionKeys().getLast().encryptedById()).isEqualTo("root");
        assertThat(metadata.encryptionKeys().getLast().properties()).isEqualTo(ImmutableMap.of("kms", "test"));
    }

    @Test
    @Tag("IX-23")
    void testMissingOptionalFieldsReadAsEmpty()
    {
        IndexMetadata metadata = read("minimal.json");
        assertThat(metadata.statsFields()).isEmpty();
        assertThat(metadata.properties()).isEmpty();
        assertThat(metadata.extracts()).isEmpty();
        assertThat(metadata.metadataLog()).isEmpty();
        assertThat(metadata.encryptionKeys()).isEmpty();
    }

    @Test
    void testNullReadsAsMissing()
    {
        String json = compactResource("minimal.json").replace("\"ordering-key\":", "\"extracts\":null,\"ordering-key\":");
        assertThat(IndexMetadataParser.fromJson("test", json.getBytes(UTF_8)).extracts()).isEmpty();
    }

    @Test
    void testRewriteIsExact()
    {
        assertThat(IndexMetadataParser.toJson(read("minimal.json"))).isEqualTo(compactResource("minimal.json"));
        assertThat(IndexMetadataParser.toJson(read("stats-fields.json"))).isEqualTo(compactResource("stats-fields.json"));
        assertThat(IndexMetadataParser.toJson(read("full.json"))).isEqualTo(compactResource("full.json"));
    }

    @Test
    void testWriteMinimal()
    {
        IndexMetadata metadata = IndexMetadata.builder()
                .indexUuid("9c12d441-03fe-4693-9a96-a0705ddf69c1")
                .tableUuid("a3f1f3c2-0f4d-4c1a-8f2b-5f0c9a1b7d11")
                .location("s3://bucket/warehouse/users.indexes/by_id")
                .lastUpdatedMillis(1764500000000L)
                .identityFields(ImmutableList.of(new IdentityField(1, 1)))
                .schemas(ImmutableList.of(new Schema(0, NestedField.required(1, "user_id", Types.LongType.get()))))
                .orderingKey(ImmutableList.of(1))
                .build();
        assertThat(IndexMetadataParser.toJson(metadata)).isEqualTo(compactResource("minimal.json"));
    }

    @Test
    @Tag("IX-20")
    void testWriteStatsFields()
    {
        IndexMetadata metadata = IndexMetadata.builder()
                .indexUuid("9c12d441-03fe-4693-9a96-a0705ddf69c1")
                .tableUuid("a3f1f3c2-0f4d-4c1a-8f2b-5f0c9a1b7d11")
                .location("s3://bucket/warehouse/users.indexes/by_bucket")
                .lastUpdatedMillis(1764500000000L)
                .identityFields(ImmutableList.of(new IdentityField(1, 1), new IdentityField(2147483646, 105), new IdentityField(2147483645, 106)))
                .schemas(ImmutableList.of(TestingMetadata.usersSchema(0, NestedField.required(1, "user_id", Types.LongType.get()))))
                .statsFields(ImmutableList.of(new StatsField(104, Types.IntegerType.get(), bucketOfUserId())))
                .orderingKey(ImmutableList.of(104, 1))
                .build();
        assertThat(IndexMetadataParser.toJson(metadata)).isEqualTo(compactResource("stats-fields.json"));
    }

    @Test
    void testUnknownFieldsSurviveRewrite()
    {
        IndexMetadata metadata = read("unknown-fields.json");
        assertThat(TestingMetadata.json(IndexMetadataParser.toJson(metadata).getBytes(UTF_8)))
                .isEqualTo(TestingMetadata.json(TestingMetadata.resource("unknown-fields.json")));

        // Also after a change
        IndexMetadata changed = metadata.withProperties(ImmutableMap.of("a", "b"), ImmutableSet.of("from.the.future"));
        assertThat(IndexMetadataParser.toJson(changed))
                .isEqualTo(IndexMetadataParser.toJson(metadata).replace("\"from.the.future\":\"yes\"", "\"a\":\"b\""));
    }

    @Test
    @Tag("IX-06")
    void testExpressionIsRewrittenInTheFormItHad()
    {
        String json = compactResource("stats-fields.json")
                .replace("{\"catalog\":\"iceberg_functions\",\"identifier\":[\"bucket\"]}", "\"bucket\"")
                .replace("[256,", "[{\"value\":256,\"type\":\"literal\"},");
        assertThat(IndexMetadataParser.toJson(IndexMetadataParser.fromJson("test", json.getBytes(UTF_8)))).isEqualTo(json);
    }

    @Test
    void testSetUnknownField()
    {
        IndexMetadata metadata = read("unknown-fields.json");
        String json = IndexMetadataParser.toJson(metadata.withUnknownField("x-number", IntNode.valueOf(3)).withUnknownField("x-new", IntNode.valueOf(4)));
        assertThat(IndexMetadataParser.toJson(metadata)).endsWith(",\"x-number\":0.10}");
        assertThat(json).endsWith(",\"x-number\":3,\"x-new\":4}");
        assertThatThrownBy(() -> metadata.withUnknownField("extracts", IntNode.valueOf(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("extracts is a field of the format");
    }

    @Test
    @Tag("IX-05")
    void testRelativeLocationsResolveAgainstIndexLocation()
    {
        IndexMetadata metadata = read("full.json");
        assertThat(metadata.resolve(metadata.extracts().getFirst().trackingFile()))
                .isEqualTo("s3://bucket/warehouse/users.indexes/by_bucket/metadata/tracking-11.parquet");
        assertThat(metadata.resolve(metadata.extracts().getLast().trackingFile())).isEqualTo("s3://other/tracking-12.parquet");
        assertThat(metadata.resolve("/local/file")).isEqualTo("/local/file");
        assertThat(metadata.resolve("file:/local/file")).isEqualTo("file:/local/file");
        assertThat(metadata.resolve("data/12:30.parquet")).isEqualTo("s3://bucket/warehouse/users.indexes/by_bucket/data/12:30.parquet");

        IndexMetadata trailingSlash = TestingMetadata.usersById().location("/indexes/by_id/").build();
        assertThat(trailingSlash.resolve("metadata/v1.metadata.json")).isEqualTo("/indexes/by_id/metadata/v1.metadata.json");
    }

    @Test
    @Tag("IX-08")
    void testIndexTypeReadsInAnyCaseAndIsWrittenInLowerCase()
    {
        String json = compactResource("minimal.json").replace("\"scalar\"", "\"ScAlAr\"");
        IndexMetadata metadata = IndexMetadataParser.fromJson("test", json.getBytes(UTF_8));
        assertThat(metadata.isScalar()).isTrue();
        assertThat(metadata.unusableReason()).isEmpty();
        assertThat(IndexMetadataParser.toJson(metadata)).isEqualTo(compactResource("minimal.json"));
    }

    @Test
    @Tag("IX-08")
    void testUnknownIndexTypeIsKeptAndNotUsed()
    {
        String json = compactResource("minimal.json").replace("\"scalar\"", "\"Vector\"");
        IndexMetadata metadata = IndexMetadataParser.fromJson("test", json.getBytes(UTF_8));
        assertThat(metadata.isScalar()).isFalse();
        assertThat(metadata.unusableReason()).contains("index type vector is not supported");
        assertThat(IndexMetadataParser.toJson(metadata)).contains("\"index-type\":\"vector\"");
    }

    private static ValueExpression bucketOfUserId()
    {
        return new ValueExpression.Apply(FunctionName.icebergFunction("bucket"), ImmutableList.of(
                new ValueExpression.Literal(TestingMetadata.json("256".getBytes(UTF_8)), Optional.empty()),
                new ValueExpression.Reference(1)));
    }
}
