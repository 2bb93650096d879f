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
package io.sextant.index.scan;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.sextant.index.catalog.IndexCatalog;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.catalog.IndexRegistrations;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.key.KeyPoints;
import io.sextant.index.key.KeyRanges;
import io.sextant.index.metadata.IdentityField;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.region.RegionSchema;
import io.sextant.index.tracking.TrackedRegions;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.connector.ConnectorSession;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.lang.Math.max;
import static java.util.Comparator.comparingDouble;
import static java.util.Objects.requireNonNull;

/// Chooses the index that answers a predicate on a snapshot by the fewest entries, if any does.
public class IndexSelector
{
    private static final Logger log = Logger.get(IndexSelector.class);

    /// How many key ranges the product of IN lists may give; a longer one stops at the field before.
    private static final int MAX_KEY_RANGES = 100_000;

    private final IcebergFileSystemFactory fileSystemFactory;
    private final IndexCatalog indexCatalog;
    private final TrackedRegionsLoader trackedRegionsLoader;

    @Inject
    public IndexSelector(IcebergFileSystemFactory fileSystemFactory, IndexCatalog indexCatalog, TrackedRegionsLoader trackedRegionsLoader)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.indexCatalog = requireNonNull(indexCatalog, "indexCatalog is null");
        this.trackedRegionsLoader = requireNonNull(trackedRegionsLoader, "trackedRegionsLoader is null");
    }

    /// Chooses among the registered indexes of a table, or tells of each why it does not serve.
    ///
    /// @param predicate by table field ID, with the types of the schema that is read
    public IndexDecision select(ConnectorSession session, BaseTable table, Snapshot snapshot, IndexRegistrations registrations, IndexPredicate predicate, CandidateCheck check)
    {
        List<IndexAssessment> assessments = assess(session, table, snapshot, registrations, predicate, check);
        Optional<IndexCandidate> best = best(assessments);
        Map<String, String> reasons = new LinkedHashMap<>();
        assessments.forEach(assessment -> assessment.reasonAgainst(best).ifPresent(reason -> reasons.put(assessment.indexName(), reason)));
        return best.<IndexDecision>map(candidate -> new IndexDecision.Usable(candidate, reasons))
                .orElseGet(() -> new IndexDecision.NotUsable(reasons));
    }

    /// The candidate that a scan uses.
    static Optional<IndexCandidate> best(List<IndexAssessment> assessments)
    {
        return assessments.stream()
                .filter(assessment -> assessment.objection().isEmpty())
                .flatMap(assessment -> assessment.candidate().stream())
                .min(comparingDouble(candidate -> candidate.selection().estimatedEntries()));
    }

    /// Looks at each registered index by itself.
    List<IndexAssessment> assess(ConnectorSession session, BaseTable table, Snapshot snapshot, IndexRegistrations registrations, IndexPredicate predicate, CandidateCheck check)
    {
        TableSnapshot target = new TableSnapshot(session, table, snapshot);
        ImmutableList.Builder<IndexAssessment> assessments = ImmutableList.builder();
        registrations.malformed().forEach((name, reason) -> assessments.add(IndexAssessment.withoutCandidate(name, reason)));
        registrations.indexes().values().forEach(registration -> assessments.add(assess(target, registration, predicate, check)));
        return assessments.build();
    }

    private IndexAssessment assess(TableSnapshot target, IndexRegistration registration, IndexPredicate predicate, CandidateCheck check)
    {
        Optional<IndexCandidate> candidate = Optional.empty();
        try {
            candidate = Optional.of(candidate(target, registration, predicate));
            check.check(candidate.orElseThrow());
            return new IndexAssessment(registration.name(), candidate, Optional.empty());
        }
        catch (NotUsableException e) {
            return new IndexAssessment(registration.name(), candidate, Optional.of(e.getMessage()));
        }
        catch (RuntimeException e) {
            // A damaged index must not fail the query: the table itself has the answer
            log.warn(e, "Index %s of table %s is not used", registration.name(), target.table().name());
            return IndexAssessment.withoutCandidate(registration.name(), "cannot be read: " + e.getMessage());
        }
    }

    private IndexCandidate candidate(TableSnapshot target, IndexRegistration registration, IndexPredicate predicate)
            throws NotUsableException
    {
        TrinoFileSystem fileSystem = fileSystemFactory.create(target.session().getIdentity(), IcebergTableCredentials.forFileIO(target.table().io()));
        IndexMetadata metadata = indexCatalog.load(fileSystem, registration).metadata();
        checkUsable(metadata, target, predicate.schema());

        ServingExtract serving = ServingExtract.find(metadata, target.table(), target.snapshot())
                .orElseThrow(() -> new NotUsableException(metadata.extracts().isEmpty()
                        ? "it is not built; run CALL system.refresh_index"
                        : "no extract is of snapshot %s or an ancestor of it; run CALL system.refresh_index".formatted(target.snapshot().snapshotId())));
        Schema schema = metadata.schemaOf(serving.extract());
        RegionSchema columns = RegionSchema.of(metadata, schema);
        Map<Integer, Integer> boundColumns = boundColumns(metadata, schema, predicate);
        Map<Integer, ColumnRanges> filters = boundColumns.entrySet().stream()
                .collect(toImmutableMap(Map.Entry::getValue, column -> predicate.columns().get(column.getKey())));
        KeyPrefix prefix = keyPrefix(columns, filters);
        TrackedRegions regions = trackedRegionsLoader.load(fileSystem, metadata, serving.extract());
        return new IndexCandidate(
                registration.name(),
                serving.extract().sourceTableSnapshotId(),
                columns,
                serving.coverage(),
                RegionSelection.select(regions, prefix.ranges(), filters, schema),
                prefix.depth(),
                boundColumns,
                filters);
    }

    private static void checkUsable(IndexMetadata metadata, TableSnapshot target, Schema schema)
            throws NotUsableException
    {
        if (!metadata.tableUuid().equals(target.table().operations().current().uuid())) {
            throw new NotUsableException("it indexes another table, %s".formatted(metadata.tableUuid()));
        }
        Optional<String> reason = metadata.unusableReason(schema);
        if (reason.isPresent()) {
            throw new NotUsableException(reason.orElseThrow());
        }
        if (target.snapshot().keyId() != null) {
            throw new NotUsableException("the snapshot is encrypted");
        }
    }

    /// Extract field IDs by column. A column whose type has changed in a way that the key order does not follow is left out.
    private static Map<Integer, Integer> boundColumns(IndexMetadata metadata, Schema schema, IndexPredicate predicate)
    {
        return metadata.identityFields().stream()
                .filter(field -> predicate.columns().containsKey(field.sourceId())
                        && KeyEncoding.keepsBytes(schema.findType(field.fieldId()), predicate.columns().get(field.sourceId()).type()))
                .collect(toImmutableMap(IdentityField::sourceId, IdentityField::fieldId));
    }

    private static KeyPrefix keyPrefix(RegionSchema columns, Map<Integer, ColumnRanges> filters)
            throws NotUsableException
    {
        List<Integer> keyFields = columns.keyFieldIds();
        if (!filters.containsKey(keyFields.getFirst())) {
            throw new NotUsableException("the predicate does not bind its leading key column %s".formatted(columns.schema().findColumnName(keyFields.getFirst())));
        }
        // The values of the first field are there already
        int maxRanges = max(MAX_KEY_RANGES, filters.get(keyFields.getFirst()).ranges().size());
        KeyPoints points = KeyPoints.root();
        int depth = 0;
        while (depth < keyFields.size() && filters.containsKey(keyFields.get(depth))) {
            ColumnRanges filter = filters.get(keyFields.get(depth));
            KeyPoints prefix = points;
            Optional<KeyPoints> longer = filter.points().flatMap(values -> prefix.product(values, maxRanges));
            if (longer.isEmpty()) {
                Optional<KeyRanges> ranges = points.product(filter.ranges(), maxRanges);
                return ranges.isPresent() ? new KeyPrefix(ranges.orElseThrow(), depth + 1) : new KeyPrefix(points.toRanges(), depth);
            }
            points = longer.orElseThrow();
            depth++;
        }
        return new KeyPrefix(points.toRanges(), depth);
    }

    /// Objects to an index that could answer.
    @FunctionalInterface
    public interface CandidateCheck
    {
        void check(IndexCandidate candidate)
                throws NotUsableException;
    }

    private record TableSnapshot(ConnectorSession session, BaseTable table, Snapshot snapshot) {}

    private record KeyPrefix(KeyRanges ranges, int depth)
    {
        private KeyPrefix
        {
            checkArgument(depth > 0, "depth is not positive: %s", depth);
        }
    }
}
