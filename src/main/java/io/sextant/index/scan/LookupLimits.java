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
package io.sextant.index.scan;

import org.apache.iceberg.Snapshot;

import static com.google.common.base.Preconditions.checkArgument;
import static org.apache.iceberg.SnapshotSummary.TOTAL_RECORDS_PROP;

/// Beyond these a look-up gives way to a plain scan.
///
/// @param maxEntries entries that one look-up may find, all of which are held in memory
/// @param maxFraction the greatest part of the table's rows that is worth looking up, above 0 and up to 1
public record LookupLimits(long maxEntries, double maxFraction)
{
    public LookupLimits
    {
        checkArgument(maxEntries > 0, "maxEntries is not positive: %s", maxEntries);
        checkArgument(maxFraction > 0 && maxFraction <= 1, "maxFraction is not in (0, 1]: %s", maxFraction);
    }

    void check(RegionSelection selection, Snapshot snapshot)
            throws NotUsableException
    {
        double entries = selection.estimatedEntries();
        if (entries > maxEntries) {
            throw new NotUsableException("about %.0f entries match, above the limit of %s".formatted(entries, maxEntries));
        }
        String totalRecords = snapshot.summary().get(TOTAL_RECORDS_PROP);
        if (totalRecords == null) {
            return;
        }
        long rows = Long.parseLong(totalRecords);
        // Small tables are cheap either way, and guesses on them are coarse
        if (entries > 10_000 && entries > maxFraction * rows) {
            throw new NotUsableException("not selective: about %.0f of %s rows match".formatted(entries, rows));
        }
    }
}
