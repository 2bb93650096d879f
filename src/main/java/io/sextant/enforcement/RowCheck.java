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

import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.TableConstraint;
import io.sextant.expression.PageEvaluator;
import io.sextant.expression.PredicateBinding;
import io.sextant.expression.sql.SqlPredicateFormatter;
import io.trino.plugin.iceberg.TypeConverter;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static java.util.Objects.requireNonNull;

/// A check constraint over pages whose channels are the columns of a schema.
///
/// @param constraint whose condition is a check
record RowCheck(TableConstraint constraint, PageEvaluator evaluator, Schema schema, TypeManager typeManager)
{
    private static final int MAX_VALUE_LENGTH = 100;

    RowCheck
    {
        requireNonNull(constraint, "constraint is null");
        requireNonNull(evaluator, "evaluator is null");
        requireNonNull(schema, "schema is null");
        requireNonNull(typeManager, "typeManager is null");
    }

    /// @param constraint whose condition is a check
    /// @throws TrinoException with NOT_SUPPORTED if it cannot be evaluated over the schema
    static RowCheck toValidate(TableConstraint constraint, Schema schema, TypeManager typeManager)
    {
        return switch (PredicateBinding.bind(((Check) constraint.condition()).expression(), schema)) {
            case PredicateBinding.Bound(var evaluator) -> new RowCheck(constraint, evaluator, schema, typeManager);
            case PredicateBinding.Unbound(String reason) -> throw ConstraintErrors.cannotValidate(constraint, reason);
        };
    }

    void check(Page rows)
    {
        int[] failing = evaluator.failingPositions(rows);
        if (failing.length > 0) {
            throw new TrinoException(CONSTRAINT_VIOLATION, "Check constraint violation: %s: %s (a row has %s)".formatted(
                    constraint.name(),
                    new SqlPredicateFormatter(schema).formatCheck(((Check) constraint.condition()).expression()),
                    describe(rows, failing[0])));
        }
    }

    /// The values of the columns that the check refers to.
    String describe(Page rows, int position)
    {
        Set<Integer> fieldIds = constraint.condition().referencedFieldIds();
        List<String> values = new ArrayList<>();
        for (int channel = 0; channel < schema.columns().size(); channel++) {
            NestedField column = schema.columns().get(channel);
            if (fieldIds.stream().anyMatch(fieldId -> isIn(fieldId, column))) {
                Type type = TypeConverter.toTrinoType(column.type(), typeManager);
                String value = String.valueOf(type.getObjectValue(rows.getBlock(channel), position));
                values.add("%s = %s".formatted(column.name(), value.length() > MAX_VALUE_LENGTH ? value.substring(0, MAX_VALUE_LENGTH) + "..." : value));
            }
        }
        return String.join(", ", values);
    }

    private boolean isIn(int fieldId, NestedField column)
    {
        if (column.fieldId() == fieldId) {
            return true;
        }
        return column.type().isNestedType() && new Schema(column).findField(fieldId) != null;
    }
}
