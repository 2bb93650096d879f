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

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.encryption.EncryptedKey;
import org.apache.iceberg.types.Type;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.lang.Math.max;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static java.util.function.Function.identity;

/// The content of an index metadata file: the definition of one index, its properties and its extracts ("Index Metadata" of the index draft).
///
/// An instance obeys every rule of the format; whatever breaks one cannot be built. Changes give a new instance, which becomes the state of the
/// index once it is committed: `metadata.withExtract(..).replacing(location, now)`. The definition itself never changes, save that
/// [#withSchema] may widen the types and optionality of the extract schema.
public final class IndexMetadata
{
    public static final int FORMAT_VERSION = 1;
    public static final String SCALAR = "scalar";

    private final String indexUuid;
    private final String tableUuid;
    private final String location;
    private final long lastUpdatedMillis;
    private final String indexType;
    private final List<IdentityField> identityFields;
    private final List<Schema> schemas;
    private final List<StatsField> statsFields;
    private final Map<Integer, StatsField> statsFieldsById;
    private final List<Integer> orderingKey;
    private final Map<String, String> properties;
    private final List<Extract> extracts;
    private final List<MetadataLogEntry> metadataLog;
    private final List<EncryptedKey> encryptionKeys;
    private final UnknownFields unknownFields;
    private final OriginalJson originalJson;

    IndexMetadata(IndexMetadataBuilder builder)
    {
        indexUuid = requireNonNull(builder.indexUuid, "indexUuid is null");
        tableUuid = requireNonNull(builder.tableUuid, "tableUuid is null");
        location = requireNonNull(builder.location, "location is null");
        lastUpdatedMillis = builder.lastUpdatedMillis;
        indexType = builder.indexType.toLowerCase(ENGLISH);
        identityFields = builder.identityFields;
        schemas = builder.schemas;
        statsFields = builder.statsFields;
        // A duplicate is refused below
        statsFieldsById = statsFields.stream()
                .collect(toImmutableMap(StatsField::fieldId, identity(), (first, _) -> first));
        orderingKey = builder.orderingKey;
        properties = builder.properties;
        extracts = builder.extracts;
        metadataLog = builder.metadataLog;
        encryptionKeys = builder.encryptionKeys;
        unknownFields = builder.unknownFields;
        originalJson = builder.originalJson;
        IndexMetadataRules.check(this);
    }

    /// Starts the metadata of a new index, of type `scalar`.
    public static IndexMetadataBuilder builder()
    {
        return new IndexMetadataBuilder();
    }

    public String indexUuid()
    {
        return indexUuid;
    }

    public String tableUuid()
    {
        return tableUuid;
    }

    /// The absolute root location of the index.
    public String location()
    {
        return location;
    }

    /// In milliseconds from the epoch.
    public long lastUpdatedMillis()
    {
        return lastUpdatedMillis;
    }

    /// In lower case; may be a type that this release cannot use, see [#unusableReason()].
    public String indexType()
    {
        return indexType;
    }

    public boolean isScalar()
    {
        return indexType.equals(SCALAR);
    }

    public List<IdentityField> identityFields()
    {
        return identityFields;
    }

    /// The extract schemas in the order they were added, which is the order of widening. Never empty.
    public List<Schema> schemas()
    {
        return schemas;
    }

    public List<StatsField> statsFields()
    {
        return statsFields;
    }

    /// IDs of extract schema fields or stats-only fields. Never empty.
    public List<Integer> orderingKey()
    {
        return orderingKey;
    }

    public Map<String, String> properties()
    {
        return properties;
    }

    public List<Extract> extracts()
    {
        return extracts;
    }

    /// Oldest first.
    public List<MetadataLogEntry> metadataLog()
    {
        return metadataLog;
    }

    public List<EncryptedKey> encryptionKeys()
    {
        return encryptionKeys;
    }

    public UnknownFields unknownFields()
    {
        return unknownFields;
    }

    OriginalJson originalJson()
    {
        return originalJson;
    }

