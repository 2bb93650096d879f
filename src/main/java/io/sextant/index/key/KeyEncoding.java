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
package io.sextant.index.key;

import com.google.common.collect.ImmutableList;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import jakarta.annotation.Nullable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;

/// Encodes tuples of Iceberg values so that comparing the encodings as unsigned byte strings gives the order of the
/// index format (section "Ordering"): field by field, each ascending, nulls first.
///
/// The fields of a tuple are appended one after the other to one buffer. No encoding of a field is the beginning of
/// another encoding of that field, so a tuple may be cut after any field and still compares rightly.
///
/// | Type | Bytes of a value, after one byte: 0x00 for null (then nothing follows) or 0x01 |
/// |---|---|
/// | boolean | one byte, 0 or 1 |
/// | int, long, date, time, timestamps | eight bytes, big-endian, the sign bit flipped |
/// | float, double | eight bytes of the double, all bits flipped when negative, else the sign bit; a NaN keeps its sign only |
/// | decimal | sixteen bytes of the unscaled value, big-endian, the sign bit flipped |
/// | uuid, fixed | the bytes themselves |
/// | string (UTF-8), binary | the bytes, 0x00 written as 0x00 0xFF, then 0x00 0x00 |
///
/// Instances are immutable and thread-safe. When an encode method fails, the end of the buffer is undefined. Bytes that
/// this class could not have written fail with [io.sextant.error.SextantErrorCode#INDEX_CORRUPT].
public final class KeyEncoding
{
    static final byte NULL = 0;
    static final byte NOT_NULL = 1;

    private final ImmutableList<Type.PrimitiveType> types;
    private final FieldEncoding[] fields;

    private KeyEncoding(ImmutableList<Type.PrimitiveType> types)
    {
        this.types = types;
        this.fields = types.stream()
                .map(KeyEncoding::fieldEncoding)
                .toArray(FieldEncoding[]::new);
    }

    /// Fails with [io.sextant.error.SextantErrorCode#INDEX_INVALID_DEFINITION] when a type has no place in an index: the
    /// nested types, variant, unknown, geometry and geography.
    public static KeyEncoding of(List<? extends Type> types)
    {
        return new KeyEncoding(types.stream()
                .map(KeyEncoding::primitiveType)
                .collect(toImmutableList()));
    }

    /// Whether every value of a type keeps its bytes, and so its place in the index, when the type is promoted.
    ///
    /// The promotion of a date to a timestamp is not among these: it changes the bytes, and some dates are no timestamps.
    public static boolean keepsBytes(Type from, Type to)
    {
        if (from.equals(to)) {
            return true;
        }
        return switch (from.typeId()) {
            case INTEGER -> to.typeId() == Type.TypeID.LONG;
            case FLOAT -> to.typeId() == Type.TypeID.DOUBLE;
            case DECIMAL -> to instanceof Types.DecimalType toDecimal
                    && from instanceof Types.DecimalType fromDecimal
                    && toDecimal.scale() == fromDecimal.scale()
                    && toDecimal.precision() >= fromDecimal.precision();
            default -> false;
        };
    }

    public int fieldCount()
    {
        return fields.length;
    }

    public Type.PrimitiveType type(int field)
    {
        return types.get(field);
    }

    /// Appends the value at a position of a block of the Trino type that the Iceberg connector has for the field's type.
    ///
    /// Fails with [io.trino.spi.StandardErrorCode#NUMERIC_VALUE_OUT_OF_RANGE] for a timestamp that is out of the range of
    /// nanoseconds, and with [io.sextant.error.SextantErrorCode#INDEX_UNSUPPORTED] for a fixed value of another length.
    public void encode(int field, Block block, int position, KeyBuffer out)
    {
        FieldEncoding encoding = fields[field];
        if (block.isNull(position)) {
            out.appendByte(NULL);
            return;
        }
        out.appendByte(NOT_NULL);
        encoding.encode(block, position, out);
    }

