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

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.sextant.index.catalog.IndexRegistrations;
import io.sextant.index.file.IndexFileReader;
import io.sextant.index.file.IndexFileScan;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SourcePage;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.index.scan.IndexScanSessionProperties.isIndexEnabled;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Gatherers.mapConcurrent;

/// Tells by an index which data files have no row with any of many keys, so that they need not be read.
public class KeyFileFinder
{
    private static final Logger log = Logger.get(KeyFileFinder.class);

    private final IndexSelector selector;
    private final IndexFileReader indexFileReader;

    @Inject
    public KeyFileFinder(IndexSelector selector, IndexFileReader indexFileReader)
    {
        this.selector = requireNonNull(selector, "selector is null");
        this.indexFileReader = requireNonNull(indexFileReader, "indexFileReader is null");
    }

    /// Keys that are looked for among the rows of a snapshot.
    ///
    /// @param bounds of the keys by field ID, in the order in which the fields of a key are encoded
    /// @param keys whether an encoded key, which has no null, is one of them; asked by several threads
    public record KeySearch(ConnectorSession session, BaseTable table, Snapshot snapshot, Map<Integer, ColumnRanges> bounds, Predicate<KeyBuffer> keys)
    {
        public KeySearch
        {
            requireNonNull(session, "session is null");
            requireNonNull(table, "table is null");
            requireNonNull(snapshot, "snapshot is null");
            requireNonNull(bounds, "bounds is null");
            requireNonNull(keys, "keys is null");
        }
    }

    /// The files that surely have none of the keys; none of them if no index serves.
    ///
    /// @param threads that read regions
    public Predicate<DataFile> filesWithout(KeySearch search, int threads)
    {
        if (!isIndexEnabled(search.session()) || !IndexRegistrations.anyIn(search.table().properties())) {
            return _ -> false;
        }
        IndexDecision decision = selector.select(
                search.session(),
                search.table(),
                search.snapshot(),
                IndexRegistrations.fromTableProperties(search.table().properties()),
                new IndexPredicate(search.table().schema(), search.bounds()),
                candidate -> {
                    if (!candidate.boundColumns().keySet().equals(search.bounds().keySet())) {
                        throw new NotUsableException("it does not store all columns of the key");
                    }
                });
        return switch (decision) {
            case IndexDecision.Usable(IndexCandidate candidate, _) -> filesWithout(search, candidate, threads);
            case IndexDecision.NotUsable _ -> _ -> false;
        };
    }

    private Predicate<DataFile> filesWithout(KeySearch search, IndexCandidate candidate, int threads)
    {
        Set<String> filesWith = ConcurrentHashMap.newKeySet();
        try {
            candidate.selection().regions().stream()
                    .gather(mapConcurrent(threads, region -> {
                        findFiles(search, candidate, region, filesWith);
                        return region;
                    }))
                    .forEach(_ -> {});
        }
        catch (RuntimeException e) {
            // A damaged index must not fail the write: the table itself has the answer
            log.warn(e, "Index %s of table %s is not used", candidate.indexName(), search.table().name());
            return _ -> false;
        }
        return file -> candidate.coverage().covers(file) && !filesWith.contains(file.location());
    }

    private void findFiles(KeySearch search, IndexCandidate candidate, TrackingEntry region, Set<String> files)
    {
        List<Integer> keyFields = search.bounds().keySet().stream()
                .map(candidate.boundColumns()::get)
                .collect(toImmutableList());
        List<Integer> fieldIds = ImmutableList.<Integer>builder()
                .addAll(keyFields)
                .add(candidate.columns().fileFieldId().orElseThrow())
                .build();
        KeyEncoding encoding = KeyEncoding.of(keyFields.stream()
                .map(candidate.columns().schema()::findType)
                .collect(toImmutableList()));
        IndexFileScan scan = IndexFileScan.of(region.file(), candidate.columns().schema(), fieldIds).withPredicate(candidate.predicate());
        try (ConnectorPageSource pages = indexFileReader.open(search.session(), IcebergTableCredentials.forFileIO(search.table().io()), newSimpleAggregatedMemoryContext(), scan)) {
            while (!pages.isFinished()) {
                SourcePage page = pages.getNextSourcePage();
                if (page != null) {
                    findFiles(page, encoding, search.keys(), files);
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void findFiles(SourcePage page, KeyEncoding encoding, Predicate<KeyBuffer> keys, Set<String> files)
    {
        Block[] blocks = new Block[encoding.fieldCount()];
        for (int field = 0; field < blocks.length; field++) {
            blocks[field] = page.getBlock(field);
        }
        KeyBuffer key = new KeyBuffer();
        for (int row = 0; row < page.getPositionCount(); row++) {
            key.reset();
            if (encoding.encodeNotNull(blocks, row, key) && keys.test(key)) {
                files.add(VARCHAR.getSlice(page.getBlock(blocks.length), row).toStringUtf8());
            }
        }
    }
}
