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

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// What one index has to do with a query.
///
/// @param objection why the query does not use the index; absent if it does
/// @param extract absent if the index cannot answer
/// @param found absent if the index may not be used
public record IndexExplanation(String indexName, Optional<String> objection, Optional<ExtractUse> extract, Optional<Found> found)
{
    public IndexExplanation
    {
        requireNonNull(indexName, "indexName is null");
        requireNonNull(objection, "objection is null");
        requireNonNull(extract, "extract is null");
        requireNonNull(found, "found is null");
    }

    /// What can be told of an extract from its tracking file.
    ///
    /// @param regions all of the extract
    /// @param regionsRead those that may have matching entries
    /// @param coveredFiles data files of the snapshot that the extract knows
    /// @param uncoveredFiles data files of the snapshot that are scanned in any case
    public record ExtractUse(long snapshotId, double estimatedEntries, int regions, int regionsRead, long coveredFiles, long uncoveredFiles) {}

    /// What a look-up finds.
    ///
    /// @param files data files that the matching entries name
    public record Found(long entries, long files) {}
}
