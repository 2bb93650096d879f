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
package io.sextant.index.scan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import org.roaringbitmap.longlong.PeekableLongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

import static com.fasterxml.jackson.annotation.JsonCreator.Mode.DELEGATING;
import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.toIntExact;

/// The positions of chosen rows in one data file, counted from 0. It travels with a split as bytes.
public final class RowPositions
{
    private final Roaring64Bitmap positions;

    private RowPositions(Roaring64Bitmap positions)
    {
        checkArgument(!positions.isEmpty(), "positions are empty");
        this.positions = positions;
    }

    static RowPositions of(Roaring64Bitmap positions)
    {
        positions.runOptimize();
        return new RowPositions(positions);
    }

    @JsonCreator(mode = DELEGATING)
    public static RowPositions fromBytes(byte[] bytes)
    {
        Roaring64Bitmap positions = new Roaring64Bitmap();
        try {
            positions.deserialize(ByteBuffer.wrap(bytes));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RowPositions(positions);
    }

    @JsonValue
    public byte[] toBytes()
    {
        byte[] bytes = new byte[toIntExact(positions.serializedSizeInBytes())];
        try {
            positions.serialize(ByteBuffer.wrap(bytes));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes;
    }

    public long count()
    {
        return positions.getLongCardinality();
    }

    public long last()
    {
        return positions.last();
    }

    /// The positions at or after `first`, ascending.
    PeekableLongIterator iteratorFrom(long first)
    {
        return positions.getLongIteratorFrom(first);
    }

    long retainedSizeInBytes()
    {
        return positions.getLongSizeInBytes();
    }

    @Override
    public boolean equals(Object other)
    {
        return other instanceof RowPositions that && positions.equals(that.positions);
    }

    @Override
    public int hashCode()
    {
        return positions.hashCode();
    }

    @Override
    public String toString()
    {
        return "%s rows".formatted(count());
    }
}
