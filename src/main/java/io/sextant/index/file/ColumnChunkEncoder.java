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

import io.airlift.slice.Slice;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForInteger;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.parquet.column.values.deltastrings.DeltaByteArrayWriter;
import org.apache.parquet.column.values.plain.BooleanPlainValuesWriter;
import org.apache.parquet.column.values.plain.FixedLenByteArrayPlainValuesWriter;
import org.apache.parquet.column.values.plain.PlainValuesWriter;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkState;
import static java.lang.Double.longBitsToDouble;
import static java.lang.Float.intBitsToFloat;
import static java.lang.Math.max;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/// Encodes the values of one column chunk as one data page, with a dictionary page before it where that is smaller.
///
/// Integers are DELTA_BINARY_PACKED, strings and binary DELTA_BYTE_ARRAY, all else PLAIN; a dictionary is PLAIN and its
/// indexes RLE_DICTIONARY. Definition levels are RLE.
@SuppressWarnings("ArrayRecordComponent") // its records only pass bytes on, nobody compares them
final class ColumnChunkEncoder
{
    private static final int INITIAL_SLAB_SIZE = 1024;
    private static final int SLAB_SIZE_HINT = 1024 * 1024;
    private static final ByteBufferAllocator ALLOCATOR = HeapByteBufferAllocator.getInstance();

    private final PrimitiveType type;
    private final boolean isOptional;
    private final boolean isDictionaryAllowed;

    /// @param isOptional whether the page has definition levels, of one bit
    /// @param isDictionaryAllowed whether a dictionary may be chosen for values that are not ordinals. It should not for a
    ///         column that is searched: a reader looks into the dictionary of such a column in a read of its own
    ColumnChunkEncoder(PrimitiveType type, boolean isOptional, boolean isDictionaryAllowed)
    {
        this.type = requireNonNull(type, "type is null");
        this.isOptional = isOptional;
        this.isDictionaryAllowed = isDictionaryAllowed;
    }

    /// @param data the page, before compression
    record EncodedChunk(Optional<EncodedDictionary> dictionary, Encoding encoding, byte[] data) {}

    record EncodedDictionary(int valueCount, byte[] data) {}

    private record Values(Optional<EncodedDictionary> dictionary, Encoding encoding, byte[] data)
    {
        int size()
        {
            return data.length + dictionary.map(EncodedDictionary::data).map(page -> page.length).orElse(0);
        }
    }

    EncodedChunk encode(ColumnBuffer buffer)
    {
        Values values = switch (buffer) {
            case LongColumnBuffer longs -> smaller(encodeDirectly(longs), isDictionaryAllowed ? encodeWithDictionary(longs) : Optional.empty());
            case BytesColumnBuffer bytes -> smaller(encodeDirectly(bytes), isDictionaryAllowed ? encodeWithDictionary(bytes) : Optional.empty());
            case OrdinalColumnBuffer ordinals -> encodeOrdinals(ordinals);
        };
        byte[] page = isOptional ? bytes(BytesInput.concat(definitionLevels(buffer), BytesInput.from(values.data()))) : values.data();
        return new EncodedChunk(values.dictionary(), values.encoding(), page);
    }

    private static Values smaller(Values direct, Optional<Values> dictionary)
    {
        return dictionary.filter(values -> values.size() < direct.size()).orElse(direct);
    }

