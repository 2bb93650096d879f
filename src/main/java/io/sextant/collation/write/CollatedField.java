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
package io.sextant.collation.write;

import com.google.common.collect.ImmutableList;
import io.sextant.collation.CollationBoundsCollector;
import io.sextant.collation.Collations;
import io.sextant.collation.metadata.CollationMetric;
import io.sextant.collation.metadata.CollationRules;
import io.sextant.collation.metadata.CollationsProperty;
import io.sextant.collation.metadata.FieldCollation;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.RowBlock;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/// One metric of one string field, while a file is written: collects the bounds.
///
/// @param path the position of the column in a page, then of each field in its struct
record CollatedField(int metricId, List<Integer> path, CollationBoundsCollector collector)
{
    CollatedField
    {
        path = ImmutableList.copyOf(path);
        requireNonNull(collector, "collector is null");
    }

    /// The metrics that a table declares and this server can collect: of every collation and version that it has.
    ///
    /// @param schema of the rows that are written
    static List<CollatedField> of(Schema schema, Map<String, String> tableProperties)
    {
        if (!tableProperties.containsKey(CollationsProperty.NAME)) {
            return ImmutableList.of();
        }
        ImmutableList.Builder<CollatedField> fields = ImmutableList.builder();
        CollationsProperty.readIfWellFormed(tableProperties).fields().forEach((fieldId, collation) -> {
            if (CollationRules.hasBounds(schema, fieldId) && schema.findType(fieldId).typeId() == TypeID.STRING) {
                fields.addAll(collectable(schema, fieldId, collation));
            }
        });
        return fields.build();
    }

    private static List<CollatedField> collectable(Schema schema, int fieldId, FieldCollation collation)
    {
        return collation.metrics().stream()
                // Bounds under the ID of a column would be taken for its own
                .filter(metric -> schema.findField(metric.id()) == null && !MetadataColumns.metadataFieldIds().contains(metric.id()))
                .flatMap(metric -> collector(metric).stream()
                        .map(collector -> new CollatedField(metric.id(), path(schema, fieldId), collector)))
                .collect(toImmutableList());
    }

    private static Optional<CollationBoundsCollector> collector(CollationMetric metric)
    {
        return Collations.find(metric.collation())
                .filter(collation -> collation.matchesVersion(metric.version()))
                .map(collation -> new CollationBoundsCollector(collation.order()));
    }

    private static List<Integer> path(Schema schema, int fieldId)
    {
        ImmutableList.Builder<Integer> path = ImmutableList.builder();
        List<NestedField> siblings = schema.columns();
        List<NestedField> ancestors = TypeUtil.ancestorFields(schema, fieldId).reversed();
        for (NestedField ancestor : ancestors) {
            path.add(siblings.indexOf(ancestor));
            siblings = ancestor.type().asStructType().fields();
        }
        return path.add(siblings.indexOf(schema.findField(fieldId))).build();
    }

    void add(Page page)
    {
        Block block = page.getBlock(path.getFirst());
        for (int field : path.subList(1, path.size())) {
            // The field of a struct that is null is null
            block = RowBlock.getRowFieldsFromBlock(block).get(field);
        }
        collector.add(block);
    }
}
