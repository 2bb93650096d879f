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

import io.trino.spi.connector.ConnectorSession;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/// The rows that a snapshot is about to add to a table.
///
/// @param table as it will be; its metadata are not committed yet
/// @param files whose live rows are added
record AddedRows(ConnectorSession session, BaseTable table, Snapshot snapshot, List<DataFile> files)
{
    AddedRows
    {
        requireNonNull(session, "session is null");
        requireNonNull(table, "table is null");
        requireNonNull(snapshot, "snapshot is null");
        files = List.copyOf(files);
    }

    Schema schema()
    {
        return table.schema();
    }

    /// The snapshot to which the rows are added; empty if there is none.
    Optional<Snapshot> parent()
    {
        return Optional.ofNullable(snapshot.parentId())
                .map(table::snapshot);
    }

    Set<String> locations()
    {
        return files.stream()
                .map(DataFile::location)
                .collect(toImmutableSet());
    }
}
