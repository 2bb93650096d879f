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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.common.collect.ImmutableList;
import io.sextant.constraint.ConstraintCondition.PrimaryKey;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.StandardErrorCode.ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.INVALID_ARGUMENTS;
import static io.trino.spi.StandardErrorCode.NOT_FOUND;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/// All constraints of a table.
///
/// Reading takes what other writers left, such as two names that differ in case only. Changes keep to the rules,
/// and fail with a [TrinoException] that is meant for the user.
///
/// @param lastConstraintId the highest ID that a constraint of the table ever had; zero if there never was one
/// @param original the JSON that this was read from, with all that is not understood. A constraint is never redefined and
///         its ID is never used again, so a constraint that is still there is written as it stood, but for its name and its enforcement.
public record TableConstraints(int lastConstraintId, List<TableConstraint> constraints, JsonNode original)
{
    public static final TableConstraints NONE = new TableConstraints(0, ImmutableList.of(), JsonNodeFactory.instance.objectNode());

    private static final String IMPORTED_KEY_NAME = "pk";

    public TableConstraints
    {
        constraints = ImmutableList.copyOf(constraints);
        requireNonNull(original, "original is null");
        Set<Integer> ids = new HashSet<>();
        for (TableConstraint constraint : constraints) {
            checkArgument(ids.add(constraint.id()), "constraint ID %s is used twice", constraint.id());
            checkArgument(constraint.id() <= lastConstraintId, "constraint ID %s is higher than the last one, %s", constraint.id(), lastConstraintId);
        }
    }

    /// Names are compared without regard to case, but one that is written alike comes first.
    public Optional<TableConstraint> find(String name)
    {
        return constraints.stream()
                .filter(constraint -> constraint.name().equals(name))
                .findFirst()
                .or(() -> constraints.stream()
                        .filter(constraint -> constraint.name().equalsIgnoreCase(name))
                        .findFirst());
    }

    /// The constraint of that name, which must be there.
    ///
    /// @throws TrinoException if it is not
    public TableConstraint get(String name)
    {
        return find(name).orElseThrow(() -> new TrinoException(NOT_FOUND, "The table has no constraint %s; its constraints are %s"
                .formatted(name, constraints.stream().map(TableConstraint::name).toList())));
    }

    /// One constraint, which must be there, or all of them.
    ///
    /// @throws TrinoException if it is not
    public List<TableConstraint> select(Optional<String> name)
    {
        return name.map(this::get)
                .<List<TableConstraint>>map(ImmutableList::of)
                .orElse(constraints);
    }

    public TableConstraints addEnforced(String name, ConstraintCondition condition, Schema schema, long timestampMillis)
    {
        return add(name, true, condition, schema, timestampMillis);
    }

    public TableConstraints addNotEnforced(String name, ConstraintCondition condition, Schema schema, long timestampMillis)
    {
        return add(name, false, condition, schema, timestampMillis);
    }

    /// Adds the identifier fields of the schema as a primary key that is not enforced. Nothing is added, and nothing fails,
    /// if there are no such fields or the table cannot have that key.
    public TableConstraints addIdentifierFields(Schema schema, long timestampMillis)
    {
        if (schema.identifierFieldIds().isEmpty()) {
            return this;
        }
        PrimaryKey key = new PrimaryKey(schema.identifierFieldIds());
        if (primaryKey().isPresent() || find(IMPORTED_KEY_NAME).isPresent() || ConditionRules.findProblem(key, schema).isPresent()) {
            return this;
        }
        return addNotEnforced(IMPORTED_KEY_NAME, key, schema, timestampMillis);
    }

    public TableConstraints drop(String name)
    {
        return without(get(name));
    }

    public TableConstraints rename(String name, String newName, long timestampMillis)
    {
        TableConstraint constraint = get(name);
        if (constraint.name().equals(newName)) {
            return this;
        }
        without(constraint).checkNewName(newName);
        return replace(constraint, constraint.withName(newName, timestampMillis));
    }

    public TableConstraints enforce(String name, long timestampMillis)
    {
        TableConstraint constraint = get(name);
        return constraint.enforced() ? this : replace(constraint, constraint.enforced(timestampMillis));
    }

    public TableConstraints stopEnforcing(String name, long timestampMillis)
    {
        TableConstraint constraint = get(name);
        return constraint.enforced() ? replace(constraint, constraint.notEnforced(timestampMillis)) : this;
    }

    /// What is left if the table is created anew. Snapshots that are kept may still name the old IDs, so those stay used.
    public TableConstraints withoutConstraints()
    {
        return new TableConstraints(lastConstraintId, ImmutableList.of(), original);
    }

    private TableConstraints add(String name, boolean enforced, ConstraintCondition condition, Schema schema, long timestampMillis)
    {
        checkNewName(name);
        primaryKey().filter(_ -> condition instanceof PrimaryKey).ifPresent(key -> {
            throw new TrinoException(ALREADY_EXISTS, "The table already has the %s; drop it first: CALL system.drop_constraint".formatted(key.description()));
        });
        ConditionRules.findProblem(condition, schema).ifPresent(problem -> {
            throw new TrinoException(INVALID_ARGUMENTS, "Constraint %s of type %s is not allowed: %s".formatted(name, condition.type(), problem));
        });
        if (lastConstraintId == Integer.MAX_VALUE) {
            throw new TrinoException(NOT_SUPPORTED, "The table has used up all constraint IDs; no constraint can be added to it");
        }
        TableConstraint added = new TableConstraint(lastConstraintId + 1, name, enforced, timestampMillis, condition);
        return new TableConstraints(
                added.id(),
                ImmutableList.<TableConstraint>builder().addAll(constraints).add(added).build(),
                original);
    }

    private void checkNewName(String name)
    {
        if (name.isBlank()) {
            throw new TrinoException(INVALID_ARGUMENTS, "The name of a constraint is blank");
        }
        find(name).ifPresent(constraint -> {
            throw new TrinoException(ALREADY_EXISTS, "The table already has the %s; choose another name than %s".formatted(constraint.description(), name));
        });
    }

    private Optional<TableConstraint> primaryKey()
    {
        return constraints.stream()
                .filter(constraint -> constraint.condition() instanceof PrimaryKey)
                .findFirst();
    }

    private TableConstraints without(TableConstraint dropped)
    {
        return new TableConstraints(
                lastConstraintId,
                constraints.stream()
                        .filter(constraint -> constraint.id() != dropped.id())
                        .collect(toImmutableList()),
                original);
    }

    private TableConstraints replace(TableConstraint constraint, TableConstraint replacement)
    {
        return new TableConstraints(
                lastConstraintId,
                constraints.stream()
                        .map(other -> other.id() == constraint.id() ? replacement : other)
                        .collect(toImmutableList()),
                original);
    }
}
