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
import io.sextant.expression.PredicateBinding;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.spi.Page;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.TypeManager;
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
        DataFilePages pages = new DataFilePages(table.session(), table.table(), table.table().schema(), pageSourceProviderFactory.createPageSourceProvider());
        return switch (constraint.condition()) {
            case Check check -> validateCheck(table, pages, constraint, check, maxExamples);
            case ConstraintCondition.Key key -> new DuplicateKeys(
                    table.table(),
                    KeyReader.of(pages, table.table().schema(), constraint, key, typeManager),
                    config.hashMemory(),
                    config.getThreads())
                    .find(maxExamples);
            case Unrecognized(_, _, String reason) -> throw ConstraintErrors.notEvaluable(constraint, reason);
        };
    }

    private Violations validateCheck(ConstrainedTable table, DataFilePages pages, TableConstraint constraint, Check check, int maxExamples)
    {
        Schema schema = TypeUtil.select(table.table().schema(), check.referencedFieldIds());
        RowCheck rowCheck = switch (PredicateBinding.bind(check.expression(), schema)) {
            case PredicateBinding.Bound(var evaluator) -> new RowCheck(constraint, evaluator, schema, typeManager);
            case PredicateBinding.Unbound(String reason) -> throw ConstraintErrors.notEvaluable(constraint, reason);
        };
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
