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

import com.google.common.collect.ImmutableMap;
import io.sextant.index.region.RegionSchema;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/// An extract that answers a predicate: where to look, for what, and which data files it speaks of.
///
/// @param snapshotId the snapshot of the extract
/// @param keyDepth how many leading fields of the ordering key the key ranges of the selection span
/// @param boundColumns the extract field ID of every table column that the predicate binds and the extract has
/// @param filters the ranges of every extract column that the predicate binds, by extract field ID
record IndexCandidate(
        String indexName,
        long snapshotId,
        RegionSchema columns,
        ExtractCoverage coverage,
        RegionSelection selection,
        int keyDepth,
        Map<Integer, Integer> boundColumns,
        Map<Integer, ColumnRanges> filters)
{
    IndexCandidate
    {
        requireNonNull(indexName, "indexName is null");
        requireNonNull(columns, "columns is null");
        requireNonNull(coverage, "coverage is null");
        requireNonNull(selection, "selection is null");
        boundColumns = ImmutableMap.copyOf(requireNonNull(boundColumns, "boundColumns is null"));
        filters = ImmutableMap.copyOf(requireNonNull(filters, "filters is null"));
    }

    /// What the predicate demands, by extract field ID, for pruning row groups.
    TupleDomain<Integer> predicate()
    {
        ImmutableMap.Builder<Integer, Domain> domains = ImmutableMap.builder();
        // Domains are on values of the table's types; after a promotion those of the file are others
        filters.forEach((field, filter) -> filter.domain()
                .filter(_ -> filter.type().equals(columns.schema().findType(field)))
                .ifPresent(domain -> domains.put(field, domain)));
        return TupleDomain.withColumnDomains(domains.buildOrThrow());
    }
}
