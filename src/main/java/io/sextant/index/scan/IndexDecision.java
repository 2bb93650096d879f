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

import java.util.Map;

import static java.util.Objects.requireNonNull;

/// Whether some index of a table answers a predicate on a snapshot.
public sealed interface IndexDecision
{
    /// One index answers.
    record Usable(IndexCandidate candidate, Map<String, String> reasonsAgainstOthers)
            implements IndexDecision
    {
        public Usable
        {
            requireNonNull(candidate, "candidate is null");
            reasonsAgainstOthers = ImmutableMap.copyOf(requireNonNull(reasonsAgainstOthers, "reasonsAgainstOthers is null"));
        }
    }

    /// No index answers.
    ///
    /// @param reasons why not, by index name
    record NotUsable(Map<String, String> reasons)
            implements IndexDecision
    {
        public NotUsable
        {
            reasons = ImmutableMap.copyOf(requireNonNull(reasons, "reasons is null"));
        }
    }
}
