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

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

import java.util.List;
import java.util.Optional;

import static io.trino.parquet.ParquetMetadataConverter.convertToLogicalType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit.MICROS;

/// The schema of a Parquet file in the form its footer has: a list of elements, depth first.
final class ParquetSchemaElements
{
    private ParquetSchemaElements() {}

    static List<SchemaElement> of(MessageType schema)
    {
        ImmutableList.Builder<SchemaElement> elements = ImmutableList.builder();
        elements.add(new SchemaElement(schema.getName()).setNum_children(schema.getFieldCount()));
        addChildren(schema, elements);
        return elements.build();
    }

    private static void addChildren(GroupType group, ImmutableList.Builder<SchemaElement> elements)
    {
        for (Type field : group.getFields()) {
            SchemaElement element = new SchemaElement(field.getName())
                    .setRepetition_type(FieldRepetitionType.valueOf(field.getRepetition().name()))
                    .setField_id(field.getId().intValue());
            elements.add(element);
            if (field.isPrimitive()) {
                describe(field.asPrimitiveType(), element);
            }
            else {
                element.setNum_children(field.asGroupType().getFieldCount());
                addChildren(field.asGroupType(), elements);
            }
        }
    }

    private static void describe(PrimitiveType type, SchemaElement element)
    {
        element.setType(physicalType(type.getPrimitiveTypeName()));
        if (type.getTypeLength() > 0) {
            element.setType_length(type.getTypeLength());
        }
        if (type.getLogicalTypeAnnotation() == null) {
            return;
        }
        element.setLogicalType(convertToLogicalType(type.getLogicalTypeAnnotation()));
        // Readers older than the logical types know these only
        convertedType(type.getLogicalTypeAnnotation()).ifPresent(element::setConverted_type);
        if (type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal) {
            element.setPrecision(decimal.getPrecision());
            element.setScale(decimal.getScale());
        }
    }

    private static Optional<ConvertedType> convertedType(LogicalTypeAnnotation annotation)
    {
        return switch (annotation) {
            case StringLogicalTypeAnnotation _ -> Optional.of(ConvertedType.UTF8);
            case DateLogicalTypeAnnotation _ -> Optional.of(ConvertedType.DATE);
            case DecimalLogicalTypeAnnotation _ -> Optional.of(ConvertedType.DECIMAL);
            case TimeLogicalTypeAnnotation time when time.getUnit() == MICROS -> Optional.of(ConvertedType.TIME_MICROS);
            case TimestampLogicalTypeAnnotation timestamp when timestamp.getUnit() == MICROS -> Optional.of(ConvertedType.TIMESTAMP_MICROS);
            default -> Optional.empty();
        };
    }

    static org.apache.parquet.format.Type physicalType(PrimitiveType.PrimitiveTypeName type)
    {
        return switch (type) {
            case BOOLEAN -> org.apache.parquet.format.Type.BOOLEAN;
            case INT32 -> org.apache.parquet.format.Type.INT32;
            case INT64 -> org.apache.parquet.format.Type.INT64;
            case INT96 -> org.apache.parquet.format.Type.INT96;
            case FLOAT -> org.apache.parquet.format.Type.FLOAT;
            case DOUBLE -> org.apache.parquet.format.Type.DOUBLE;
            case BINARY -> org.apache.parquet.format.Type.BYTE_ARRAY;
            case FIXED_LEN_BYTE_ARRAY -> org.apache.parquet.format.Type.FIXED_LEN_BYTE_ARRAY;
        };
    }
}
