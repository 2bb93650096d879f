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
import io.sextant.index.refresh.ExtractRequest.HotKeys;
import io.sextant.index.region.RegionFile;
import io.sextant.index.region.RegionFileWriter;
import io.sextant.index.region.RegionSchema;
import io.trino.spi.TrinoException;

import java.util.List;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static java.util.Objects.requireNonNull;

/// Writes sorted entries to region files. A region ends when it is full and the key changes, or inside a key where hot keys
/// may be split (index format, "Ordering").
///
/// A region is held in memory until it ends, so one that is far larger than asked for, as its key has too many entries,
/// is refused.
final class RegionCutter
{
    private static final int ENTRIES_PER_SIZE_CHECK = 1024;
    private static final long MAX_REGION_BYTES = 512L * 1024 * 1024;

    private final RegionSchema schema;
    private final DataFilePaths paths;
    private final long targetSize;
    private final HotKeys hotKeys;
    private final RegionOutputs outputs;
    private final BuildProgress progress;
    private volatile long memoryUsage;

    RegionCutter(RegionSchema schema, DataFilePaths paths, long targetSize, HotKeys hotKeys, RegionOutputs outputs, BuildProgress progress)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.targetSize = targetSize;
        this.hotKeys = requireNonNull(hotKeys, "hotKeys is null");
        this.outputs = requireNonNull(outputs, "outputs is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    long memoryUsage()
    {
        return memoryUsage;
    }

    List<RegionFile> write(SortedEntries entries)
    {
        ImmutableList.Builder<RegionFile> regions = ImmutableList.builder();
        boolean more = entries.advance();
        while (more) {
            RegionFileWriter writer = new RegionFileWriter(schema, paths::path);
            more = fill(writer, entries);
            RegionFile region = writer.finish(outputs.create());
            progress.addWrittenRegion(region.file().sizeInBytes());
            regions.add(region);
        }
        memoryUsage = 0;
        return regions.build();
    }

    /// Adds entries to a region until it ends; returns whether there is an entry for another one.
    private boolean fill(RegionFileWriter writer, SortedEntries entries)
    {
        boolean full = false;
        int unchecked = 0;
        do {
            if (full && endsBefore(writer, entries)) {
                progress.addWrittenEntries(unchecked);
                return true;
            }
            writer.add(entries.array(), entries.offset(), entries.length());
            unchecked++;
            if (unchecked == ENTRIES_PER_SIZE_CHECK) {
                progress.checkpoint();
                progress.addWrittenEntries(unchecked);
                unchecked = 0;
                full = isFull(writer);
            }
        }
        while (entries.advance());
        progress.addWrittenEntries(unchecked);
        return false;
    }

    private boolean isFull(RegionFileWriter writer)
    {
        long size = writer.estimatedSizeInBytes();
        memoryUsage = size;
        if (size > MAX_REGION_BYTES) {
            throw new TrinoException(
                    INDEX_UNSUPPORTED,
                    "One key has so many entries that its region would exceed %s MB; set the index property write.region.split-hot-keys to true".formatted(MAX_REGION_BYTES / MEGABYTE.inBytes()));
        }
        return size >= targetSize;
    }

    private boolean endsBefore(RegionFileWriter writer, SortedEntries entries)
    {
        return switch (hotKeys) {
            case SPLIT -> true;
            case KEEP_TOGETHER -> !writer.continuesLastKey(entries.array(), entries.offset(), entries.length());
        };
    }
}
