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

import com.google.common.collect.ImmutableSet;
import io.sextant.expression.ValueExpression;
import org.apache.iceberg.Schema;
import org.apache.iceberg.encryption.EncryptedKey;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.NestedField;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.Maps.uniqueIndex;

/// The rules that hold inside a metadata file. A file that breaks one is corrupt, whoever wrote it.
final class IndexMetadataRules
{
    private IndexMetadataRules() {}

    /// @throws IllegalArgumentException naming the JSON field and what is wrong with it
    static void check(IndexMetadata metadata)
    {
        checkArgument(!metadata.indexUuid().isEmpty(), "index-uuid is empty");
        checkArgument(!metadata.tableUuid().isEmpty(), "table-uuid is empty");
        checkArgument(Locations.isAbsolute(metadata.location()), "location is not absolute: %s", metadata.location());
        checkSchemas(metadata);
        checkIdentityFields(metadata);
        checkStatsFields(metadata);
        checkOrderingKey(metadata);
        checkEncryptionKeys(metadata);
        checkExtracts(metadata);
    }

    private static void checkSchemas(IndexMetadata metadata)
    {
        checkArgument(!metadata.schemas().isEmpty(), "schemas is empty");
        Set<Integer> ids = new HashSet<>();
        Schema older = null;
        for (Schema schema : metadata.schemas()) {
            checkArgument(ids.add(schema.schemaId()), "schemas has schema-id %s twice", schema.schemaId());
            if (older != null) {
                SchemaEvolution.findProblem(older, schema).ifPresent(problem -> {
                    throw new IllegalArgumentException("schemas does not widen step by step: schema %s %s".formatted(schema.schemaId(), problem));
                });
            }
            older = schema;
        }
    }

    private static void checkIdentityFields(IndexMetadata metadata)
    {
        Set<Integer> sourceIds = new HashSet<>();
        Set<Integer> fieldIds = new HashSet<>();
        for (IdentityField identityField : metadata.identityFields()) {
            int sourceId = identityField.sourceId();
            int fieldId = identityField.fieldId();
            checkArgument(sourceIds.add(sourceId), "identity-fields has source-id %s twice", sourceId);
            checkArgument(fieldIds.add(fieldId), "identity-fields has field-id %s twice", fieldId);
            checkArgument(metadata.latestSchema().findField(fieldId) != null, "identity-fields names field-id %s, which no extract schema has", fieldId);
            if (SourceColumns.isReserved(sourceId)) {
                checkMetadataColumn(metadata, sourceId, fieldId);
            }
        }
    }

    private static void checkMetadataColumn(IndexMetadata metadata, int sourceId, int fieldId)
    {
        NestedField source = SourceColumns.METADATA_COLUMNS.get(sourceId);
        checkArgument(source != null, "identity-fields names source-id %s, a reserved column that cannot be indexed", sourceId);
        for (Schema schema : metadata.schemas()) {
            NestedField column = schema.findField(fieldId);
            checkArgument(
                    column.type().equals(source.type()),
                    "schemas gives field %s the type %s in schema %s, but its source %s has type %s",
                    fieldId,
                    column.type(),
                    schema.schemaId(),
                    source.name(),
                    source.type());
            checkArgument(
                    column.isOptional() || source.isRequired(),
                    "schemas requires field %s in schema %s, but its source %s is optional",
                    fieldId,
                    schema.schemaId(),
                    source.name());
        }
    }

    private static void checkStatsFields(IndexMetadata metadata)
    {
        Set<Integer> fieldIds = new HashSet<>(TypeUtil.indexById(metadata.latestSchema().asStruct()).keySet());
        Set<Integer> identityColumns = metadata.identityFields().stream()
                .map(IdentityField::fieldId)
                .collect(toImmutableSet());
        for (StatsField field : metadata.statsFields()) {
            checkArgument(fieldIds.add(field.fieldId()), "stats-fields has field-id %s, which another field has too", field.fieldId());
            Set<Integer> references = field.expression()
                    .map(ValueExpression::referencedFieldIds)
                    .orElse(ImmutableSet.of());
            for (int reference : references) {
                checkArgument(identityColumns.contains(reference), "expr of stats-fields field %s refers to field %s, which is no identity column", field.fieldId(), reference);
            }
        }
    }

    private static void checkOrderingKey(IndexMetadata metadata)
    {
        checkArgument(!metadata.orderingKey().isEmpty(), "ordering-key is empty");
        for (int fieldId : metadata.orderingKey()) {
            Optional<StatsField> statsField = metadata.statsField(fieldId);
            Type type = metadata.latestSchema().findType(fieldId);
            checkArgument(statsField.isPresent() || type != null, "ordering-key names field %s, which is neither in schemas nor in stats-fields", fieldId);
            Optional<Type> keyType = statsField.isPresent() ? statsField.orElseThrow().dataType() : Optional.of(type);
            checkArgument(keyType.isEmpty() || keyType.orElseThrow().isPrimitiveType(), "ordering-key names field %s, whose type is not primitive", fieldId);
        }
    }

    private static void checkEncryptionKeys(IndexMetadata metadata)
    {
        Set<String> keyIds = new HashSet<>();
        for (EncryptedKey key : metadata.encryptionKeys()) {
            checkArgument(keyIds.add(key.keyId()), "encryption-keys has key-id %s twice", key.keyId());
        }
    }

    private static void checkExtracts(IndexMetadata metadata)
    {
        Map<Integer, Schema> schemas = uniqueIndex(metadata.schemas(), Schema::schemaId);
        Set<String> keyIds = metadata.encryptionKeys().stream()
                .map(EncryptedKey::keyId)
                .collect(toImmutableSet());
        Set<Long> extractIds = new HashSet<>();
        for (Extract extract : metadata.extracts()) {
            checkArgument(extractIds.add(extract.extractId()), "extracts has extract-id %s twice", extract.extractId());
            checkArgument(schemas.containsKey(extract.extractSchemaId()), "extract %s names extract-schema-id %s, which is not in schemas", extract.extractId(), extract.extractSchemaId());
            extract.keyId().ifPresent(keyId ->
                    checkArgument(keyIds.contains(keyId), "extract %s names key-id %s, which is not in encryption-keys", extract.extractId(), keyId));
        }
    }
}
