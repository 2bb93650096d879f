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
import com.google.common.collect.Streams;
import io.airlift.slice.Slice;
import io.sextant.collation.CollationBounds;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.airlift.slice.Slices.utf8Slice;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

final class TestFileBounds
{
    private static final int FIELD = 2;
    private static final int METRIC = 7;
    private static final Map<Integer, ByteBuffer> BYTE_LOWER = ImmutableMap.of(FIELD, buffer("Banana"));
    private static final Map<Integer, ByteBuffer> BYTE_UPPER = ImmutableMap.of(FIELD, buffer("apple"));
    private static final Metrics METRICS = new Metrics(3L, Map.of(FIELD, 50L), Map.of(FIELD, 3L), Map.of(FIELD, 1L), Map.of(1, 0L), BYTE_LOWER, BYTE_UPPER);
    private static final CollationBounds BOUNDS = new CollationBounds(Optional.of(utf8Slice("apple")), Optional.of(utf8Slice("Banana")), 3, 1);

    @Test
    @Tag("CO-10")
    void testReadWhatWasAdded()
    {
        DataFile file = file(FileBounds.add(METRICS, METRIC, BOUNDS));
        assertThat(FileBounds.isCollected(file, METRIC)).isTrue();
        assertThat(FileBounds.read(file, METRIC)).contains(BOUNDS);
        assertThat(file.lowerBounds()).containsEntry(METRIC, buffer("apple"));
        assertThat(file.upperBounds()).containsEntry(METRIC, buffer("Banana"));
        assertThat(file.valueCounts()).containsEntry(METRIC, 3L);
        assertThat(file.nullValueCounts()).containsEntry(METRIC, 1L);
    }

    @Test
    @Tag("CO-03")
    @Tag("CO-12")
    void testByteBoundsAreUntouched()
    {
        Metrics added = FileBounds.add(METRICS, METRIC, BOUNDS);
        assertThat(added.recordCount()).isEqualTo(3);
        assertThat(added.columnSizes()).isEqualTo(METRICS.columnSizes());
        assertThat(added.nanValueCounts()).isEqualTo(METRICS.nanValueCounts());
        assertThat(added.lowerBounds()).containsExactlyInAnyOrderEntriesOf(ImmutableMap.of(FIELD, buffer("Banana"), METRIC, buffer("apple")));
        assertThat(added.upperBounds()).containsExactlyInAnyOrderEntriesOf(ImmutableMap.of(FIELD, buffer("apple"), METRIC, buffer("Banana")));
        assertThat(added.valueCounts()).containsExactlyInAnyOrderEntriesOf(ImmutableMap.of(FIELD, 3L, METRIC, 3L));
        assertThat(added.nullValueCounts()).containsExactlyInAnyOrderEntriesOf(ImmutableMap.of(FIELD, 1L, METRIC, 1L));
        // And so is what was given
        assertThat(METRICS.lowerBounds()).isEqualTo(BYTE_LOWER);
        assertThat(METRICS.valueCounts()).isEqualTo(Map.of(FIELD, 3L));
    }

    @Test
    @Tag("CO-13")
    void testMissingEntry()
    {
        DataFile file = file(METRICS);
        assertThat(FileBounds.isCollected(file, METRIC)).isFalse();
        assertThat(FileBounds.read(file, METRIC)).isEmpty();
        DataFile bare = DataFiles.builder(PartitionSpec.unpartitioned()).withPath("bare.parquet").withFormat(FileFormat.PARQUET).withFileSizeInBytes(1).withRecordCount(1).build();
        assertThat(FileBounds.isCollected(bare, METRIC)).isFalse();
        assertThat(FileBounds.read(bare, METRIC)).isEmpty();
        // Of another metric
        assertThat(FileBounds.read(file(FileBounds.add(METRICS, METRIC, BOUNDS)), METRIC + 1)).isEmpty();
        // Somebody wrote bounds but no counts, so that nobody says how many values they are of
        DataFile half = file(new Metrics(3L, null, null, null, null, ImmutableMap.of(METRIC, buffer("a")), ImmutableMap.of(METRIC, buffer("b"))));
        assertThat(FileBounds.read(half, METRIC)).isEmpty();
    }

    /// Other writers may leave out the count of nulls, which does not make it zero.
    @Test
    @Tag("CO-13")
    void testCountsThatSayNothing()
    {
        List<ImmutableMap<Integer, Long>> unusable = List.of(ImmutableMap.of(), ImmutableMap.of(METRIC, 4L), ImmutableMap.of(METRIC, -1L));
        for (Map<Integer, Long> nullCounts : unusable) {
            DataFile file = file(new Metrics(3L, null, ImmutableMap.of(METRIC, 3L), nullCounts, null, ImmutableMap.of(METRIC, buffer("a")), ImmutableMap.of(METRIC, buffer("b"))));
            assertThat(FileBounds.isCollected(file, METRIC)).isFalse();
            assertThat(FileBounds.read(file, METRIC)).isEmpty();
        }
    }

