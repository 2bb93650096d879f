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

import com.google.common.collect.ImmutableList;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import io.sextant.constraint.ConstraintsProperty;
import io.sextant.constraint.TableConstraint;
import io.sextant.expression.PredicateBinding;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.Schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// The enforced checks of a table, made ready for rows that are to be added to it. Thread-safe.
final class RowChecks
{
    static final RowChecks NONE = new RowChecks(ImmutableList.of(), Optional.empty());

    private final List<RowCheck> checks;
    private final Optional<TrinoException> refusal;

    private RowChecks(List<RowCheck> checks, Optional<TrinoException> refusal)
    {
        this.checks = ImmutableList.copyOf(checks);
        this.refusal = requireNonNull(refusal, "refusal is null");
    }

    /// Never fails: a constraint that cannot be evaluated is no reason to refuse a statement that adds no row.
    ///
    /// @param tableProperties all properties of the table
    /// @param schema whose columns are the channels of the pages
    static RowChecks of(Map<String, String> tableProperties, Schema schema, TypeManager typeManager)
    {
        try {
            return of(ConstraintsProperty.read(tableProperties).constraints(), schema, typeManager);
        }
        catch (TrinoException e) {
            return new RowChecks(ImmutableList.of(), Optional.of(e));
        }
    }

    /// @param constraints of which those that are enforced and concern single rows are taken
    static RowChecks of(List<TableConstraint> constraints, Schema schema, TypeManager typeManager)
    {
        List<RowCheck> checks = new ArrayList<>();
        for (TableConstraint constraint : constraints) {
            if (!constraint.enforced()) {
                continue;
            }
            switch (constraint.condition()) {
                case Check(var expression) -> {
                    switch (PredicateBinding.bind(expression, schema)) {
                        case PredicateBinding.Bound(var evaluator) -> checks.add(new RowCheck(constraint, evaluator, schema, typeManager));
                        case PredicateBinding.Unbound(var reason) -> {
                            return new RowChecks(ImmutableList.of(), Optional.of(ConstraintErrors.notEvaluable(constraint, reason)));
                        }
                    }
                }
                case Unrecognized unrecognized -> {
                    return new RowChecks(ImmutableList.of(), Optional.of(ConstraintErrors.notEvaluable(constraint, unrecognized.reason())));
                }
                default -> {}
            }
        }
        return new RowChecks(checks, Optional.empty());
    }

    boolean isEmpty()
    {
        return checks.isEmpty() && refusal.isEmpty();
    }

    /// @throws TrinoException with CONSTRAINT_VIOLATION if a row breaks a check, with NOT_SUPPORTED if that cannot be told
    void check(Page rows)
    {
        if (refusal.isPresent()) {
            TrinoException cause = refusal.orElseThrow();
            throw new TrinoException(cause::getErrorCode, cause.getMessage(), cause);
        }
        checks.forEach(check -> check.check(rows));
    }
}
