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
package io.sextant.index.region;

import com.google.common.collect.ImmutableMap;
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/// A region file that was written, with the stats of its identity columns and stats-only fields by field ID.
public record RegionFile(IndexFile file, Map<Integer, FieldStats> stats)
{
    public RegionFile
    {
        requireNonNull(file, "file is null");
        stats = ImmutableMap.copyOf(stats);
    }
}
