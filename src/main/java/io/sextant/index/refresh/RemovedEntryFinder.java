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
import io.airlift.log.Logger;
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.refresh.RemovedRows.RemovedFromFile;
import io.sextant.index.region.RegionFileReader;
import io.sextant.index.tracking.TrackedRegions;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.block.Block;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.types.Comparators;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Gatherers.mapConcurrent;

/// Finds the regions of an earlier extract that have entries of removed rows: by the keys of the rows, which are read from
/// their data files, or by the data files that entries name. It takes the way with less to read; the second one if a data
/// file is gone.
final class RemovedEntryFinder
{
    private static final Logger log = Logger.get(RemovedEntryFinder.class);

    private final ExtractRequest request;
    private final BaseExtract base;
    private final RegionFileReader regionFileReader;
    private final int threads;
    private final BuildProgress progress;

    RemovedEntryFinder(ExtractRequest request, BaseExtract base, RegionFileReader regionFileReader, int threads, BuildProgress progress)
    {
        this.request = requireNonNull(request, "request is null");
        this.base = requireNonNull(base, "base is null");
        this.regionFileReader = requireNonNull(regionFileReader, "regionFileReader is null");
        this.threads = threads;
        this.progress = requireNonNull(progress, "progress is null");
    }

    /// Entries to be taken out, by region: one at least where there are any, and about as many as there are.
    ///
    /// @param pages opens files of the earlier snapshot
    /// @param encoder makes an encoder of their rows
    long[] find(RemovedRows rows, DataFilePages pages, Supplier<EntryEncoder> encoder)
    {
        List<Integer> candidates = candidates(rows);
        long entries = candidates.stream().mapToLong(region -> base.regions().entry(region).file().recordCount()).sum();
        long records = rows.files().stream().mapToLong(file -> file.before().file().recordCount()).sum();
        if (records < entries) {
            try {
                return findByKeys(rows, pages, encoder);
            }
            catch (RuntimeException e) {
                progress.checkpoint();
                log.warn(e, "Removed rows of table %s cannot be read any more; their entries are looked for in the index", request.table().name());
            }
        }
        return findByFiles(rows, candidates);
    }

    /// The regions that may have an entry of one of the files.
    private List<Integer> candidates(RemovedRows rows)
    {
        NavigableSet<CharSequence> paths = new TreeSet<>(Comparators.charSequences());
        rows.files().forEach(file -> paths.add(file.path()));
        return IntStream.range(0, base.regions().count())
                .filter(region -> mayName(region, paths))
                .boxed()
                .toList();
    }

    private boolean mayName(int region, NavigableSet<CharSequence> paths)
    {
        FieldStats stats = base.regions().entry(region).contentStats().get(base.schema().fileFieldId().orElseThrow());
        if (stats == null || stats.lower().isEmpty()) {
            return true;
        }
        CharSequence first = paths.ceiling((String) stats.lower().orElseThrow());
        return first != null && Comparators.charSequences().compare(first, (String) stats.upper().orElseThrow()) <= 0;
    }

    private long[] findByKeys(RemovedRows rows, DataFilePages pages, Supplier<EntryEncoder> encoder)
    {
        AtomicLongArray removed = new AtomicLongArray(base.regions().count());
        forEach(rows.files(), file -> countKeys(file, pages, encoder.get(), removed));
        return toArray(removed);
    }

    private void countKeys(RemovedFromFile file, DataFilePages pages, EntryEncoder encoder, AtomicLongArray removed)
    {
        KeyEncoding encoding = base.schema().entryEncoding();
        int keyFields = base.schema().keyFieldIds().size();
        NavigableSet<CharSequence> path = new TreeSet<>(Comparators.charSequences());
        path.add(file.path());
        int positionChannel = encoder.positionChannel();
        pages.read(file.before().file(), file.before().deletes(), encoder.columns(), TupleDomain.all(), page -> {
            progress.checkpoint();
            if (!select(page, page.getBlock(positionChannel), file)) {
                return;
            }
            encoder.encode(page, file.path(), 0, file.before().file().specId(), (entry, offset, _) -> {
                int end = offset;
                for (int field = 0; field < keyFields; field++) {
                    end = encoding.skip(field, entry, end);
                }
                count(entry, offset, end - offset, path, removed);
            });
        });
    }

    private static boolean select(SourcePage page, Block positions, RemovedFromFile file)
    {
        int[] selected = new int[positions.getPositionCount()];
        int count = 0;
        for (int row = 0; row < selected.length; row++) {
            if (file.contains(BIGINT.getLong(positions, row))) {
                selected[count] = row;
                count++;
            }
        }
        page.selectPositions(selected, 0, count);
        return count > 0;
    }

    /// Counts an entry in each region that its key may be in, several if one key fills them.
    private void count(byte[] key, int offset, int length, NavigableSet<CharSequence> path, AtomicLongArray removed)
    {
        TrackedRegions regions = base.regions();
        int region = regions.firstRegion(key, offset, length);
        if (region == regions.count()) {
            throw new NotReusableException("a row of data file %s has no entry".formatted(path.first()));
        }
        boolean last = false;
        while (!last && region < regions.count()) {
            last = regions.compareLastKey(region, key, offset, length) > 0;
            if (mayName(region, path)) {
                removed.incrementAndGet(region);
            }
            region++;
        }
    }

    private long[] findByFiles(RemovedRows rows, List<Integer> candidates)
    {
        AtomicLongArray removed = new AtomicLongArray(base.regions().count());
        forEach(candidates, region -> removed.set(region, countEntries(rows, base.regions().entry(region).file())));
        return toArray(removed);
    }

    private long countEntries(RemovedRows rows, IndexFile region)
    {
        List<Integer> fieldIds = ImmutableList.of(base.schema().fileFieldId().orElseThrow(), base.schema().positionFieldId().orElseThrow());
        RetainedRows files = new RetainedRows(_ -> OptionalInt.of(0), rows);
        long count = 0;
        try (ConnectorPageSource pages = open(region, fieldIds)) {
            while (!pages.isFinished()) {
                progress.checkpoint();
                SourcePage page = pages.getNextSourcePage();
                for (int row = 0; page != null && row < page.getPositionCount(); row++) {
                    if (!files.find(page.getBlock(0), row).retains(BIGINT.getLong(page.getBlock(1), row))) {
                        count++;
                    }
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return count;
    }

    private ConnectorPageSource open(IndexFile region, List<Integer> fieldIds)
    {
        return regionFileReader.open(
                request.session(),
                IcebergTableCredentials.forFileIO(request.table().io()),
                newSimpleAggregatedMemoryContext(),
                base.schema(),
                region,
                fieldIds);
    }

    private <T> void forEach(Collection<T> elements, Consumer<T> consumer)
    {
        elements.stream()
                .gather(mapConcurrent(threads, element -> {
                    try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
                        consumer.accept(element);
                        return element;
                    }
                }))
                .forEach(_ -> {});
    }

    private static long[] toArray(AtomicLongArray numbers)
    {
        return IntStream.range(0, numbers.length()).mapToLong(numbers::get).toArray();
    }
}
