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

/// What one index has to do with a predicate on a snapshot.
///
/// @param candidate absent if the index cannot answer
/// @param objection why the index is not to be used; absent if it may be
record IndexAssessment(String indexName, Optional<IndexCandidate> candidate, Optional<String> objection)
{
    IndexAssessment
    {
        requireNonNull(indexName, "indexName is null");
        requireNonNull(candidate, "candidate is null");
        requireNonNull(objection, "objection is null");
    }

    static IndexAssessment withoutCandidate(String indexName, String objection)
    {
        return new IndexAssessment(indexName, Optional.empty(), Optional.of(objection));
    }

    /// Why the index is not used where the best one is; absent if it is that.
    Optional<String> reasonAgainst(Optional<IndexCandidate> best)
    {
        if (objection.isPresent() || candidate.equals(best)) {
            return objection;
        }
        return Optional.of("another index has fewer entries to read");
    }
}
