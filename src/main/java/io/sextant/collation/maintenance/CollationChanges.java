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
import io.sextant.collation.Collation;
import io.sextant.collation.CollationName;
import io.sextant.collation.Collations;
import io.sextant.collation.metadata.CollationMetric;
import io.sextant.collation.metadata.CollationRules;
import io.sextant.collation.metadata.CollationsProperty;
import io.sextant.collation.metadata.FieldCollation;
import io.sextant.collation.metadata.TableCollations;
import io.trino.spi.TrinoException;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StringType;

import java.util.Map;
import java.util.Optional;

import static io.trino.spi.StandardErrorCode.COLUMN_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.INVALID_ARGUMENTS;
import static io.trino.spi.StandardErrorCode.NOT_FOUND;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;

/// Sets and drops collations. Each change reserves a column ID, whether a metric needs one or not: that is what makes two
/// changes at once exclude each other, since some catalogs do not order changes of properties.
public final class CollationChanges
{
    private static final int MAX_ATTEMPTS = 20;

    /// Bound while a change of collations is committed.
    static final ScopedValue<Boolean> COMMITTING = ScopedValue.newInstance();

    private CollationChanges() {}

    /// Gives a string field a collation, in place of the one that it has. Files that are written from now on get bounds in
    /// its order, if a row has one value of the field.
    ///
    /// @param column or a field of a struct as in `person.name`, the elements of a list as in `tags.element`, the values of a map
    ///         as in `names.value`
    /// @throws TrinoException if there is no such collation, or the field cannot have one
    public static void set(CollatedTable table, String column, String collationName)
    {
        if (collationName.equals(CollationName.UTF8)) {
            // The same as no collation
            commit(table, (metadata, collations, _) -> without(collations, fieldId(table, metadata, column)));
            return;
        }
        Collation collation = Collations.get(collationName);
        commit(table, (metadata, collations, reservedId) -> {
            int fieldId = fieldId(table, metadata, column);
            CollationRules.findProblem(metadata, fieldId).ifPresent(problem -> {
                throw new TrinoException(INVALID_ARGUMENTS, "Column %s of table %s cannot have a collation: %s".formatted(column, table.name(), problem));
            });
            FieldCollation field = collations.find(fieldId)
                    .map(before -> before.withCollation(collationName))
                    .orElseGet(() -> new FieldCollation(collationName, ImmutableList.of()));
            return collations.with(fieldId, withMetric(metadata, fieldId, field, collation, reservedId));
        });
    }

    /// Takes the collation of a field away, with its metrics. Files keep the bounds, which nobody reads any more.
    ///
    /// @param column as in [#set]
    /// @throws TrinoException if the field has no collation
    public static void drop(CollatedTable table, String column)
    {
        commit(table, (metadata, collations, _) -> {
            int fieldId = fieldId(table, metadata, column);
            if (collations.find(fieldId).isEmpty()) {
                throw new TrinoException(NOT_FOUND, "Column %s of table %s has no collation".formatted(column, table.name()));
            }
            return without(collations, fieldId);
        });
    }

    /// Declares metrics for the collations in the versions that this server has, where they are not declared yet. A new
    /// release of the collation library may bring new versions.
    public static void addMetrics(CollatedTable table)
    {
        boolean changed = true;
        while (changed) {
            // Each change reserves one ID
            changed = commit(table, (metadata, collations, reservedId) -> {
                for (Map.Entry<Integer, FieldCollation> entry : collations.fields().entrySet()) {
                    FieldCollation field = entry.getValue();
                    Optional<FieldCollation> withMetric = Collations.find(field.collation())
                            .map(collation -> withMetric(metadata, entry.getKey(), field, collation, reservedId))
                            .filter(candidate -> !candidate.equals(field));
                    if (withMetric.isPresent()) {
                        return collations.with(entry.getKey(), withMetric.orElseThrow());
                    }
                }
                return collations;
            });
        }
    }

    private static FieldCollation withMetric(TableMetadata table, int fieldId, FieldCollation field, Collation collation, int reservedId)
    {
        if (!CollationRules.hasBounds(table.schema(), fieldId) || field.metricOf(collation).isPresent()) {
            return field;
        }
        return field.withMetric(new CollationMetric(reservedId, field.collation(), collation.version()));
    }

    private static TableCollations without(TableCollations collations, int droppedId)
    {
        return collations.retain(fieldId -> fieldId != droppedId);
    }

    private static int fieldId(CollatedTable table, TableMetadata metadata, String column)
    {
        NestedField field = metadata.schema().caseInsensitiveFindField(column);
        if (field == null) {
            throw new TrinoException(COLUMN_NOT_FOUND, "Table %s has no column %s".formatted(table.name(), column));
        }
        return field.fieldId();
    }

    private interface Change
    {
        /// @param metadata of the table that is changed, with its collations
        /// @param reservedId which no field or metric has yet
        TableCollations apply(TableMetadata metadata, TableCollations collations, int reservedId);
    }

    /// Whether there was anything to change.
    private static boolean commit(CollatedTable table, Change change)
    {
        CommitFailedException conflict = null;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            // A transaction knows the table as it is when it begins, and fails if the table is another one when it ends
            Transaction transaction = table.table().newTransaction();
            TableMetadata metadata = ((HasTableOperations) transaction.table()).operations().current();
            TableCollations before = CollationsProperty.read(metadata.properties());
            TableCollations after = change.apply(metadata, before, metadata.lastColumnId() + 1);
            if (after.equals(before)) {
                return false;
            }
            try {
                commit(transaction, metadata, after);
                return true;
            }
            catch (CommitFailedException e) {
                conflict = e;
            }
        }
        throw new TrinoException(TRANSACTION_CONFLICT, "Table %s was changed by somebody else each time that its collations were to be changed; try again".formatted(table.name()), conflict);
    }

    private static void commit(Transaction transaction, TableMetadata metadata, TableCollations collations)
    {
        String placeholder = CollationRules.placeholderName(metadata);
        transaction.updateSchema().addColumn(placeholder, StringType.get()).commit();
        transaction.updateSchema().deleteColumn(placeholder).commit();
        if (collations.fields().isEmpty()) {
            transaction.updateProperties().remove(CollationsProperty.NAME).commit();
        }
        else {
            transaction.updateProperties().set(CollationsProperty.NAME, CollationsProperty.toValue(collations)).commit();
        }
        ScopedValue.where(COMMITTING, true).run(transaction::commitTransaction);
    }
}
