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
import com.google.common.collect.ImmutableSet;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.metadata.MetadataLogEntry;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.sextant.error.SextantErrorCode.INDEX_COMMIT_CONFLICT;
import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.sextant.index.catalog.TestingIndex.TABLE_UUID;
import static io.sextant.index.catalog.TestingIndex.catalog;
import static io.sextant.index.catalog.TestingIndex.counter;
import static io.sextant.index.catalog.TestingIndex.increment;
import static io.sextant.index.catalog.TestingIndex.set;
import static io.sextant.index.metadata.IndexProperties.DELETE_AFTER_COMMIT;
import static io.sextant.index.metadata.IndexProperties.PREVIOUS_VERSIONS_MAX;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// What the catalog must do on every file system. A subclass says on which, and where in it the test may write.
public abstract class AbstractTestIndexCatalog
{
    private static final int WRITERS = 16;

    protected abstract TrinoFileSystem fileSystem();

    /// A directory that is there for this test class alone.
    protected abstract Location directory();

    private TestingIndex newIndex()
    {
        return TestingIndex.at(directory());
    }

    @Test
    void testCreateAndLoad()
            throws IOException
    {
        TestingIndex index = newIndex();
        LoadedIndex created = index.create(fileSystem(), ImmutableMap.of("a", "1"));
        assertThat(created.version()).isEqualTo(1);

        LoadedIndex loaded = index.load(fileSystem());
        assertThat(loaded.version()).isEqualTo(1);
        assertThat(loaded.metadataLocation()).isEqualTo(index.registration().location() + "/metadata/v1.metadata.json");
        assertThat(loaded.metadata().indexUuid()).isEqualTo(index.registration().uuid());
        assertThat(loaded.metadata().properties()).isEqualTo(ImmutableMap.of("a", "1"));
        assertThat(loaded.metadata().metadataLog()).isEmpty();
        assertThat(index.files(fileSystem())).containsExactly("metadata/v1.metadata.json", "metadata/version-hint.text");
    }

    @Test
    void testCreateWhereSomethingIs()
            throws IOException
    {
        TestingIndex index = newIndex();
        fileSystem().newOutputFile(Location.of(index.registration().location() + "/notes.txt")).createOrOverwrite(new byte[] {1});
        assertTrinoExceptionThrownBy(() -> index.create(fileSystem()))
                .hasErrorCode(INDEX_INVALID_DEFINITION)
                .hasMessage("Index location %s is in use; leave it out, or give one where there is nothing yet".formatted(index.registration().location()));
        assertThat(index.files(fileSystem())).containsExactly("notes.txt");
    }

    @Test
    void testCreateInsideAnotherIndex()
            throws IOException
    {
        TestingIndex outer = newIndex();
        outer.create(fileSystem());
        assertNothingInside(outer);
        // The hint may never have been written, and an old version may be deleted
        fileSystem().deleteFile(outer.locations().versionHint());
        assertNothingInside(outer);
        outer.commit(fileSystem(), set("a", "1"));
        fileSystem().deleteFile(outer.locations().metadataFile(1));
        assertNothingInside(outer);
        Location root = Location.of(outer.registration().location());
        TestingIndex.at(root.sibling(root.fileName() + "-beside")).create(fileSystem());
    }

    private void assertNothingInside(TestingIndex outer)
            throws IOException
    {
        Location root = Location.of(outer.registration().location());
        for (String directory : ImmutableList.of("data", "metadata", "inner", "data/of/inner")) {
            TestingIndex inner = TestingIndex.at(root.appendPath(directory));
            assertTrinoExceptionThrownBy(() -> inner.create(fileSystem()))
                    .hasErrorCode(INDEX_INVALID_DEFINITION)
                    .hasMessage("Index location %s is not allowed: it lies in %s, which is the place of another index or of a table; leave it out, or give one outside of that".formatted(inner.registration().location(), root));
            assertThat(inner.files(fileSystem())).isEmpty();
        }
    }

    @Test
    @Tag("IX-02")
    @Tag("IX-04")
    void testEveryChangeIsANewFile()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        byte[] first = read(index.locations().metadataFile(1));
        Extract extract = index.writeExtract(fileSystem(), 1, index.writeRegionFile(fileSystem()));

        assertThat(index.commit(fileSystem(), metadata -> metadata.withExtract(extract)).version()).isEqualTo(2);
        assertThat(index.commit(fileSystem(), set("a", "1")).version()).isEqualTo(3);
        assertThat(index.commit(fileSystem(), metadata -> metadata.withoutExtracts(ImmutableSet.of(1L))).version()).isEqualTo(4);

