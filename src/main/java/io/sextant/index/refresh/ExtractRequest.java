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

import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.sextant.index.region.RegionSchema;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.connector.ConnectorSession;
import org.apache.iceberg.BaseTable;

import java.util.Map;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// What to build an extract from, and where to.
///
/// @param snapshotId the snapshot whose live rows are indexed
/// @param sourceIds for every identity column, by its ID, the ID of the table field or metadata column that it copies
/// @param functions for every stats-only field, by its ID, how it is computed
/// @param fileSystem where region files are written
/// @param regionLocations gives a new location for each region file
/// @param targetRegionSize the size at which a region is full
/// @param hotKeys where the entries of one key may lie
public record ExtractRequest(
        ConnectorSession session,
        BaseTable table,
        long snapshotId,
        RegionSchema schema,
        Map<Integer, Integer> sourceIds,
        Map<Integer, FieldFunction> functions,
        TrinoFileSystem fileSystem,
        Supplier<Location> regionLocations,
        DataSize targetRegionSize,
        HotKeys hotKeys)
{
    public enum HotKeys
    {
        /// All entries of a key stand in one region, however many there are.
        KEEP_TOGETHER,
        /// A full region ends even inside a key (`write.region.split-hot-keys`).
        SPLIT,
    }

    public ExtractRequest
    {
        requireNonNull(session, "session is null");
        requireNonNull(table, "table is null");
        requireNonNull(schema, "schema is null");
        sourceIds = ImmutableMap.copyOf(sourceIds);
        functions = ImmutableMap.copyOf(functions);
        requireNonNull(fileSystem, "fileSystem is null");
        requireNonNull(regionLocations, "regionLocations is null");
        requireNonNull(targetRegionSize, "targetRegionSize is null");
        requireNonNull(hotKeys, "hotKeys is null");
        checkArgument(targetRegionSize.toBytes() > 0, "targetRegionSize is not positive: %s", targetRegionSize);
        for (int fieldId : schema.schema().columns().stream().mapToInt(field -> field.fieldId()).toArray()) {
            checkArgument(sourceIds.containsKey(fieldId), "no source is given for identity column %s", fieldId);
        }
        for (int fieldId : schema.statsOnlyFields().stream().mapToInt(field -> field.fieldId()).toArray()) {
            checkArgument(functions.containsKey(fieldId), "no function is given for stats-only field %s", fieldId);
        }
    }

    /// The same for entries of another extract schema.
    ExtractRequest withSchema(RegionSchema schema)
    {
        return new ExtractRequest(session, table, snapshotId, schema, sourceIds, functions, fileSystem, regionLocations, targetRegionSize, hotKeys);
    }
}
