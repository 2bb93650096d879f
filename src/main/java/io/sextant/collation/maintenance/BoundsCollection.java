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

import com.google.inject.Inject;
import io.sextant.collation.CollationBounds;
import io.sextant.collation.maintenance.FilesWithoutBounds.LackingFile;
import io.sextant.collation.metadata.CollatedColumn;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Gatherers.mapConcurrent;

/// Collects bounds for the data files that were written without: before the column had its collation, by another engine, or
/// by a release with another version of it.
public class BoundsCollection
{
    private static final int MAX_CONFLICTS = 10;
    private static final int THREADS = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);

    private final IcebergPageSourceProviderFactory pageSourceProviderFactory;
    private final TypeManager typeManager;

    @Inject
    public BoundsCollection(IcebergPageSourceProviderFactory pageSourceProviderFactory, TypeManager typeManager)
    {
        this.pageSourceProviderFactory = requireNonNull(pageSourceProviderFactory, "pageSourceProviderFactory is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    /// Reads the collated columns of the files that lack bounds, and replaces their manifests, in one commit for each few
    /// thousand files. What is committed stays if the rest fails.
    ///
    /// @throws TrinoException if somebody else replaced manifests again and again meanwhile
    public void collect(CollatedTable table)
    {
        CollationChanges.addMetrics(table);
        table.table().refresh();
        // Columns may be dropped meanwhile, and the files go on to have them
        Schema schema = table.table().schema();
        List<CollatedColumn> columns = columns(table);
        if (columns.isEmpty()) {
            return;
        }
        FilesWithoutBounds filesWithoutBounds = new FilesWithoutBounds(columns);
        // Kept over conflicts, since files do not change
        Map<String, Map<Integer, CollationBounds>> bounds = new ConcurrentHashMap<>();
        int conflicts = 0;
        while (true) {
            BaseTable icebergTable = table.table();
            icebergTable.refresh();
            if (icebergTable.currentSnapshot() == null) {
                return;
            }
            FilesWithoutBounds.Batch batch = filesWithoutBounds.next(icebergTable);
            if (batch.files().isEmpty()) {
                return;
            }
            read(table, schema, batch.files(), bounds);
            if (new ManifestReplacement(icebergTable, bounds).commit(batch.manifests())) {
                bounds.clear();
                conflicts = 0;
            }
            else if (++conflicts == MAX_CONFLICTS) {
                throw new TrinoException(TRANSACTION_CONFLICT, "Manifests of table %s were replaced by somebody else each time that bounds were to be added to them; call collect_collation_bounds again".formatted(table.name()));
            }
        }
    }

    private static List<CollatedColumn> columns(CollatedTable table)
    {
        return table.collations().fields().entrySet().stream()
                .flatMap(field -> CollatedColumn.allOf(table.metadata(), field.getKey(), field.getValue()).stream())
                .collect(toImmutableList());
    }

    private void read(CollatedTable table, Schema schema, List<LackingFile> files, Map<String, Map<Integer, CollationBounds>> bounds)
    {
        DataFilePages pages = new DataFilePages(table.session(), table.table(), schema, pageSourceProviderFactory.createPageSourceProvider());
        BoundsReader reader = new BoundsReader(pages, schema, typeManager);
        files.stream()
                .filter(lacking -> !bounds.containsKey(lacking.file().location()))
                .gather(mapConcurrent(THREADS, lacking -> {
                    bounds.put(lacking.file().location(), reader.read(lacking.file(), lacking.columns()));
                    return lacking;
                }))
                .forEach(_ -> {});
    }
}
