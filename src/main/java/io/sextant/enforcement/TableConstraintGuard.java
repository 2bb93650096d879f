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
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.catalog.CommitAttempt;
import io.sextant.catalog.MetadataReplay;
import io.sextant.catalog.TableGuard;
import io.sextant.constraint.ConstraintStatus;
import io.sextant.constraint.ConstraintStatuses;
import io.sextant.constraint.ConstraintsProperty;
import io.sextant.constraint.RowChange;
import io.sextant.constraint.SchemaGuard;
import io.sextant.constraint.StatusTransition;
import io.sextant.constraint.TableConstraint;
import io.sextant.constraint.TableConstraints;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.sextant.constraint.ConstraintStatuses.SUMMARY_KEY;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/// Keeps the constraints of one table in the commits of one statement.
final class TableConstraintGuard
        implements TableGuard
{
    private final ConnectorSession session;
    private final SchemaTableName tableName;
    private final AddedRowsVerifier verifier;
    private final VerifiedKeys verifiedKeys = new VerifiedKeys();

    TableConstraintGuard(ConnectorSession session, SchemaTableName tableName, AddedRowsVerifier verifier)
    {
        this.session = requireNonNull(session, "session is null");
        this.tableName = requireNonNull(tableName, "tableName is null");
        this.verifier = requireNonNull(verifier, "verifier is null");
    }

    @Override
    public TableMetadata beforeCommit(CommitAttempt attempt)
    {
        Optional<String> before = attempt.base().flatMap(TableConstraintGuard::property);
        Optional<String> after = property(attempt.candidate());
        if (before.isEmpty() && after.isEmpty()) {
            return attempt.candidate();
        }
        if (attempt.replacesTable()) {
            return withoutConstraints(attempt, before);
        }
        checkPropertyChange(before, after);
        Map<String, String> properties = attempt.candidate().properties();
        // Without knowing the constraints, rows cannot be added, but all else can be done
        TableConstraints constraints = ConstraintsProperty.readIfWellFormed(properties).orElse(TableConstraints.NONE);
        SchemaGuard.findObjection(attempt.base().orElseThrow().schema(), attempt.candidate().schema(), constraints).ifPresent(objection -> {
            throw new TrinoException(NOT_SUPPORTED, "The schema of table %s cannot be changed: %s".formatted(tableName, objection));
        });
        return MetadataReplay.replay(attempt, (snapshot, parent) -> {
            RowChange change = RowChange.of(snapshot);
            Set<Integer> verified = change.addsRows() ? verifyAddedRows(attempt, snapshot, ConstraintsProperty.read(properties)) : ImmutableSet.of();
            ConstraintStatuses statuses = found(snapshot, StatusTransition.statusesAfter(constraints, parentStatuses(snapshot, parent), change, verified));
            return constraints.constraints().isEmpty() ? ImmutableMap.of() : ImmutableMap.of(SUMMARY_KEY, statuses.toSummaryValue());
        });
    }

    private static Optional<String> property(TableMetadata metadata)
    {
        return Optional.ofNullable(metadata.properties().get(ConstraintsProperty.NAME));
    }

    /// A table that is replaced has new columns. Some catalogs keep the old properties, some do not.
    private TableMetadata withoutConstraints(CommitAttempt attempt, Optional<String> before)
    {
        if (before.isEmpty()) {
            throw propertyIsOurs();
        }
        // IDs of the old constraints may still be in snapshots
        MetadataUpdate change = ConstraintsProperty.readIfWellFormed(attempt.base().orElseThrow().properties())
                .map(constraints -> ConstraintsProperty.toValue(constraints.withoutConstraints()))
                .<MetadataUpdate>map(value -> new MetadataUpdate.SetProperties(ImmutableMap.of(ConstraintsProperty.NAME, value)))
                .orElseGet(() -> new MetadataUpdate.RemoveProperties(ImmutableSet.of(ConstraintsProperty.NAME)));
        return MetadataReplay.replay(attempt, (_, _) -> ImmutableMap.of(), change);
    }

    private void checkPropertyChange(Optional<String> before, Optional<String> after)
    {
        if (ConstraintChange.CURRENT.isBound()) {
            if (!before.equals(ConstraintChange.CURRENT.get().expected())) {
                throw new ConstraintChangeOutdatedException(tableName);
            }
        }
        else if (!Objects.equals(before, after)) {
            throw propertyIsOurs();
        }
    }

    private static TrinoException propertyIsOurs()
    {
        return new TrinoException(NOT_SUPPORTED, "Table property %s cannot be set; define constraints by CALL system.add_constraint".formatted(ConstraintsProperty.NAME));
    }

    /// Empty only if the snapshot is the first one.
    private static Optional<ConstraintStatuses> parentStatuses(Snapshot snapshot, Optional<Snapshot> parent)
    {
        if (snapshot.parentId() == null) {
            return Optional.empty();
        }
        return Optional.of(parent.map(ConstraintStatuses::of).orElse(ConstraintStatuses.NONE));
    }

    /// The statuses with what a scan has found out about the rows of the snapshot, which are those of its parent.
    private ConstraintStatuses found(Snapshot snapshot, ConstraintStatuses statuses)
    {
        if (!ConstraintChange.CURRENT.isBound() || ConstraintChange.CURRENT.get().statuses().isEmpty()) {
            return statuses;
        }
        ConstraintChange change = ConstraintChange.CURRENT.get();
        if (!change.scannedSnapshot().equals(Optional.ofNullable(snapshot.parentId()))) {
            throw new ConstraintChangeOutdatedException(tableName);
        }
        for (Map.Entry<Integer, ConstraintStatus> status : change.statuses().entrySet()) {
            statuses = statuses.with(status.getKey(), status.getValue());
        }
        return statuses;
    }

    /// The IDs of the constraints that the added rows keep.
    private Set<Integer> verifyAddedRows(CommitAttempt attempt, Snapshot snapshot, TableConstraints constraints)
    {
        List<TableConstraint> enforced = constraints.constraints().stream()
                .filter(TableConstraint::enforced)
                .collect(toImmutableList());
        if (!enforced.isEmpty()) {
            BaseTable table = new BaseTable(new StaticTableOperations(attempt.candidate(), attempt.operations().io()), tableName.toString());
            List<DataFile> addedFiles = ImmutableList.copyOf(SnapshotChanges.builderFor(table).snapshot(snapshot).build().addedDataFiles());
            if (!addedFiles.isEmpty()) {
                verifier.verify(new AddedRows(session, table, snapshot, addedFiles), enforced, verifiedKeys);
            }
        }
        return enforced.stream()
                .map(TableConstraint::id)
                .collect(toImmutableSet());
    }
}
