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
package io.sextant.constraint;

import com.google.common.collect.ImmutableSet;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.PrimaryKey;
import io.sextant.constraint.ConstraintCondition.Unique;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import io.sextant.expression.Predicate;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.NestedField;

import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/// Which conditions a constraint may have over the fields of a schema.
final class ConditionRules
{
    /// Types without an equality, or whose equality is not that of distinct values.
    private static final Set<TypeID> NO_KEY_TYPES = ImmutableSet.of(TypeID.FLOAT, TypeID.DOUBLE, TypeID.GEOMETRY, TypeID.GEOGRAPHY, TypeID.UNKNOWN);

    private ConditionRules() {}

    /// Why a table of the schema cannot have a constraint with the condition, in words for a user; empty if it can.
    static Optional<String> findProblem(ConstraintCondition condition, Schema schema)
    {
        return switch (condition) {
            case Check(Predicate expression) -> UserDefinedFunctions.mayBeIn(expression)
                    ? Optional.of("the expression calls a user-defined function, which may change")
                    : firstProblem(expression.referencedFieldIds(), fieldId -> fieldProblem(fieldId, schema));
            case Unique(Set<Integer> fieldIds) -> firstProblem(fieldIds, fieldId -> keyFieldProblem(fieldId, schema));
            case PrimaryKey(Set<Integer> fieldIds) -> firstProblem(fieldIds, fieldId -> keyFieldProblem(fieldId, schema)
                    .or(() -> nullProblem(fieldId, schema)));
            case Unrecognized(_, _, String reason) -> Optional.of(reason);
        };
    }

    private static Optional<String> firstProblem(Set<Integer> fieldIds, IntFunction<Optional<String>> rule)
    {
        return fieldIds.stream()
                .map(rule::apply)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> fieldProblem(int fieldId, Schema schema)
    {
        if (schema.findField(fieldId) == null) {
            return Optional.of("the table has no field %s".formatted(fieldId));
        }
        if (TypeUtil.ancestorFields(schema, fieldId).stream().anyMatch(ancestor -> !ancestor.type().isStructType())) {
            return Optional.of("column %s is inside a list or a map, so a row has no single value of it".formatted(schema.findColumnName(fieldId)));
        }
        return Optional.empty();
    }

    private static Optional<String> keyFieldProblem(int fieldId, Schema schema)
    {
        return fieldProblem(fieldId, schema).or(() -> {
            Type type = schema.findType(fieldId);
            return type.isPrimitiveType() && !NO_KEY_TYPES.contains(type.typeId())
                    ? Optional.empty()
                    : Optional.of("column %s has type %s, which a key cannot have".formatted(schema.findColumnName(fieldId), type));
        });
    }

    private static Optional<String> nullProblem(int fieldId, Schema schema)
    {
        if (schema.findField(fieldId).isOptional()) {
            return Optional.of("column %s is optional, but a primary key needs required columns; a unique constraint does not".formatted(schema.findColumnName(fieldId)));
        }
        return TypeUtil.ancestorFields(schema, fieldId).stream()
                .filter(NestedField::isOptional)
                .findFirst()
                .map(struct -> "column %s is inside the optional column %s, but a primary key needs required columns; a unique constraint does not"
                        .formatted(schema.findColumnName(fieldId), schema.findColumnName(struct.fieldId())));
    }
}
