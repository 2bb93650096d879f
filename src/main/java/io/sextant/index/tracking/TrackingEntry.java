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
package io.sextant.index.tracking;

import com.google.common.collect.ImmutableMap;
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// One region file of an extract.
///
/// @param file the region file
/// @param contentStats statistics by field ID, of the extract schema or of a stats-only field. Every field of the ordering
///         key has some. Where a field has statistics and no bounds, all its values in the region are null or NaN; what is
///         not known for sure is left out as a whole.
/// @param keyMetadata the encryption key metadata of the region file, as it stands in the tracking file
public record TrackingEntry(IndexFile file, Map<Integer, FieldStats> contentStats, Optional<byte[]> keyMetadata)
{
    public TrackingEntry
    {
        requireNonNull(file, "file is null");
        contentStats = ImmutableMap.copyOf(requireNonNull(contentStats, "contentStats is null"));
        requireNonNull(keyMetadata, "keyMetadata is null");
    }

    @Override
    public boolean equals(Object object)
    {
        return object instanceof TrackingEntry that &&
                file.equals(that.file) &&
                contentStats.equals(that.contentStats) &&
                Arrays.equals(keyMetadata.orElse(null), that.keyMetadata.orElse(null));
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(file, contentStats, Arrays.hashCode(keyMetadata.orElse(null)));
    }
}