    public Optional<Schema> schema(int schemaId)
    {
        return schemas.stream()
                .filter(schema -> schema.schemaId() == schemaId)
                .findFirst();
    }

    public Schema schemaOf(Extract extract)
    {
        return schema(extract.extractSchemaId())
                .orElseThrow(() -> new IllegalArgumentException("Extract %s belongs to another index".formatted(extract.extractId())));
    }

    /// The most recently added extract schema, the widest of all.
    public Schema latestSchema()
    {
        return schemas.getLast();
    }

    public Optional<Extract> extract(long extractId)
    {
        return extracts.stream()
                .filter(extract -> extract.extractId() == extractId)
                .findFirst();
    }

    /// All extracts of a table snapshot; any of them may be used.
    public List<Extract> extractsOf(long snapshotId)
    {
        return extracts.stream()
                .filter(extract -> extract.sourceTableSnapshotId() == snapshotId)
                .collect(toImmutableList());
    }

    public Optional<IdentityField> identityFieldOfSource(int sourceId)
    {
        return identityFields.stream()
                .filter(field -> field.sourceId() == sourceId)
                .findFirst();
    }

    public Optional<IdentityField> identityFieldOfColumn(int fieldId)
    {
        return identityFields.stream()
                .filter(field -> field.fieldId() == fieldId)
                .findFirst();
    }

    public Optional<StatsField> statsField(int fieldId)
    {
        return Optional.ofNullable(statsFieldsById.get(fieldId));
    }

    /// Why this release can neither read nor maintain the index, well-formed as it is; empty if it can.
    public Optional<String> unusableReason()
    {
        return IndexUsability.unusableReason(this);
    }

    /// Why no query on a table of the given schema can use the index; empty if some can.
    public Optional<String> unusableReason(Schema tableSchema)
    {
        return IndexUsability.unusableReason(this, tableSchema);
    }

    /// The type of a field of the ordering key, or of any other column or stats-only field, in extracts of the given schema.
    /// Empty if there is no such field, or if its expression cannot be evaluated here.
    public Optional<Type> typeOf(int fieldId, Schema extractSchema)
    {
        return IndexUsability.typeOf(this, fieldId, extractSchema);
    }

    /// Resolves a location of this metadata, such as that of a tracking file, against the location of the index.
    public String resolve(String fileLocation)
    {
        return Locations.resolve(location, fileLocation);
    }

    /// Adds a schema after all others, and widens the data types of the stats-only fields accordingly.
    /// The schema must widen the latest one, as [ExtractSchemas#choose] makes it.
    ///
    /// @throws IllegalArgumentException if it does not, or if its ID is taken
    public IndexMetadata withSchema(Schema schema)
    {
        return toBuilder()
                .schemas(ImmutableList.<Schema>builder().addAll(schemas).add(schema).build())
                .statsFields(statsFields.stream()
                        .map(field -> field.widenedTo(typeOf(field.fieldId(), schema)))
                        .collect(toImmutableList()))
                .buildUnchecked();
    }

    /// Adds an extract, whose schema must have been added before.
    ///
    /// @throws IllegalArgumentException if the extract's ID is taken, or its schema or encryption key is not in the metadata
    public IndexMetadata withExtract(Extract extract)
    {
        return toBuilder()
                .extracts(ImmutableList.<Extract>builder().addAll(extracts).add(extract).build())
                .buildUnchecked();
    }

    /// Removes those of the given extracts that are there.
    public IndexMetadata withoutExtracts(Set<Long> extractIds)
    {
        return toBuilder()
                .extracts(extracts.stream()
                        .filter(extract -> !extractIds.contains(extract.extractId()))
                        .collect(toImmutableList()))
                .buildUnchecked();
    }

