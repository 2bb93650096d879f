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
package io.sextant.catalog;

import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// One attempt to commit to a table.
///
/// @param operations of the catalog, for reading files and for looking whether the base is still the newest
/// @param base what the attempt replaces: the metadata that the catalog must still hold for the attempt to succeed;
///         empty if the table does not exist yet
/// @param origin what the changes were applied to: the base, except that creating or replacing a table starts from new
///         metadata, and does so in each attempt, whatever was committed meanwhile
/// @param candidate what to commit
public record CommitAttempt(TableOperations operations, Optional<TableMetadata> base, TableMetadata origin, TableMetadata candidate)
{
    public CommitAttempt
    {
        requireNonNull(operations, "operations is null");
        requireNonNull(base, "base is null");
        requireNonNull(origin, "origin is null");
        requireNonNull(candidate, "candidate is null");
        checkArgument(candidate.changes().size() >= origin.changes().size(), "candidate has fewer changes than its origin");
    }

    /// Whether this is `CREATE OR REPLACE` of an existing table.
    public boolean replacesTable()
    {
        return base.isPresent() && !base.orElseThrow().equals(origin);
    }

    /// The changes from the origin to the candidate, perhaps none. What a new table starts with is in its origin.
    public List<MetadataUpdate> changes()
    {
        return candidate.changes().subList(origin.changes().size(), candidate.changes().size());
    }

    CommitAttempt withCandidate(TableMetadata candidate)
    {
        return new CommitAttempt(operations, base, origin, candidate);
    }
}