    @Test
    @Tag("CO-10")
    @Tag("case-38")
    void testBoundsThatWereLeftOut()
    {
        for (CollationBounds bounds : new CollationBounds[] {
                new CollationBounds(Optional.empty(), Optional.of(utf8Slice("z")), 3, 0),
                new CollationBounds(Optional.of(utf8Slice("a")), Optional.empty(), 3, 1),
                new CollationBounds(Optional.empty(), Optional.empty(), 3, 3),
        }) {
            DataFile file = file(FileBounds.add(METRICS, METRIC, bounds));
            assertThat(FileBounds.isCollected(file, METRIC)).isTrue();
            assertThat(FileBounds.read(file, METRIC)).contains(bounds);
        }
    }

    @Test
    @Tag("case-17")
    void testEmptyStringIsABound()
    {
        CollationBounds bounds = new CollationBounds(Optional.of(utf8Slice("")), Optional.of(utf8Slice("")), 3, 0);
        assertThat(FileBounds.read(file(FileBounds.add(METRICS, METRIC, bounds)), METRIC)).contains(bounds);
    }

    @Test
    void testMetricsWithoutMaps()
    {
        Metrics added = FileBounds.add(new Metrics(3L, null, null, null, null), METRIC, BOUNDS);
        assertThat(FileBounds.read(file(added), METRIC)).contains(BOUNDS);
        assertThat(added.columnSizes()).isNull();
        Metrics withoutBounds = FileBounds.add(new Metrics(3L, null, null, null, null), METRIC, new CollationBounds(Optional.empty(), Optional.empty(), 3, 3));
        assertThat(withoutBounds.lowerBounds()).isNull();
        assertThat(withoutBounds.upperBounds()).isNull();
        assertThat(FileBounds.isCollected(file(withoutBounds), METRIC)).isTrue();
    }

    /// Bounds that are collected again replace those before, also when they are absent now.
    @Test
    @Tag("CO-10")
    void testAddAgain()
    {
        Metrics once = FileBounds.add(METRICS, METRIC, BOUNDS);
        CollationBounds others = new CollationBounds(Optional.of(utf8Slice("b")), Optional.of(utf8Slice("c")), 2, 0);
        assertThat(FileBounds.read(file(FileBounds.add(once, METRIC, others)), METRIC)).contains(others);
        CollationBounds none = new CollationBounds(Optional.empty(), Optional.empty(), 3, 0);
        assertThat(FileBounds.read(file(FileBounds.add(once, METRIC, none)), METRIC)).contains(none);
    }

    @Test
    @Tag("CO-15")
    void testSeveralMetrics()
    {
        CollationBounds danish = new CollationBounds(Optional.of(utf8Slice("x")), Optional.of(utf8Slice("y")), 3, 1);
        DataFile file = file(FileBounds.add(FileBounds.add(METRICS, METRIC, BOUNDS), 8, danish));
        assertThat(FileBounds.read(file, METRIC)).contains(BOUNDS);
        assertThat(FileBounds.read(file, 8)).contains(danish);
        assertThat(FileBounds.metrics(file).lowerBounds()).containsOnlyKeys(FIELD, METRIC, 8);
    }

    @Test
    void testBoundsOfLargerMemory()
    {
        Slice memory = utf8Slice("xxappleyy");
        DataFile file = file(FileBounds.add(METRICS, METRIC, new CollationBounds(Optional.of(memory.slice(2, 5)), Optional.of(memory.slice(7, 2)), 3, 1)));
        CollationBounds read = FileBounds.read(file, METRIC).orElseThrow();
        assertThat(read.lower()).contains(utf8Slice("apple"));
        assertThat(read.upper()).contains(utf8Slice("yy"));
        // Reading moves no buffer of the file
        assertThat(FileBounds.read(file, METRIC)).contains(read);
    }

    @Test
    @Tag("CO-10")
    void testThroughManifests()
            throws IOException
    {
        String longest = "\u00e9".repeat(2048);
        CollationBounds bounds = new CollationBounds(Optional.of(utf8Slice("a")), Optional.of(utf8Slice(longest)), 3, 1);
        DataFile file = file(FileBounds.add(METRICS, METRIC, bounds));
        InMemoryFileIO io = new InMemoryFileIO();
        for (int formatVersion = 1; formatVersion <= 3; formatVersion++) {
            ManifestWriter<DataFile> writer = ManifestFiles.write(formatVersion, PartitionSpec.unpartitioned(), io.newOutputFile("manifest-%s.avro".formatted(formatVersion)), 1L);
            writer.add(file);
            writer.close();
            ManifestFile manifest = writer.toManifestFile();
            try (ManifestReader<DataFile> reader = ManifestFiles.read(manifest, io, ImmutableMap.of(0, PartitionSpec.unpartitioned()))) {
                DataFile read = Streams.stream(reader).collect(onlyElement()).copy();
                assertThat(FileBounds.read(read, METRIC)).contains(bounds);
                assertThat(read.lowerBounds()).containsEntry(FIELD, buffer("Banana"));
                assertThat(FileBounds.metrics(read).valueCounts()).isEqualTo(ImmutableMap.of(FIELD, 3L, METRIC, 3L));
            }
        }
    }

    private static DataFile file(Metrics metrics)
    {
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath("data.parquet")
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(100)
                .withMetrics(metrics)
                .build();
    }

    private static ByteBuffer buffer(String value)
    {
        return ByteBuffer.wrap(value.getBytes(UTF_8));
    }
}
