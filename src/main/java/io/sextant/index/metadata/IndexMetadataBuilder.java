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
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.encryption.EncryptedKey;

import java.util.List;
import java.util.Map;

import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static java.util.Objects.requireNonNull;

/// Builds the [IndexMetadata] of a new index. UUIDs, location, identity fields, schemas and ordering key are required.
public final class IndexMetadataBuilder
{
    String indexUuid;
    String tableUuid;
    String location;
    long lastUpdatedMillis;
    String indexType = IndexMetadata.SCALAR;
    List<IdentityField> identityFields = ImmutableList.of();
    List<Schema> schemas = ImmutableList.of();
    List<StatsField> statsFields = ImmutableList.of();
    List<Integer> orderingKey = ImmutableList.of();
    Map<String, String> properties = ImmutableMap.of();
    List<Extract> extracts = ImmutableList.of();
    List<MetadataLogEntry> metadataLog = ImmutableList.of();
    List<EncryptedKey> encryptionKeys = ImmutableList.of();
    UnknownFields unknownFields = UnknownFields.NONE;
    OriginalJson originalJson = OriginalJson.NONE;

    IndexMetadataBuilder() {}

    @CanIgnoreReturnValue
    public IndexMetadataBuilder indexUuid(String indexUuid)
    {
        this.indexUuid = requireNonNull(indexUuid, "indexUuid is null");
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder tableUuid(String tableUuid)
    {
        this.tableUuid = requireNonNull(tableUuid, "tableUuid is null");
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder location(String location)
    {
        this.location = requireNonNull(location, "location is null");
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder lastUpdatedMillis(long lastUpdatedMillis)
    {
        this.lastUpdatedMillis = lastUpdatedMillis;
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder identityFields(List<IdentityField> identityFields)
    {
        this.identityFields = ImmutableList.copyOf(identityFields);
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder schemas(List<Schema> schemas)
    {
        this.schemas = ImmutableList.copyOf(schemas);
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder statsFields(List<StatsField> statsFields)
    {
        this.statsFields = ImmutableList.copyOf(statsFields);
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder orderingKey(List<Integer> orderingKey)
    {
        this.orderingKey = ImmutableList.copyOf(orderingKey);
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder properties(Map<String, String> properties)
    {
        this.properties = ImmutableMap.copyOf(properties);
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder extracts(List<Extract> extracts)
    {
        this.extracts = ImmutableList.copyOf(extracts);
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder metadataLog(List<MetadataLogEntry> metadataLog)
    {
        this.metadataLog = ImmutableList.copyOf(metadataLog);
        return this;
    }

    @CanIgnoreReturnValue
    public IndexMetadataBuilder encryptionKeys(List<EncryptedKey> encryptionKeys)
    {
        this.encryptionKeys = ImmutableList.copyOf(encryptionKeys);
        return this;
    }

    @CanIgnoreReturnValue
    IndexMetadataBuilder indexType(String indexType)
    {
        this.indexType = requireNonNull(indexType, "indexType is null");
        return this;
    }

    @CanIgnoreReturnValue
    IndexMetadataBuilder unknownFields(UnknownFields unknownFields)
    {
        this.unknownFields = requireNonNull(unknownFields, "unknownFields is null");
        return this;
    }

    @CanIgnoreReturnValue
    IndexMetadataBuilder originalJson(OriginalJson originalJson)
    {
        this.originalJson = requireNonNull(originalJson, "originalJson is null");
        return this;
    }

    /// Builds the metadata of a new index.
    ///
    /// @throws TrinoException with `INDEX_INVALID_DEFINITION` if the definition breaks a rule of the format, or is one that this release cannot use
    public IndexMetadata build()
    {
        IndexMetadata metadata;
        try {
            metadata = buildUnchecked();
        }
        catch (IllegalArgumentException e) {
            throw new TrinoException(INDEX_INVALID_DEFINITION, "Invalid index definition: " + e.getMessage(), e);
        }
        IndexUsability.notCreatableReason(metadata).ifPresent(reason -> {
            throw new TrinoException(INDEX_INVALID_DEFINITION, "Invalid index definition: " + reason);
        });
        IndexProperties.check(properties);
        return metadata;
    }

    /// Builds metadata that obeys the format, but may use more of it than this release does.
    IndexMetadata buildUnchecked()
    {
        return new IndexMetadata(this);
    }
}