    private static BytesInput definitionLevels(ColumnBuffer buffer)
    {
        try (RunLengthBitPackingHybridEncoder encoder = new RunLengthBitPackingHybridEncoder(1, INITIAL_SLAB_SIZE, SLAB_SIZE_HINT, ALLOCATOR)) {
            for (int row = 0; row < buffer.rowCount(); row++) {
                encoder.writeInt(buffer.isNull(row) ? 0 : 1);
            }
            byte[] levels = bytes(encoder.toBytes());
            return BytesInput.concat(BytesInput.fromInt(levels.length), BytesInput.from(levels));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Values encodeDirectly(LongColumnBuffer longs)
    {
        try (ValuesWriter writer = valuesWriter()) {
            int count = longs.valueCount();
            switch (type.getPrimitiveTypeName()) {
                case BOOLEAN -> {
                    for (int i = 0; i < count; i++) {
                        writer.writeBoolean(longs.value(i) != 0);
                    }
                }
                case INT32 -> {
                    for (int i = 0; i < count; i++) {
                        writer.writeInteger((int) longs.value(i));
                    }
                }
                case INT64 -> {
                    for (int i = 0; i < count; i++) {
                        writer.writeLong(longs.value(i));
                    }
                }
                case FLOAT -> {
                    for (int i = 0; i < count; i++) {
                        writer.writeFloat(intBitsToFloat((int) longs.value(i)));
                    }
                }
                case DOUBLE -> {
                    for (int i = 0; i < count; i++) {
                        writer.writeDouble(longBitsToDouble(longs.value(i)));
                    }
                }
                case INT96, BINARY, FIXED_LEN_BYTE_ARRAY -> throw new IllegalStateException("Not a column of numbers: " + type);
            }
            return new Values(Optional.empty(), writer.getEncoding(), bytes(writer.getBytes()));
        }
    }

    private Values encodeDirectly(BytesColumnBuffer bytes)
    {
        try (ValuesWriter writer = valuesWriter()) {
            for (int i = 0; i < bytes.valueCount(); i++) {
                writer.writeBytes(bytes.value(i));
            }
            return new Values(Optional.empty(), writer.getEncoding(), bytes(writer.getBytes()));
        }
    }

    private ValuesWriter valuesWriter()
    {
        return switch (type.getPrimitiveTypeName()) {
            case BOOLEAN -> new BooleanPlainValuesWriter();
            case INT32 -> new DeltaBinaryPackingValuesWriterForInteger(INITIAL_SLAB_SIZE, SLAB_SIZE_HINT, ALLOCATOR);
            case INT64 -> new DeltaBinaryPackingValuesWriterForLong(INITIAL_SLAB_SIZE, SLAB_SIZE_HINT, ALLOCATOR);
            case BINARY -> new DeltaByteArrayWriter(INITIAL_SLAB_SIZE, SLAB_SIZE_HINT, ALLOCATOR);
            case FLOAT, DOUBLE, FIXED_LEN_BYTE_ARRAY -> plainWriter();
            case INT96 -> throw new IllegalStateException("No column is written as INT96");
        };
    }

    private ValuesWriter plainWriter()
    {
        if (type.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY) {
            return new FixedLenByteArrayPlainValuesWriter(type.getTypeLength(), INITIAL_SLAB_SIZE, SLAB_SIZE_HINT, ALLOCATOR);
        }
        return new PlainValuesWriter(INITIAL_SLAB_SIZE, SLAB_SIZE_HINT, ALLOCATOR);
    }

    private Optional<Values> encodeWithDictionary(LongColumnBuffer longs)
    {
        int count = longs.valueCount();
        int limit = maxDictionarySize(count);
        if (limit == 0 || type.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.BOOLEAN) {
            return Optional.empty();
        }
        Long2IntOpenHashMap indexes = new Long2IntOpenHashMap();
        indexes.defaultReturnValue(-1);
        long[] dictionary = new long[limit];
        int[] encoded = new int[count];
        for (int i = 0; i < count; i++) {
            long value = longs.value(i);
            int index = indexes.get(value);
            if (index < 0) {
                index = indexes.size();
                if (index == limit) {
                    return Optional.empty();
                }
                indexes.put(value, index);
                dictionary[index] = value;
            }
            encoded[i] = index;
        }
        return Optional.of(withDictionary(encodeDictionary(dictionary, indexes.size()), encoded, count));
    }

    private EncodedDictionary encodeDictionary(long[] dictionary, int size)
    {
        try (ValuesWriter writer = plainWriter()) {
            for (int i = 0; i < size; i++) {
                switch (type.getPrimitiveTypeName()) {
                    case INT32 -> writer.writeInteger((int) dictionary[i]);
                    case INT64 -> writer.writeLong(dictionary[i]);
                    case FLOAT -> writer.writeFloat(intBitsToFloat((int) dictionary[i]));
                    case DOUBLE -> writer.writeDouble(longBitsToDouble(dictionary[i]));
                    case BOOLEAN, INT96, BINARY, FIXED_LEN_BYTE_ARRAY -> throw new IllegalStateException("No dictionary for " + type);
                }
            }
            return new EncodedDictionary(size, bytes(writer.getBytes()));
        }
    }

    private Optional<Values> encodeWithDictionary(BytesColumnBuffer bytes)
    {
        int count = bytes.valueCount();
        int limit = maxDictionarySize(count);
        if (limit == 0) {
            return Optional.empty();
        }
        Object2IntOpenHashMap<Slice> indexes = new Object2IntOpenHashMap<>();
        indexes.defaultReturnValue(-1);
        int[] encoded = new int[count];
        try (ValuesWriter writer = plainWriter()) {
            for (int i = 0; i < count; i++) {
                Slice value = bytes.slice(i);
                int index = indexes.getInt(value);
                if (index < 0) {
                    index = indexes.size();
                    if (index == limit) {
                        return Optional.empty();
                    }
                    indexes.put(value, index);
                    writer.writeBytes(bytes.value(i));
                }
                encoded[i] = index;
            }
            return Optional.of(withDictionary(new EncodedDictionary(indexes.size(), bytes(writer.getBytes())), encoded, count));
        }
    }

    // A dictionary of values that occur fewer than four times on average is never looked for, it rarely pays
    private static int maxDictionarySize(int valueCount)
    {
        return valueCount / 4;
    }

    private Values encodeOrdinals(OrdinalColumnBuffer ordinals)
    {
        int[] dictionary = ordinals.distinctOrdinals();
        int count = ordinals.valueCount();
        int[] encoded = new int[count];
        for (int i = 0; i < count; i++) {
            encoded[i] = IntArrays.binarySearch(dictionary, ordinals.ordinal(i));
        }
        try (ValuesWriter writer = plainWriter()) {
            byte[] previous = null;
            for (int ordinal : dictionary) {
                byte[] string = ordinals.string(ordinal);
                checkState(previous == null || Arrays.compareUnsigned(previous, string) < 0, "strings of ordinals do not ascend at %s", ordinal);
                writer.writeBytes(Binary.fromConstantByteArray(string));
                previous = string;
            }
            return withDictionary(new EncodedDictionary(dictionary.length, bytes(writer.getBytes())), encoded, count);
        }
    }

    private static Values withDictionary(EncodedDictionary dictionary, int[] indexes, int count)
    {
        int bitWidth = max(1, Integer.SIZE - Integer.numberOfLeadingZeros(dictionary.valueCount() - 1));
        try (RunLengthBitPackingHybridEncoder encoder = new RunLengthBitPackingHybridEncoder(bitWidth, INITIAL_SLAB_SIZE, SLAB_SIZE_HINT, ALLOCATOR)) {
            for (int i = 0; i < count; i++) {
                encoder.writeInt(indexes[i]);
            }
            byte[] data = bytes(BytesInput.concat(BytesInput.from(new byte[] {(byte) bitWidth}), encoder.toBytes()));
            return new Values(Optional.of(dictionary), Encoding.RLE_DICTIONARY, data);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(BytesInput input)
    {
        try {
            ByteArrayOutputStream output = new ByteArrayOutputStream(toIntExact(input.size()));
            input.writeAllTo(output);
            return output.toByteArray();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
