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

import com.google.inject.Inject;
import io.sextant.constraint.ConstraintCondition;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.PrimaryKey;
import io.sextant.constraint.TableConstraint;
import io.sextant.index.scan.KeyFileFinder;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.spi.TrinoException;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.TypeUtil;

import java.util.List;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static java.util.Objects.requireNonNull;

/// Verifies the rows of a commit, which is not made yet, against the enforced constraints of the table.
public class AddedRowsVerifier
{
    private final IcebergPageSourceProviderFactory pageSourceProviderFactory;
    private final TypeManager typeManager;
    private final KeyFileFinder keyFileFinder;
    private final ConstraintConfig config;

    @Inject
    public AddedRowsVerifier(IcebergPageSourceProviderFactory pageSourceProviderFactory, TypeManager typeManager, KeyFileFinder keyFileFinder, ConstraintConfig config)
    {
        this.pageSourceProviderFactory = requireNonNull(pageSourceProviderFactory, "pageSourceProviderFactory is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.keyFileFinder = requireNonNull(keyFileFinder, "keyFileFinder is null");
        this.config = requireNonNull(config, "config is null");
    }

    /// @throws TrinoException with CONSTRAINT_VIOLATION if a row breaks a constraint, with NOT_SUPPORTED if that cannot be told
    void verify(AddedRows rows, List<TableConstraint> constraints, VerifiedKeys verifiedKeys)
    {
        DataFilePages pages = new DataFilePages(rows.session(), rows.table(), rows.schema(), pageSourceProviderFactory.createPageSourceProvider());
        verifyChecks(rows, pages, constraints.stream()
                .filter(constraint -> !CheckedWrite.covers(constraint))
                .toList());
        for (TableConstraint constraint : constraints) {
            if (constraint.condition() instanceof ConstraintCondition.Key key) {
                verifyKey(rows, pages, constraint, key, verifiedKeys);
            }
        }
    }

    /// Reads rows that no page sink has checked.
    private void verifyChecks(AddedRows rows, DataFilePages pages, List<TableConstraint> constraints)
    {
        Schema schema = TypeUtil.select(rows.schema(), constraints.stream()
                .filter(constraint -> constraint.condition() instanceof Check)
                .flatMap(constraint -> constraint.condition().referencedFieldIds().stream())
                .collect(toImmutableSet()));
        RowChecks checks = RowChecks.of(constraints, schema, typeManager);
        if (checks.isEmpty()) {
            return;
        }
        List<IcebergColumnHandle> columns = IcebergUtil.getTopLevelColumns(schema, typeManager);
        rows.files().forEach(file -> pages.read(file, List.of(), columns, TupleDomain.all(), page -> checks.check(page.getPage())));
    }

    private void verifyKey(AddedRows rows, DataFilePages pages, TableConstraint constraint, ConstraintCondition.Key key, VerifiedKeys verifiedKeys)
    {
        KeyReader reader = KeyReader.of(pages, rows.schema(), constraint, key, typeManager);
        new KeyVerifier(rows, reader, verifiedKeys.coverage(constraint.id(), rows), keyFileFinder, config.hashMemory(), config.getThreads())
                .findDuplicate()
                .ifPresent(duplicate -> {
                    throw new TrinoException(CONSTRAINT_VIOLATION, "%s violation: %s: %s %s".formatted(
                            key instanceof PrimaryKey ? "Primary key" : "Unique constraint",
                            constraint.name(),
                            duplicate.values(),
                            duplicate.amongAdded() ? "occurs twice among the added rows" : "is in the table already"));
                });
        verifiedKeys.add(constraint.id(), rows);
    }
}
