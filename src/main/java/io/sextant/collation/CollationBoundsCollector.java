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
package io.sextant.collation;

import com.google.common.base.Utf8;
import io.airlift.slice.Slice;
import io.trino.spi.block.Block;

import java.util.Optional;

import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/// Finds the bounds of a file while it is written. NOT safe for use by several threads.
public final class CollationBoundsCollector
{
    /// A longer bound is left out.
    public static final int MAX_BOUND_LENGTH = 4096;

    private final CollationOrder order;
    private long valueCount;
    private long nullCount;
    private boolean isUtf8 = true;
    // Null until the first value
    private CollatedValue lower;
    private CollatedValue upper;

    public CollationBoundsCollector(CollationOrder order)
    {
        this.order = requireNonNull(order, "order is null");
    }

    /// Adds the values of a block of varchar.
    public void add(Block block)
    {
        for (int position = 0; position < block.getPositionCount(); position++) {
            if (block.isNull(position)) {
                addNull();
            }
            else {
                add(VARCHAR.getSlice(block, position));
            }
        }
    }

    public void addNull()
    {
        valueCount++;
        nullCount++;
    }

    public void add(Slice value)
    {
        valueCount++;
        if (!isUtf8) {
            return;
        }
        if (!Utf8.isWellFormed(value.byteArray(), value.byteArrayOffset(), value.length())) {
            isUtf8 = false;
            return;
        }
        if (lower == null) {
            lower = new CollatedValue(value.copy());
            upper = lower;
            return;
        }
        include(value);
    }

    private void include(Slice value)
    {
        if (value.equals(lower.value()) || value.equals(upper.value())) {
            return;
        }
        CollatedValue candidate = new CollatedValue(value);
        int toLower = order.compare(candidate, lower);
        if (toLower < 0 || (toLower == 0 && value.compareTo(lower.value()) < 0)) {
            lower = new CollatedValue(value.copy());
        }
        int toUpper = order.compare(candidate, upper);
        if (toUpper > 0 || (toUpper == 0 && value.compareTo(upper.value()) < 0)) {
            upper = new CollatedValue(value.copy());
        }
    }

    /// The bounds of what was added so far. There are none if a value is not UTF-8, whose place other readers may see elsewhere.
    public CollationBounds bounds()
    {
        return new CollationBounds(bound(lower), bound(upper), valueCount, nullCount);
    }

    private Optional<Slice> bound(CollatedValue value)
    {
        return Optional.ofNullable(value)
                .filter(_ -> isUtf8)
                .map(CollatedValue::value)
                .filter(bound -> bound.length() <= MAX_BOUND_LENGTH);
    }
}
