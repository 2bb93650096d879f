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
package io.sextant.index.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.index.metadata.Extract;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.sextant.index.catalog.TestingIndex.increment;
import static io.sextant.index.metadata.IndexProperties.PREVIOUS_VERSIONS_MAX;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Which files at the place of an index count as left over.
@Tag("IX-41")
final class TestOrphanFiles
{
    private final TrinoFileSystem memory = new MemoryFileSystem();

    @Test
    void testWhatACrashLeaves()
            throws IOException
    {
        TestingIndex index = index();
        index.create(memory, ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "2"));
        Extract extract = index.writeExtract(memory, 1, index.writeRegionFile(memory), index.writeRegionFile(memory));
        index.commit(memory, metadata -> metadata.withExtract(extract));
        // A build that wrote its files and did not come to the swap
        String region = index.writeRegionFile(memory);
        Extract unfinished = index.writeExtract(memory, 2, region);
        for (int i = 0; i < 4; i++) {
            index.commit(memory, increment());
        }
        // On local disk a file is created under such a name before it gets its own
        Location aside = index.locations().metadataDirectory().appendPath(".v7.metadata.json-12151fd2-7586-11e9-8f9e-2a86e4085a59");
        write(memory, aside);
        List<Location> others = ImmutableList.of(
                index.locations().dataDirectory().appendPath("notes.txt"),
                index.locations().dataDirectory().appendPath("t/data/region-1.parquet"),
                index.locations().metadataDirectory().appendPath("snap-1.avro"),
                Location.of(index.registration().location() + "-other/data/region-1.parquet"));
        for (Location other : others) {
            write(memory, other);
        }

        assertThat(catalog().orphanFiles(memory, index.registration(), Instant.now().minus(Duration.ofDays(1)))).isEmpty();
        List<Location> expected = ImmutableList.of(
                Location.of(region),
                Location.of(unfinished.trackingFile()),
                aside,
                index.locations().metadataFile(1),
                index.locations().metadataFile(2),
                index.locations().metadataFile(3));
        assertThat(catalog().orphanFiles(memory, index.registration(), future())).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(catalog().deleteOrphanFiles(memory, index.registration(), future())).containsExactlyInAnyOrderElementsOf(expected);

        assertThat(catalog().orphanFiles(memory, index.registration(), future())).isEmpty();
        LoadedIndex last = index.load(memory);
        assertThat(last.version()).isEqualTo(6);
        assertThat(TestingIndex.counter(last.metadata())).isEqualTo(4);
        assertThat(index.metadataFiles(memory)).containsExactly("metadata/v4.metadata.json", "metadata/v5.metadata.json", "metadata/v6.metadata.json");
        for (TrackingEntry entry : TestingIndex.trackingFileReader().read(memory, last.metadata(), extract)) {
            assertThat(exists(Location.of(entry.file().location()))).isTrue();
        }
        for (Location other : others) {
            assertThat(exists(other)).isTrue();
        }
    }

    @Test
    void testNothingIsLeftOverIfAnExtractCannotBeRead()
            throws IOException
    {
        TestingIndex index = index();
        index.create(memory);
        Extract extract = index.writeExtract(memory, 1, index.writeRegionFile(memory));
        index.commit(memory, metadata -> metadata.withExtract(extract));
        index.writeRegionFile(memory);
        assertThat(catalog().orphanFiles(memory, index.registration(), future())).hasSize(1);
        memory.newOutputFile(Location.of(extract.trackingFile())).createOrOverwrite("PAR1".getBytes(UTF_8));
        assertThat(catalog().orphanFiles(memory, index.registration(), future())).isEmpty();
    }

    @Test
    void testExtractCommittedMeanwhile()
    {
        TestingIndex index = index();
        index.create(memory);
        Extract extract = index.writeExtract(memory, 1, index.writeRegionFile(memory));
        AtomicBoolean committed = new AtomicBoolean();
        TestingFileSystem fileSystem = new TestingFileSystem(memory);
        fileSystem.after((_, location) -> {
            if (location.equals(Location.of(index.registration().location())) && committed.compareAndSet(false, true)) {
                index.commit(memory, metadata -> metadata.withExtract(extract));
            }
        });
        assertThat(catalog().orphanFiles(fileSystem, index.registration(), future())).isEmpty();
        assertThat(committed).isTrue();
    }

    @Test
    void testDroppedIndex()
    {
        TestingIndex index = index();
        index.writeRegionFile(memory);
        assertThat(catalog().orphanFiles(memory, index.registration(), future())).isEmpty();
    }

    private static TestingIndex index()
    {
        return TestingIndex.at(Location.of("memory:///warehouse/t.indexes"));
    }

    private static IndexCatalog catalog()
    {
        return TestingIndex.catalog();
    }

    private static Instant future()
    {
        return Instant.now().plus(Duration.ofMinutes(1));
    }

    private boolean exists(Location location)
            throws IOException
    {
        return memory.newInputFile(location).exists();
    }

    private static void write(TrinoFileSystem fileSystem, Location location)
            throws IOException
    {
        fileSystem.newOutputFile(location).createOrOverwrite(new byte[] {1});
    }
}
