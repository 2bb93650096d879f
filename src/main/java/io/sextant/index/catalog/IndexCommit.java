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

import io.airlift.log.Logger;
import io.sextant.error.SextantErrorCode;
import io.sextant.index.metadata.IndexMetadata;
import io.trino.spi.TrinoException;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.error.SextantErrorCode.INDEX_COMMIT_CONFLICT;
import static io.sextant.error.SextantErrorCode.INDEX_NOT_FOUND;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_UNSUITABLE;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/// One change of an index, tried until its metadata file is the next version or it is clear that it cannot be.
///
/// The swap is the exclusive creation of `v<N+1>.metadata.json` by a writer that started from `v<N>`: of all writers that did,
/// one succeeds. Two doubts remain, and the [CommitTrail] of the newest version settles both, before the change is ever
/// applied again:
/// - An error does not tell whether the file was created, perhaps will be later.
/// - Success does not tell that the file counts. If `v<N+1>` was replaced and deleted since this writer read `v<N>`, its number
///   was free again. So the directory is listed after each creation, and what lies below the current version is taken back.
final class IndexCommit
{
    private static final Logger log = Logger.get(IndexCommit.class);

    private static final long MIN_BACKOFF_MILLIS = 10;
    private static final long MAX_BACKOFF_MILLIS = 1_000;

    private final IndexMetadataFiles files;
    private final UnaryOperator<IndexMetadata> change;
    private final int maxRetries;
    private final List<Attempt> attempts = new ArrayList<>();

    IndexCommit(IndexMetadataFiles files, UnaryOperator<IndexMetadata> change, int maxRetries)
    {
        this.files = requireNonNull(files, "files is null");
        this.change = requireNonNull(change, "change is null");
        checkArgument(maxRetries >= 0, "maxRetries is negative: %s", maxRetries);
        this.maxRetries = maxRetries;
    }

    Outcome run()
    {
        IOException failure = null;
        for (int retry = 0; ; retry++) {
            if (retry > 0) {
                backOff(retry);
            }
            boolean last = retry > maxRetries;
            try {
                LoadedIndex current = readCurrent();
                Optional<Attempt> landed = settle(current);
                if (landed.isPresent()) {
                    return new Outcome(landed.orElseThrow().result(), landed);
                }
                if (last) {
                    break;
                }
                Optional<Attempt> attempt = attempt(current);
                if (attempt.isEmpty()) {
                    return new Outcome(current, Optional.empty());
                }
                if (create(attempt.orElseThrow())) {
                    return new Outcome(attempt.orElseThrow().result(), attempt);
                }
                failure = null;
            }
            catch (IOException e) {
                failure = e;
                if (last) {
                    break;
                }
                log.debug(e, "Commit of index %s failed, trying again", files.registration().location());
            }
        }
        throw givenUp(Optional.ofNullable(failure));
    }

    private LoadedIndex readCurrent()
            throws IOException
    {
        OptionalInt version = files.highestVersion();
        if (version.isPresent()) {
            // A concurrent commit may have deleted it since, but only after a higher version came to be
            return files.read(version.getAsInt())
                    .orElseThrow(() -> new IOException("Index metadata file %s was deleted while it was read".formatted(files.location(version.getAsInt()))))
                    .index();
        }
        throw dropped();
    }

    private Optional<Attempt> attempt(LoadedIndex current)
    {
        IndexMetadata before = current.metadata();
        IndexMetadata after = requireNonNull(change.apply(before), "change returned null");
        if (after == before) {
            return Optional.empty();
        }
        checkArgument(
                after.indexUuid().equals(before.indexUuid()) && after.tableUuid().equals(before.tableUuid()) && after.location().equals(before.location()),
                "A commit cannot turn index %s into another one",
                before.indexUuid());
        return Optional.of(new Attempt(current, after));
    }

