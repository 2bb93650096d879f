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

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.Resources.getResource;
import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.sextant.error.SextantErrorCode.INDEX_VERSION_UNSUPPORTED;
import static io.sextant.index.metadata.TestingMetadata.compactResource;
import static io.sextant.index.metadata.TestingMetadata.usersById;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Every bad file differs from `full.json` in the one place that its name tells.
final class TestIndexMetadataRules
{
    private static final Map<String, String> STRUCTURE = ImmutableMap.<String, String>builder()
            .put("missing-format-version", "format-version is missing")
            .put("missing-index-uuid", "index-uuid is missing")
            .put("missing-table-uuid", "table-uuid is missing")
            .put("missing-location", "location is missing")
            .put("missing-last-updated-ms", "last-updated-ms is missing")
            .put("missing-index-type", "index-type is missing")
            .put("missing-identity-fields", "identity-fields is missing")
            .put("missing-schemas", "schemas is missing")
            .put("missing-ordering-key", "ordering-key is missing")
            .put("format-version-text", "format-version is not an int: \"1\"")
            .put("last-updated-ms-fraction", "last-updated-ms is not a long: 1.5")
            .put("properties-not-strings", "properties.write.region.target-size-bytes is not a string: 33554432")
            .put("extracts-object", "extracts is not a list: an object")
            .put("log-without-file", "metadata-log[0].metadata-file is missing")
            .buildOrThrow();

    private static final Map<String, String> LOCATIONS = ImmutableMap.of(
            "location-relative", "location is not absolute: warehouse/by_bucket",
            "extract-tracking-file-empty", "tracking-file of extract 11 is empty");

    private static final Map<String, String> SCHEMAS = ImmutableMap.of(
            "schemas-empty", "schemas is empty",
            "schema-without-id", "schemas[0].schema-id is missing",
            "schema-id-twice", "schemas has schema-id 4 twice",
            "schema-field-id-twice", "schemas[1] is not a valid schema",
            "schema-type-unknown", "schemas[1] is not a valid schema");

    private static final Map<String, String> EVOLUTION = ImmutableMap.of(
            "schema-narrows", "schema 2 changes the type of field 1 user_id from int to date, which is no valid promotion",
            "schema-makes-required", "schema 4 changes the type of field 1 user_id from long to int, which is no valid promotion",
            "schema-renames", "schema 2 has field 1 id in the place of field 1 user_id",
            "schema-reorders", "schema 2 has field 107 address.city in the place of field 1 user_id",
            "schema-adds-field", "schema 2 has 5 fields instead of 4");

    private static final Map<String, String> SOURCES = ImmutableMap.of(
            "identity-source-deleted", "identity-fields names source-id 2147483644, a reserved column that cannot be indexed",
            "identity-source-partition", "identity-fields names source-id 2147483642, a reserved column",
            "identity-source-change-type", "identity-fields names source-id 2147483543, a reserved column",
            "identity-source-delete-file-path", "identity-fields names source-id 2147483546, a reserved column");

    private static final Map<String, String> IDENTITY_FIELDS = ImmutableMap.of(
            "identity-source-id-twice", "identity-fields has source-id 1 twice",
            "identity-field-id-twice", "identity-fields has field-id 1 twice",
            "identity-field-id-unknown", "identity-fields names field-id 999, which no extract schema has");

    private static final Map<String, String> IDENTITY_COLUMNS = ImmutableMap.of(
            "identity-column-type", "schemas gives field 106 the type long in schema 4, but its source _spec_id has type int",
            "identity-column-required", "schemas requires field 106 in schema 4, but its source _row_id is optional");

    private static final Map<String, String> STATS_FIELD_IDS = ImmutableMap.of(
            "stats-field-id-twice", "stats-fields has field-id 104, which another field has too",
            "stats-field-id-of-column", "stats-fields has field-id 107, which another field has too");

