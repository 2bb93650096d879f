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
package io.sextant.index.refresh;

import com.google.common.collect.ImmutableList;
import io.sextant.index.tracking.TrackingEntry;

import java.util.List;

import static java.util.Objects.requireNonNull;

/// What becomes of regions of an earlier extract that follow each other.
sealed interface RegionPart
{
    record Reused(TrackingEntry region)
            implements RegionPart
    {
        public Reused
        {
            requireNonNull(region, "region is null");
        }
    }

    /// Regions that are written anew.
    ///
    /// @param regions perhaps none, after the last one
    /// @param added entries that come in, finished; to be closed
    /// @param expectedSize about the size of the new regions together, in bytes
    record Rewritten(List<TrackingEntry> regions, EntrySorter added, long expectedSize)
            implements RegionPart
    {
        public Rewritten
        {
            regions = ImmutableList.copyOf(regions);
            requireNonNull(added, "added is null");
        }
    }
}