    /// Returns whether the attempt is certain to be the current version.
    private boolean create(Attempt attempt)
            throws IOException
    {
        attempts.add(attempt);
        try {
            files.createExclusive(attempt.result().version(), attempt.json());
        }
        catch (FileAlreadyExistsException _) {
            // Somebody else was faster, or a client library repeated its own request: the next look at the current version tells
            return false;
        }
        catch (UnsupportedOperationException e) {
            throw new TrinoException(INDEX_STORAGE_UNSUITABLE, "The file system of %s cannot create a file exclusively; move the index to another one".formatted(files.registration().location()), e);
        }
        attempt.created = true;

        // In this order: if the base is gone because a later version deleted it, the listing shows that version or a still later one
        boolean baseExists = files.exists(attempt.base().version());
        OptionalInt highest = files.highestVersion();
        if (highest.isEmpty()) {
            throw dropped();
        }
        if (highest.getAsInt() != attempt.result().version()) {
            return false;
        }
        if (!baseExists) {
            takeBack(attempt);
            throw dropped();
        }
        return true;
    }

    /// Finds out what became of the attempts so far.
    private Optional<Attempt> settle(LoadedIndex current)
    {
        CommitTrail trail = CommitTrail.of(current.metadata());
        for (Attempt attempt : attempts) {
            if (trail.contains(attempt.id())) {
                return Optional.of(attempt);
            }
        }
        for (Attempt attempt : attempts) {
            int version = attempt.result().version();
            if (!trail.reaches(version, current.version())) {
                throw new TrinoException(
                        INDEX_COMMIT_CONFLICT,
                        "It is unknown whether the change of index %s was made in version %s, for the index is at version %s by now; look before trying it again".formatted(
                                files.registration().name(), version, current.version()));
            }
            if (attempt.created) {
                takeBack(attempt);
            }
        }
        return Optional.empty();
    }

    private void takeBack(Attempt attempt)
    {
        attempt.created = false;
        files.deleteQuietly(List.of(files.locations().metadataFile(attempt.result().version())));
    }

    private static void backOff(int retry)
    {
        long limit = min(MAX_BACKOFF_MILLIS, MIN_BACKOFF_MILLIS << min(retry, 10));
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(MIN_BACKOFF_MILLIS, limit + 1));
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrinoException(INDEX_COMMIT_CONFLICT, "Interrupted while waiting to try the change of an index again", e);
        }
    }

    private TrinoException givenUp(Optional<IOException> failure)
    {
        SextantErrorCode code = failure.isPresent() ? INDEX_STORAGE_ERROR : INDEX_COMMIT_CONFLICT;
        String reason = failure.map(e -> "its storage failed: " + e.getMessage())
                .orElse("others changed the index each time");
        return new TrinoException(
                code,
                "Index %s (%s) was not changed in %s attempts: %s; try again later".formatted(
                        files.registration().name(), files.registration().location(), attempts.size(), reason),
                failure.orElse(null));
    }

    private TrinoException dropped()
    {
        return new TrinoException(INDEX_NOT_FOUND, "Index %s has no metadata under %s; it was dropped".formatted(files.registration().name(), files.registration().location()));
    }

    /// @param index the state after the commit
    /// @param attempt the attempt that led there; empty if the change changes nothing
    record Outcome(LoadedIndex index, Optional<Attempt> attempt)
    {
        Outcome
        {
            requireNonNull(index, "index is null");
            requireNonNull(attempt, "attempt is null");
        }
    }

    /// A metadata file that was, or may have been, created.
    final class Attempt
    {
        private final String id = UUID.randomUUID().toString();
        private final LoadedIndex base;
        private final IndexMetadata.Replacement replacement;
        private final LoadedIndex result;
        private boolean created;

        private Attempt(LoadedIndex base, IndexMetadata changed)
        {
            this.base = requireNonNull(base, "base is null");
            // The time of an index never goes back, whatever the clocks of its writers show
            long now = max(System.currentTimeMillis(), base.metadata().lastUpdatedMillis());
            this.replacement = changed.replacing(base.metadataLocation(), now);
            int version = base.version() + 1;
            this.result = new LoadedIndex(replacement.metadata(), version, files.location(version));
        }

        String id()
        {
            return id;
        }

        LoadedIndex base()
        {
            return base;
        }

        LoadedIndex result()
        {
            return result;
        }

        List<String> obsoleteMetadataFiles()
        {
            return replacement.obsoleteMetadataFiles().stream().collect(toImmutableList());
        }

        byte[] json()
        {
            return CommitTrail.of(base.metadata()).with(id).toJson(replacement.metadata());
        }
    }
}
