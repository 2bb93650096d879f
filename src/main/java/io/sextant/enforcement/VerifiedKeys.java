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

import io.sextant.index.scan.ExtractCoverage;
import org.apache.iceberg.Snapshot;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What earlier attempts of one commit have found: the added rows had no key of a row that the parent of then has. After a lost
/// race, only files whose rows may be live only since need to be looked at.
final class VerifiedKeys
{
    private final Map<Integer, Verified> byConstraint = new HashMap<>();

    private record Verified(Set<String> addedFiles, Snapshot parent) {}

    void add(int constraintId, AddedRows rows)
    {
        rows.parent().ifPresent(parent -> byConstraint.put(constraintId, new Verified(rows.locations(), parent)));
    }

    /// The files that are known to have none of the keys; empty if that is not known of any.
    Optional<ExtractCoverage> coverage(int constraintId, AddedRows rows)
    {
        Verified verified = byConstraint.get(constraintId);
        if (verified == null || !verified.addedFiles().equals(rows.locations())) {
            return Optional.empty();
        }
        return rows.parent().flatMap(parent -> ExtractCoverage.of(rows.table(), verified.parent(), parent));
    }
}
