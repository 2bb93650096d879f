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
package io.sextant.enforcement;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.sextant.enforcement.ConstraintConfig.HashMemory;
import io.sextant.index.scan.ExtractCoverage;
import io.sextant.index.scan.KeyFileFinder;
import io.sextant.index.scan.KeyFileFinder.KeySearch;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.predicate.TupleDomain;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.TableScan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

import static java.util.Objects.requireNonNull;

/// Finds out whether a row that is about to be added has the key of another added row, or of a row that stays.
///
/// Keys are compared by their hashes first, which takes a few bytes for each added row. Hashes that occur twice are suspects,
/// whose keys are then read again and compared.
final class KeyVerifier
{
    // A violation is as good as sure then
    private static final int MAX_SUSPECTS = 1000;

    private final AddedRows rows;
    private final KeyReader reader;
    private final Optional<ExtractCoverage> verified;
    private final KeyFileFinder keyFileFinder;
    private final HashMemory memory;
    private final int threads;

    /// @param verified files that an earlier attempt has found to have none of the keys
    KeyVerifier(AddedRows rows, KeyReader reader, Optional<ExtractCoverage> verified, KeyFileFinder keyFileFinder, HashMemory memory, int threads)
    {
        this.rows = requireNonNull(rows, "rows is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.verified = requireNonNull(verified, "verified is null");
        this.keyFileFinder = requireNonNull(keyFileFinder, "keyFileFinder is null");
        this.memory = requireNonNull(memory, "memory is null");
        this.threads = threads;
    }

    /// A key that occurs twice.
    ///
    /// @param values of the key, in words
    /// @param amongAdded whether both rows are added ones
    record Duplicate(String values, boolean amongAdded) {}

    Optional<Duplicate> findDuplicate()
    {
        KeyBounds bounds = new KeyBounds(reader.encoding());
        try (KeyHashes hashes = new KeyHashes(memory)) {
            try (HashBatch batch = new HashBatch(hashes::add)) {
                readAdded((key, hash) -> {
                    batch.add(hash);
                    bounds.add(key);
                });
            }
            return hashes.isEmpty() ? Optional.empty() : findDuplicate(hashes, new ExistingFiles(bounds, filesWithoutKeys(hashes, bounds)));
        }
    }

    private Predicate<DataFile> filesWithoutKeys(KeyHashes hashes, KeyBounds bounds)
    {
        // Files that were added since the attempt before are no part of any extract yet
        if (verified.isPresent()) {
            return verified.orElseThrow()::covers;
        }
        return hashes.isInMemory()
                ? keyFileFinder.filesWithout(
                new KeySearch(rows.session(), rows.table(), rows.snapshot(), bounds.toRanges(reader.columns()), key -> hashes.contains(KeyReader.hash(key))),
                threads)
                : _ -> false;
    }

    private Optional<Duplicate> findDuplicate(KeyHashes hashes, ExistingFiles existing)
    {
        LongOpenHashSet suspects = hashes.repeated(MAX_SUSPECTS).examples();
        try (KeyHashes.Probe probe = hashes.probe(MAX_SUSPECTS)) {
            existing.forEach(task -> {
                try (HashBatch batch = new HashBatch(probe::test)) {
                    existing.read(task, (_, hash) -> batch.add(hash));
                }
            });
            suspects.addAll(probe.found());
        }
        return suspects.isEmpty() ? Optional.empty() : findDuplicate(suspects, existing);
    }

    /// Compares the keys whose hashes are suspects.
    private Optional<Duplicate> findDuplicate(LongOpenHashSet suspects, ExistingFiles existing)
    {
        Map<Slice, Boolean> addedKeys = new HashMap<>();
        readAdded((key, hash) -> {
            if (suspects.contains(hash)) {
                addedKeys.merge(Slices.wrappedBuffer(key.toByteArray()), false, (_, _) -> true);
            }
        });
        Optional<Duplicate> amongAdded = addedKeys.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(key -> new Duplicate(reader.describe(key.getKey().getBytes()), true))
                .findFirst();
        if (amongAdded.isPresent()) {
            return amongAdded;
        }
        Set<Slice> existingKeys = ConcurrentHashMap.newKeySet();
        existing.forEach(task -> existing.read(task, (key, hash) -> {
            if (suspects.contains(hash) && addedKeys.containsKey(Slices.wrappedBuffer(key.array(), 0, key.length()))) {
                existingKeys.add(Slices.wrappedBuffer(key.toByteArray()));
            }
        }));
        return existingKeys.stream()
                .map(key -> new Duplicate(reader.describe(key.getBytes()), false))
                .findFirst();
    }

    /// No commit through this connector deletes rows of a file that it adds.
    private void readAdded(KeyReader.KeySink sink)
    {
        rows.files().forEach(file -> reader.read(file, List.of(), TupleDomain.all(), sink));
    }

    /// The files of the new snapshot, but for the added ones, which may have a key within bounds.
    private final class ExistingFiles
    {
        private final TableScan scan;
        private final TupleDomain<IcebergColumnHandle> predicate;
        private final Predicate<DataFile> withoutKeys;
        private final Set<String> added = rows.locations();

        private ExistingFiles(KeyBounds bounds, Predicate<DataFile> withoutKeys)
        {
            this.scan = rows.table().newScan()
                    .useSnapshot(rows.snapshot().snapshotId())
                    .filter(bounds.toExpression(rows.table(), reader.fieldIds()));
            this.predicate = bounds.toPredicate(reader.columns());
            this.withoutKeys = withoutKeys;
        }

        /// @param consumer is called by several threads
        private void forEach(Consumer<FileScanTask> consumer)
        {
            DataFilePages.forEachFile(scan, threads, task -> {
                if (!added.contains(task.file().location()) && !withoutKeys.test(task.file())) {
                    consumer.accept(task);
                }
            });
        }

        private void read(FileScanTask task, KeyReader.KeySink sink)
        {
            reader.read(task.file(), task.deletes(), predicate, sink);
        }
    }
}
