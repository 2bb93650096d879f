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
package io.sextant.collation.metadata;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.sextant.collation.CollationBounds;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Metrics;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNullElse;

/// How files carry bounds in the order of collations: as the format versions up to 3 carry all metrics, in the maps of a
/// manifest entry, under the ID of the metric field. Values are the original strings in UTF-8, never truncated.
///
/// This class is the only one that knows the maps.
public final class FileBounds
{
    private FileBounds() {}

    /// The metrics of a file with the bounds of one metric field added. A bound that is left out leaves the counts.
    public static Metrics add(Metrics metrics, int metricId, CollationBounds bounds)
    {
        return new Metrics(
                metrics.recordCount(),
                metrics.columnSizes(),
                with(metrics.valueCounts(), metricId, Optional.of(bounds.valueCount())),
                with(metrics.nullValueCounts(), metricId, Optional.of(bounds.nullCount())),
                metrics.nanValueCounts(),
                with(metrics.lowerBounds(), metricId, bounds.lower().map(Slice::toByteBuffer)),
                with(metrics.upperBounds(), metricId, bounds.upper().map(Slice::toByteBuffer)));
    }

    /// All metrics of a file that is in a table already.
    public static Metrics metrics(DataFile file)
    {
        return new Metrics(
                file.recordCount(),
                file.columnSizes(),
                file.valueCounts(),
                file.nullValueCounts(),
                file.nanValueCounts(),
                file.lowerBounds(),
                file.upperBounds());
    }

    /// Whether somebody has looked for the bounds of a metric field in the file, and said what there is. Without a count of nulls
    /// there may be any number of them; counts that cannot be are as good as none.
    public static boolean isCollected(ContentFile<?> file, int metricId)
    {
        Long valueCount = get(file.valueCounts(), metricId);
        Long nullCount = get(file.nullValueCounts(), metricId);
        return valueCount != null && nullCount != null && nullCount >= 0 && nullCount <= valueCount;
    }

    /// The bounds of a metric field in a file; empty if they were not collected.
    public static Optional<CollationBounds> read(ContentFile<?> file, int metricId)
    {
        if (!isCollected(file, metricId)) {
            return Optional.empty();
        }
        return Optional.of(new CollationBounds(
                Optional.ofNullable(get(file.lowerBounds(), metricId)).map(FileBounds::slice),
                Optional.ofNullable(get(file.upperBounds(), metricId)).map(FileBounds::slice),
                file.valueCounts().get(metricId),
                file.nullValueCounts().get(metricId)));
    }

    private static Slice slice(ByteBuffer value)
    {
        return Slices.wrappedHeapBuffer(value.duplicate());
    }

    private static <T> T get(Map<Integer, T> map, int metricId)
    {
        return map == null ? null : map.get(metricId);
    }

    private static <T> Map<Integer, T> with(Map<Integer, T> map, int metricId, Optional<T> value)
    {
        if (map == null && value.isEmpty()) {
            return null;
        }
        // One that is there already is not of these values
        ImmutableMap.Builder<Integer, T> builder = ImmutableMap.<Integer, T>builder()
                .putAll(Maps.filterKeys(requireNonNullElse(map, ImmutableMap.<Integer, T>of()), id -> id != metricId));
        value.ifPresent(present -> builder.put(metricId, present));
        return builder.buildOrThrow();
    }
}
