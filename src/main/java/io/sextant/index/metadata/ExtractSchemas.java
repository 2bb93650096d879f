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
import io.sextant.index.metadata.ExtractSchemaChoice.Evolved;
import io.sextant.index.metadata.ExtractSchemaChoice.Existing;
import io.sextant.index.metadata.ExtractSchemaChoice.Impossible;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.Lists.reverse;
import static org.apache.iceberg.MetadataColumns.FILE_PATH;
import static org.apache.iceberg.MetadataColumns.ROW_POSITION;

/// Makes extract schemas from table schemas ("Extract Schema" and "Extract Schema Evolution" of the index draft).
public final class ExtractSchemas
{
    private ExtractSchemas() {}

    /// Makes the first extract schema of a new index: the key columns in their order, then `_file` and `_pos`, then the columns to include,
    /// each once.
    ///
    /// A column of the table keeps its field ID, so that a region file can be read like a data file. A field inside a struct, and a metadata
    /// column, becomes a top-level column with an ID above all IDs of the table.
    ///
    /// @param tableSchema the schema of the snapshot to index
    /// @param lastColumnId the highest field ID that the table has ever given out
    /// @param keyColumns the columns that the ordering key needs, by themselves or in expressions; a field inside a struct has a dotted name
    /// @throws io.trino.spi.TrinoException with `INDEX_INVALID_DEFINITION` if a column does not exist or cannot be indexed
    public static IdentityColumns derive(Schema tableSchema, int lastColumnId, List<String> keyColumns, List<String> includeColumns)
    {
        IdentityColumnsBuilder builder = new IdentityColumnsBuilder(tableSchema, lastColumnId);
        keyColumns.forEach(builder::add);
        builder.addMetadataColumn(FILE_PATH);
        builder.addMetadataColumn(ROW_POSITION);
        includeColumns.forEach(builder::add);
        return builder.build();
    }

    /// Which column of the index a table of the given schema has lost, so that the index cannot follow the table any more.
    public static Optional<String> droppedColumnReason(IndexMetadata metadata, Schema tableSchema)
    {
        return metadata.identityFields().stream()
                .flatMap(field -> IndexUsability.droppedReason(metadata, field, tableSchema).stream())
                .findFirst();
    }

    /// Finds or makes the extract schema for a new extract of a snapshot.
    ///
    /// @param tableSchemas all schemas of the table by their IDs
    public static ExtractSchemaChoice choose(IndexMetadata metadata, Snapshot snapshot, Map<Integer, Schema> tableSchemas)
    {
        if (snapshot.schemaId() == null) {
            return new Impossible("snapshot %s does not state its schema".formatted(snapshot.snapshotId()));
        }
        Schema tableSchema = tableSchemas.get(snapshot.schemaId());
        if (tableSchema == null) {
            return new Impossible("the table no longer has schema %s of snapshot %s".formatted(snapshot.schemaId(), snapshot.snapshotId()));
        }
        return choose(metadata, tableSchema);
    }

    /// Finds or makes the extract schema for a new extract.
    ///
    /// @param tableSchema the schema of the snapshot to index, by the `schema-id` of that snapshot
    public static ExtractSchemaChoice choose(IndexMetadata metadata, Schema tableSchema)
    {
        for (IdentityField field : metadata.identityFields()) {
            if (SourceColumns.source(tableSchema, field.sourceId()).isEmpty()) {
                return new Impossible("the snapshot has no column %s".formatted(metadata.latestSchema().findColumnName(field.fieldId())));
            }
        }
        // The latest of several matches: all region files may be reused under it
        for (Schema schema : reverse(metadata.schemas())) {
            if (matches(metadata, schema, tableSchema)) {
                return new Existing(schema);
            }
        }
        return evolve(metadata, tableSchema);
    }

    private static boolean matches(IndexMetadata metadata, Schema extractSchema, Schema tableSchema)
    {
        return metadata.identityFields().stream().allMatch(field -> {
            NestedField source = SourceColumns.source(tableSchema, field.sourceId()).orElseThrow();
            NestedField column = extractSchema.findField(field.fieldId());
            return column.type().equals(source.type()) && (column.isOptional() || source.isRequired());
        });
    }

    private static ExtractSchemaChoice evolve(IndexMetadata metadata, Schema tableSchema)
    {
        Schema latest = metadata.latestSchema();
        ImmutableList.Builder<NestedField> columns = ImmutableList.builder();
        for (NestedField column : latest.columns()) {
            Optional<IdentityField> identityField = metadata.identityFieldOfColumn(column.fieldId());
            if (identityField.isEmpty()) {
                return new Impossible("extract schema column %s has no source".formatted(column.name()));
            }
            NestedField source = SourceColumns.source(tableSchema, identityField.orElseThrow().sourceId()).orElseThrow();
            columns.add(NestedField.from(column)
                    .isOptional(column.isOptional() || source.isOptional())
                    .ofType(source.type())
                    .build());
        }
        int schemaId = metadata.schemas().stream().mapToInt(Schema::schemaId).max().orElseThrow();
        Schema evolved = new Schema(schemaId + 1, columns.build());
        Optional<String> problem = SchemaEvolution.findProblem(latest, evolved)
                .or(() -> findStatsFieldProblem(metadata, evolved));
        if (problem.isPresent()) {
            return new Impossible("an extract schema that follows the table %s".formatted(problem.orElseThrow()));
        }
        return new Evolved(evolved);
    }

    private static Optional<String> findStatsFieldProblem(IndexMetadata metadata, Schema evolved)
    {
        return metadata.statsFields().stream()
                .flatMap(field -> field.findWideningProblem(metadata.typeOf(field.fieldId(), evolved)).stream())
                .findFirst();
    }
}
