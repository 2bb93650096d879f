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

import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.NestedField;

import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.Maps.uniqueIndex;

/// Keeps schema changes from taking the ground from under a constraint. Names, order, comments and defaults are free to change.
public final class SchemaGuard
{
    private SchemaGuard() {}

    /// Why a table with the constraints must not change its schema, in words for a user; empty if it may.
    ///
    /// A field that is missing already, or that the constraint should never have had, is no reason to refuse other changes.
    public static Optional<String> findObjection(Schema schema, Schema newSchema, TableConstraints constraints)
    {
        return constraints.constraints().stream()
                .flatMap(constraint -> findProblem(constraint.condition(), schema, newSchema)
                        .map(problem -> "%s; drop the %s first: CALL system.drop_constraint".formatted(problem, constraint.description()))
                        .stream())
                .findFirst();
    }

    private static Optional<String> findProblem(ConstraintCondition condition, Schema schema, Schema newSchema)
    {
        return condition.referencedFieldIds().stream()
                .filter(fieldId -> schema.findField(fieldId) != null)
                .flatMap(fieldId -> findFieldProblem(condition, fieldId, schema, newSchema).stream())
                .findFirst()
                .or(() -> ConditionRules.findProblem(condition, schema).isPresent() ? Optional.empty() : ConditionRules.findProblem(condition, newSchema));
    }

    private static Optional<String> findFieldProblem(ConstraintCondition condition, int fieldId, Schema schema, Schema newSchema)
    {
        Type type = schema.findType(fieldId);
        Type newType = newSchema.findType(fieldId);
        if (newType == null) {
            return Optional.of("column %s is part of a constraint and cannot be dropped".formatted(schema.findColumnName(fieldId)));
        }
        boolean allowed = switch (condition) {
            // The literals of the expression are bound to the type
            case Check _, Unrecognized _ -> isSameType(type, newType);
            // A promotion keeps distinct values distinct
            case ConstraintCondition.Key _ -> newType.isPrimitiveType() && TypeUtil.isPromotionAllowed(type, newType.asPrimitiveType());
        };
        return allowed
                ? Optional.empty()
                : Optional.of("column %s is part of a constraint and cannot change from %s to %s".formatted(schema.findColumnName(fieldId), type, newType));
    }

    /// Compares nested types by their fields' IDs, since names and order do not count.
    private static boolean isSameType(Type type, Type newType)
    {
        if (!type.isNestedType() || !newType.isNestedType()) {
            return type.equals(newType);
        }
        Map<Integer, NestedField> fields = uniqueIndex(type.asNestedType().fields(), NestedField::fieldId);
        Map<Integer, NestedField> newFields = uniqueIndex(newType.asNestedType().fields(), NestedField::fieldId);
        return type.typeId() == newType.typeId() &&
                fields.keySet().equals(newFields.keySet()) &&
                fields.keySet().stream().allMatch(fieldId -> isSameType(fields.get(fieldId).type(), newFields.get(fieldId).type()));
    }
}
