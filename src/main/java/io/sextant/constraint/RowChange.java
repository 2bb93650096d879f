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
package io.sextant.constraint;

import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;

import java.util.Map;

import static org.apache.iceberg.SnapshotSummary.ADDED_DELETE_FILES_PROP;
import static org.apache.iceberg.SnapshotSummary.ADDED_FILES_PROP;
import static org.apache.iceberg.SnapshotSummary.ADDED_RECORDS_PROP;
import static org.apache.iceberg.SnapshotSummary.CHANGED_PARTITION_COUNT_PROP;
import static org.apache.iceberg.SnapshotSummary.DELETED_FILES_PROP;
import static org.apache.iceberg.SnapshotSummary.DELETED_RECORDS_PROP;
import static org.apache.iceberg.SnapshotSummary.REMOVED_DELETE_FILES_PROP;

/// Whether a snapshot may have live rows that its parent lacks, and the other way round. A changed row counts as both.
/// Where the summary of a snapshot leaves it open, the answer is yes, since then less can be said of the constraints.
public record RowChange(boolean addsRows, boolean removesRows)
{
    private static final RowChange ANYTHING = new RowChange(true, true);

    public static RowChange of(Snapshot snapshot)
    {
        if (snapshot.operation() == null || snapshot.summary() == null) {
            return ANYTHING;
        }
        Counters counters = new Counters(snapshot.summary());
        try {
            return switch (snapshot.operation()) {
                case DataOperations.APPEND -> new RowChange(!counters.touchNothing(), counters.removeRows());
                case DataOperations.REPLACE -> new RowChange(counters.growFiles() || counters.reviveRows(), false);
                case DataOperations.DELETE -> new RowChange(counters.addFiles() || counters.reviveRows(), true);
                default -> ANYTHING;
            };
        }
        catch (NumberFormatException _) {
            return ANYTHING;
        }
    }

    /// The numbers in the summary of a snapshot. Iceberg leaves out those that are zero.
    private record Counters(Map<String, String> summary)
    {
        /// Iceberg writes the number of changed partitions, zero or not, if it has counted all files of the commit.
        boolean touchNothing()
        {
            return "0".equals(summary.get(CHANGED_PARTITION_COUNT_PROP)) && !addFiles();
        }

        boolean addFiles()
        {
            return count(ADDED_FILES_PROP) > 0;
        }

        boolean removeRows()
        {
            return count(DELETED_FILES_PROP) > 0 || count(ADDED_DELETE_FILES_PROP) > 0;
        }

        /// A compaction cannot write more rows than it has read.
        boolean growFiles()
        {
            return count(ADDED_RECORDS_PROP) > count(DELETED_RECORDS_PROP);
        }

        /// Rows come back if their deletes go and nothing takes their place.
        boolean reviveRows()
        {
            return count(REMOVED_DELETE_FILES_PROP) > 0 && count(DELETED_FILES_PROP) == 0 && count(ADDED_DELETE_FILES_PROP) == 0;
        }

        private long count(String counter)
        {
            return Long.parseLong(summary.getOrDefault(counter, "0"));
        }
    }
}
