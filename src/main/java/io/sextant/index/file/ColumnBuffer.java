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

import io.sextant.index.key.ValueSink;
import jakarta.annotation.Nullable;

import java.util.BitSet;

/// The values of one column of the row group that a [ColumnarParquetWriter] is filling, in their Parquet form.
///
/// A value comes in through one of the methods of [ValueSink], by the type of the column, or as a Java object of Iceberg.
public abstract sealed class ColumnBuffer
        implements ValueSink
        permits BytesColumnBuffer,
                LongColumnBuffer,
                OrdinalColumnBuffer
{
    private final BitSet nulls = new BitSet();
    private int rowCount;
    private int nullCount;

    ColumnBuffer() {}

    /// Rows, with those whose value is null.
    public final int rowCount()
    {
        return rowCount;
    }

    public final int nullCount()
    {
        return nullCount;
    }

    public final int valueCount()
    {
        return rowCount - nullCount;
    }

    /// Appends a value in the Java class that Iceberg has for the type of the column.
    public abstract void append(@Nullable Object icebergValue);

    /// About the memory that the values take.
    public abstract long sizeInBytes();

    /// Adds the values to a summary; values stay in the buffer.
    public abstract ColumnSummary summarize();

    @Override
    public final void acceptNull()
    {
        nulls.set(rowCount);
        nullCount++;
        rowCount++;
    }

    @Override
    public void acceptBoolean(boolean value)
    {
        throw new IllegalStateException("The column does not hold booleans");
    }

    @Override
    public void acceptLong(long value)
    {
        throw new IllegalStateException("The column does not hold integers");
    }

    @Override
    public void acceptFloat(float value)
    {
        throw new IllegalStateException("The column does not hold floats");
    }

    @Override
    public void acceptDouble(double value)
    {
        throw new IllegalStateException("The column does not hold doubles");
    }

    @Override
    public void acceptBytes(byte[] array, int offset, int length)
    {
        throw new IllegalStateException("The column does not hold bytes");
    }

    /// Empties the buffer, keeping its memory.
    public void reset()
    {
        nulls.clear();
        rowCount = 0;
        nullCount = 0;
    }

    final boolean isNull(int row)
    {
        return nulls.get(row);
    }

    final void countValue()
    {
        rowCount++;
    }
}
