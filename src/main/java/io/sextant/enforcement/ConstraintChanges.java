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

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.sextant.constraint.ConstraintCondition;
import io.sextant.constraint.ConstraintStatus;
import io.sextant.constraint.ConstraintStatuses;
import io.sextant.constraint.ConstraintsProperty;
import io.sextant.constraint.TableConstraint;
import io.sextant.constraint.TableConstraints;
import io.trino.spi.TrinoException;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.CommitFailedException;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import static io.sextant.constraint.ConstraintStatus.VALIDATED;
import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/// Changes the constraints of a table, and records what a scan finds out about them. Each change is one commit, which also
/// makes a snapshot without a change of rows: statuses belong to snapshots, and some catalogs order only snapshots.
public class ConstraintChanges
{
    private static final int MAX_ATTEMPTS = 10;
    private static final int MAX_EXAMPLES = 5;

    private final ConstraintValidator validator;

    @Inject
    public ConstraintChanges(ConstraintValidator validator)
    {
        this.validator = requireNonNull(validator, "validator is null");
    }

    /// Adds a constraint. All rows of the table are checked first, if that is wanted.
    ///
    /// @param condition of a schema of the table
    /// @throws TrinoException with CONSTRAINT_VIOLATION if a row breaks the constraint
    public void add(ConstrainedTable table, String name, Function<Schema, ConstraintCondition> condition, boolean enforced, boolean validate)
    {
        commit(table, constraints -> {
            Schema schema = table.table().schema();
            long now = System.currentTimeMillis();
            TableConstraints changed = enforced
                    ? constraints.addEnforced(name, condition.apply(schema), schema, now)
                    : constraints.addNotEnforced(name, condition.apply(schema), schema, now);
            if (!validate) {
                return new Change(changed, ImmutableMap.of());
            }
            TableConstraint constraint = changed.get(name);
            Violations violations = validator.validate(table, constraint, MAX_EXAMPLES);
            if (violations.count() > 0) {
                throw new TrinoException(CONSTRAINT_VIOLATION, "Constraint %s cannot be added: %s; correct the rows, or add it with validate => false".formatted(
                        name,
                        describe(constraint, violations)));
            }
            return new Change(changed, ImmutableMap.of(constraint.id(), VALIDATED));
        });
    }

    /// Changes definitions in a way that says nothing about rows.
    public void change(ConstrainedTable table, Function<TableConstraints, TableConstraints> change)
    {
        commit(table, constraints -> new Change(change.apply(constraints), ImmutableMap.of()));
    }

    /// Checks all rows of the table, and records for each constraint whether it holds, if that was not known.
    ///
    /// @param name of one constraint; empty for all
    public Map<TableConstraint, Violations> validate(ConstrainedTable table, Optional<String> name)
    {
        Map<TableConstraint, Violations> found = new HashMap<>();
        commit(table, constraints -> {
            found.clear();
            Map<Integer, ConstraintStatus> statuses = new HashMap<>();
            for (TableConstraint constraint : constraints.select(name)) {
                Violations violations = validator.validate(table, constraint, MAX_EXAMPLES);
                found.put(constraint, violations);
                statuses.put(constraint.id(), ConstraintStatus.ofViolations(violations.count()));
            }
            return new Change(constraints, statuses);
        });
        return found;
    }

    /// Records what somebody else has found out about all rows of the table, if that was not known.
    ///
    /// @param table as it was when its rows were checked
    /// @throws ConstraintChangeOutdatedException or [CommitFailedException] if the table was changed since
    static void recordStatuses(ConstrainedTable table, Map<Integer, ConstraintStatus> statuses)
    {
        if (isNews(table.table(), statuses)) {
            commit(table.table(), new Change(table.constraints(), statuses));
        }
    }

    private static String describe(TableConstraint constraint, Violations violations)
    {
        boolean isCheck = constraint.condition() instanceof ConstraintCondition.Check;
        return "%s %s it, among them (%s)".formatted(
                violations.count(),
                isCheck ? "rows break" : "keys that occur more than once break",
                violations.examples().stream().map(Violations.Example::values).collect(joining("), (")));
    }

    private record Change(TableConstraints constraints, Map<Integer, ConstraintStatus> statuses) {}

    private static void commit(ConstrainedTable table, Function<TableConstraints, Change> change)
    {
        RuntimeException conflict = null;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            table.table().refresh();
            TableConstraints before = table.constraints();
            Change changed = change.apply(before);
            if (changed.constraints().equals(before) && !isNews(table.table(), changed.statuses())) {
                return;
            }
            try {
                commit(table.table(), changed);
                return;
            }
            catch (ConstraintChangeOutdatedException | CommitFailedException e) {
                conflict = e;
            }
        }
        throw new TrinoException(TRANSACTION_CONFLICT, "Table %s was changed by somebody else each time that its constraints were to be changed; try again".formatted(table.name()), conflict);
    }

    private static boolean isNews(BaseTable table, Map<Integer, ConstraintStatus> statuses)
    {
        ConstraintStatuses known = Optional.ofNullable(table.currentSnapshot()).map(ConstraintStatuses::of).orElse(ConstraintStatuses.NONE);
        return statuses.entrySet().stream().anyMatch(status -> known.statusOf(status.getKey()) != status.getValue());
    }

    private static void commit(BaseTable table, Change change)
    {
        ConstraintChange commit = new ConstraintChange(
                Optional.ofNullable(table.properties().get(ConstraintsProperty.NAME)),
                Optional.ofNullable(table.currentSnapshot()).map(Snapshot::snapshotId),
                change.statuses());
        Transaction transaction = table.newTransaction();
        transaction.updateProperties()
                .set(ConstraintsProperty.NAME, ConstraintsProperty.toValue(change.constraints()))
                .commit();
        transaction.newFastAppend().commit();
        ScopedValue.where(ConstraintChange.CURRENT, commit).run(transaction::commitTransaction);
    }
}
