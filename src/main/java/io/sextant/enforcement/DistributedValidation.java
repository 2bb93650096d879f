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

import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintStatus;
import io.sextant.constraint.ConstraintsProperty;
import io.sextant.constraint.TableConstraint;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorTableLayout;
import io.trino.spi.type.TypeManager;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.types.TypeUtil;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static java.util.Objects.requireNonNull;

/// `ALTER TABLE t EXECUTE validate_constraint`: what `CALL system.validate_constraint` does, but workers read the rows.
///
/// Workers verify the checks and one key, for which rows are partitioned. Further keys are verified by [ConstraintValidator].
public class DistributedValidation
{
    public static final String PROCEDURE = "VALIDATE_CONSTRAINT";
    public static final String CONSTRAINT_NAME = "constraint_name";

    private final ConstraintValidator validator;
    private final TypeManager typeManager;

    @Inject
    public DistributedValidation(ConstraintValidator validator, TypeManager typeManager)
    {
        this.validator = requireNonNull(validator, "validator is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    /// What a statement asks for.
    ///
    /// @param properties the arguments of the statement
    /// @throws TrinoException if a constraint does not exist or cannot be evaluated, or its columns must not be read
    public ValidationHandle plan(IcebergTableHandle table, Map<String, Object> properties, ConnectorAccessControl accessControl)
    {
        Optional<String> constraintsProperty = Optional.ofNullable(table.getStorageProperties().get(ConstraintsProperty.NAME));
        List<TableConstraint> constraints = ConstraintsProperty.parse(constraintsProperty)
                .select(Optional.ofNullable((String) properties.get(CONSTRAINT_NAME)));
        ValidationHandle handle = new ValidationHandle(
                table.getSchemaTableName(),
                table.getSnapshotId(),
                table.getTableSchemaJson(),
                constraintsProperty,
                constraints.stream().map(TableConstraint::id).collect(toImmutableList()));
        Schema schema = handle.rowSchema();
        ColumnPrivileges.checkCanSelect(accessControl, handle.table(), schema, TypeUtil.getProjectedIds(schema));
        constraints.forEach(constraint -> validator.checkEvaluable(constraint, schema));
        return handle;
    }

    public Set<ColumnHandle> columns(ValidationHandle handle)
    {
        return ImmutableSet.copyOf(IcebergUtil.getTopLevelColumns(handle.rowSchema(), typeManager));
    }

    public static ConnectorTableLayout layout(ValidationHandle handle)
    {
        KeyPartitioning partitioning = handle.partitioning();
        return new ConnectorTableLayout(partitioning, partitioning.columnNames(), false);
    }

    /// The engine has no table procedures that read rows but take no filter.
    public static TrinoException filterRefused(IcebergTableHandle table)
    {
        return new TrinoException(NOT_SUPPORTED, "A constraint is validated for all rows of table %s; leave out WHERE".formatted(table.getSchemaTableName()));
    }

    /// Records whether the constraints hold, if that was not known.
    ///
    /// @param fragments what the page sinks have returned
    /// @return for each constraint how many rows or keys break it
    public Map<String, Long> finish(ConstrainedTable table, ValidationHandle handle, Collection<Slice> fragments)
    {
        table.table().refresh();
        if (!isAt(handle, table)) {
            throw outdated(handle, null);
        }
        Findings findings = Findings.of(fragments);
        Map<String, Long> metrics = new LinkedHashMap<>();
        metrics.put("rows_scanned", findings.rows());
        Map<Integer, ConstraintStatus> statuses = new HashMap<>();
        for (TableConstraint constraint : handle.constraints()) {
            long violations = violations(table, handle, constraint, findings);
            statuses.put(constraint.id(), ConstraintStatus.ofViolations(violations));
            // Other writers may give a name twice
            metrics.merge("violations." + constraint.name(), violations, Long::sum);
        }
        try {
            ConstraintChanges.recordStatuses(table, statuses);
        }
        catch (ConstraintChangeOutdatedException | CommitFailedException e) {
            throw outdated(handle, e);
        }
        return metrics;
    }

    private static boolean isAt(ValidationHandle handle, ConstrainedTable table)
    {
        OptionalLong current = Optional.ofNullable(table.table().currentSnapshot())
                .map(Snapshot::snapshotId)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
        return current.equals(handle.snapshotId())
                && handle.constraintsProperty().equals(Optional.ofNullable(table.table().properties().get(ConstraintsProperty.NAME)));
    }

    private static TrinoException outdated(ValidationHandle handle, Throwable cause)
    {
        return new TrinoException(TRANSACTION_CONFLICT, "Table %s was changed while its rows were checked, so nothing was recorded; run ALTER TABLE .. EXECUTE validate_constraint again".formatted(handle.table()), cause);
    }

    private long violations(ConstrainedTable table, ValidationHandle handle, TableConstraint constraint, Findings findings)
    {
        long found = findings.violations().getOrDefault(constraint.id(), 0L);
        if (constraint.condition() instanceof Check) {
            return found;
        }
        if (!handle.distributedKey().equals(Optional.of(constraint))) {
            return validator.validate(table, constraint, 0).count();
        }
        return found == 0 ? 0 : found - findings.suspects().size() + validator.countRepeatedKeys(table, constraint, findings.suspects());
    }

    /// What all page sinks together have found out.
    private record Findings(long rows, Map<Integer, Long> violations, LongOpenHashSet suspects)
    {
        static Findings of(Collection<Slice> fragments)
        {
            long rows = 0;
            Map<Integer, Long> violations = new HashMap<>();
            LongOpenHashSet suspects = new LongOpenHashSet();
            for (Slice fragment : fragments) {
                ValidationPart part = ValidationPart.fromFragment(fragment);
                rows += part.rows();
                part.violations().forEach((constraintId, count) -> violations.merge(constraintId, count, Long::sum));
                suspects.addAll(part.suspects());
            }
            return new Findings(rows, violations, suspects);
        }
    }
}
