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

import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.ExtractProperties;
import io.sextant.index.metadata.IndexMetadata;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import static java.util.Comparator.comparingInt;
import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;

/// The extract of an index that may answer for a snapshot, and the data files of that snapshot it speaks of.
public record ServingExtract(Extract extract, ExtractCoverage coverage)
{
    public ServingExtract
    {
        requireNonNull(extract, "extract is null");
        requireNonNull(coverage, "coverage is null");
    }

    /// The extract that leaves the fewest files to scan: that of the snapshot itself, else that of the nearest ancestor.
    public static Optional<ServingExtract> find(IndexMetadata metadata, Table table, Snapshot snapshot)
    {
        List<Candidate> nearestFirst = metadata.extracts().stream()
                .filter(extract -> extract.keyId().isEmpty() && ExtractProperties.isOfTableAt(extract, table.location()))
                .map(extract -> new Candidate(extract, table.snapshot(extract.sourceTableSnapshotId())))
                // Of a snapshot that has expired nobody can tell any more what it held
                .filter(candidate -> candidate.snapshot() != null)
                .sorted(Candidate.nearestFirst(snapshot))
                .toList();
        for (Candidate candidate : nearestFirst) {
            Optional<ExtractCoverage> coverage = ExtractCoverage.of(table, candidate.snapshot(), snapshot);
            if (coverage.isPresent()) {
                return Optional.of(new ServingExtract(candidate.extract(), coverage.orElseThrow()));
            }
        }
        return Optional.empty();
    }

    private record Candidate(Extract extract, Snapshot snapshot)
    {
        static Comparator<Candidate> nearestFirst(Snapshot read)
        {
            return comparingInt((Candidate candidate) -> candidate.snapshot().snapshotId() == read.snapshotId() ? 0 : 1)
                    .thenComparing(comparingLong((Candidate candidate) -> candidate.snapshot().sequenceNumber()).reversed())
                    .thenComparing(comparingLong((Candidate candidate) -> candidate.snapshot().timestampMillis()).reversed());
        }
    }
}
