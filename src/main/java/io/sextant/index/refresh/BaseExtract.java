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

import io.sextant.index.region.RegionSchema;
import io.sextant.index.tracking.TrackedRegions;

import static java.util.Objects.requireNonNull;

/// The extract of an earlier snapshot, whose regions a refresh may reuse.
///
/// @param schema the columns of its entries; the keys have the bytes that they have in the new extract
public record BaseExtract(long snapshotId, RegionSchema schema, TrackedRegions regions)
{
    public BaseExtract
    {
        requireNonNull(schema, "schema is null");
        requireNonNull(regions, "regions is null");
    }
}
