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

import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.UncheckedExecutionException;
import com.google.inject.Inject;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.tracking.TrackedRegions;
import io.sextant.index.tracking.TrackingFileReader;
import io.trino.cache.NonEvictableCache;
import io.trino.filesystem.TrinoFileSystem;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.trino.cache.CacheUtils.uncheckedCacheGet;
import static io.trino.cache.SafeCaches.buildNonEvictableCache;
import static java.util.Objects.requireNonNull;

/// Loads the regions of extracts and keeps the latest in memory: a tracking file never changes.
public class TrackedRegionsLoader
{
    private static final int MAX_CACHED_REGIONS = 200_000;

    private final TrackingFileReader trackingFileReader;
    private final NonEvictableCache<String, TrackedRegions> cache = buildNonEvictableCache(CacheBuilder.newBuilder()
            .maximumWeight(MAX_CACHED_REGIONS)
            .weigher((String _, TrackedRegions regions) -> regions.count() + 1));

    @Inject
    public TrackedRegionsLoader(TrackingFileReader trackingFileReader)
    {
        this.trackingFileReader = requireNonNull(trackingFileReader, "trackingFileReader is null");
    }

    TrackedRegions load(TrinoFileSystem fileSystem, IndexMetadata metadata, Extract extract)
    {
        try {
            return uncheckedCacheGet(cache, metadata.resolve(extract.trackingFile()), () -> TrackedRegions.of(metadata, extract, trackingFileReader.read(fileSystem, metadata, extract)));
        }
        catch (UncheckedExecutionException e) {
            throwIfUnchecked(e.getCause());
            throw e;
        }
    }
}
