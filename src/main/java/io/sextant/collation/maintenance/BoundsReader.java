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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.sextant.collation.CollationBounds;
import io.sextant.collation.CollationBoundsCollector;
import io.sextant.collation.metadata.CollatedColumn;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;

import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/// Reads the bounds of columns out of data files. Thread-safe.
final class BoundsReader
{
    private final DataFilePages pages;
    private final Schema schema;
    private final TypeManager typeManager;

    BoundsReader(DataFilePages pages, Schema schema, TypeManager typeManager)
    {
        this.pages = requireNonNull(pages, "pages is null");
        this.schema = requireNonNull(schema, "schema is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    /// The bounds by metric ID. Rows that are deleted count: an older snapshot may still have them.
    ///
    /// @param columns of the schema
    Map<Integer, CollationBounds> read(DataFile file, List<CollatedColumn> columns)
    {
        List<IcebergColumnHandle> handles = columns.stream()
                .map(column -> IcebergUtil.getProjectedColumns(schema, typeManager, ImmutableSet.of(column.fieldId())).getFirst())
                .distinct()
                .collect(toImmutableList());
        Map<CollatedColumn, CollationBoundsCollector> collectors = Maps.toMap(columns, column -> new CollationBoundsCollector(column.collation().order()));
        pages.read(file, ImmutableList.of(), handles, TupleDomain.all(), page -> {
            for (int channel = 0; channel < handles.size(); channel++) {
                Block block = page.getBlock(channel);
                int fieldId = handles.get(channel).getId();
                collectors.forEach((column, collector) -> {
                    if (column.fieldId() == fieldId) {
                        collector.add(block);
                    }
                });
            }
        });
        return collectors.entrySet().stream()
                .collect(toImmutableMap(entry -> entry.getKey().metricId(), entry -> entry.getValue().bounds()));
    }
}
