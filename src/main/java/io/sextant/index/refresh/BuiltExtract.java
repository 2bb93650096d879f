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
import io.sextant.index.region.RegionFile;

import java.util.List;

/// The region files of an extract in index order; none if the snapshot has no live rows.
///
/// @param written those of them that were written for it; others are of an earlier extract
/// @param dataFileCount the data files of the snapshot
/// @param spilledBytes what sorting wrote to local disk
public record BuiltExtract(List<RegionFile> regions, List<RegionFile> written, long dataFileCount, long spilledBytes)
{
    public BuiltExtract
    {
        regions = ImmutableList.copyOf(regions);
        written = ImmutableList.copyOf(written);
    }

    public long entryCount()
    {
        return regions.stream().mapToLong(region -> region.file().recordCount()).sum();
    }

    public long writtenBytes()
    {
        return written.stream().mapToLong(region -> region.file().sizeInBytes()).sum();
    }
}
