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
package io.sextant.index.file;

import it.unimi.dsi.fastutil.ints.IntArrays;
import jakarta.annotation.Nullable;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.max;
import static java.lang.Math.toIntExact;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/// Strings that stand in a list of their own, ascending by their UTF-8 bytes, each given by its place in that list. The
/// paths of the data files, a few for very many rows, are such a column.
public final class OrdinalColumnBuffer
        extends ColumnBuffer
{
    private static final int INITIAL_CAPACITY = 1024;

    private final IntFunction<String> strings;
    private int[] ordinals = new int[INITIAL_CAPACITY];
    private final BitSet distinct = new BitSet();
    private final BitSet distinctInFile = new BitSet();
    private int distinctInFileCount;

    OrdinalColumnBuffer(IntFunction<String> strings)
    {
        this.strings = requireNonNull(strings, "strings is null");
    }

    @Override
    public void append(@Nullable Object icebergValue)
    {
        if (icebergValue == null) {
            acceptNull();
            return;
        }
        acceptLong((Integer) icebergValue);
    }

    @Override
    public void acceptLong(long value)
    {
        checkArgument(value >= 0, "ordinal is negative: %s", value);
        int index = valueCount();
        if (index == ordinals.length) {
            ordinals = Arrays.copyOf(ordinals, max(2 * ordinals.length, INITIAL_CAPACITY));
        }
        int ordinal = toIntExact(value);
        ordinals[index] = ordinal;
        distinct.set(ordinal);
        if (!distinctInFile.get(ordinal)) {
            distinctInFile.set(ordinal);
            distinctInFileCount++;
        }
        countValue();
    }

    /// The ordinals that occur, ascending.
    int[] distinctOrdinals()
    {
        return distinct.stream().toArray();
    }

    /// How many ordinals have occurred since the buffer was made, in this row group and in those before.
    public int distinctInFile()
    {
        return distinctInFileCount;
    }

    int ordinal(int index)
    {
        return ordinals[index];
    }

    byte[] string(int ordinal)
    {
        return strings.apply(ordinal).getBytes(UTF_8);
    }

    @Override
    public long sizeInBytes()
    {
        return (long) valueCount() * Integer.BYTES;
    }

    @Override
    public ColumnSummary summarize()
    {
        if (valueCount() == 0) {
            return ColumnSummary.withoutBounds(this, 0, 0);
        }
        int[] present = distinctOrdinals();
        int[] lengths = new int[present.length];
        Arrays.setAll(lengths, i -> string(present[i]).length);
        long totalLength = 0;
        for (int i = 0; i < valueCount(); i++) {
            totalLength += lengths[IntArrays.binarySearch(present, ordinals[i])];
        }
        return ColumnSummary.of(this, string(present[0]), string(present[present.length - 1]), 0, totalLength);
    }

    @Override
    public void reset()
    {
        super.reset();
        distinct.clear();
    }
}
