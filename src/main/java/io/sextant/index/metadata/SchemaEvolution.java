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
package io.sextant.index.metadata;

import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Optional;

/// What may differ between an extract schema and the one added before it ("Extract Schema Evolution" of the index draft):
/// types by promotion, and required fields that become optional.
final class SchemaEvolution
{
    private SchemaEvolution() {}

    /// Why the newer schema is no widening of the older one; empty if it is.
    static Optional<String> findProblem(Schema older, Schema newer)
    {
        return findProblem(older.columns(), newer.columns());
    }

    /// A type promotion of the Iceberg table specification, format version 3. Equal types count as one.
    static boolean isPromotion(Type from, Type to)
    {
        if (from.equals(to)) {
            return true;
        }
        if (!to.isPrimitiveType()) {
            return false;
        }
        return switch (from.typeId()) {
            // Iceberg 1.11 does not offer these two promotions, but another writer may use them
            case UNKNOWN -> true;
            case DATE -> to.equals(Types.TimestampType.withoutZone()) || to.equals(Types.TimestampNanoType.withoutZone());
            default -> TypeUtil.isPromotionAllowed(from, to.asPrimitiveType());
        };
    }

    private static Optional<String> findProblem(List<NestedField> older, List<NestedField> newer)
    {
        if (older.size() != newer.size()) {
            return Optional.of("has %s fields instead of %s".formatted(newer.size(), older.size()));
        }
        for (int i = 0; i < older.size(); i++) {
            Optional<String> problem = findProblem(older.get(i), newer.get(i));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> findProblem(NestedField older, NestedField newer)
    {
        if (older.fieldId() != newer.fieldId() || !older.name().equals(newer.name())) {
            return Optional.of("has field %s %s in the place of field %s %s".formatted(newer.fieldId(), newer.name(), older.fieldId(), older.name()));
        }
        if (older.isOptional() && newer.isRequired()) {
            return Optional.of("makes the optional field %s %s required".formatted(newer.fieldId(), newer.name()));
        }
        if (older.type().isNestedType() && older.type().typeId() == newer.type().typeId()) {
            return findProblem(older.type().asNestedType().fields(), newer.type().asNestedType().fields());
        }
        if (!isPromotion(older.type(), newer.type())) {
            return Optional.of("changes the type of field %s %s from %s to %s, which is no valid promotion".formatted(newer.fieldId(), newer.name(), older.type(), newer.type()));
        }
        return Optional.empty();
    }
}
