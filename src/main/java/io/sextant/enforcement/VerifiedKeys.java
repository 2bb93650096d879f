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
package io.sextant.enforcement;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.util.SnapshotUtil;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// What earlier attempts of one commit have found: the added rows had no key of a row that some snapshot has. After a lost
/// race, only files that were added since need to be looked at.
final class VerifiedKeys
{
    private final Map<Integer, Verified> byConstraint = new HashMap<>();

    private record Verified(Set<String> addedFiles, long parentId, long parentSequenceNumber) {}

    void add(int constraintId, AddedRows rows)
    {
        parent(rows).ifPresent(parent -> byConstraint.put(constraintId, new Verified(rows.locations(), parent.snapshotId(), parent.sequenceNumber())));
    }

    /// The sequence number up to which files are known to have none of the keys.
    OptionalLong verifiedSequenceNumber(int constraintId, AddedRows rows)
    {
        Verified verified = byConstraint.get(constraintId);
        if (verified == null
                || !verified.addedFiles().equals(rows.locations())
                || parent(rows).isEmpty()
                || !SnapshotUtil.isAncestorOf(rows.table(), parent(rows).orElseThrow().snapshotId(), verified.parentId())) {
            return OptionalLong.empty();
        }
        // Tables of format version 1 have no sequence numbers
        return verified.parentSequenceNumber() == 0 ? OptionalLong.empty() : OptionalLong.of(verified.parentSequenceNumber());
    }

    private static Optional<Snapshot> parent(AddedRows rows)
    {
        return Optional.ofNullable(rows.snapshot().parentId())
                .map(rows.table()::snapshot)
                .filter(Objects::nonNull);
    }
}
