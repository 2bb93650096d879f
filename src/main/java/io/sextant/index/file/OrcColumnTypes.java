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

import io.trino.orc.OrcColumn;
import io.trino.orc.metadata.OrcType;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.util.Map;
import java.util.Optional;

import static io.trino.plugin.iceberg.util.OrcTypeConverter.ICEBERG_BINARY_TYPE;
import static io.trino.plugin.iceberg.util.OrcTypeConverter.ICEBERG_LONG_TYPE;

/// The Iceberg types of ORC columns. Trino's reader takes some columns for others without a word, say a long for a string.
final class OrcColumnTypes
{
    private static final String ICEBERG_LENGTH = "iceberg.length";

    private OrcColumnTypes() {}

    /// Empty for a type that is not primitive.
    static Optional<Type> toIcebergType(OrcColumn column)
    {
        OrcType type = column.getColumnType();
        Map<String, String> attributes = column.getAttributes();
        return switch (type.getOrcTypeKind()) {
            case BOOLEAN -> Optional.of(Types.BooleanType.get());
            case BYTE, SHORT, INT -> Optional.of(Types.IntegerType.get());
            case LONG -> Optional.of("TIME".equals(attributes.get(ICEBERG_LONG_TYPE)) ? Types.TimeType.get() : Types.LongType.get());
            case FLOAT -> Optional.of(Types.FloatType.get());
            case DOUBLE -> Optional.of(Types.DoubleType.get());
            case DATE -> Optional.of(Types.DateType.get());
            case TIMESTAMP -> Optional.of(Types.TimestampType.withoutZone());
            case TIMESTAMP_INSTANT -> Optional.of(Types.TimestampType.withZone());
            case STRING, VARCHAR, CHAR -> Optional.of(Types.StringType.get());
            case DECIMAL -> Optional.of(Types.DecimalType.of(type.getPrecision().orElseThrow(), type.getScale().orElseThrow()));
            case BINARY -> Optional.of(binaryType(attributes));
            case LIST, MAP, STRUCT, UNION -> Optional.empty();
        };
    }

    private static Type binaryType(Map<String, String> attributes)
    {
        return switch (attributes.getOrDefault(ICEBERG_BINARY_TYPE, "BINARY")) {
            case "UUID" -> Types.UUIDType.get();
            case "FIXED" -> Types.FixedType.ofLength(Integer.parseInt(attributes.get(ICEBERG_LENGTH)));
            default -> Types.BinaryType.get();
        };
    }
}
