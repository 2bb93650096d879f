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

import io.sextant.index.key.KeyEncoding;
import io.trino.plugin.iceberg.IcebergTypes;
import io.trino.plugin.iceberg.TypeConverter;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.RowBlockBuilder;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.BinaryType;
import org.apache.iceberg.types.Types.NestedField;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;

/// Turns encoded keys back into rows of a schema that has the fields of the key and no others.
final class KeyRows
{
    private final Schema schema;
    private final List<Integer> fieldIds;
    private final KeyEncoding encoding;
    private final TypeManager typeManager;

    KeyRows(Schema schema, Set<Integer> fieldIds, TypeManager typeManager)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.fieldIds = KeyReader.encodedOrder(fieldIds);
        this.encoding = KeyEncoding.of(this.fieldIds.stream().map(schema::findType).collect(toImmutableList()));
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    /// @param columns builds the block of each column
    void append(byte[] key, IntFunction<BlockBuilder> columns)
    {
        Map<Integer, Object> values = new HashMap<>();
        int offset = 0;
        for (int field = 0; field < fieldIds.size(); field++) {
            values.put(fieldIds.get(field), encoding.decodeValue(field, key, offset));
            offset = encoding.skip(field, key, offset);
        }
        for (int column = 0; column < schema.columns().size(); column++) {
            append(schema.columns().get(column), values, columns.apply(column));
        }
    }

    private void append(NestedField field, Map<Integer, Object> values, BlockBuilder block)
    {
        if (field.type().isStructType()) {
            List<NestedField> children = field.type().asStructType().fields();
            ((RowBlockBuilder) block).buildEntry(blocks -> {
                for (int i = 0; i < children.size(); i++) {
                    append(children.get(i), values, blocks.get(i));
                }
            });
            return;
        }
        writeNativeValue(
                TypeConverter.toTrinoType(field.type(), typeManager),
                block,
                toTrino(field.type(), values.get(field.fieldId())));
    }

    static Object toTrino(Type type, Object value)
    {
        // Trino reads a fixed value like a binary one, but does not convert it
        return IcebergTypes.convertIcebergValueToTrino(type.typeId() == TypeID.FIXED ? BinaryType.get() : type, value);
    }
}
