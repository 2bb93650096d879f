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
import io.sextant.expression.Predicate;
import io.sextant.index.catalog.IndexRegistrations;
import io.sextant.index.scan.IndexExplanation.ExtractUse;
import io.sextant.index.scan.IndexExplanation.Found;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.io.CloseableIterable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.index.scan.IndexScanSessionProperties.isIndexEnabled;
import static io.sextant.index.scan.IndexScanSessionProperties.lookupLimits;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

/// Tells of each index of a table whether a query on its current snapshot uses it, and what a look-up finds.
public class IndexExplainer
{
    private final IndexSelector selector;
    private final EntryLookup entryLookup;
    private final TypeManager typeManager;

    @Inject
    public IndexExplainer(IndexSelector selector, EntryLookup entryLookup, TypeManager typeManager)
    {
        this.selector = requireNonNull(selector, "selector is null");
        this.entryLookup = requireNonNull(entryLookup, "entryLookup is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    /// Explains the indexes in the order of their names.
    ///
    /// @param predicate on the fields of the table's schema
    public List<IndexExplanation> explain(ConnectorSession session, BaseTable table, Predicate predicate)
    {
        IndexRegistrations registrations = IndexRegistrations.fromTableProperties(table.properties());
        Snapshot snapshot = table.currentSnapshot();
        if (snapshot == null || !isIndexEnabled(session)) {
            String objection = snapshot == null ? "the table has no snapshot" : "the session property index_enabled is false";
            return Stream.concat(registrations.malformed().keySet().stream(), registrations.indexes().keySet().stream())
                    .sorted()
                    .map(name -> new IndexExplanation(name, Optional.of(objection), Optional.empty(), Optional.empty()))
                    .collect(toImmutableList());
        }
        Schema schema = table.schema();
        LookupLimits limits = lookupLimits(session);
        List<IndexAssessment> assessments = selector.assess(
                session,
                table,
                snapshot,
                registrations,
                new IndexPredicate(schema, new PredicateRanges(schema, typeManager).of(predicate)),
                candidate -> limits.check(candidate.selection(), snapshot));
        Optional<IndexCandidate> best = IndexSelector.best(assessments);
        ImmutableList.Builder<IndexExplanation> explanations = ImmutableList.builder();
        for (IndexAssessment assessment : assessments) {
            explanations.add(explain(session, table, limits, assessment, best));
        }
        return explanations.build();
    }

    private IndexExplanation explain(ConnectorSession session, BaseTable table, LookupLimits limits, IndexAssessment assessment, Optional<IndexCandidate> best)
    {
        Optional<ExtractUse> use = assessment.candidate().map(candidate -> use(table, candidate));
        Optional<String> objection = assessment.reasonAgainst(best);
        if (assessment.objection().isPresent()) {
            return new IndexExplanation(assessment.indexName(), objection, use, Optional.empty());
        }
        try {
            LookupResult result = entryLookup.lookup(session, IcebergTableCredentials.forFileIO(table.io()), assessment.candidate().orElseThrow(), limits);
            return new IndexExplanation(assessment.indexName(), objection, use, Optional.of(new Found(result.entries(), result.rows().size())));
        }
        catch (NotUsableException e) {
            return new IndexExplanation(assessment.indexName(), Optional.of(e.getMessage()), use, Optional.empty());
        }
        catch (RuntimeException e) {
            // A query scans the table then
            return new IndexExplanation(assessment.indexName(), Optional.of("cannot be read: " + requireNonNullElse(e.getMessage(), e.toString())), use, Optional.empty());
        }
    }

    private static ExtractUse use(BaseTable table, IndexCandidate candidate)
    {
        long covered = 0;
        long files = 0;
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            for (FileScanTask task : tasks) {
                files++;
                covered += candidate.coverage().covers(task.file()) ? 1 : 0;
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ExtractUse(
                candidate.snapshotId(),
                candidate.selection().estimatedEntries(),
                candidate.selection().totalRegions(),
                candidate.selection().regions().size(),
                covered,
                files - covered);
    }
}
