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
package io.sextant.expression;

import io.sextant.expression.vector.PageRows;
import io.trino.spi.Page;
import it.unimi.dsi.fastutil.ints.IntArrayList;

import static java.util.Objects.requireNonNull;

/// Evaluates a predicate over rows that are to be written, or were read. The channels of a page are the columns of the schema
/// to which the predicate was bound. Evaluation cannot fail, whatever the values are.
public final class PageEvaluator
{
    private final BoundPredicate predicate;

    PageEvaluator(BoundPredicate predicate)
    {
        this.predicate = requireNonNull(predicate, "predicate is null");
    }

    /// Whether the predicate holds for each row.
    public boolean[] evaluate(Page page)
    {
        return predicate.evaluate(new PageRows(page));
    }

    /// The positions of the rows for which the predicate does not hold, in ascending order.
    public int[] failingPositions(Page page)
    {
        boolean[] holds = evaluate(page);
        IntArrayList failing = new IntArrayList(0);
        for (int i = 0; i < holds.length; i++) {
            if (!holds[i]) {
                failing.add(i);
            }
        }
        return failing.toIntArray();
    }
}