    /// Sets some properties and removes others.
    ///
    /// @throws TrinoException with `INDEX_INVALID_DEFINITION` if the value of a property is not one that it may have
    public IndexMetadata withProperties(Map<String, String> set, Set<String> remove)
    {
        checkArgument(set.keySet().stream().noneMatch(remove::contains), "A property cannot be set and removed at once: %s, %s", set.keySet(), remove);
        IndexProperties.check(set);
        Map<String, String> changed = new LinkedHashMap<>(properties);
        changed.putAll(set);
        changed.keySet().removeAll(remove);
        return toBuilder()
                .properties(changed)
                .buildUnchecked();
    }

    /// Sets a field at the top level of the file that the format does not define. Other writers keep it as it is.
    ///
    /// @throws IllegalArgumentException if the format does define the field
    public IndexMetadata withUnknownField(String name, JsonNode value)
    {
        checkArgument(!IndexMetadataParser.TOP_LEVEL_FIELDS.contains(name), "%s is a field of the format", name);
        Map<String, JsonNode> changed = new LinkedHashMap<>(unknownFields.values());
        changed.put(name, value);
        return toBuilder()
                .unknownFields(new UnknownFields(changed))
                .buildUnchecked();
    }

    /// The last step before writing the first metadata file of an index: states the time of writing.
    public IndexMetadata writtenAt(long nowMillis)
    {
        return toBuilder()
                .lastUpdatedMillis(nowMillis)
                .buildUnchecked();
    }

    /// The last step before writing a metadata file that replaces another one: logs the replaced file, trims the log and states the time of writing.
    ///
    /// @param previousMetadataLocation the metadata file that this metadata was changed from
    public Replacement replacing(String previousMetadataLocation, long nowMillis)
    {
        List<MetadataLogEntry> log = ImmutableList.<MetadataLogEntry>builder()
                .addAll(metadataLog)
                .add(new MetadataLogEntry(previousMetadataLocation, lastUpdatedMillis))
                .build();
        int dropped = max(0, log.size() - IndexProperties.previousVersionsMax(properties));
        IndexMetadata replacement = toBuilder()
                .metadataLog(log.subList(dropped, log.size()))
                .lastUpdatedMillis(nowMillis)
                .buildUnchecked();
        return new Replacement(replacement, log.subList(0, dropped));
    }

    IndexMetadataBuilder toBuilder()
    {
        IndexMetadataBuilder builder = new IndexMetadataBuilder();
        builder.indexUuid = indexUuid;
        builder.tableUuid = tableUuid;
        builder.location = location;
        builder.lastUpdatedMillis = lastUpdatedMillis;
        builder.indexType = indexType;
        builder.identityFields = identityFields;
        builder.schemas = schemas;
        builder.statsFields = statsFields;
        builder.orderingKey = orderingKey;
        builder.properties = properties;
        builder.extracts = extracts;
        builder.metadataLog = metadataLog;
        builder.encryptionKeys = encryptionKeys;
        builder.unknownFields = unknownFields;
        builder.originalJson = originalJson;
        return builder;
    }

    /// What a commit writes, and what falls out of the log by that.
    ///
    /// @param metadata ready to be written
    public record Replacement(IndexMetadata metadata, List<MetadataLogEntry> droppedLogEntries)
    {
        public Replacement
        {
            requireNonNull(metadata, "metadata is null");
            droppedLogEntries = ImmutableList.copyOf(requireNonNull(droppedLogEntries, "droppedLogEntries is null"));
        }

        /// The absolute locations of the metadata files to delete once the swap has succeeded; empty unless
        /// `write.metadata.delete-after-commit.enabled` is true. A file that is still in the log stays.
        public Set<String> obsoleteMetadataFiles()
        {
            if (!IndexProperties.deleteAfterCommit(metadata.properties())) {
                return ImmutableSet.of();
            }
            return Sets.difference(resolved(droppedLogEntries), resolved(metadata.metadataLog())).immutableCopy();
        }

        private Set<String> resolved(List<MetadataLogEntry> entries)
        {
            return entries.stream()
                    .map(entry -> metadata.resolve(entry.metadataFile()))
                    .collect(toImmutableSet());
        }
    }
}
