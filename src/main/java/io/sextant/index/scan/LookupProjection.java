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
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.region.RegionSchema;
import io.sextant.index.scan.RegionLookup.ResidualFilter;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.types.Type;

import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/// The columns that a look-up reads of a region: the key fields that its ranges span, the other columns that the
/// predicate binds, then file and position.
///
/// @param keyEncoding the encoding of the first columns
/// @param predicate by extract field ID, for pruning row groups
record LookupProjection(List<Integer> fieldIds, KeyEncoding keyEncoding, List<ResidualFilter> residualFilters, TupleDomain<Integer> predicate)
{
    LookupProjection
    {
        fieldIds = ImmutableList.copyOf(requireNonNull(fieldIds, "fieldIds is null"));
        requireNonNull(keyEncoding, "keyEncoding is null");
        residualFilters = ImmutableList.copyOf(requireNonNull(residualFilters, "residualFilters is null"));
        requireNonNull(predicate, "predicate is null");
    }

    static LookupProjection of(IndexCandidate candidate)
    {
        RegionSchema columns = candidate.columns();
        List<Integer> keyFields = columns.keyFieldIds().subList(0, candidate.keyDepth());
        ImmutableList.Builder<Integer> fieldIds = ImmutableList.<Integer>builder().addAll(keyFields);
        ImmutableList.Builder<ResidualFilter> residualFilters = ImmutableList.builder();
        int channel = keyFields.size();
        for (Map.Entry<Integer, ColumnRanges> filter : candidate.filters().entrySet()) {
            if (!keyFields.contains(filter.getKey())) {
                fieldIds.add(filter.getKey());
                residualFilters.add(new ResidualFilter(channel, KeyEncoding.of(ImmutableList.of(type(columns, filter.getKey()))), filter.getValue().ranges()));
                channel++;
            }
        }
        fieldIds.add(columns.fileFieldId().orElseThrow());
        fieldIds.add(columns.positionFieldId().orElseThrow());
        return new LookupProjection(
                fieldIds.build(),
                KeyEncoding.of(keyFields.stream().map(field -> type(columns, field)).toList()),
                residualFilters.build(),
                candidate.predicate());
    }

    int fileChannel()
    {
        return fieldIds.size() - 2;
    }

    int positionChannel()
    {
        return fieldIds.size() - 1;
    }

    private static Type type(RegionSchema columns, int fieldId)
    {
        return columns.schema().findType(fieldId);
    }
}
