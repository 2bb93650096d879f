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

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.trino.spi.TrinoException;
import org.apache.iceberg.EncryptedKeyParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.encryption.EncryptedKey;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS;
import static com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS;
import static com.fasterxml.jackson.databind.cfg.JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES;
import static com.google.common.base.Preconditions.checkArgument;
import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_VERSION_UNSUPPORTED;

/// The JSON form of [IndexMetadata]: the index metadata file, format version 1, with the field names of the index draft.
///
/// Optional lists and maps are written only if they are not empty. Fields that are not known here follow the known ones of their object.
public final class IndexMetadataParser
{
    /// A longer file is refused; who reads a file should look at its size before loading it.
    public static final int MAX_SIZE_IN_BYTES = 128 * 1024 * 1024;

    private static final int MAX_NESTING_DEPTH = 100;

    private static final String FORMAT_VERSION = "format-version";
    private static final String INDEX_UUID = "index-uuid";
    private static final String TABLE_UUID = "table-uuid";
    private static final String LOCATION = "location";
    private static final String LAST_UPDATED_MS = "last-updated-ms";
    private static final String INDEX_TYPE = "index-type";
    private static final String IDENTITY_FIELDS = "identity-fields";
    private static final String SOURCE_ID = "source-id";
    static final String FIELD_ID = "field-id";
    private static final String SCHEMAS = "schemas";
    private static final String SCHEMA_ID = "schema-id";
    private static final String STATS_FIELDS = "stats-fields";
    private static final String ORDERING_KEY = "ordering-key";
    static final String PROPERTIES = "properties";
    private static final String EXTRACTS = "extracts";
    static final String TIMESTAMP_MS = "timestamp-ms";
    static final String KEY_ID = "key-id";
    private static final String METADATA_LOG = "metadata-log";
    private static final String METADATA_FILE = "metadata-file";
    private static final String ENCRYPTION_KEYS = "encryption-keys";

    static final Set<String> TOP_LEVEL_FIELDS = ImmutableSet.of(
            FORMAT_VERSION, INDEX_UUID, TABLE_UUID, LOCATION, LAST_UPDATED_MS, INDEX_TYPE, IDENTITY_FIELDS, SCHEMAS, STATS_FIELDS, ORDERING_KEY, PROPERTIES, EXTRACTS, METADATA_LOG, ENCRYPTION_KEYS);