    private static final Map<String, String> EXPRESSIONS = ImmutableMap.of(
            "stats-field-without-expr", "stats-fields[0].expr is missing",
            "stats-field-refers-to-stats-field", "expr of stats-fields field 108 refers to field 104, which is no identity column",
            "stats-field-refers-by-name", "the expression refers to a field by name instead of by ID: \"city\"");

    private static final Map<String, String> ORDERING_KEY = ImmutableMap.of(
            "ordering-key-empty", "ordering-key is empty",
            "ordering-key-field-unknown", "ordering-key names field 999, which is neither in schemas nor in stats-fields",
            "ordering-key-text", "ordering-key[0] is not an int",
            "ordering-key-not-primitive", "ordering-key names field 300, whose type is not primitive");

    private static final Map<String, String> EXTRACTS = ImmutableMap.of(
            "extract-id-twice", "extracts has extract-id 11 twice",
            "extract-schema-unknown", "extract 11 names extract-schema-id 3, which is not in schemas",
            "extract-size-negative", "tracking-file-size-in-bytes of extract 11 is not between 1 and 1125899906842624: -1",
            "extract-size-zero", "tracking-file-size-in-bytes of extract 11 is not between 1 and 1125899906842624: 0",
            "extract-size-huge", "tracking-file-size-in-bytes of extract 11 is not between 1 and 1125899906842624: 9223372036854775807",
            "extract-size-beyond-long", "extracts[0].tracking-file-size-in-bytes is not a long: 9223372036854775808");

    private static final Map<String, String> KEYS = ImmutableMap.of(
            "extract-key-unknown", "extract -7 names key-id lost, which is not in encryption-keys",
            "encryption-key-twice", "encryption-keys has key-id root twice",
            "encryption-key-not-base64", "encryption-keys[0] is not a valid encryption key");

    private static final Set<String> VERSIONS = ImmutableSet.of("format-version-0", "format-version-2");

    @Test
    @Tag("IX-23")
    void testStructure()
    {
        assertCorrupt(STRUCTURE);
    }

