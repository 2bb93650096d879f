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

import com.google.common.collect.ImmutableMap;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.PrimitiveType;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// What a query demands of each column, by field ID: from column domains (the table handle's and the dynamic filter's)
/// and from the expression that Trino could not turn into domains for Iceberg.
///
/// @param schema the schema that is read
public record IndexPredicate(Schema schema, Map<Integer, ColumnRanges> columns)
{
    public IndexPredicate
    {
        requireNonNull(schema, "schema is null");
        columns = ImmutableMap.copyOf(requireNonNull(columns, "columns is null"));
    }

    /// Reads off what the domains and the expression demand.
    ///
    /// @param schema the schema that is read: types of the columns
    static IndexPredicate of(TupleDomain<IcebergColumnHandle> domains, Constraint constraint, Schema schema)
    {
        Map<Integer, ColumnRanges> columns = new HashMap<>();
        domains.getDomains().orElse(ImmutableMap.of()).forEach((column, domain) ->
                primitiveType(schema, column)
                        .flatMap(type -> ColumnRanges.of(type, domain))
                        .ifPresent(ranges -> columns.merge(column.getId(), ranges, ColumnRanges::intersect)));
        new ExpressionRanges(constraint.getAssignments(), schema).of(constraint.getExpression())
                .forEach((column, ranges) -> columns.merge(column, ranges, ColumnRanges::intersect));
        return new IndexPredicate(schema, columns);
    }

    static Optional<PrimitiveType> primitiveType(Schema schema, IcebergColumnHandle column)
    {
        Type type = schema.findType(column.getId());
        return type != null && type.isPrimitiveType() ? Optional.of(type.asPrimitiveType()) : Optional.empty();
    }
}
