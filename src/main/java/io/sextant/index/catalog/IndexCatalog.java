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
import com.google.common.cache.Cache;
import com.google.inject.Inject;
import io.sextant.index.catalog.IndexCommit.Attempt;
import io.sextant.index.catalog.IndexMetadataFiles.MetadataFile;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.tracking.TrackingFileReader;
import io.trino.cache.EvictableCacheBuilder;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.TrinoException;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;
import static io.trino.cache.CacheUtils.uncheckedCacheGet;
import static java.util.Objects.requireNonNull;

/// Reads, creates, changes and drops the metadata of indexes (index format, sections "Commits and Concurrency" and
/// "Metadata Log"). Safe for use by many threads, and by many processes on one index.
///
/// The content of a metadata file never changes, so it is cached without end; which one is current is looked up again
/// after [IndexCatalogConfig#getMetadataCacheTtl()]. A reader may therefore be some commits behind. That is harmless: each
/// extract describes one snapshot of the table for ever, and one that was dropped in between has files missing, which makes
/// a scan fall back to the table. A writer is never behind: it lists the directory.
public final class IndexCatalog
{
    /// How long the successors of a known version are found by counting up from it. Once old metadata files are deleted,
    /// a version may have been overtaken although the next one is not there, so the search begins anew now and then.
    private static final long SEARCH_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int MAX_PROBES = 8;
    private static final int MAX_KNOWN_VERSIONS = 10_000;

    private final TrackingFileReader trackingFileReader;
    private final int maxCommitRetries;
    private final long lookupTtlNanos;
    private final Ticker ticker;
    private final Cache<IndexKey, AtomicReference<KnownVersion>> knownVersions;
    private final Cache<VersionKey, MetadataFile> metadataFiles;

    @Inject
    public IndexCatalog(IndexCatalogConfig config, TrackingFileReader trackingFileReader)
    {
        this(config, trackingFileReader, Ticker.systemTicker());
    }

