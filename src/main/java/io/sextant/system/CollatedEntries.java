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
import com.google.common.collect.ImmutableSet;
import io.sextant.collation.metadata.CollationMetric;
import io.sextant.collation.metadata.CollationRules;
import io.sextant.collation.metadata.CollationsProperty;
import io.trino.plugin.iceberg.system.EntriesTable;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.MetadataTableType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StringType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

import static java.util.Locale.ENGLISH;
import static org.apache.iceberg.MetadataTableType.ALL_ENTRIES;
import static org.apache.iceberg.MetadataTableType.ENTRIES;

/// `"t$entries"` and `"t$all_entries"` of tables with collations. Trino's own fail on bounds under an ID that no column has, so
/// here they get a table in which each metric is one more column.
public final class CollatedEntries
{
    private static final List<MetadataTableType> TYPES = ImmutableList.of(ENTRIES, ALL_ENTRIES);

    private CollatedEntries() {}

    /// Empty for any other system table, and for a table that never had a collation.
    ///
    /// @param tables finds a table by its name
    public static Optional<EntriesTable> find(
            SchemaTableName name,
            Function<SchemaTableName, Optional<BaseTable>> tables,
            TypeManager typeManager,
            ExecutorService executor)
    {
        for (MetadataTableType type : TYPES) {
            String suffix = "$" + type.name().toLowerCase(ENGLISH);
            if (name.getTableName().endsWith(suffix)) {
                return tables.apply(new SchemaTableName(name.getSchemaName(), name.getTableName().substring(0, name.getTableName().length() - suffix.length())))
                        .flatMap(CollatedEntries::withMetrics)
                        .map(table -> new EntriesTable(typeManager, name, table, type, executor));
            }
        }
        return Optional.empty();
    }

    private static Optional<BaseTable> withMetrics(BaseTable table)
    {
        Map<Integer, String> names = metricNames(table.operations().current());
        if (names.isEmpty()) {
            return Optional.empty();
        }
        List<NestedField> columns = new ArrayList<>(table.schema().columns());
        names.forEach((id, name) -> columns.add(NestedField.optional(id, name, StringType.get())));
        Schema schema = new Schema(columns);
        return Optional.of(new BaseTable(table.operations(), table.name())
        {
            @Override
            public Schema schema()
            {
                return schema;
            }
        });
    }

    /// The metrics that are declared, and those that were, since files keep the bounds; each name once.
    private static Map<Integer, String> metricNames(TableMetadata table)
    {
        Map<Integer, String> names = new TreeMap<>();
        for (Schema schema : table.schemas()) {
            schema.columns().stream()
                    .filter(CollationRules::isPlaceholder)
                    .forEach(column -> names.put(column.fieldId(), column.name()));
        }
        CollationsProperty.readIfWellFormed(table.properties()).fields().forEach((fieldId, field) -> {
            for (CollationMetric metric : field.metrics()) {
                String name = "%s %s %s".formatted(table.schema().findColumnName(fieldId), metric.collation(), metric.version());
                names.put(metric.id(), names.containsValue(name) ? CollationRules.placeholderName(metric.id()) : name);
            }
        });
        Set<String> columns = ImmutableSet.copyOf(table.schema().idToName().values());
        names.keySet().removeIf(id -> table.schema().findField(id) != null || MetadataColumns.metadataFieldIds().contains(id));
        names.replaceAll((id, name) -> columns.contains(name) ? CollationRules.placeholderName(id) : name);
        return names;
    }
}
