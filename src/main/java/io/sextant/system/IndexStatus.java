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
package io.sextant.system;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// One row of [IndexesTable].
///
/// @param reach of the extract that serves the current snapshot
/// @param size of the same extract
record IndexStatus(
        String name,
        State state,
        List<String> key,
        List<String> include,
        Optional<Reach> reach,
        Optional<Size> size,
        Optional<String> location,
        Optional<String> progress,
        Optional<String> lastError)
{
    enum State
    {
        /// The first build is running; the index is not registered yet.
        BUILDING,
        /// There is no extract.
        UNBUILT,
        /// There is an extract of the current snapshot.
        CURRENT,
        /// There is an extract of an ancestor of the current snapshot.
        LAGGING,
        /// No extract may serve the current snapshot.
        STALE,
        /// The index cannot be read, uses what this release does not know, or has a key that the table has lost.
        UNUSABLE,
    }

    /// How far an extract covers the current snapshot.
    ///
    /// @param lag how many snapshots the table is ahead
    /// @param lagRows rows in files that the extract does not cover, deleted ones included
    /// @param coverage the part of the table's rows that lie in files the extract covers, 0 to 1
    /// @param fileCoverage the part of the table's files that the extract covers, 0 to 1
    record Reach(long snapshotId, long lag, long lagRows, double coverage, double fileCoverage) {}

    record Size(long entries, long regions, long bytes) {}

    IndexStatus
    {
        requireNonNull(name, "name is null");
        requireNonNull(state, "state is null");
        key = ImmutableList.copyOf(requireNonNull(key, "key is null"));
        include = ImmutableList.copyOf(requireNonNull(include, "include is null"));
        requireNonNull(reach, "reach is null");
        requireNonNull(size, "size is null");
        requireNonNull(location, "location is null");
        requireNonNull(progress, "progress is null");
        requireNonNull(lastError, "lastError is null");
    }

    static IndexStatus building(String name, String progress)
    {
        return withoutExtract(name, State.BUILDING, ImmutableList.of(), ImmutableList.of(), Optional.empty(), Optional.of(progress), Optional.empty());
    }

    static IndexStatus unusable(String name, Optional<String> location, String reason)
    {
        return withoutExtract(name, State.UNUSABLE, ImmutableList.of(), ImmutableList.of(), location, Optional.empty(), Optional.of(reason));
    }

    static IndexStatus withoutExtract(
            String name,
            State state,
            List<String> key,
            List<String> include,
            Optional<String> location,
            Optional<String> progress,
            Optional<String> lastError)
    {
        return new IndexStatus(name, state, key, include, Optional.empty(), Optional.empty(), location, progress, lastError);
    }
}
