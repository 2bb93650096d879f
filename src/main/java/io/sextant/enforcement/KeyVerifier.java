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

import com.google.common.collect.Streams;
import com.google.common.math.LongMath;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.predicate.TupleDomain;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.io.CloseableIterable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static java.lang.Math.max;
import static java.lang.Math.toIntExact;
import static java.math.RoundingMode.CEILING;
import static java.util.Collections.synchronizedSet;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Gatherers.mapConcurrent;

/// Finds out whether a row that is about to be added has the key of another added row, or of a row that stays.
///
/// Keys are compared by their hashes first, which takes a few bytes of memory for each added row. Hashes that occur twice are
/// suspects, whose keys are then read again and compared. If the hashes of all added rows do not fit, the rows are read
/// several times, each time for a part of the hashes.
final class KeyVerifier
{
    // A violation is as good as sure then
    private static final int MAX_SUSPECTS = 1000;

    private final AddedRows rows;
    private final KeyReader reader;
    private final OptionalLong verifiedSequenceNumber;
    private final long maxKeys;
    private final int threads;
    private final Set<String> addedLocations;

    /// @param verifiedSequenceNumber up to which files of the table are known to have none of the keys
    /// @param maxKeys whose hashes may be in memory
    KeyVerifier(AddedRows rows, KeyReader reader, OptionalLong verifiedSequenceNumber, long maxKeys, int threads)
    {
        this.rows = requireNonNull(rows, "rows is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.verifiedSequenceNumber = requireNonNull(verifiedSequenceNumber, "verifiedSequenceNumber is null");
        this.maxKeys = maxKeys;
        this.threads = threads;
        this.addedLocations = rows.locations();
    }

    /// A key that occurs twice.
    ///
    /// @param values of the key, in words
    /// @param amongAdded whether both rows are added ones
    record Duplicate(String values, boolean amongAdded) {}

    Optional<Duplicate> findDuplicate()
    {
        long addedRows = rows.files().stream().mapToLong(DataFile::recordCount).sum();
        int parts = toIntExact(max(1, LongMath.divide(addedRows, maxKeys, CEILING)));
        for (int part = 0; part < parts; part++) {
            Optional<Duplicate> duplicate = findDuplicate(new HashPart(part, parts));
            if (duplicate.isPresent()) {
                return duplicate;
            }
        }
        return Optional.empty();
    }

    private Optional<Duplicate> findDuplicate(HashPart part)
    {
        LongOpenHashSet hashes = new LongOpenHashSet();
        LongOpenHashSet suspects = new LongOpenHashSet();
        KeyBounds bounds = new KeyBounds(reader.encoding());
        readAdded((key, hash) -> {
            if (part.contains(hash)) {
                if (!hashes.add(hash)) {
                    suspects.add(hash);
                }
                bounds.add(key);
            }
        });
        if (hashes.isEmpty()) {
            return Optional.empty();
        }
        Set<Long> shared = synchronizedSet(suspects);
        readExisting(bounds, (_, hash) -> {
            if (hashes.contains(hash) && shared.size() < MAX_SUSPECTS) {
                shared.add(hash);
            }
        });
        return suspects.isEmpty() ? Optional.empty() : findDuplicate(suspects, bounds);
    }

    /// Compares the keys whose hashes are suspects.
    private Optional<Duplicate> findDuplicate(LongOpenHashSet suspects, KeyBounds bounds)
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
        readExisting(bounds, (key, hash) -> {
            if (suspects.contains(hash) && addedKeys.containsKey(Slices.wrappedBuffer(key.array(), 0, key.length()))) {
                existingKeys.add(Slices.wrappedBuffer(key.toByteArray()));
            }
        });
        return existingKeys.stream()
                .map(key -> new Duplicate(reader.describe(key.getBytes()), false))
                .findFirst();
    }

    /// No commit through this connector deletes rows of a file that it adds.
    private void readAdded(KeyReader.KeySink sink)
    {
        rows.files().forEach(file -> reader.read(file, List.of(), TupleDomain.all(), sink));
    }

    /// @param sink is called by several threads
    private void readExisting(KeyBounds bounds, KeyReader.KeySink sink)
    {
        TupleDomain<IcebergColumnHandle> predicate = bounds.toPredicate(reader.columns());
        try (CloseableIterable<FileScanTask> tasks = rows.table().newScan()
                .useSnapshot(rows.snapshot().snapshotId())
                .filter(bounds.toExpression(rows.table(), reader.fieldIds()))
                .planFiles()) {
            Streams.stream(tasks)
                    .filter(task -> !addedLocations.contains(task.file().location()) && !isVerified(task.file()))
                    .gather(mapConcurrent(threads, task -> {
                        reader.read(task.file(), task.deletes(), predicate, sink);
                        return task;
                    }))
                    .forEach(_ -> {});
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isVerified(DataFile file)
    {
        return verifiedSequenceNumber.isPresent() && file.fileSequenceNumber() != null && file.fileSequenceNumber() <= verifiedSequenceNumber.getAsLong();
    }
}
