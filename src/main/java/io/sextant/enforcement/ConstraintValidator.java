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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
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
        return constraint.condition() instanceof ConstraintCondition.Key
                ? validateKey(table, constraint, maxExamples)
                : validateCheck(table, constraint, maxExamples);
    }

    private Violations validateKey(ConstrainedTable table, TableConstraint constraint, int maxExamples)
    {
        KeyReader reader = keyReader(table, constraint);
        DuplicateKeys.Repeated repeated = duplicateKeys(table, reader).find(maxExamples);
        return new Violations(repeated.count(), repeated.examples().entrySet().stream()
                .map(key -> new Violations.Example(reader.describe(key.getKey().getBytes()), key.getValue()))
                .collect(toImmutableList()));
    }

    private Violations validateCheck(ConstrainedTable table, TableConstraint constraint, int maxExamples)
    {
        RowCheck check = rowCheck(table, constraint);
        AtomicLong count = new AtomicLong();
        List<Violations.Example> examples = new ArrayList<>();
        findFailingRows(table, check, (rows, failing) -> {
            count.addAndGet(failing.length);
            synchronized (examples) {
                for (int i = 0; i < failing.length && examples.size() < maxExamples; i++) {
                    examples.add(new Violations.Example(check.describe(rows, failing[i]), 1));
                }
            }
            return true;
        });
        return new Violations(count.get(), examples);
    }

    /// Takes rows that break a check. It is called by several threads.
    @FunctionalInterface
    interface FailingRows
    {
        /// Whether more are wanted.
        ///
        /// @param rows a page with the columns to which the check refers
        boolean accept(Page rows, int[] failing);
    }

    /// Finds rows that break a check.
    void findFailingRows(ConstrainedTable table, TableConstraint constraint, FailingRows consumer)
    {
        findFailingRows(table, rowCheck(table, constraint), consumer);
    }

    private void findFailingRows(ConstrainedTable table, RowCheck check, FailingRows consumer)
    {
        DataFilePages pages = pages(table);
        List<IcebergColumnHandle> columns = IcebergUtil.getTopLevelColumns(check.schema(), typeManager);
        AtomicBoolean enough = new AtomicBoolean();
        DataFilePages.forEachFile(table.table().newScan(), config.getThreads(), task -> {
            if (enough.get()) {
                return;
            }
            pages.readWhile(task.file(), task.deletes(), columns, TupleDomain.all(), page -> {
                Page rows = page.getPage();
                int[] failing = check.evaluator().failingPositions(rows);
                if (failing.length > 0 && !consumer.accept(rows, failing)) {
                    enough.set(true);
                }
                return !enough.get();
            });
        });
    }

    /// Finds keys that more than one row has.
    ///
    /// @param constraint whose condition is a key
    DuplicateKeys.Repeated findRepeatedKeys(ConstrainedTable table, TableConstraint constraint, int maxExamples)
    {
        return duplicateKeys(table, keyReader(table, constraint)).find(maxExamples);
    }

    /// How many keys with one of some hashes more than one row has.
    ///
    /// @param constraint whose condition is a key
    long countRepeatedKeys(ConstrainedTable table, TableConstraint constraint, LongOpenHashSet hashes)
    {
        return duplicateKeys(table, keyReader(table, constraint)).count(hashes);
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

    private RowCheck rowCheck(ConstrainedTable table, TableConstraint constraint)
    {
        return RowCheck.toValidate(constraint, TypeUtil.select(table.table().schema(), constraint.condition().referencedFieldIds()), typeManager);
    }

    private KeyReader keyReader(ConstrainedTable table, TableConstraint constraint)
    {
        return KeyReader.of(pages(table), table.table().schema(), constraint, (ConstraintCondition.Key) constraint.condition(), typeManager);
    }

    private DuplicateKeys duplicateKeys(ConstrainedTable table, KeyReader reader)
    {
        return new DuplicateKeys(table.table(), reader, config.hashMemory(), config.getThreads());
    }
}
