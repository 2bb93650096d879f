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
package io.sextant.index.refresh;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.sextant.index.catalog.IndexCatalog;
import io.sextant.index.catalog.IndexLocations;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.catalog.IndexRegistrations;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.ExtractSchemaChoice;
import io.sextant.index.metadata.ExtractSchemas;
import io.sextant.index.metadata.IdentityColumns;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.ExtractWriter.WrittenExtract;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.util.SnapshotUtil;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.sextant.error.SextantErrorCode.INDEX_COMMIT_CONFLICT;
import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;
import static java.util.UUID.randomUUID;

/// Creates, refreshes and drops the indexes of a table. The table itself is touched by the registration alone.
public class TableIndexes
{
    private static final Logger log = Logger.get(TableIndexes.class);

    /// The latest extract, and the one before for queries that have begun with it.
    private static final int RETAINED_EXTRACTS = 2;

    private final IndexCatalog indexCatalog;
    private final IndexBuilds indexBuilds;
    private final ExtractWriter extractWriter;

    @Inject
    public TableIndexes(IndexCatalog indexCatalog, IndexBuilds indexBuilds, ExtractWriter extractWriter)
    {
        this.indexCatalog = requireNonNull(indexCatalog, "indexCatalog is null");
        this.indexBuilds = requireNonNull(indexBuilds, "indexBuilds is null");
        this.extractWriter = requireNonNull(extractWriter, "extractWriter is null");
    }

    /// Creates an index without an extract: no query uses it until it is refreshed.
    public void create(IndexedTable table, IndexDefinition definition)
    {
        create(table, definition, ImmutableList.of());
    }

    /// Creates an index and builds it for the table's current snapshot, if there is one. Until the index is complete
    /// nothing refers to it; if the build fails or is canceled, all of its files are deleted.
    public void createAndBuild(IndexedTable table, IndexDefinition definition)
    {
        create(table, definition, Optional.ofNullable(table.table().currentSnapshot()).stream().toList());
    }

    private void create(IndexedTable table, IndexDefinition definition, List<Snapshot> snapshots)
    {
        RegistrationUpdate.checkFree(table, definition.name());
        IndexMetadata metadata = newMetadata(table, definition);
        IndexRegistration registration = new IndexRegistration(definition.name(), metadata.indexUuid(), metadata.location());
        indexCatalog.create(table.fileSystem(), definition.name(), metadata);
        try {
            for (Snapshot snapshot : snapshots) {
                buildInFull(table, registration, metadata, snapshot, "the index is new");
            }
            RegistrationUpdate.register(table, registration);
        }
        catch (Throwable e) {
            discard(table, registration, e);
            throw e;
        }
    }

    /// Brings the index to the table's current snapshot, unless it has an extract of that snapshot already. Reuses what it can of
    /// the latest extract.
    public void refresh(IndexedTable table, IndexRegistration registration)
    {
        IndexMetadata metadata = loadForBuild(table, registration);
        Snapshot snapshot = table.table().currentSnapshot();
        if (snapshot != null && metadata.extractsOf(snapshot.snapshotId()).isEmpty()) {
            Schema schema = extractSchema(table, registration, metadata, snapshot);
            addExtract(table, registration, metadata, schema, snapshot, ReusableExtract.find(table, metadata, schema));
        }
    }

    /// Builds the index for the table's current snapshot from all of its rows, in place of the extract that it may have of that
    /// snapshot.
    public void rebuild(IndexedTable table, IndexRegistration registration)
    {
        IndexMetadata metadata = loadForBuild(table, registration);
        Snapshot snapshot = table.table().currentSnapshot();
        if (snapshot != null) {
            buildInFull(table, registration, metadata, snapshot, "it was asked for");
        }
    }

    private IndexMetadata loadForBuild(IndexedTable table, IndexRegistration registration)
    {
        indexCatalog.refresh(registration);
        IndexMetadata metadata = indexCatalog.load(table.fileSystem(), registration).metadata();
        checkOwner(table, registration, metadata);
        Optional<String> reason = metadata.unusableReason()
                .or(() -> ExtractSchemas.droppedColumnReason(metadata, table.table().schema())
                        .map("%s; drop the index with CALL system.drop_index"::formatted));
        if (reason.isPresent()) {
            throw new TrinoException(INDEX_UNSUPPORTED, "Index %s of table %s cannot be refreshed: %s".formatted(registration.name(), table.name(), reason.orElseThrow()));
        }
        return metadata;
    }