    @Test
    @Tag("IX-23")
    void testOtherFormatVersions()
    {
        for (int version : List.of(0, 2)) {
            assertThatThrownBy(() -> TestingMetadata.read("bad/format-version-%s.json".formatted(version)))
                    .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(INDEX_VERSION_UNSUPPORTED.toErrorCode()))
                    .hasMessage("Index metadata file bad/format-version-%1$s.json has format version %1$s, but only version 1 is supported; use a release that knows version %1$s".formatted(version));
        }
    }

    @Test
    @Tag("IX-05")
    void testLocations()
    {
        assertCorrupt(LOCATIONS);
    }

    @Test
    @Tag("IX-09")
    void testSchemas()
    {
        assertCorrupt(SCHEMAS);
    }

    @Test
    @Tag("IX-15")
    void testSchemaEvolution()
    {
        assertCorrupt(EVOLUTION);
    }

    @Test
    @Tag("IX-10")
    void testSources()
    {
        assertCorrupt(SOURCES);
    }

    @Test
    @Tag("IX-25")
    void testIdentityFields()
    {
        assertCorrupt(IDENTITY_FIELDS);
    }

    @Test
    @Tag("IX-11")
    @Tag("IX-12")
    void testIdentityColumnsOfMetadataColumns()
    {
        assertCorrupt(IDENTITY_COLUMNS);
    }

    @Test
    @Tag("IX-19")
    void testStatsFieldIds()
    {
        assertCorrupt(STATS_FIELD_IDS);
    }

    @Test
    @Tag("IX-21")
    void testExpressions()
    {
        assertCorrupt(EXPRESSIONS);
    }

    @Test
    @Tag("IX-22")
    void testOrderingKey()
    {
        assertCorrupt(ORDERING_KEY);
    }

    @Test
    @Tag("IX-27")
    void testExtracts()
    {
        assertCorrupt(EXTRACTS);
    }

    @Test
    @Tag("IX-31")
    void testEncryptionKeys()
    {
        assertCorrupt(KEYS);
    }

    @Test
    void testEveryBadFileIsTested()
            throws IOException, URISyntaxException
    {
        Set<String> tested = Stream.of(STRUCTURE, LOCATIONS, SCHEMAS, EVOLUTION, SOURCES, IDENTITY_FIELDS, IDENTITY_COLUMNS, STATS_FIELD_IDS, EXPRESSIONS, ORDERING_KEY, EXTRACTS, KEYS)
                .flatMap(files -> files.keySet().stream())
                .collect(Collectors.toCollection(HashSet::new));
        tested.addAll(VERSIONS);
        try (Stream<Path> files = Files.list(Path.of(getResource(TestingMetadata.class, "v1/bad").toURI()))) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".json", "")).collect(toImmutableList()))
                    .containsExactlyInAnyOrderElementsOf(tested);
        }
    }

    @Test
    void testNotAnIndexMetadataFile()
    {
        assertCorrupt("", "content is not an object");
        assertCorrupt("[]", "content is not an object: a list");
        assertCorrupt("PAR1", "it is not valid JSON");
        assertCorrupt("{\"format-version\": 1", "it is not valid JSON");
        assertCorrupt(compactResource("minimal.json") + "{}", "it is not valid JSON");
        assertCorrupt(compactResource("minimal.json").replace("{\"format-version\":1", "{\"format-version\":1,\"location\":\"/other\""), "it is not valid JSON");
        assertThatThrownBy(() -> IndexMetadataParser.fromJson("test", compactResource("minimal.json").replace("user_id", "größe").getBytes(ISO_8859_1)))
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(INDEX_CORRUPT.toErrorCode()))
                .hasMessageContaining("it is not valid JSON");
    }

    @Test
    void testHostileInput()
    {
        String minimal = compactResource("minimal.json");
        assertCorrupt(minimal.replace("{\"format-version\"", "{\"x\":%s1%s,\"format-version\"".formatted("[".repeat(100_000), "]".repeat(100_000))), "it is not valid JSON");
        assertCorrupt(minimal.replace("1764500000000", "9".repeat(100_000)), "it is not valid JSON");
        assertCorrupt(minimal.replace("1764500000000", "1e999999999"), "last-updated-ms is not a long");
        assertCorrupt(minimal.replace("\"long\"", "\"fixed[99999999999]\""), "schemas[0] is not a valid schema");
        assertCorrupt(minimal.replace("\"long\"", "\"decimal(39,0)\""), "schemas[0] is not a valid schema");
        assertCorrupt(minimal.replace("\"long\"", "{\"type\":\"struct\"}"), "schemas[0] is not a valid schema");
        assertThatThrownBy(() -> IndexMetadataParser.fromJson("test", new byte[IndexMetadataParser.MAX_SIZE_IN_BYTES + 1]))
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(INDEX_CORRUPT.toErrorCode()))
                .hasMessageContaining("it has 134217729 bytes, more than 134217728");
    }

    @Test
    void testDamagedFilesGiveNoOtherError()
    {
        byte[] file = TestingMetadata.resource("full.json");
        Random random = new Random(42);
        Set<String> outcomes = new HashSet<>();
        for (int i = 0; i < 3_000; i++) {
            byte[] damaged = Arrays.copyOf(file, random.nextInt(4) == 0 ? random.nextInt(file.length) : file.length);
            for (int change = 0; change < 1 + random.nextInt(3) && damaged.length > 0; change++) {
                damaged[random.nextInt(damaged.length)] = random.nextBoolean() ? (byte) random.nextInt(256) : (byte) "0123456789-\"{}[]:,e.".charAt(random.nextInt(20));
            }
            try {
                IndexMetadata metadata = IndexMetadataParser.fromJson("test", damaged);
                // What is accepted can be used without any surprise
                outcomes.add("read " + metadata.unusableReason().isPresent());
                IndexMetadataParser.fromJson("test", IndexMetadataParser.toJson(metadata).getBytes(UTF_8));
            }
            catch (TrinoException e) {
                outcomes.add(e.getErrorCode().getName());
            }
        }
        assertThat(outcomes).contains("read false", "read true", "INDEX_CORRUPT")
                .isSubsetOf("read false", "read true", "INDEX_CORRUPT", "INDEX_VERSION_UNSUPPORTED");
    }

    @Test
    @Tag("IX-20")
    void testOtherStatsFieldTypeIsIgnoredOnReadUnlessItIsKey()
    {
        IndexMetadata metadata = TestingMetadata.read("unknown-fields.json");
        assertThat(metadata.statsField(105).orElseThrow().type()).isEqualTo("partition-value");
        assertThat(metadata.statsField(105).orElseThrow().isExpressionValue()).isFalse();
        assertThat(metadata.unusableReason()).isEmpty();

        assertThat(withOrderingKey("unknown-fields.json", "[105]").unusableReason())
                .contains("ordering key field 105: type partition-value of a stats-only field is not supported");
    }

    @Test
    @Tag("IX-21")
    void testUnknownFunctionIsIgnoredOnReadUnlessItIsKey()
    {
        assertThat(TestingMetadata.read("unknown-fields.json").unusableReason()).isEmpty();
        assertThat(withOrderingKey("unknown-fields.json", "[1,104]").unusableReason().orElseThrow())
                .startsWith("ordering key field 104: expression is not understood: {\"type\":\"apply\",\"function\":\"sound\"");
        assertThat(withOrderingKey("unknown-fields.json", "[106]").unusableReason())
                .contains("ordering key field 106: data-type \"money\" is not string, the type of the expression");
        String unknownFunction = compactResource("stats-fields.json").replace("[\"bucket\"]", "[\"random\"]");
        assertThat(IndexMetadataParser.fromJson("test", unknownFunction.getBytes(UTF_8)).unusableReason())
                .contains("ordering key field 104: function iceberg_functions.random is not known");
    }

    @Test
    void testIndexesThatCannotBeLookedUp()
    {
        Schema users = new Schema(NestedField.required(1, "user_id", Types.IntegerType.get()));
        assertThat(usersById().build().unusableReason(users)).isEmpty();
        IndexMetadata byBucket = TestingMetadata.read("stats-fields.json");
        assertThat(byBucket.unusableReason()).isEmpty();
        assertThat(byBucket.unusableReason(users)).contains("its ordering key has an expression, which this release cannot look up");
        for (int metadataColumn : new int[] {TestingMetadata.FILE_ID, TestingMetadata.POSITION_ID}) {
            IndexMetadata incomplete = usersById()
                    .identityFields(ImmutableList.of(new IdentityField(1, 1), new IdentityField(metadataColumn, 105)))
                    .schemas(ImmutableList.of(new Schema(
                            users.findField(1),
                            NestedField.required(105, "c", metadataColumn == TestingMetadata.FILE_ID ? Types.StringType.get() : Types.LongType.get()))))
                    .build();
            assertThat(incomplete.unusableReason()).isEmpty();
            assertThat(incomplete.unusableReason(users)).contains("it does not store the file and position of rows");
        }
    }

    @Test
    @Tag("IX-22")
    void testUnusableKeys()
    {
        assertThat(withOrderingKey("full.json", "[1,104,1]").unusableReason()).contains("ordering key has field 1 twice");
        String unknownType = compactResource("minimal.json").replace("\"required\":true,\"type\":\"long\"", "\"required\":false,\"type\":\"unknown\"");
        assertThat(IndexMetadataParser.fromJson("test", unknownType.getBytes(UTF_8)).unusableReason())
                .contains("ordering key field 1: type unknown is not supported");
        String nested = compactResource("minimal.json").replace("\"type\":\"long\"", "\"type\":{\"type\":\"struct\",\"fields\":[{\"id\":2,\"name\":\"a\",\"required\":true,\"type\":\"long\"}]}")
                .replace("\"ordering-key\":[1]", "\"ordering-key\":[2]");
        assertThat(IndexMetadataParser.fromJson("test", nested.getBytes(UTF_8)).unusableReason())
                .contains("ordering key field 2: a field inside a struct is not supported");
        String highId = compactResource("minimal.json").replace("\"field-id\":1", "\"field-id\":999950").replace("\"id\":1,", "\"id\":999950,").replace("[1]", "[999950]");
        assertThat(IndexMetadataParser.fromJson("test", highId.getBytes(UTF_8)).unusableReason())
                .contains("ordering key field 999950: the ID leaves no room for statistics");
    }

    @Test
    @Tag("IX-20")
    @Tag("IX-21")
    void testNewIndexNeedsUsableStatsFields()
    {
        ValueExpression reference = new ValueExpression.Reference(1);
        assertInvalid(
                usersById().statsFields(ImmutableList.of(new StatsField(107, "partition-value", Optional.of(Types.IntegerType.get()), Optional.empty(), UnknownFields.NONE))),
                "stats-only field 107: type partition-value of a stats-only field is not supported");
        assertInvalid(
                usersById().statsFields(ImmutableList.of(new StatsField(107, Types.IntegerType.get(), new ValueExpression.Apply(FunctionName.icebergFunction("random"), ImmutableList.of(reference))))),
                "stats-only field 107: function iceberg_functions.random is not known");
        assertInvalid(
                usersById().statsFields(ImmutableList.of(new StatsField(107, "expr-value", Optional.empty(), Optional.of(reference), UnknownFields.NONE))),
                "stats-only field 107: has no data-type");
        assertInvalid(
                usersById().statsFields(ImmutableList.of(new StatsField(107, Types.LongType.get(), reference))),
                "stats-only field 107: data-type long is not int, the type of the expression");
        assertInvalid(
                usersById().statsFields(ImmutableList.of(new StatsField(999_950, Types.IntegerType.get(), reference))),
                "stats-only field 999950: the ID leaves no room for statistics");
        assertInvalid(
                usersById().statsFields(ImmutableList.of(new StatsField(106, Types.IntegerType.get(), reference))),
                "stats-fields has field-id 106, which another field has too");
    }

    @Test
    void testNewIndexNeedsValidDefinition()
    {
        assertInvalid(usersById().orderingKey(ImmutableList.of()), "ordering-key is empty");
        assertInvalid(usersById().orderingKey(ImmutableList.of(1, 1)), "ordering key has field 1 twice");
        assertInvalid(usersById().location("indexes/by_id"), "location is not absolute: indexes/by_id");
        assertInvalid(usersById().identityFields(ImmutableList.of(new IdentityField(1, 1))), "column _file has no source");
        assertThatThrownBy(() -> usersById().properties(ImmutableMap.of("write.metadata.previous-versions-max", "many")).build())
                .isInstanceOf(TrinoException.class)
                .hasMessage("Index property write.metadata.previous-versions-max is not an int: 'many'; set or remove it");
    }

    private static IndexMetadata withOrderingKey(String resource, String orderingKey)
    {
        String json = compactResource(resource).replaceFirst("\"ordering-key\":\\[[^]]*]", "\"ordering-key\":" + orderingKey);
        return IndexMetadataParser.fromJson("test", json.getBytes(UTF_8));
    }

    private static void assertCorrupt(Map<String, String> messagesByFile)
    {
        messagesByFile.forEach((file, message) ->
                assertThatThrownBy(() -> TestingMetadata.read("bad/" + file + ".json"))
                        .as(file)
                        .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(INDEX_CORRUPT.toErrorCode()))
                        .hasMessageContaining("Index metadata file bad/%s.json is corrupt: ".formatted(file))
                        .hasMessageContaining(message));
    }

    private static void assertCorrupt(String json, String message)
    {
        assertThatThrownBy(() -> IndexMetadataParser.fromJson("test", json.getBytes(UTF_8)))
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(INDEX_CORRUPT.toErrorCode()))
                .hasMessageContaining("Index metadata file test is corrupt: " + message);
    }

    private static void assertInvalid(IndexMetadataBuilder builder, String message)
    {
        assertThatThrownBy(builder::build)
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(INDEX_INVALID_DEFINITION.toErrorCode()))
                .hasMessage("Invalid index definition: " + message);
    }
}