        assertThat(index.metadataFiles(fileSystem()))
                .containsExactly("metadata/v1.metadata.json", "metadata/v2.metadata.json", "metadata/v3.metadata.json", "metadata/v4.metadata.json");
        assertThat(read(index.locations().metadataFile(1))).isEqualTo(first);
        assertThat(index.load(fileSystem()).version()).isEqualTo(4);
    }

    @Test
    void testChangeThatChangesNothing()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        assertThat(index.commit(fileSystem(), UnaryOperator.identity()).version()).isEqualTo(1);
        assertThat(index.metadataFiles(fileSystem())).containsExactly("metadata/v1.metadata.json");
    }

    @Test
    void testChangeThatFails()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        assertThatThrownBy(() -> index.commit(fileSystem(), _ -> {
            throw new IllegalStateException("no");
        })).isInstanceOf(IllegalStateException.class).hasMessage("no");
        assertThat(index.metadataFiles(fileSystem())).containsExactly("metadata/v1.metadata.json");
    }

    @Test
    @Tag("IX-24")
    void testTimeIsSetJustBeforeWriting()
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        long[] changed = new long[1];
        IndexMetadata metadata = index.commit(fileSystem(), current -> {
            sleepUntilNextMilli();
            changed[0] = System.currentTimeMillis();
            sleepUntilNextMilli();
            return increment().apply(current);
        }).metadata();
        assertThat(metadata.lastUpdatedMillis()).isGreaterThan(changed[0]).isLessThanOrEqualTo(System.currentTimeMillis());
        assertThat(index.load(fileSystem()).metadata().lastUpdatedMillis()).isEqualTo(metadata.lastUpdatedMillis());
    }

    @Test
    @Tag("IX-03")
    void testManyIndexesOfOneType()
    {
        TestingIndex first = newIndex();
        TestingIndex second = newIndex();
        first.create(fileSystem());
        second.create(fileSystem());
        first.commit(fileSystem(), set("a", "1"));
        assertThat(first.load(fileSystem()).version()).isEqualTo(2);
        assertThat(second.load(fileSystem()).version()).isEqualTo(1);
        assertThat(first.load(fileSystem()).metadata().indexType()).isEqualTo(second.load(fileSystem()).metadata().indexType());

        catalog().drop(fileSystem(), first.registration(), TABLE_UUID);
        assertThat(second.load(fileSystem()).version()).isEqualTo(1);
    }

    @Test
    @Tag("IX-32")
    @Tag("IX-33")
    void testNoUpdateIsLostInARace()
            throws Exception
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        List<LoadedIndex> results = race(writer -> index.commit(fileSystem(), set("writer." + writer, "done")));

        assertThat(results.stream().map(LoadedIndex::version)).containsExactlyInAnyOrderElementsOf(IntStream.range(2, WRITERS + 2).boxed().toList());
        IndexMetadata last = index.load(fileSystem()).metadata();
        assertThat(index.load(fileSystem()).version()).isEqualTo(WRITERS + 1);
        for (int writer = 0; writer < WRITERS; writer++) {
            assertThat(last.properties()).containsEntry("writer." + writer, "done");
        }
        assertLogMatchesFiles(index, last);
    }

    @Test
    @Tag("IX-33")
    void testNoChangeIsMadeTwiceInARace()
            throws Exception
    {
        TestingIndex index = newIndex();
        // Deleting old versions makes their numbers free again
        index.create(fileSystem(), ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "1", DELETE_AFTER_COMMIT, "true"));
        race(_ -> {
            LoadedIndex last = null;
            for (int i = 0; i < 4; i++) {
                last = index.commit(fileSystem(), increment());
            }
            return last;
        });
        LoadedIndex last = index.load(fileSystem());
        assertThat(counter(last.metadata())).isEqualTo(WRITERS * 4);
        assertThat(last.version()).isEqualTo(WRITERS * 4 + 1);
    }

    @Test
    @Tag("IX-32")
    @Tag("IX-33")
    void testRejectedWriterSeesTheNewerState()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        AtomicInteger calls = new AtomicInteger();
        List<Integer> seen = new ArrayList<>();
        LoadedIndex result = index.commit(fileSystem(), metadata -> {
            if (calls.incrementAndGet() == 1) {
                index.commit(fileSystem(), increment());
            }
            seen.add(counter(metadata));
            return set("slow", "done").apply(metadata);
        });
        assertThat(seen).containsExactly(0, 1);
        assertThat(result.version()).isEqualTo(3);
        assertThat(counter(result.metadata())).isEqualTo(1);
        assertThat(result.metadata().properties()).containsEntry("slow", "done");
        assertLogMatchesFiles(index, result.metadata());
    }

    @Test
    @Tag("IX-33")
    void testRejectedWriterGivesUp()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        assertTrinoExceptionThrownBy(() -> catalog().commit(fileSystem(), index.registration(), metadata -> {
            index.commit(fileSystem(), increment());
            return set("slow", "done").apply(metadata);
        }, 2))
                .hasErrorCode(INDEX_COMMIT_CONFLICT)
                .hasMessage("Index by_user (%s) was not changed in 3 attempts: others changed the index each time; try again later".formatted(index.registration().location()));
        LoadedIndex last = index.load(fileSystem());
        assertThat(counter(last.metadata())).isEqualTo(3);
        assertThat(last.metadata().properties()).doesNotContainKey("slow");
        assertThat(index.metadataFiles(fileSystem())).hasSize(4);
    }

    @Test
    @Tag("IX-29")
    void testMetadataLog()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem(), ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "2"));
        for (int i = 0; i < 4; i++) {
            index.commit(fileSystem(), increment());
        }
        IndexMetadata last = index.load(fileSystem()).metadata();
        assertThat(last.metadataLog().stream().map(MetadataLogEntry::metadataFile)).containsExactly(
                index.locations().metadataFile(3).toString(),
                index.locations().metadataFile(4).toString());
        assertLogMatchesFiles(index, last);
        assertThat(index.metadataFiles(fileSystem())).hasSize(5);
    }

    @Test
    @Tag("IX-29")
    void testDeleteAfterCommit()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem(), ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "2", DELETE_AFTER_COMMIT, "true"));
        for (int i = 0; i < 4; i++) {
            index.commit(fileSystem(), increment());
        }
        assertThat(index.metadataFiles(fileSystem())).containsExactly("metadata/v3.metadata.json", "metadata/v4.metadata.json", "metadata/v5.metadata.json");
        assertThat(counter(index.load(fileSystem()).metadata())).isEqualTo(4);
    }

    @Test
    @Tag("IX-41")
    @Tag("IX-04")
    void testDroppedExtractTakesItsFilesAlong()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        String onlyOld = index.writeRegionFile(fileSystem());
        String shared = index.writeRegionFile(fileSystem());
        String onlyNew = index.writeRegionFile(fileSystem());
        Extract oldExtract = index.writeExtract(fileSystem(), 1, onlyOld, shared);
        Extract newExtract = index.writeExtract(fileSystem(), 2, shared, onlyNew);
        index.commit(fileSystem(), metadata -> metadata.withExtract(oldExtract).withExtract(newExtract));

        index.commit(fileSystem(), metadata -> metadata.withoutExtracts(ImmutableSet.of(1L)));

        assertThat(exists(onlyOld)).isFalse();
        assertThat(exists(oldExtract.trackingFile())).isFalse();
        assertThat(exists(shared)).isTrue();
        assertThat(exists(onlyNew)).isTrue();
        assertThat(exists(newExtract.trackingFile())).isTrue();
        assertThat(TestingIndex.trackingFileReader().read(fileSystem(), index.load(fileSystem()).metadata(), newExtract)).hasSize(2);
    }

    @Test
    @Tag("IX-41")
    void testNothingIsDeletedIfAKeptExtractCannotBeRead()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        String onlyOld = index.writeRegionFile(fileSystem());
        Extract oldExtract = index.writeExtract(fileSystem(), 1, onlyOld);
        Extract newExtract = index.writeExtract(fileSystem(), 2, index.writeRegionFile(fileSystem()));
        index.commit(fileSystem(), metadata -> metadata.withExtract(oldExtract).withExtract(newExtract));
        fileSystem().newOutputFile(Location.of(newExtract.trackingFile())).createOrOverwrite("PAR1".getBytes(StandardCharsets.UTF_8));

        LoadedIndex result = index.commit(fileSystem(), metadata -> metadata.withoutExtracts(ImmutableSet.of(1L)));

        assertThat(result.metadata().extracts()).containsExactly(newExtract);
        assertThat(exists(onlyOld)).isTrue();
        assertThat(exists(oldExtract.trackingFile())).isTrue();
    }

    @Test
    @Tag("IX-41")
    void testFilesOutsideTheIndexAreNotDeleted()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        String foreign = newIndex().writeRegionFile(fileSystem());
        String sneaky = index.registration().location() + "/data/../../" + Location.of(foreign).path().replaceFirst(".*/(?=[^/]+/data/)", "");
        Extract extract = index.writeExtract(fileSystem(), 1, foreign, sneaky);
        index.commit(fileSystem(), metadata -> metadata.withExtract(extract));
        index.commit(fileSystem(), metadata -> metadata.withoutExtracts(ImmutableSet.of(1L)));
        assertThat(exists(extract.trackingFile())).isFalse();
        assertThat(exists(foreign)).isTrue();
    }

    @Test
    @Tag("IX-29")
    void testOnlyOldMetadataFilesOfTheIndexAreDeleted()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem(), ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "1", DELETE_AFTER_COMMIT, "true"));
        TestingIndex other = newIndex();
        other.create(fileSystem());
        String region = index.writeRegionFile(fileSystem());
        Location first = index.locations().metadataFile(1);
        String log = Stream.of(
                        other.locations().metadataFile(1).toString(),
                        first.parentDirectory() + "/../../" + other.registration().location().replaceFirst(".*/", "") + "/metadata/v1.metadata.json",
                        index.locations().versionHint().toString(),
                        index.locations().metadataFile(2).toString(),
                        region)
                .map("{\"metadata-file\":\"%s\",\"timestamp-ms\":1}"::formatted)
                .collect(joining(","));
        String json = new String(read(first), StandardCharsets.UTF_8);
        fileSystem().newOutputFile(first).createOrOverwrite(json.replaceFirst("\\{", "{\"metadata-log\":[%s],".formatted(log)).getBytes(StandardCharsets.UTF_8));
        assertThat(index.load(fileSystem()).metadata().metadataLog()).hasSize(5);

        index.commit(fileSystem(), increment());

        assertThat(index.load(fileSystem()).version()).isEqualTo(2);
        assertThat(index.load(fileSystem()).metadata().metadataLog()).hasSize(1);
        assertThat(exists(index.locations().versionHint().toString())).isTrue();
        assertThat(exists(region)).isTrue();
        assertThat(other.load(fileSystem()).version()).isEqualTo(1);
    }

    @Test
    void testDrop()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        index.writeExtract(fileSystem(), 1, index.writeRegionFile(fileSystem()));
        catalog().drop(fileSystem(), index.registration(), TABLE_UUID);
        assertThat(index.files(fileSystem())).isEmpty();
        assertTrinoExceptionThrownBy(() -> index.load(fileSystem()))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("Index by_user has no metadata file in %s/metadata; drop the index and create it again".formatted(index.registration().location()));
        catalog().drop(fileSystem(), index.registration(), TABLE_UUID);
    }

    @Test
    void testDropOfWhatIsNotTheIndex()
            throws IOException
    {
        TestingIndex index = newIndex();
        index.create(fileSystem());
        IndexRegistration wrong = new IndexRegistration("by_user", newIndex().registration().uuid(), index.registration().location());
        assertTrinoExceptionThrownBy(() -> catalog().drop(fileSystem(), wrong, TABLE_UUID))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("The files at %s are not deleted, for they cannot be told to be those of index by_user; delete them by hand if they are".formatted(index.registration().location()));
        assertThat(index.load(fileSystem()).version()).isEqualTo(1);
    }

    @Test
    void testExclusiveCreationIsVerified()
            throws IOException
    {
        Location directory = directory().appendPath("probes");
        ExclusiveCreation.verify(fileSystem(), directory);
        assertThat(fileSystem().listFiles(directory).hasNext()).isFalse();
    }

    private List<LoadedIndex> race(IntFunction<LoadedIndex> writer)
            throws Exception
    {
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        try (ExecutorService executor = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<LoadedIndex>> futures = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int number = i;
                futures.add(executor.submit(() -> {
                    start.await();
                    return writer.apply(number);
                }));
            }
            ImmutableList.Builder<LoadedIndex> results = ImmutableList.builder();
            for (Future<LoadedIndex> future : futures) {
                results.add(future.get());
            }
            return results.build();
        }
    }

    private void assertLogMatchesFiles(TestingIndex index, IndexMetadata metadata)
            throws IOException
    {
        int version = index.load(fileSystem()).version() - metadata.metadataLog().size();
        for (MetadataLogEntry entry : metadata.metadataLog()) {
            assertThat(entry.metadataFile()).isEqualTo(index.locations().metadataFile(version).toString());
            LoadedIndex logged = new IndexMetadataFiles(fileSystem(), index.registration()).read(version).orElseThrow().index();
            assertThat(entry.timestampMillis()).isEqualTo(logged.metadata().lastUpdatedMillis());
            version++;
        }
    }

    private boolean exists(String location)
            throws IOException
    {
        return fileSystem().newInputFile(Location.of(location)).exists();
    }

    private byte[] read(Location location)
            throws IOException
    {
        return fileSystem().newInputFile(location).newStream().readAllBytes();
    }

    private static void sleepUntilNextMilli()
    {
        long start = System.currentTimeMillis();
        while (System.currentTimeMillis() <= start + 1) {
            Thread.onSpinWait();
        }
    }
}