    /// Refuses properties that a user must not set.
    ///
    /// @throws TrinoException with `INDEX_INVALID_DEFINITION` if one is misspelt, or its value is not allowed
    public static void checkProperties(Map<String, String> properties)
    {
        RegionProperties.check(properties);
        MaintenanceMode.of(properties);
    }

    /// The columns of the table that an index stores, by the names of the top-level columns.
    public Set<String> columns(IndexedTable table, IndexRegistration registration)
    {
        Schema schema = table.table().schema();
        return indexCatalog.load(table.fileSystem(), registration).metadata().identityFields().stream()
                .map(field -> schema.findColumnName(field.sourceId()))
                .filter(name -> name != null)
                .map(name -> name.split("\\.", 2)[0])
                .collect(toImmutableSet());
    }

    /// Removes an index from its table, then deletes its files. They stay if they are another table's, whose registration was
    /// copied, or if the registration cannot be read and so nobody knows where they are.
    public void drop(IndexedTable table, String indexName)
    {
        Optional<IndexRegistration> registration = IndexRegistrations.fromTableProperties(table.table().properties()).find(indexName);
        RegistrationUpdate.unregister(table, indexName);
        registration.ifPresent(index -> indexCatalog.drop(table.fileSystem(), index, table.uuid()));
    }

    private static void checkOwner(IndexedTable table, IndexRegistration registration, IndexMetadata metadata)
    {
        if (!metadata.tableUuid().equals(table.uuid())) {
            throw new TrinoException(INDEX_UNSUPPORTED, "The files at %s, where table %s has its index %s, belong to another table; they are left as they are, drop the index and create it anew".formatted(
                    registration.location(),
                    table.name(),
                    registration.name()));
        }
    }

    /// Deletes the files of all indexes of a table that was dropped. A failure leaves files behind and is logged.
    public void deleteAll(IndexedTable table, IndexRegistrations registrations)
    {
        for (IndexRegistration registration : registrations.indexes().values()) {
            try {
                indexCatalog.drop(table.fileSystem(), registration, table.uuid());
            }
            catch (RuntimeException e) {
                log.warn(e, "Files of index %s of the dropped table %s are left at %s", registration.name(), table.name(), registration.location());
            }
        }
    }

    private static IndexMetadata newMetadata(IndexedTable table, IndexDefinition definition)
    {
        checkProperties(definition.properties());
        String uuid = randomUUID().toString();
        IndexLocations locations = definition.location()
                .map(location -> IndexLocations.checkedLocations(table.table().location(), location))
                .orElseGet(() -> IndexLocations.defaultLocations(table.table().location(), definition.name(), uuid));
        Optional<Snapshot> snapshot = Optional.ofNullable(table.table().currentSnapshot());
        Schema schema = snapshot.map(current -> SnapshotUtil.schemaFor(table.table(), current.snapshotId())).orElseGet(table.table()::schema);
        List<String> key = names(table, schema, definition.key());
        IdentityColumns columns = ExtractSchemas.derive(
                schema,
                table.table().operations().current().lastColumnId(),
                key,
                names(table, schema, definition.include()));
        return IndexMetadata.builder()
                .indexUuid(uuid)
                .tableUuid(table.uuid())
                .location(locations.root())
                .identityFields(columns.identityFields())
                .schemas(ImmutableList.of(columns.schema()))
                .orderingKey(key.stream()
                        .map(columns::fieldId)
                        .collect(toImmutableList()))
                .properties(definition.properties())
                .build();
    }

    /// The names that columns of the table have in the schema to be indexed, which may be older. What is not a column of
    /// the table keeps its name.
    private static List<String> names(IndexedTable table, Schema schema, List<String> columns)
    {
        return columns.stream()
                .map(column -> {
                    NestedField field = table.table().schema().caseInsensitiveFindField(column);
                    if (field == null) {
                        return column;
                    }
                    String name = schema.findColumnName(field.fieldId());
                    if (name == null) {
                        throw new TrinoException(INDEX_INVALID_DEFINITION, "Column %s of table %s was added after its current snapshot; write to the table first".formatted(column, table.name()));
                    }
                    return name;
                })
                .collect(toImmutableList());
    }

