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

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.units.Duration;
import io.sextant.index.catalog.TestingFileSystem.Action;
import io.sextant.index.catalog.TestingFileSystem.Operation;
import io.sextant.index.metadata.Extract;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import static io.sextant.error.SextantErrorCode.INDEX_COMMIT_CONFLICT;
import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_NOT_FOUND;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;
import static io.sextant.index.catalog.TestingFileSystem.Operation.CREATE_EXCLUSIVE;
import static io.sextant.index.catalog.TestingFileSystem.Operation.DELETE;
import static io.sextant.index.catalog.TestingFileSystem.Operation.LIST;
import static io.sextant.index.catalog.TestingFileSystem.Operation.OVERWRITE;
import static io.sextant.index.catalog.TestingIndex.TABLE_UUID;
import static io.sextant.index.catalog.TestingIndex.catalog;
import static io.sextant.index.catalog.TestingIndex.counter;
import static io.sextant.index.catalog.TestingIndex.increment;
import static io.sextant.index.catalog.TestingIndex.set;
import static io.sextant.index.metadata.IndexProperties.DELETE_AFTER_COMMIT;
import static io.sextant.index.metadata.IndexProperties.PREVIOUS_VERSIONS_MAX;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestIndexCatalogFaults
{
    private final TrinoFileSystem storage = new MemoryFileSystem();
    private final TestingIndex index = TestingIndex.at(Location.of("memory:///warehouse/t.indexes"));

    @Test
    @Tag("IX-33")
    void testCreationThatFailsBeforeItHappens()
    {
        index.create(storage);
        LoadedIndex result = index.commit(failing(CREATE_EXCLUSIVE, new IOException("lost")), increment());
        assertThat(result.version()).isEqualTo(2);
        assertThat(counter(index.load(storage).metadata())).isEqualTo(1);
    }

    @Test
    @Tag("IX-33")
    void testCreationThatHappensAndFails()
    {
        index.create(storage);
        // The second is what a client library reports that repeats a request whose response was lost
        for (IOException failure : new IOException[] {new IOException("lost"), new FileAlreadyExistsException("v")}) {
            int before = counter(index.load(storage).metadata());
            LoadedIndex result = index.commit(failingAfter(CREATE_EXCLUSIVE, failure), increment());
            assertThat(counter(result.metadata())).isEqualTo(before + 1);
            LoadedIndex last = index.load(storage);
            assertThat(last.version()).isEqualTo(result.version());
            assertThat(counter(last.metadata())).isEqualTo(before + 1);
        }
    }

    @Test
    @Tag("IX-33")
    void testCreationThatHappensAndFailsWhileOthersCommit()
    {
        index.create(storage);
        AtomicInteger failures = new AtomicInteger();
        TestingFileSystem fileSystem = new TestingFileSystem(storage).after((operation, _) -> {
            if (operation == CREATE_EXCLUSIVE && failures.getAndIncrement() == 0) {
                index.commit(storage, increment());
                index.commit(storage, increment());
                throw new IOException("lost");
            }
        });
        LoadedIndex result = index.commit(fileSystem, increment());
        assertThat(result.version()).isEqualTo(2);
        assertThat(index.load(storage).version()).isEqualTo(4);
        assertThat(counter(index.load(storage).metadata())).isEqualTo(3);
    }

    @Test
    @Tag("IX-33")
    void testListingThatSeesNoVersion()
            throws IOException
    {
        index.create(storage);
        Location first = index.locations().metadataFile(1);
        byte[] content;
        try (TrinoInputStream stream = storage.newInputFile(first).newStream()) {
            content = stream.readAllBytes();
        }
        // As if the version was replaced and deleted while a directory was listed piece by piece
        AtomicInteger listings = new AtomicInteger();
        TestingFileSystem fileSystem = new TestingFileSystem(storage)
                .before((operation, _) -> {
                    if (operation == LIST && listings.getAndIncrement() == 0) {
                        storage.deleteFile(first);
                    }
                })
                .after((operation, _) -> {
                    if (operation == LIST && listings.get() == 1) {
                        storage.newOutputFile(first).createOrOverwrite(content);
                    }
                });
        assertThat(index.commit(fileSystem, increment()).version()).isEqualTo(2);
        assertThat(counter(index.load(storage).metadata())).isEqualTo(1);
    }

    @Test
    @Tag("IX-33")
    void testListingThatFailsAfterCreation()
    {
        index.create(storage);
        AtomicInteger created = new AtomicInteger();
        TestingFileSystem fileSystem = new TestingFileSystem(storage)
                .after((operation, _) -> {
                    if (operation == CREATE_EXCLUSIVE) {
                        created.incrementAndGet();
                    }
                })
                .before((operation, _) -> {
                    if (operation == LIST && created.compareAndSet(1, 2)) {
                        throw new IOException("lost");
                    }
                });
        assertThat(index.commit(fileSystem, increment()).version()).isEqualTo(2);
        assertThat(index.load(storage).version()).isEqualTo(2);
        assertThat(counter(index.load(storage).metadata())).isEqualTo(1);
    }

    @Test
    void testStorageThatAlwaysFails()
    {
        index.create(storage);
        TestingFileSystem fileSystem = new TestingFileSystem(storage).before((operation, _) -> {
            if (operation == CREATE_EXCLUSIVE) {
                throw new IOException("out of order");
            }
        });
        assertTrinoExceptionThrownBy(() -> catalog().commit(fileSystem, index.registration(), increment(), 1))
                .hasErrorCode(INDEX_STORAGE_ERROR)
                .hasMessage("Index by_user (%s) was not changed in 2 attempts: its storage failed: out of order; try again later".formatted(index.registration().location()));
        assertThat(index.load(storage).version()).isEqualTo(1);
    }

    @Test
    @Tag("IX-32")
    @Tag("IX-33")
    void testSlowWriterCannotReuseADeletedVersion()
            throws IOException
    {
        index.create(storage, ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "1", DELETE_AFTER_COMMIT, "true"));
        AtomicInteger creations = new AtomicInteger();
        TestingFileSystem fileSystem = new TestingFileSystem(storage).before((operation, _) -> {
            if (operation == CREATE_EXCLUSIVE && creations.getAndIncrement() == 0) {
                for (int i = 0; i < 5; i++) {
                    index.commit(storage, increment());
                }
            }
        });
        LoadedIndex result = index.commit(fileSystem, set("slow", "done"));

        assertThat(creations).hasValue(2);
        assertThat(result.version()).isEqualTo(7);
        assertThat(counter(result.metadata())).isEqualTo(5);
        // What it created in place of version 2 is gone
        assertThat(index.metadataFiles(storage)).containsExactly("metadata/v6.metadata.json", "metadata/v7.metadata.json");
        LoadedIndex last = index.load(storage);
        assertThat(counter(last.metadata())).isEqualTo(5);
        assertThat(last.metadata().properties()).containsEntry("slow", "done");
    }

    @Test
    @Tag("IX-33")
    void testWriterThatIsTooSlowToKnow()
            throws IOException
    {
        index.create(storage, ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "1", DELETE_AFTER_COMMIT, "true"));
        TestingFileSystem fileSystem = new TestingFileSystem(storage).after((operation, _) -> {
            if (operation == CREATE_EXCLUSIVE) {
                for (int i = 0; i < CommitTrail.MAX_LENGTH; i++) {
                    index.commit(storage, increment());
                }
            }
        });
        assertTrinoExceptionThrownBy(() -> index.commit(fileSystem, increment()))
                .hasErrorCode(INDEX_COMMIT_CONFLICT)
                .hasMessage("It is unknown whether the change of index by_user was made in version 2, for the index is at version 66 by now; look before trying it again");
        assertThat(counter(index.load(storage).metadata())).isEqualTo(65);
    }

    @Test
    @Tag("IX-02")
    void testCrashAfterTheSwap()
    {
        index.create(storage, ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "1", DELETE_AFTER_COMMIT, "true"));
        assertCrash(CREATE_EXCLUSIVE, OVERWRITE, DELETE);
    }

    private void assertCrash(Operation... operations)
    {
        for (Operation crashing : operations) {
            for (boolean before : new boolean[] {true, false}) {
                int committed = counter(index.load(storage).metadata());
                Action crash = (operation, _) -> {
                    if (operation == crashing) {
                        throw new SimulatedCrash();
                    }
                };
                TestingFileSystem fileSystem = new TestingFileSystem(storage);
                TestingFileSystem crashingFileSystem = before ? fileSystem.before(crash) : fileSystem.after(crash);
                // Two commits, so that the second has an old file to delete
                index.commit(storage, increment());
                assertThatThrownBy(() -> index.commit(crashingFileSystem, increment())).isInstanceOf(SimulatedCrash.class);

                boolean swapped = crashing != CREATE_EXCLUSIVE || !before;
                assertThat(counter(index.load(storage).metadata())).isEqualTo(committed + (swapped ? 2 : 1));
                LoadedIndex next = index.commit(storage, increment());
                assertThat(counter(index.load(storage).metadata())).isEqualTo(committed + (swapped ? 3 : 2));
                assertThat(index.load(storage).version()).isEqualTo(next.version());
            }
        }
    }

    @Test
    @Tag("IX-41")
    void testCrashBeforeTheSwapKeepsTheFilesOfTheExtract()
            throws IOException
    {
        index.create(storage);
        String region = index.writeRegionFile(storage);
        Extract extract = index.writeExtract(storage, 1, region);
        index.commit(storage, metadata -> metadata.withExtract(extract));
        TestingFileSystem fileSystem = new TestingFileSystem(storage).before((operation, _) -> {
            if (operation == CREATE_EXCLUSIVE) {
                throw new SimulatedCrash();
            }
        });
        assertThatThrownBy(() -> index.commit(fileSystem, metadata -> metadata.withoutExtracts(ImmutableSet.of(1L)))).isInstanceOf(SimulatedCrash.class);
        assertThat(index.load(storage).metadata().extracts()).containsExactly(extract);
        assertThat(storage.newInputFile(Location.of(region)).exists()).isTrue();
        assertThat(storage.newInputFile(Location.of(extract.trackingFile())).exists()).isTrue();
    }

    @Test
    void testHintIsOnlyAHint()
            throws IOException
    {
        index.create(storage);
        for (int i = 0; i < 20; i++) {
            index.commit(storage, increment());
        }
        for (String hint : new String[] {"21", "20", "1", "22", "99999", "2147483647", "99999999999999999999", "-1", "0", "", "v3", "21\n", " 21", "x".repeat(1000)}) {
            storage.newOutputFile(index.locations().versionHint()).createOrOverwrite(hint.getBytes(UTF_8));
            assertThat(index.load(storage).version()).as(hint).isEqualTo(21);
        }
        storage.deleteFile(index.locations().versionHint());
        assertThat(index.load(storage).version()).isEqualTo(21);

        storage.newOutputFile(index.locations().versionHint()).createOrOverwrite("99999".getBytes(UTF_8));
        assertThat(index.commit(storage, increment()).version()).isEqualTo(22);
        assertThat(new String(storage.newInputFile(index.locations().versionHint()).newStream().readAllBytes(), UTF_8)).isEqualTo("22");
    }

    @Test
    void testGapInTheVersions()
            throws IOException
    {
        index.create(storage);
        for (int i = 0; i < 4; i++) {
            index.commit(storage, increment());
        }
        storage.deleteFile(index.locations().metadataFile(3));
        assertThat(index.load(storage).version()).isEqualTo(5);
        storage.deleteFile(index.locations().versionHint());
        assertThat(index.load(storage).version()).isEqualTo(5);
        // A writer is not misled by a hint below the gap
        storage.newOutputFile(index.locations().versionHint()).createOrOverwrite("2".getBytes(UTF_8));
        assertThat(index.commit(storage, increment()).version()).isEqualTo(6);
        assertThat(index.load(storage).version()).isEqualTo(6);
    }

    @Test
    void testDamagedMetadata()
            throws IOException
    {
        index.create(storage);
        index.commit(storage, increment());
        Location current = index.locations().metadataFile(2);
        byte[] content = storage.newInputFile(current).newStream().readAllBytes();
        storage.newOutputFile(current).createOrOverwrite(Arrays.copyOf(content, content.length / 2));
        assertTrinoExceptionThrownBy(() -> index.load(storage)).hasErrorCode(INDEX_CORRUPT).hasMessageContaining(current.toString());
        assertTrinoExceptionThrownBy(() -> index.commit(storage, increment())).hasErrorCode(INDEX_CORRUPT);
    }

    @Test
    void testIndexThatWasMoved()
            throws IOException
    {
        index.create(storage);
        IndexRegistration moved = new IndexRegistration("moved", index.registration().uuid(), "memory:///elsewhere");
        byte[] content = storage.newInputFile(index.locations().metadataFile(1)).newStream().readAllBytes();
        storage.newOutputFile(new IndexLocations(moved.location()).metadataFile(1)).createOrOverwrite(content);
        assertTrinoExceptionThrownBy(() -> catalog().load(storage, moved))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("Index metadata file memory:///elsewhere/metadata/v1.metadata.json is of an index at %s, not at memory:///elsewhere; an index cannot be moved: drop it and create it again".formatted(index.registration().location()));
    }

    @Test
    void testCommitToAnIndexThatIsBeingDropped()
            throws IOException
    {
        index.create(storage);
        TestingFileSystem fileSystem = new TestingFileSystem(storage).before((operation, _) -> {
            if (operation == CREATE_EXCLUSIVE) {
                catalog().drop(storage, index.registration(), TABLE_UUID);
            }
        });
        assertTrinoExceptionThrownBy(() -> index.commit(fileSystem, increment()))
                .hasErrorCode(INDEX_NOT_FOUND)
                .hasMessage("Index by_user has no metadata under %s; it was dropped".formatted(index.registration().location()));
        assertThat(index.files(storage)).isEmpty();
    }

    @Test
    void testDropThatFailsMidwayCanBeRepeated()
            throws IOException
    {
        index.create(storage);
        index.writeExtract(storage, 1, index.writeRegionFile(storage));
        TestingFileSystem fileSystem = new TestingFileSystem(storage).after(once(DELETE, new IOException("lost")));
        assertTrinoExceptionThrownBy(() -> catalog().drop(fileSystem, index.registration(), TABLE_UUID)).hasErrorCode(INDEX_STORAGE_ERROR);
        assertThat(index.files(storage)).isNotEmpty();
        catalog().drop(storage, index.registration(), TABLE_UUID);
        assertThat(index.files(storage)).isEmpty();
    }

    @Test
    void testReadsOfALoad()
    {
        index.create(storage);
        index.commit(storage, increment());
        TestingFileSystem fileSystem = new TestingFileSystem(storage);
        AtomicLong now = new AtomicLong();
        IndexCatalog catalog = new IndexCatalog(new IndexCatalogConfig().setMetadataCacheTtl(new Duration(1, SECONDS)), TestingIndex.trackingFileReader(), ticker(now));

        assertThat(catalog.load(fileSystem, index.registration()).version()).isEqualTo(2);
        assertThat(fileSystem.takeOperations()).containsExactly("READ version-hint.text", "EXISTS v3.metadata.json", "READ v2.metadata.json");

        now.addAndGet(MILLISECONDS.toNanos(999));
        catalog.load(fileSystem, index.registration());
        assertThat(fileSystem.takeOperations()).isEmpty();

        now.addAndGet(MILLISECONDS.toNanos(1));
        catalog.load(fileSystem, index.registration());
        assertThat(fileSystem.takeOperations()).containsExactly("EXISTS v3.metadata.json");

        index.commit(storage, increment());
        assertThat(catalog.load(fileSystem, index.registration()).version()).isEqualTo(2);
        now.addAndGet(SECONDS.toNanos(1));
        assertThat(catalog.load(fileSystem, index.registration()).version()).isEqualTo(3);
        assertThat(fileSystem.takeOperations()).containsExactly("EXISTS v3.metadata.json", "EXISTS v4.metadata.json", "READ v3.metadata.json");
    }

    @Test
    void testOwnCommitIsSeenAtOnce()
    {
        IndexCatalog catalog = new IndexCatalog(new IndexCatalogConfig().setMetadataCacheTtl(new Duration(1, SECONDS)), TestingIndex.trackingFileReader(), ticker(new AtomicLong()));
        catalog.create(storage, "by_user", index.metadata(ImmutableMap.of()));
        catalog.load(storage, index.registration());
        catalog.commit(storage, index.registration(), increment());
        assertThat(catalog.load(storage, index.registration()).version()).isEqualTo(2);
    }

    @Test
    void testKnownVersionThatWasDeletedWithItsSuccessor()
    {
        index.create(storage, ImmutableMap.of(PREVIOUS_VERSIONS_MAX, "1", DELETE_AFTER_COMMIT, "true"));
        AtomicLong now = new AtomicLong();
        IndexCatalog catalog = new IndexCatalog(new IndexCatalogConfig().setMetadataCacheTtl(new Duration(1, SECONDS)), TestingIndex.trackingFileReader(), ticker(now));
        catalog.load(storage, index.registration());
        for (int i = 0; i < 5; i++) {
            index.commit(storage, increment());
        }
        now.addAndGet(SECONDS.toNanos(59));
        assertThat(catalog.load(storage, index.registration()).version()).isEqualTo(1);
        now.addAndGet(SECONDS.toNanos(1));
        assertThat(catalog.load(storage, index.registration()).version()).isEqualTo(6);
    }

    @Test
    void testIndexCreatedAgainAtItsLocation()
    {
        IndexCatalog catalog = new IndexCatalog(new IndexCatalogConfig(), TestingIndex.trackingFileReader());
        catalog.create(storage, "by_user", index.metadata(ImmutableMap.of("generation", "1")));
        catalog.load(storage, index.registration());
        // Another process does it, so this catalog is not told
        catalog().drop(storage, index.registration(), TABLE_UUID);
        TestingIndex again = new TestingIndex(new IndexRegistration("by_user", "00000000-0000-0000-0000-000000000001", index.registration().location()));
        again.create(storage, ImmutableMap.of("generation", "2"));
        assertThat(catalog.load(storage, again.registration()).metadata().properties()).isEqualTo(ImmutableMap.of("generation", "2"));
    }

    private TestingFileSystem failing(Operation operation, IOException failure)
    {
        return new TestingFileSystem(storage).before(once(operation, failure));
    }

    private TestingFileSystem failingAfter(Operation operation, IOException failure)
    {
        return new TestingFileSystem(storage).after(once(operation, failure));
    }

    private static Action once(Operation failing, IOException failure)
    {
        AtomicInteger failures = new AtomicInteger();
        return (operation, _) -> {
            if (operation == failing && failures.getAndIncrement() == 0) {
                throw failure;
            }
        };
    }

    private static Ticker ticker(AtomicLong nanos)
    {
        return new Ticker()
        {
            @Override
            public long read()
            {
                return nanos.get();
            }
        };
    }

    /// Nothing catches it, as nothing runs after a crash.
    private static final class SimulatedCrash
            extends Error
    {
        private static final long serialVersionUID = 1;
    }
}