    IndexCatalog(IndexCatalogConfig config, TrackingFileReader trackingFileReader, Ticker ticker)
    {
        this.trackingFileReader = requireNonNull(trackingFileReader, "trackingFileReader is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
        maxCommitRetries = config.getMaxCommitRetries();
        lookupTtlNanos = config.getMetadataCacheTtl().roundTo(TimeUnit.NANOSECONDS);
        knownVersions = EvictableCacheBuilder.newBuilder()
                .maximumSize(MAX_KNOWN_VERSIONS)
                .build();
        metadataFiles = EvictableCacheBuilder.newBuilder()
                .maximumWeight(config.getMetadataCacheSize().toBytes())
                .weigher((VersionKey _, MetadataFile file) -> file.length())
                .shareNothingWhenDisabled()
                .build();
    }

    /// Loads the current state of an index, or one that was current a moment ago. Reads at most the hint and the metadata
    /// file, and nothing if the cache has both; beyond that asks whether the next version exists.
    ///
    /// @throws TrinoException with `INDEX_CORRUPT` if its metadata is missing or damaged, `INDEX_VERSION_UNSUPPORTED`, or
    ///         `INDEX_STORAGE_ERROR`
    public LoadedIndex load(TrinoFileSystem fileSystem, IndexRegistration registration)
    {
        IndexMetadataFiles files = new IndexMetadataFiles(fileSystem, registration);
        AtomicReference<KnownVersion> reference = knownVersion(registration);
        KnownVersion known = reference.get();
        try {
            return load(files, reference, known);
        }
        catch (IOException e) {
            throw storageError(registration, "read", e);
        }
    }

    /// Forgets which version of an index is current, so that the next [#load] looks, and not only one version further.
    public void refresh(IndexRegistration registration)
    {
        knownVersion(registration).set(KnownVersion.NONE);
    }

    /// Creates an index, without any extracts or with some, at a location where there is nothing yet.
    ///
    /// @param name only for error messages
    /// @throws TrinoException with `INDEX_INVALID_DEFINITION` if the location is in use or inside another index, `INDEX_STORAGE_UNSUITABLE`, or
    ///         `INDEX_STORAGE_ERROR`
    public LoadedIndex create(TrinoFileSystem fileSystem, String name, IndexMetadata metadata)
    {
        IndexRegistration registration = new IndexRegistration(name, metadata.indexUuid(), new IndexLocations(metadata.location()).root());
        IndexMetadataFiles files = new IndexMetadataFiles(fileSystem, registration);
        LoadedIndex created = new IndexCreation(files).create(metadata);
        files.writeHint(created.version());
        remember(registration, created);
        return created;
    }

    /// Changes an index, retrying as often as the configuration says.
    public LoadedIndex commit(TrinoFileSystem fileSystem, IndexRegistration registration, UnaryOperator<IndexMetadata> change)
    {
        return commit(fileSystem, registration, change, maxCommitRetries);
    }

    /// Replaces the current metadata of an index by a changed one, atomically. If somebody else is faster, applies the change
    /// to their metadata instead, so the change must hold nothing from an earlier call: one that adds an extract must check
    /// each time that the extract from which it reuses region files is still there, and throw if it is not, for those files may
    /// be deleted. A change that returns its argument changes nothing.
    ///
    /// Afterwards deletes the tracking and region files that only dropped extracts referred to and, if the index property
    /// `write.metadata.delete-after-commit.enabled` says so, the metadata files dropped from the log.
    ///
    /// @param maxRetries how often to try again after the first time
    /// @return the state that holds the change, which others may have replaced since
    /// @throws TrinoException with `INDEX_COMMIT_CONFLICT` if others were faster each time, `INDEX_NOT_FOUND` if the index was
    ///         dropped meanwhile, else as [#load]
    public LoadedIndex commit(TrinoFileSystem fileSystem, IndexRegistration registration, UnaryOperator<IndexMetadata> change, int maxRetries)
    {
        IndexMetadataFiles files = new IndexMetadataFiles(fileSystem, registration);
        IndexCommit.Outcome outcome = new IndexCommit(files, change, maxRetries).run();
        LoadedIndex result = outcome.index();
        remember(registration, result);
        if (outcome.attempt().isPresent()) {
            Attempt attempt = outcome.attempt().orElseThrow();
            files.writeHint(result.version());
            UnreferencedFiles unreferencedFiles = new UnreferencedFiles(files, trackingFileReader);
            unreferencedFiles.deleteMetadataFiles(attempt.obsoleteMetadataFiles(), result.version());
            unreferencedFiles.deleteFilesOfDroppedExtracts(attempt.base().metadata(), result.metadata());
        }
        return result;
    }

    /// The files that a [#commit] deletes which leads from one state of an index to another without some of its extracts.
    public List<Location> filesOfDroppedExtracts(TrinoFileSystem fileSystem, IndexRegistration registration, IndexMetadata before, IndexMetadata after)
    {
        return new UnreferencedFiles(new IndexMetadataFiles(fileSystem, registration), trackingFileReader).filesOfDroppedExtracts(before, after);
    }

    /// The files at the place of an index that nothing refers to and that were written before a time: what is left of builds and
    /// changes that crashed, and metadata files that have left the log. The time must lie before every build that still runs.
    ///
    /// @throws TrinoException with `INDEX_STORAGE_ERROR`, or as [#load]
    public List<Location> orphanFiles(TrinoFileSystem fileSystem, IndexRegistration registration, Instant olderThan)
    {
        try {
            return new OrphanFiles(new IndexMetadataFiles(fileSystem, registration), trackingFileReader).find(olderThan);
        }
        catch (IOException e) {
            throw storageError(registration, "listed", e);
        }
    }

    /// Deletes [#orphanFiles], and returns them. A file that cannot be deleted stays, and is logged.
    public List<Location> deleteOrphanFiles(TrinoFileSystem fileSystem, IndexRegistration registration, Instant olderThan)
    {
        List<Location> orphans = orphanFiles(fileSystem, registration, olderThan);
        new IndexMetadataFiles(fileSystem, registration).deleteQuietly(orphans);
        return orphans;
    }

    /// Deletes all files of an index. Whoever still reads it falls back to the table. Can be repeated if it fails midway.
    ///
    /// The table's registration must be gone before, or a query finds an index without files.
    ///
    /// @param tableUuid of the table that has the registration, which may be a copy of another table's
    /// @throws TrinoException with `INDEX_CORRUPT` if what lies at the location is not this index, which then stays as it is
    public void drop(TrinoFileSystem fileSystem, IndexRegistration registration, String tableUuid)
    {
        try {
            new IndexRemoval(new IndexMetadataFiles(fileSystem, registration), tableUuid).drop();
        }
        catch (IOException e) {
            throw storageError(registration, "dropped", e);
        }
        finally {
            refresh(registration);
        }
    }

    private LoadedIndex load(IndexMetadataFiles files, AtomicReference<KnownVersion> reference, KnownVersion known)
            throws IOException
    {
        long now = ticker.read();
        if (!known.isKnown()) {
            return remember(reference, known, find(files), now, now);
        }
        if (now - known.soughtNanos() < SEARCH_INTERVAL_NANOS) {
            boolean fresh = now - known.checkedNanos() < lookupTtlNanos;
            Optional<LoadedIndex> index = fresh ? read(files, known.version()) : readUpwards(files, known.version());
            if (index.isPresent()) {
                return remember(reference, known, index.orElseThrow(), fresh ? known.checkedNanos() : now, known.soughtNanos());
            }
        }
        return remember(reference, known, findByListing(files), now, now);
    }

    private LoadedIndex find(IndexMetadataFiles files)
            throws IOException
    {
        OptionalInt hint = files.readHint();
        if (hint.isPresent()) {
            Optional<LoadedIndex> index = readUpwards(files, hint.getAsInt());
            if (index.isPresent()) {
                return index.orElseThrow();
            }
        }
        return findByListing(files);
    }

    /// Reads the last of an unbroken series of versions; empty if the first of them is missing, or the series is long.
    private Optional<LoadedIndex> readUpwards(IndexMetadataFiles files, int from)
            throws IOException
    {
        int version = from;
        while (files.exists(version + 1)) {
            version++;
            if (version - from > MAX_PROBES) {
                return Optional.empty();
            }
        }
        return read(files, version);
    }

    private LoadedIndex findByListing(IndexMetadataFiles files)
            throws IOException
    {
        OptionalInt version = files.highestVersion();
        for (int attempt = 0; version.isPresent() && attempt < MAX_PROBES; attempt++) {
            Optional<LoadedIndex> index = read(files, version.getAsInt());
            if (index.isPresent()) {
                return index.orElseThrow();
            }
            // Some commits have come in between, and the last of them deleted the file
            version = files.highestVersion();
        }
        throw new TrinoException(
                INDEX_CORRUPT,
                "Index %s has no metadata file in %s; drop the index and create it again".formatted(files.registration().name(), files.locations().metadataDirectory()));
    }

    private Optional<LoadedIndex> read(IndexMetadataFiles files, int version)
            throws IOException
    {
        VersionKey key = new VersionKey(IndexKey.of(files.registration()), version);
        MetadataFile cached = metadataFiles.getIfPresent(key);
        if (cached != null) {
            return Optional.of(cached.index());
        }
        Optional<MetadataFile> file = files.read(version);
        return file.map(read -> uncheckedCacheGet(metadataFiles, key, () -> read).index());
    }

    private static LoadedIndex remember(AtomicReference<KnownVersion> reference, KnownVersion known, LoadedIndex index, long checkedNanos, long soughtNanos)
    {
        // What a commit in this process found out meanwhile is newer
        reference.compareAndSet(known, new KnownVersion(index.version(), checkedNanos, soughtNanos));
        return index;
    }

    private void remember(IndexRegistration registration, LoadedIndex index)
    {
        long now = ticker.read();
        knownVersion(registration).set(new KnownVersion(index.version(), now, now));
    }

    private AtomicReference<KnownVersion> knownVersion(IndexRegistration registration)
    {
        return uncheckedCacheGet(knownVersions, IndexKey.of(registration), () -> new AtomicReference<>(KnownVersion.NONE));
    }

    private static TrinoException storageError(IndexRegistration registration, String action, IOException e)
    {
        return new TrinoException(INDEX_STORAGE_ERROR, "Index %s at %s could not be %s: %s".formatted(registration.name(), registration.location(), action, e.getMessage()), e);
    }

    /// The UUID tells an index from one that lay at its location before it.
    private record IndexKey(String uuid, String location)
    {
        private static IndexKey of(IndexRegistration registration)
        {
            return new IndexKey(registration.uuid(), registration.location());
        }
    }

    private record VersionKey(IndexKey index, int version) {}
}
