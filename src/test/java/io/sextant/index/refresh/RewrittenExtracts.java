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
import com.google.common.collect.ImmutableMap;
import io.sextant.index.catalog.IndexLocations;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.region.RegionFile;
import io.sextant.index.region.RegionFileReader;
import io.sextant.index.region.RegionFileWriter;
import io.sextant.index.region.RegionSchema;
import io.sextant.index.scan.TestingIndexes;
import io.sextant.index.tracking.TrackingEntry;
import io.sextant.index.tracking.TrackingFileReader;
import io.sextant.index.tracking.TrackingFileWriter;
import io.trino.filesystem.Location;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import org.apache.iceberg.Schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

/// Replaces the extract of an index with key `k integer` and included column `v varchar` by another one, which may be wrong.
final class RewrittenExtracts
{
    private static final int KEY = 1;
    private static final int VALUE = 2;

    private final TestingIndexes indexes;

    RewrittenExtracts(TestingIndexes indexes)
    {
        this.indexes = requireNonNull(indexes, "indexes is null");
    }

    record Entry(int key, String file, long position, String value)
    {
        Entry withKey(int changed)
        {
            return new Entry(changed, file, position, value);
        }

        Entry withFile(String changed)
        {
            return new Entry(key, changed, position, value);
        }

        Entry withPosition(long changed)
        {
            return new Entry(key, file, changed, value);
        }

        Entry withValue(String changed)
        {
            return new Entry(key, file, position, changed);
        }
    }

    /// The entries with keys up to 50, and the others.
    static List<List<Entry>> inTwoRegions(List<Entry> entries)
    {
        return ImmutableList.of(
                entries.stream().filter(entry -> entry.key() <= 50).toList(),
                entries.stream().filter(entry -> entry.key() > 50).toList());
    }

    void rewrite(String table, String index, Function<List<Entry>, List<List<Entry>>> regions)
    {
        rewrite(table, index, regions, UnaryOperator.identity());
    }

    /// @param regions the entries of each region, which are sorted before they are written
    /// @param tracking what the tracking file says of the regions
    void rewrite(String table, String index, Function<List<Entry>, List<List<Entry>>> regions, UnaryOperator<List<TrackingEntry>> tracking)
    {
        IndexMetadata metadata = indexes.metadata(table, index);
        RegionSchema schema = RegionSchema.of(metadata, metadata.latestSchema());
        List<TrackingEntry> written = regions.apply(read(table, index)).stream()
                .map(entries -> write(table, metadata, schema, entries))
                .map(region -> new TrackingEntry(region.file(), region.stats(), Optional.empty()))
                .toList();
        replace(table, index, metadata, tracking.apply(written));
    }

    /// Writes all entries into one region in the order of the included column.
    void rewriteInOrderOfValues(String table, String index, UnaryOperator<TrackingEntry> tracking)
    {
        IndexMetadata metadata = indexes.metadata(table, index);
        RegionSchema schema = RegionSchema.of(metadata, metadata.latestSchema());
        RegionSchema other = new RegionSchema(schema.schema(), ImmutableList.of(VALUE), schema.fileFieldId(), schema.positionFieldId());
        RegionFile region = write(table, metadata, other, read(table, index));
        replace(table, index, metadata, ImmutableList.of(tracking.apply(new TrackingEntry(region.file(), region.stats(), Optional.empty()))));
    }

    private void replace(String table, String index, IndexMetadata metadata, List<TrackingEntry> regions)
    {
        Schema schema = metadata.latestSchema();
        String trackingFile = new IndexLocations(metadata.location()).newTrackingFile();
        long snapshotId = indexes.icebergTable(table).currentSnapshot().snapshotId();
        long size = TrackingFileWriter.of(metadata, schema, snapshotId)
                .writeFile(indexes.indexedTable(table).fileSystem().newOutputFile(Location.of(trackingFile)), regions);
        Extract replaced = metadata.extracts().getLast();
        Extract replacement = new Extract(
                replaced.extractId() ^ 1,
                snapshotId,
                schema.schemaId(),
                replaced.timestampMillis(),
                trackingFile,
                size,
                replaced.properties(),
                Optional.empty());
        indexes.changeMetadata(table, index, current -> current.withoutExtracts(Set.of(replaced.extractId())).withExtract(replacement));
    }

    /// The entries of the latest extract in index order.
    List<Entry> read(String table, String index)
    {
        IndexMetadata metadata = indexes.metadata(table, index);
        RegionSchema schema = RegionSchema.of(metadata, metadata.latestSchema());
        IndexedTable indexed = indexes.indexedTable(table);
        List<Entry> entries = new ArrayList<>();
        for (TrackingEntry region : indexes.instance(TrackingFileReader.class).read(indexed.fileSystem(), metadata, metadata.extracts().getLast())) {
            try (ConnectorPageSource pages = indexes.instance(RegionFileReader.class).open(indexed.session(), indexed.credentials(), newSimpleAggregatedMemoryContext(), schema, region.file())) {
                while (!pages.isFinished()) {
                    SourcePage page = pages.getNextSourcePage();
                    for (int position = 0; page != null && position < page.getPositionCount(); position++) {
                        entries.add(new Entry(
                                INTEGER.getInt(page.getBlock(0), position),
                                VARCHAR.getSlice(page.getBlock(1), position).toStringUtf8(),
                                BIGINT.getLong(page.getBlock(2), position),
                                VARCHAR.getSlice(page.getBlock(3), position).toStringUtf8()));
                    }
                }
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return entries;
    }

    private RegionFile write(String table, IndexMetadata metadata, RegionSchema schema, List<Entry> entries)
    {
        List<String> paths = entries.stream().map(Entry::file).distinct().sorted().toList();
        RegionFileWriter writer = new RegionFileWriter(schema, paths::get);
        entries.stream()
                .map(entry -> encode(schema, entry, paths))
                .sorted(comparing(Function.identity(), Arrays::compareUnsigned))
                .forEach(bytes -> writer.add(bytes, 0, bytes.length));
        return writer.finish(indexes.indexedTable(table).fileSystem().newOutputFile(Location.of(new IndexLocations(metadata.location()).newRegionFile())));
    }

    private static byte[] encode(RegionSchema schema, Entry entry, List<String> paths)
    {
        ImmutableMap<Integer, Object> values = ImmutableMap.of(
                KEY, entry.key(),
                VALUE, entry.value(),
                schema.fileFieldId().getAsInt(), paths.indexOf(entry.file()),
                schema.positionFieldId().getAsInt(), entry.position());
        KeyEncoding encoding = schema.entryEncoding();
        KeyBuffer buffer = new KeyBuffer();
        for (int i = 0; i < schema.entryColumns().size(); i++) {
            encoding.encodeValue(i, values.get(schema.entryColumns().get(i).fieldId()), buffer);
        }
        return buffer.toByteArray();
    }
}
