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

import com.google.common.collect.ImmutableList;
import io.sextant.index.tracking.TrackingEntry;

import java.util.List;

import static java.util.Objects.requireNonNull;

/// The regions of the extract of one index that serves the current snapshot.
sealed interface ServingRegions
{
    /// The regions of an extract that can be read.
    ///
    /// @param key the columns of the ordering key, in order
    /// @param regions in index order
    record Listed(String indexName, long extractId, List<RegionKeyColumn> key, List<TrackingEntry> regions)
            implements ServingRegions
    {
        public Listed
        {
            requireNonNull(indexName, "indexName is null");
            key = ImmutableList.copyOf(key);
            regions = ImmutableList.copyOf(regions);
        }
    }

    record Unreadable(String indexName, String error)
            implements ServingRegions
    {
        public Unreadable
        {
            requireNonNull(indexName, "indexName is null");
            requireNonNull(error, "error is null");
        }
    }
}
