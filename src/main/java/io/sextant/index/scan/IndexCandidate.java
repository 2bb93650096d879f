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

import java.util.Map;

import static java.util.Objects.requireNonNull;

/// An extract that answers a predicate: where to look, for what, and which data files it speaks of.
///
/// @param keyDepth how many leading fields of the ordering key the key ranges of the selection span
/// @param filters the ranges of every extract column that the predicate binds, by extract field ID
record IndexCandidate(
        String indexName,
        RegionSchema columns,
        ExtractCoverage coverage,
        RegionSelection selection,
        int keyDepth,
        Map<Integer, ColumnRanges> filters)
{
    IndexCandidate
    {
        requireNonNull(indexName, "indexName is null");
        requireNonNull(columns, "columns is null");
        requireNonNull(coverage, "coverage is null");
        requireNonNull(selection, "selection is null");
        filters = ImmutableMap.copyOf(requireNonNull(filters, "filters is null"));
    }
}
