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

import org.apache.iceberg.FileScanTask;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// A part of a data file that is read in one go: whole row groups or stripes, or the whole file.
///
/// @param count what all ranges of the file have read so far
record FileRange(FileScanTask task, long start, long length, FileCount count)
{
    FileRange
    {
        requireNonNull(task, "task is null");
        requireNonNull(count, "count is null");
        checkArgument(start >= 0 && length >= 0, "invalid range: %s, %s", start, length);
    }

    /// Counts the live rows of one data file, whose ranges may be read by several threads.
    static final class FileCount
    {
        private final AtomicInteger unreadRanges;
        private final AtomicLong rows = new AtomicLong();

        FileCount(int ranges)
        {
            unreadRanges = new AtomicInteger(ranges);
        }

        /// Adds the rows of one range; the sum of all ranges is given to the one that is counted last.
        OptionalLong add(long rangeRows)
        {
            rows.addAndGet(rangeRows);
            return unreadRanges.decrementAndGet() == 0 ? OptionalLong.of(rows.get()) : OptionalLong.empty();
        }
    }
}
