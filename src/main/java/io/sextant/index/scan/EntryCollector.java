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
import io.airlift.slice.Slice;
import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.util.HashMap;
import java.util.Map;

/// Gathers the entries that several readers find, up to a limit.
final class EntryCollector
{
    private final long maxEntries;
    private final Map<Slice, Roaring64Bitmap> rows = new HashMap<>();
    private long entries;

    EntryCollector(long maxEntries)
    {
        this.maxEntries = maxEntries;
    }

    synchronized void add(Map<Slice, Roaring64Bitmap> found)
            throws NotUsableException
    {
        for (Map.Entry<Slice, Roaring64Bitmap> file : found.entrySet()) {
            entries += file.getValue().getLongCardinality();
            rows.merge(file.getKey(), file.getValue(), (left, right) -> {
                left.or(right);
                return left;
            });
        }
        checkLimit(0);
    }

    /// Fails when there are more entries than the limit allows.
    ///
    /// @param more entries found and not added yet
    synchronized void checkLimit(long more)
            throws NotUsableException
    {
        if (entries + more > maxEntries) {
            throw new NotUsableException("more than %s entries match".formatted(maxEntries));
        }
    }

    synchronized LookupResult result()
    {
        ImmutableMap.Builder<String, RowPositions> result = ImmutableMap.builder();
        rows.forEach((file, positions) -> result.put(file.toStringUtf8(), RowPositions.of(positions)));
        return new LookupResult(result.buildOrThrow(), entries);
    }
}
