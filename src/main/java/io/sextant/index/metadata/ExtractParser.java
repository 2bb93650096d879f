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

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

import static io.sextant.index.metadata.IndexMetadataParser.KEY_ID;
import static io.sextant.index.metadata.IndexMetadataParser.PROPERTIES;
import static io.sextant.index.metadata.IndexMetadataParser.TIMESTAMP_MS;
import static io.sextant.index.metadata.IndexMetadataParser.writeProperties;
import static io.sextant.index.metadata.IndexMetadataParser.writeUnknownFields;

/// The JSON form of an [Extract].
final class ExtractParser
{
    private static final String EXTRACT_ID = "extract-id";
    private static final String SOURCE_TABLE_SNAPSHOT_ID = "source-table-snapshot-id";
    private static final String EXTRACT_SCHEMA_ID = "extract-schema-id";
    private static final String TRACKING_FILE = "tracking-file";
    private static final String TRACKING_FILE_SIZE_IN_BYTES = "tracking-file-size-in-bytes";

    private ExtractParser() {}

    static Extract fromJson(JsonNode json, String path)
    {
        JsonFields fields = new JsonFields(json, path);
        long extractId = fields.requiredLong(EXTRACT_ID);
        long snapshotId = fields.requiredLong(SOURCE_TABLE_SNAPSHOT_ID);
        int schemaId = fields.requiredInt(EXTRACT_SCHEMA_ID);
        long timestampMillis = fields.requiredLong(TIMESTAMP_MS);
        String trackingFile = fields.requiredString(TRACKING_FILE);
        long trackingFileSize = fields.requiredLong(TRACKING_FILE_SIZE_IN_BYTES);
        Map<String, String> properties = fields.optionalStringMap(PROPERTIES);
        Optional<String> keyId = fields.optionalString(KEY_ID);
        return new Extract(extractId, snapshotId, schemaId, timestampMillis, trackingFile, trackingFileSize, properties, keyId, fields.unknownFields());
    }

    static void toJson(Extract extract, JsonGenerator generator)
            throws IOException
    {
        generator.writeStartObject();
        generator.writeNumberField(EXTRACT_ID, extract.extractId());
        generator.writeNumberField(SOURCE_TABLE_SNAPSHOT_ID, extract.sourceTableSnapshotId());
        generator.writeNumberField(EXTRACT_SCHEMA_ID, extract.extractSchemaId());
        generator.writeNumberField(TIMESTAMP_MS, extract.timestampMillis());
        generator.writeStringField(TRACKING_FILE, extract.trackingFile());
        generator.writeNumberField(TRACKING_FILE_SIZE_IN_BYTES, extract.trackingFileSizeInBytes());
        writeProperties(extract.properties(), generator);
        if (extract.keyId().isPresent()) {
            generator.writeStringField(KEY_ID, extract.keyId().orElseThrow());
        }
        writeUnknownFields(extract.unknownFields(), generator);
        generator.writeEndObject();
    }
}
