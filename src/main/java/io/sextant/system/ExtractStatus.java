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
package io.sextant.system;

import io.sextant.index.metadata.Extract;
import io.sextant.system.IndexStatus.Size;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// One row of [ExtractsTable].
///
/// @param extract empty if the index cannot be read
/// @param serving whether queries on the current snapshot use the extract
/// @param snapshotExpired whether the table has lost the snapshot, so that no query can use the extract
/// @param expirable whether the procedure expire_extracts removes the extract unless it is told otherwise
/// @param regions the entries, number and bytes of the region files; empty if the tracking file cannot be read
/// @param error why the index, or the tracking file, cannot be read
record ExtractStatus(String indexName, Optional<Extract> extract, boolean serving, boolean snapshotExpired, boolean expirable, Optional<Size> regions, Optional<String> error)
{
    ExtractStatus
    {
        requireNonNull(indexName, "indexName is null");
        requireNonNull(extract, "extract is null");
        requireNonNull(regions, "regions is null");
        requireNonNull(error, "error is null");
    }

    static ExtractStatus unreadable(String indexName, String error)
    {
        return new ExtractStatus(indexName, Optional.empty(), false, false, false, Optional.empty(), Optional.of(error));
    }
}