    private void buildInFull(IndexedTable table, IndexRegistration registration, IndexMetadata metadata, Snapshot snapshot, String reason)
    {
        addExtract(table, registration, metadata, extractSchema(table, registration, metadata, snapshot), snapshot, new ReusableExtract.None(reason));
    }

    private void addExtract(IndexedTable table, IndexRegistration registration, IndexMetadata metadata, Schema schema, Snapshot snapshot, ReusableExtract base)
    {
        try (IndexBuilds.Build build = indexBuilds.start(table.index(registration.name()))) {
            try {
                WrittenExtract extract = extractWriter.write(table, metadata, schema, snapshot, base, build.progress());
                try {
                    commit(table, registration, schema, extract);
                }
                catch (NotReusableException e) {
                    WrittenExtract another = extractWriter.write(table, metadata, schema, snapshot, new ReusableExtract.None(e.getMessage()), build.progress());
                    commit(table, registration, schema, another);
                }
                build.succeeded();
            }
            catch (Throwable e) {
                build.failed(e);
                throw e;
            }
        }
    }

    private static Schema extractSchema(IndexedTable table, IndexRegistration registration, IndexMetadata metadata, Snapshot snapshot)
    {
        return switch (ExtractSchemas.choose(metadata, snapshot, table.table().schemas())) {
            case ExtractSchemaChoice.Existing(Schema schema) -> schema;
            case ExtractSchemaChoice.Evolved(Schema schema) -> schema;
            case ExtractSchemaChoice.Impossible(String reason) -> throw new TrinoException(INDEX_UNSUPPORTED, "Index %s of table %s cannot be built for snapshot %s: %s; refresh it after the next write to the table, or drop it and create it anew".formatted(
                    registration.name(),
                    table.name(),
                    snapshot.snapshotId(),
                    reason));
        };
    }

    /// @throws NotReusableException if the extract has regions that may be deleted already
    private void commit(IndexedTable table, IndexRegistration registration, Schema schema, WrittenExtract extract)
    {
        try {
            indexCatalog.commit(table.fileSystem(), registration, current -> {
                if (extract.baseId().isPresent() && current.extract(extract.baseId().orElseThrow()).isEmpty()) {
                    throw new NotReusableException("the extract that regions were taken from was dropped meanwhile");
                }
                return withExtract(registration, current, schema, extract.extract());
            });
        }
        catch (Throwable e) {
            deleteUnlessCommitted(table, registration, extract, e);
            throw e;
        }
    }

    /// Adds an extract in place of those of the same snapshot, however many builds have run at once, and lets older ones go.
    private static IndexMetadata withExtract(IndexRegistration registration, IndexMetadata current, Schema schema, Extract extract)
    {
        Optional<Schema> known = current.schema(schema.schemaId());
        if (known.isPresent() && !known.orElseThrow().sameSchema(schema)) {
            throw new TrinoException(INDEX_COMMIT_CONFLICT, "Index %s got another extract schema while it was built; refresh it again".formatted(registration.name()));
        }
        IndexMetadata widened = known.isPresent() ? current : current.withSchema(schema);
        Set<Long> retained = widened.extracts().stream()
                .filter(other -> other.sourceTableSnapshotId() != extract.sourceTableSnapshotId())
                .sorted(comparingLong(Extract::timestampMillis).reversed())
                .limit(RETAINED_EXTRACTS - 1)
                .map(Extract::extractId)
                .collect(toImmutableSet());
        Set<Long> dropped = widened.extracts().stream()
                .map(Extract::extractId)
                .filter(id -> !retained.contains(id))
                .collect(toImmutableSet());
        return widened.withoutExtracts(dropped).withExtract(extract);
    }

    // A commit can fail after it took effect: files that the current metadata refers to, or may refer to, stay
    private void deleteUnlessCommitted(IndexedTable table, IndexRegistration registration, WrittenExtract extract, Throwable failure)
    {
        try {
            indexCatalog.refresh(registration);
            IndexMetadata current = indexCatalog.load(table.fileSystem(), registration).metadata();
            if (current.extract(extract.extract().extractId()).isEmpty()) {
                ExtractWriter.deleteFiles(table, extract.files(), failure);
            }
        }
        catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void discard(IndexedTable table, IndexRegistration registration, Throwable failure)
    {
        try {
            indexCatalog.drop(table.fileSystem(), registration, table.uuid());
        }
        catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