    // Numbers of unknown fields must come out as they went in, so decimals stay decimals
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_NESTING_DEPTH)
                            .maxDocumentLength(MAX_SIZE_IN_BYTES)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(FAIL_ON_TRAILING_TOKENS, USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private IndexMetadataParser() {}

    public static String toJson(IndexMetadata metadata)
    {
        StringWriter writer = new StringWriter();
        try (JsonGenerator generator = MAPPER.createGenerator(writer)) {
            toJson(metadata, generator);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return writer.toString();
    }

    /// Parses a metadata file. An unknown index type or function is no error: see [IndexMetadata#unusableReason()].
    ///
    /// @param fileLocation names the file in errors
    /// @throws TrinoException with `INDEX_CORRUPT` if the text breaks the format, or with `INDEX_VERSION_UNSUPPORTED` if it has another format version
    public static IndexMetadata fromJson(String fileLocation, byte[] json)
    {
        if (json.length > MAX_SIZE_IN_BYTES) {
            throw corrupt(fileLocation, "it has %s bytes, more than %s".formatted(json.length, MAX_SIZE_IN_BYTES), null);
        }
        try {
            JsonFields fields = new JsonFields(MAPPER.readTree(json), "");
            int formatVersion = fields.requiredInt(FORMAT_VERSION);
            if (formatVersion != IndexMetadata.FORMAT_VERSION) {
                throw new TrinoException(INDEX_VERSION_UNSUPPORTED, "Index metadata file %s has format version %s, but only version %s is supported; use a release that knows version %s"
                        .formatted(fileLocation, formatVersion, IndexMetadata.FORMAT_VERSION, formatVersion));
            }
            return fromJson(fields);
        }
        catch (IOException e) {
            throw corrupt(fileLocation, "it is not valid JSON", e);
        }
        catch (IllegalArgumentException e) {
            throw corrupt(fileLocation, e.getMessage(), e);
        }
    }

    private static TrinoException corrupt(String fileLocation, String problem, Throwable cause)
    {
        return new TrinoException(INDEX_CORRUPT, "Index metadata file %s is corrupt: %s. Drop and create the index again if the file cannot be restored".formatted(fileLocation, problem), cause);
    }

    private static IndexMetadata fromJson(JsonFields fields)
    {
        IndexMetadataBuilder builder = IndexMetadata.builder()
                .indexUuid(fields.requiredString(INDEX_UUID))
                .tableUuid(fields.requiredString(TABLE_UUID))
                .location(fields.requiredString(LOCATION))
                .lastUpdatedMillis(fields.requiredLong(LAST_UPDATED_MS))
                .indexType(fields.requiredString(INDEX_TYPE))
                .identityFields(parseAll(IDENTITY_FIELDS, fields.requiredList(IDENTITY_FIELDS), IndexMetadataParser::identityField))
                .properties(fields.optionalStringMap(PROPERTIES))
                .extracts(parseAll(EXTRACTS, fields.optionalList(EXTRACTS), ExtractParser::fromJson))
                .metadataLog(parseAll(METADATA_LOG, fields.optionalList(METADATA_LOG), IndexMetadataParser::metadataLogEntry));

        List<JsonNode> schemas = fields.requiredList(SCHEMAS);
        List<JsonNode> statsFields = fields.optionalList(STATS_FIELDS);
        List<JsonNode> encryptionKeys = fields.optionalList(ENCRYPTION_KEYS);
        builder.schemas(parseAll(SCHEMAS, schemas, IndexMetadataParser::schema))
                .statsFields(parseAll(STATS_FIELDS, statsFields, StatsFieldParser::fromJson))
                .encryptionKeys(parseAll(ENCRYPTION_KEYS, encryptionKeys, IndexMetadataParser::encryptionKey))
                .orderingKey(orderingKey(fields.requiredList(ORDERING_KEY)))
                .originalJson(originalJson(schemas, statsFields, encryptionKeys));

        // After all known fields have been asked for
        return builder.unknownFields(fields.unknownFields())
                .buildUnchecked();
    }

    private interface ElementParser<T>
    {
        T parse(JsonNode json, String path);
    }

    private static <T> List<T> parseAll(String name, List<JsonNode> elements, ElementParser<T> parser)
    {
        ImmutableList.Builder<T> parsed = ImmutableList.builderWithExpectedSize(elements.size());
        for (int i = 0; i < elements.size(); i++) {
            parsed.add(parser.parse(elements.get(i), name + "[" + i + "]"));
        }
        return parsed.build();
    }

    private static IdentityField identityField(JsonNode json, String path)
    {
        JsonFields fields = new JsonFields(json, path);
        int sourceId = fields.requiredInt(SOURCE_ID);
        int fieldId = fields.requiredInt(FIELD_ID);
        return new IdentityField(sourceId, fieldId, fields.unknownFields());
    }

    private static Schema schema(JsonNode json, String path)
    {
        new JsonFields(json, path).requiredInt(SCHEMA_ID);
        try {
            return SchemaParser.fromJson(json);
        }
        // Iceberg reports a bad schema by exceptions of many kinds
        catch (RuntimeException e) {
            throw new IllegalArgumentException("%s is not a valid schema: %s".formatted(path, e.getMessage()), e);
        }
    }

    private static List<Integer> orderingKey(List<JsonNode> json)
    {
        return parseAll(ORDERING_KEY, json, (element, path) -> {
            checkArgument(element.isIntegralNumber() && element.canConvertToInt(), "%s is not an int", path);
            return element.intValue();
        });
    }

    private static MetadataLogEntry metadataLogEntry(JsonNode json, String path)
    {
        JsonFields fields = new JsonFields(json, path);
        String metadataFile = fields.requiredString(METADATA_FILE);
        long timestampMillis = fields.requiredLong(TIMESTAMP_MS);
        return new MetadataLogEntry(metadataFile, timestampMillis, fields.unknownFields());
    }

    private static EncryptedKey encryptionKey(JsonNode json, String path)
    {
        new JsonFields(json, path).requiredString(KEY_ID);
        try {
            return EncryptedKeyParser.fromJson(json.toString());
        }
        catch (RuntimeException e) {
            throw new IllegalArgumentException("%s is not a valid encryption key: %s".formatted(path, e.getMessage()), e);
        }
    }

    private static OriginalJson originalJson(List<JsonNode> schemas, List<JsonNode> statsFields, List<JsonNode> encryptionKeys)
    {
        ImmutableMap.Builder<Integer, JsonNode> schemasById = ImmutableMap.builder();
        schemas.forEach(schema -> schemasById.put(schema.get(SCHEMA_ID).intValue(), schema));
        ImmutableMap.Builder<Integer, JsonNode> expressions = ImmutableMap.builder();
        statsFields.stream()
                .filter(StatsFieldParser::hasExpression)
                .forEach(field -> expressions.put(field.get(FIELD_ID).intValue(), field.get(StatsFieldParser.EXPR)));
        ImmutableMap.Builder<String, JsonNode> keysById = ImmutableMap.builder();
        encryptionKeys.forEach(key -> keysById.put(key.get(KEY_ID).textValue(), key));
        // Duplicates are refused with a better message when the metadata is built
        return new OriginalJson(schemasById.buildKeepingLast(), expressions.buildKeepingLast(), keysById.buildKeepingLast());
    }

    private interface ElementWriter<T>
    {
        void write(T element)
                throws IOException;
    }

    private static <T> void writeList(String name, List<T> elements, JsonGenerator generator, ElementWriter<T> writer)
            throws IOException
    {
        generator.writeArrayFieldStart(name);
        for (T element : elements) {
            writer.write(element);
        }
        generator.writeEndArray();
    }

    private static <T> void writeListIfNotEmpty(String name, List<T> elements, JsonGenerator generator, ElementWriter<T> writer)
            throws IOException
    {
        if (!elements.isEmpty()) {
            writeList(name, elements, generator, writer);
        }
    }

    private static void toJson(IndexMetadata metadata, JsonGenerator generator)
            throws IOException
    {
        OriginalJson original = metadata.originalJson();
        generator.writeStartObject();
        generator.writeNumberField(FORMAT_VERSION, IndexMetadata.FORMAT_VERSION);
        generator.writeStringField(INDEX_UUID, metadata.indexUuid());
        generator.writeStringField(TABLE_UUID, metadata.tableUuid());
        generator.writeStringField(LOCATION, metadata.location());
        generator.writeNumberField(LAST_UPDATED_MS, metadata.lastUpdatedMillis());
        generator.writeStringField(INDEX_TYPE, metadata.indexType());
        writeList(IDENTITY_FIELDS, metadata.identityFields(), generator, field -> toJson(field, generator));
        writeList(SCHEMAS, metadata.schemas(), generator, schema -> toJson(schema, original, generator));
        writeListIfNotEmpty(STATS_FIELDS, metadata.statsFields(), generator, field -> StatsFieldParser.toJson(field, original, generator));
        writeList(ORDERING_KEY, metadata.orderingKey(), generator, generator::writeNumber);
        writeProperties(metadata.properties(), generator);
        writeListIfNotEmpty(EXTRACTS, metadata.extracts(), generator, extract -> ExtractParser.toJson(extract, generator));
        writeListIfNotEmpty(METADATA_LOG, metadata.metadataLog(), generator, entry -> toJson(entry, generator));
        writeListIfNotEmpty(ENCRYPTION_KEYS, metadata.encryptionKeys(), generator, key -> toJson(key, original, generator));
        writeUnknownFields(metadata.unknownFields(), generator);
        generator.writeEndObject();
    }

    private static void toJson(IdentityField field, JsonGenerator generator)
            throws IOException
    {
        generator.writeStartObject();
        generator.writeNumberField(SOURCE_ID, field.sourceId());
        generator.writeNumberField(FIELD_ID, field.fieldId());
        writeUnknownFields(field.unknownFields(), generator);
        generator.writeEndObject();
    }

    private static void toJson(Schema schema, OriginalJson original, JsonGenerator generator)
            throws IOException
    {
        JsonNode json = original.schemas().get(schema.schemaId());
        if (json != null) {
            generator.writeTree(json);
        }
        else {
            SchemaParser.toJson(schema, generator);
        }
    }

    private static void toJson(MetadataLogEntry entry, JsonGenerator generator)
            throws IOException
    {
        generator.writeStartObject();
        generator.writeStringField(METADATA_FILE, entry.metadataFile());
        generator.writeNumberField(TIMESTAMP_MS, entry.timestampMillis());
        writeUnknownFields(entry.unknownFields(), generator);
        generator.writeEndObject();
    }

    private static void toJson(EncryptedKey key, OriginalJson original, JsonGenerator generator)
            throws IOException
    {
        JsonNode json = original.encryptionKeys().get(key.keyId());
        generator.writeTree(json == null ? MAPPER.readTree(EncryptedKeyParser.toJson(key)) : json);
    }

    static void writeProperties(Map<String, String> properties, JsonGenerator generator)
            throws IOException
    {
        if (properties.isEmpty()) {
            return;
        }
        generator.writeObjectFieldStart(PROPERTIES);
        for (Map.Entry<String, String> property : properties.entrySet()) {
            generator.writeStringField(property.getKey(), property.getValue());
        }
        generator.writeEndObject();
    }

    static void writeUnknownFields(UnknownFields fields, JsonGenerator generator)
            throws IOException
    {
        for (Map.Entry<String, JsonNode> field : fields.values().entrySet()) {
            generator.writeFieldName(field.getKey());
            generator.writeTree(field.getValue());
        }
    }
}
