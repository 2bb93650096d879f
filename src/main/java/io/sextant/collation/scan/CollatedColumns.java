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
package io.sextant.collation.scan;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.sextant.collation.Collation;
import io.sextant.collation.Collations;
import io.sextant.collation.metadata.CollatedColumn;
import io.sextant.collation.metadata.CollationMetric;
import io.sextant.collation.metadata.FieldCollation;
import io.sextant.collation.metadata.TableCollations;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/// The bounds that one scan of a table may use, with the reasons why it cannot use others that it was asked for.
/// NOT safe for use by several threads.
final class CollatedColumns
{
    private final TableMetadata table;
    private final TableCollations collations;
    private final Schema schema;
    private final Set<String> reasons = new LinkedHashSet<>();

    /// @param schema that is read
    CollatedColumns(TableMetadata table, TableCollations collations, Schema schema)
    {
        this.table = requireNonNull(table, "table is null");
        this.collations = requireNonNull(collations, "collations is null");
        this.schema = requireNonNull(schema, "schema is null");
    }

    Schema schema()
    {
        return schema;
    }

    /// The column in the order of a collation; empty, and the reason kept, if no bounds are in that very order.
    Optional<CollatedColumn> find(int fieldId, Slice collationName)
    {
        Optional<Collation> collation = Collations.find(collationName.toStringUtf8());
        if (collation.isEmpty()) {
            // The function itself will say so
            return Optional.empty();
        }
        Optional<FieldCollation> field = collations.find(fieldId);
        Optional<CollatedColumn> column = field.flatMap(declared -> CollatedColumn.of(table, fieldId, declared, collation.orElseThrow()));
        if (column.isEmpty()) {
            reasons.add("collation %s of column %s not used: %s".formatted(
                    collation.orElseThrow().name(),
                    schema.findColumnName(fieldId),
                    reason(field, collation.orElseThrow())));
        }
        return column;
    }

    /// The column in the order of each collation that has bounds.
    List<CollatedColumn> all(int fieldId)
    {
        return collations.find(fieldId)
                .map(field -> CollatedColumn.allOf(table, fieldId, field))
                .orElse(ImmutableList.of());
    }

    Set<String> reasons()
    {
        return reasons;
    }

    private static String reason(Optional<FieldCollation> field, Collation collation)
    {
        String versions = field.stream()
                .flatMap(declared -> declared.metricsOfAnyVersion(collation).stream())
                .map(CollationMetric::version)
                .collect(joining(", "));
        return versions.isEmpty()
                ? "the column has no bounds in that order"
                : "its bounds are of version %s, and this server has %s".formatted(versions, collation.version());
    }
}
