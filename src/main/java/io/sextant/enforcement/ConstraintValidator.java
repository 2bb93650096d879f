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
import com.google.inject.Inject;
import io.sextant.constraint.ConstraintCondition;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import io.sextant.constraint.TableConstraint;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.spi.Page;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.TypeManager;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.TypeUtil;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import static java.util.Objects.requireNonNull;

/// Checks all rows of the current snapshot of a table.
public class ConstraintValidator
{
    private final IcebergPageSourceProviderFactory pageSourceProviderFactory;
    private final TypeManager typeManager;
    private final ConstraintConfig config;

    @Inject
    public ConstraintValidator(IcebergPageSourceProviderFactory pageSourceProviderFactory, TypeManager typeManager, ConstraintConfig config)
    {
        this.pageSourceProviderFactory = requireNonNull(pageSourceProviderFactory, "pageSourceProviderFactory is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.config = requireNonNull(config, "config is null");
    }

    /// Finds what breaks a constraint.
    ///
    /// @param maxExamples violations of which the values are wanted
    /// @throws io.trino.spi.TrinoException with NOT_SUPPORTED if the constraint cannot be evaluated
    public Violations validate(ConstrainedTable table, TableConstraint constraint, int maxExamples)
    {
        if (table.table().currentSnapshot() == null) {
            return Violations.NONE;
        }
        checkEvaluable(constraint, table.table().schema());
        DataFilePages pages = pages(table);
        return constraint.condition() instanceof ConstraintCondition.Key key
                ? duplicateKeys(table, pages, constraint, key).find(maxExamples)
                : validateCheck(table, pages, constraint, maxExamples);
    }

    /// How many keys with one of some hashes more than one row has.
    ///
    /// @param constraint whose condition is a key
    long countRepeatedKeys(ConstrainedTable table, TableConstraint constraint, LongOpenHashSet hashes)
    {
        return duplicateKeys(table, pages(table), constraint, (ConstraintCondition.Key) constraint.condition()).count(hashes);
    }

    /// @param schema with the columns to which the constraint refers
    /// @throws io.trino.spi.TrinoException with NOT_SUPPORTED if it cannot be evaluated
    void checkEvaluable(TableConstraint constraint, Schema schema)
    {
        switch (constraint.condition()) {
            case Check _ -> RowCheck.toValidate(constraint, schema, typeManager);
            case ConstraintCondition.Key key -> {
                if (!key.fieldIds().stream().allMatch(fieldId -> schema.findField(fieldId) != null)) {
                    throw ConstraintErrors.cannotValidate(constraint, "a column of its key does not exist");
                }
            }
            case Unrecognized(_, _, String reason) -> throw ConstraintErrors.cannotValidate(constraint, reason);
        }
    }

    private DataFilePages pages(ConstrainedTable table)
    {
        return new DataFilePages(table.session(), table.table(), table.table().schema(), pageSourceProviderFactory.createPageSourceProvider());
    }

    private DuplicateKeys duplicateKeys(ConstrainedTable table, DataFilePages pages, TableConstraint constraint, ConstraintCondition.Key key)
    {
        return new DuplicateKeys(
                table.table(),
                KeyReader.of(pages, table.table().schema(), constraint, key, typeManager),
                config.hashMemory(),
                config.getThreads());
    }

    private Violations validateCheck(ConstrainedTable table, DataFilePages pages, TableConstraint constraint, int maxExamples)
    {
        Schema schema = TypeUtil.select(table.table().schema(), constraint.condition().referencedFieldIds());
        RowCheck rowCheck = RowCheck.toValidate(constraint, schema, typeManager);
        List<IcebergColumnHandle> columns = IcebergUtil.getTopLevelColumns(schema, typeManager);
        AtomicLong count = new AtomicLong();
        List<Violations.Example> examples = new ArrayList<>();
        DataFilePages.forEachFile(table.table().newScan(), config.getThreads(), task -> pages.read(task.file(), task.deletes(), columns, TupleDomain.all(), page -> {
            Page rows = page.getPage();
            int[] failing = rowCheck.evaluator().failingPositions(rows);
            count.addAndGet(failing.length);
            synchronized (examples) {
                for (int i = 0; i < failing.length && examples.size() < maxExamples; i++) {
                    examples.add(new Violations.Example(rowCheck.describe(rows, failing[i]), 1));
                }
            }
        }));
        return new Violations(count.get(), ImmutableList.copyOf(examples));
    }
}