    /// Appends all fields of a tuple from the blocks of its columns, unless one of them is null: then it returns false, and the
    /// end of the buffer is undefined.
    public boolean encodeNotNull(Block[] blocks, int position, KeyBuffer out)
    {
        for (int field = 0; field < fields.length; field++) {
            if (blocks[field].isNull(position)) {
                return false;
            }
            encode(field, blocks[field], position, out);
        }
        return true;
    }

    /// Appends a value in the Java class that Iceberg has for the field's type; an `Integer` may stand for a long, a
    /// `Float` for a double. A decimal may have more digits than the type, so that one can search with any bound.
    ///
    /// Fails with [io.trino.spi.StandardErrorCode#NUMERIC_VALUE_OUT_OF_RANGE] for a decimal that the scale of the type or
    /// 16 bytes cannot hold, with [io.sextant.error.SextantErrorCode#INDEX_UNSUPPORTED] for a fixed value of another
    /// length or a string that UTF-8 cannot express, and with [IllegalArgumentException] for another Java class.
    public void encodeValue(int field, @Nullable Object icebergValue, KeyBuffer out)
    {
        FieldEncoding encoding = fields[field];
        if (icebergValue == null) {
            out.appendByte(NULL);
            return;
        }
        out.appendByte(NOT_NULL);
        encoding.encodeValue(icebergValue, out);
    }

    /// The offset at which a field ends that begins at an offset.
    public int skip(int field, byte[] bytes, int offset)
    {
        FieldEncoding encoding = fields[field];
        if (isNull(bytes, offset)) {
            return offset + 1;
        }
        return encoding.skip(bytes, offset + 1);
    }

    /// Gives the sink the value of a field that begins at an offset, and returns the offset at which the field ends.
    public int decode(int field, byte[] bytes, int offset, ValueSink sink)
    {
        FieldEncoding encoding = fields[field];
        if (isNull(bytes, offset)) {
            sink.acceptNull();
            return offset + 1;
        }
        return encoding.decode(bytes, offset + 1, sink);
    }

    /// The value of a field that begins at an offset, in the Java class that Iceberg has for the field's type. A string
    /// that is not valid UTF-8 fails with [io.sextant.error.SextantErrorCode#INDEX_UNSUPPORTED].
    @Nullable
    public Object decodeValue(int field, byte[] bytes, int offset)
    {
        FieldEncoding encoding = fields[field];
        if (isNull(bytes, offset)) {
            return null;
        }
        return encoding.decodeValue(bytes, offset + 1);
    }

    private static boolean isNull(byte[] bytes, int offset)
    {
        FieldEncoding.checkAvailable(bytes, offset, 1);
        byte flag = bytes[offset];
        if (flag == NOT_NULL) {
            return false;
        }
        if (flag == NULL) {
            return true;
        }
        throw new TrinoException(INDEX_CORRUPT, "An index key is damaged: byte %s at offset %s is no null flag; rebuild the index".formatted(flag, offset));
    }

    private static Type.PrimitiveType primitiveType(Type type)
    {
        if (!type.isPrimitiveType()) {
            throw unsupportedType(type);
        }
        return type.asPrimitiveType();
    }

    private static FieldEncoding fieldEncoding(Type.PrimitiveType type)
    {
        return switch (type.typeId()) {
            case BOOLEAN -> new BooleanEncoding();
            case INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO -> LongEncoding.of(type);
            case FLOAT -> new FloatingEncoding.ForFloat();
            case DOUBLE -> new FloatingEncoding.ForDouble();
            case DECIMAL -> new DecimalEncoding((Types.DecimalType) type);
            case UUID -> new UuidEncoding();
            case FIXED -> new FixedEncoding((Types.FixedType) type);
            case STRING -> new BytesEncoding.ForString();
            case BINARY -> new BytesEncoding.ForBinary();
            case GEOMETRY, GEOGRAPHY, UNKNOWN, VARIANT, STRUCT, LIST, MAP -> throw unsupportedType(type);
        };
    }

    private static TrinoException unsupportedType(Type type)
    {
        return new TrinoException(INDEX_INVALID_DEFINITION, "A value of type %s cannot be stored in an index, as the type has no order; leave the column out of the index".formatted(type));
    }
}
