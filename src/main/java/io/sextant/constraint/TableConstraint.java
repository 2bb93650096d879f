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

import static java.util.Objects.requireNonNull;

/// A condition that the live rows of a table are expected to satisfy, under a name.
///
/// @param id unique in the table, and never used again
/// @param name for users; never identifies the constraint in metadata
/// @param enforced whether a write fails if it adds a row that breaks the condition
/// @param timestampMillis when the constraint was made or changed last, for information only
public record TableConstraint(int id, String name, boolean enforced, long timestampMillis, ConstraintCondition condition)
{
    public TableConstraint
    {
        requireNonNull(name, "name is null");
        requireNonNull(condition, "condition is null");
    }

    /// The constraint in words: `primary-key constraint pk`.
    public String description()
    {
        return "%s constraint %s".formatted(condition.type(), name);
    }

    TableConstraint withName(String newName, long changeTimeMillis)
    {
        return new TableConstraint(id, newName, enforced, changeTimeMillis, condition);
    }

    TableConstraint enforced(long changeTimeMillis)
    {
        return new TableConstraint(id, name, true, changeTimeMillis, condition);
    }

    TableConstraint notEnforced(long changeTimeMillis)
    {
        return new TableConstraint(id, name, false, changeTimeMillis, condition);
    }
}
