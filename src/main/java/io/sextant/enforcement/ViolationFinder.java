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
import io.sextant.constraint.TableConstraint;
import io.trino.plugin.iceberg.TypeConverter;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.TypeUtil;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/// Finds the rows that break a constraint in the current snapshot of a table, and what they have in its columns.
public class ViolationFinder
{
    private final ConstraintValidator validator;
    private final TypeManager typeManager;

    @Inject
    public ViolationFinder(ConstraintValidator validator, TypeManager typeManager)
    {
        this.validator = requireNonNull(validator, "validator is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    /// The columns to which a constraint refers. A struct has only the fields to which it refers.
    ///
    /// @throws io.trino.spi.TrinoException with NOT_SUPPORTED if the constraint cannot be evaluated
    public Schema columns(Schema schema, TableConstraint constraint)
    {
        validator.checkEvaluable(constraint, schema);
        return TypeUtil.select(schema, constraint.condition().referencedFieldIds());
    }

    /// Pages with the columns, and the number of rows that have these values. Of a key each value comes once, with all its
    /// rows; of a check each row.
    ///
    /// @param limit of rows in all pages
    public List<Page> find(ConstrainedTable table, TableConstraint constraint, int limit)
    {
        if (table.table().currentSnapshot() == null) {
            return ImmutableList.of();
        }
        Schema schema = columns(table.table().schema(), constraint);
        ViolationPages pages = new ViolationPages(types(schema), limit);
        if (constraint.condition() instanceof ConstraintCondition.Key key) {
            KeyRows rows = new KeyRows(schema, key.fieldIds(), typeManager);
            validator.findRepeatedKeys(table, constraint, limit).examples().forEach((values, count) -> pages.addKey(rows, values.getBytes(), count));
        }
        else {
            validator.findFailingRows(table, constraint, pages::addRows);
        }
        return pages.build();
    }

    private List<Type> types(Schema schema)
    {
        return schema.columns().stream()
                .map(column -> TypeConverter.toTrinoType(column.type(), typeManager))
                .collect(toImmutableList());
    }

    /// Rows that were found. Thread-safe.
    private static final class ViolationPages
    {
        private final int columnCount;
        private final int limit;
        private final PageBuilder builder;
        private final ImmutableList.Builder<Page> pages = ImmutableList.builder();
        private int size;

        private ViolationPages(List<Type> types, int limit)
        {
            this.columnCount = types.size();
            this.limit = limit;
            this.builder = new PageBuilder(ImmutableList.<Type>builder().addAll(types).add(BIGINT).build());
        }

        private synchronized boolean addRows(Page rows, int[] positions)
        {
            int count = min(positions.length, limit - size);
            for (int i = 0; i < count; i++) {
                for (int column = 0; column < columnCount; column++) {
                    Block block = rows.getBlock(column);
                    builder.getBlockBuilder(column).append(block.getUnderlyingValueBlock(), block.getUnderlyingValuePosition(positions[i]));
                }
                finishRow(1);
            }
            return size < limit;
        }

        private synchronized void addKey(KeyRows keys, byte[] key, long rows)
        {
            keys.append(key, builder::getBlockBuilder);
            finishRow(rows);
        }

        private void finishRow(long rows)
        {
            BIGINT.writeLong(builder.getBlockBuilder(columnCount), rows);
            builder.declarePosition();
            size++;
            if (builder.isFull()) {
                pages.add(builder.build());
                builder.reset();
            }
        }

        private synchronized List<Page> build()
        {
            if (!builder.isEmpty()) {
                pages.add(builder.build());
                builder.reset();
            }
            return pages.build();
        }
    }
}
