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
package io.sextant.collation.maintenance;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.io.BaseEncoding;
import io.sextant.testing.TableFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.util.ByteBuffers;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/// Looks at what manifests say of data files, and for manifests that nothing refers to.
final class TestingManifests
{
    private TestingManifests() {}

    /// What a manifest says of a file, apart from bounds that are added.
    record Entry(
            long snapshotId,
            long dataSequenceNumber,
            long fileSequenceNumber,
            Optional<Long> firstRowId,
            int specId,
            String partition,
            Optional<Integer> sortOrderId,
            List<Long> splitOffsets,
            long size,
            long records,
            String metrics) {}

    /// The manifests and lists of manifests on disk are those that snapshots refer to.
    static void assertNoOthers(BaseTable table, Path lake)
    {
        ImmutableSet.Builder<String> known = ImmutableSet.builder();
        for (Snapshot snapshot : table.snapshots()) {
            known.add(fileName(snapshot.manifestListLocation()));
            for (ManifestFile manifest : snapshot.allManifests(table.io())) {
                known.add(fileName(manifest.path()));
            }
        }
        Set<String> files = TableFiles.of(lake, fileName(table.location())).stream()
                .filter(file -> file.getParent().endsWith("metadata"))
                .map(file -> file.getFileName().toString())
                .filter(file -> file.endsWith(".avro"))
                .collect(toImmutableSet());
        assertThat(files).isEqualTo(known.build());
    }

    /// The live data files of the current snapshot by location.
    static Map<String, Entry> entries(BaseTable icebergTable)
    {
        Set<Integer> columns = TypeUtil.indexById(icebergTable.schema().asStruct()).keySet();
        ImmutableMap.Builder<String, Entry> entries = ImmutableMap.builder();
        for (ManifestFile manifest : icebergTable.currentSnapshot().dataManifests(icebergTable.io())) {
            FilesWithoutBounds.forEachEntry(icebergTable, manifest, entry -> {
                DataFile file = (DataFile) entry.file();
                entries.put(file.location(), new Entry(
                        entry.snapshotId(),
                        file.dataSequenceNumber(),
                        file.fileSequenceNumber(),
                        Optional.ofNullable(file.firstRowId()),
                        file.specId(),
                        file.partition().toString(),
                        Optional.ofNullable(file.sortOrderId()),
                        file.splitOffsets(),
                        file.fileSizeInBytes(),
                        file.recordCount(),
                        metrics(file, columns)));
            });
        }
        return entries.buildOrThrow();
    }

    private static String metrics(DataFile file, Set<Integer> columns)
    {
        // No metrics and metrics of no column are the same
        return Stream.of(file.columnSizes(), file.valueCounts(), file.nullValueCounts(), file.nanValueCounts(), file.lowerBounds(), file.upperBounds())
                .map(metric -> metric == null ? "{}" : Maps.transformValues(new TreeMap<>(Maps.filterKeys(metric, columns::contains)), TestingManifests::format).toString())
                .collect(joining(" "));
    }

    private static Object format(Object value)
    {
        return value instanceof ByteBuffer bytes ? BaseEncoding.base16().encode(ByteBuffers.toByteArray(bytes)) : value;
    }

    private static String fileName(String location)
    {
        return location.substring(location.lastIndexOf('/') + 1);
    }
}
