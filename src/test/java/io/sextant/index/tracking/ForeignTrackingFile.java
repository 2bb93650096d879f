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
package io.sextant.index.tracking;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.sextant.index.file.ColumnarParquetWriter;
import org.apache.iceberg.Schema;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.apache.iceberg.types.Types.NestedField.optional;

/// A tracking file as somebody else might write it: names, order, optionality and types are its own. It begins as the
/// worked example of the index format with two entries, in two key fields, `bucket` (104) and `user_id` (1).
final class ForeignTrackingFile
{
    static final String FIRST_REGION = "s3://lake/i/data/region-1.parquet";
    static final String SECOND_REGION = "s3://lake/i/data/region-2.avro";

    // Top-level fields and members of structs, by the ID of the struct, each by its own ID
    private final Map<Integer, NestedField> columns = new LinkedHashMap<>();
    private final Map<Integer, Map<Integer, NestedField>> structs = new LinkedHashMap<>();
    private final List<Map<Integer, Object>> rows = new ArrayList<>();

    static ForeignTrackingFile workedExample()
    {
        ForeignTrackingFile file = new ForeignTrackingFile();
        file.column(optional(131, "k", Types.BinaryType.get()));
        file.column(optional(104, "bytes", Types.LongType.get()));
        file.column(optional(900, "of_no_concern", Types.StringType.get()));
        file.column(optional(103, "entries", Types.LongType.get()));
        file.column(optional(101, "kind", Types.StringType.get()));
        file.column(optional(100, "path", Types.StringType.get()));
        file.member(30_800, optional(30_808, "last", Types.IntegerType.get()));
        file.member(30_800, optional(30_802, "high", Types.IntegerType.get()));
        file.member(30_800, optional(30_801, "low", Types.IntegerType.get()));
        file.member(10_200, optional(10_201, "low", Types.LongType.get()));
        file.member(10_200, optional(10_202, "high", Types.LongType.get()));
        file.member(10_200, optional(10_203, "tight", Types.BooleanType.get()));
        file.member(10_200, optional(10_204, "values", Types.LongType.get()));
        file.member(10_200, optional(10_208, "last", Types.LongType.get()));
        file.row(row(FIRST_REGION, "parquet", 3, 3, 88, 88, 12_094, 84_721, 55_310));
        file.row(row(SECOND_REGION, "AVRO", 2, 90, 209, 209, 17, 3_277, 3_277));
        return file;
    }

    private static Map<Integer, Object> row(String location, String format, long entries, int lowBucket, int highBucket, int lastBucket, long lowUser, long highUser, long lastUser)
    {
        Map<Integer, Object> row = new HashMap<>();
        row.put(100, location);
        row.put(101, format);
        row.put(103, entries);
        row.put(104, 1_000L);
        row.put(30_801, lowBucket);
        row.put(30_802, highBucket);
        row.put(30_808, lastBucket);
        row.put(10_201, lowUser);
        row.put(10_202, highUser);
        row.put(10_203, true);
        row.put(10_204, entries);
        row.put(10_208, lastUser);
        return row;
    }

    @CanIgnoreReturnValue
    ForeignTrackingFile column(NestedField field)
    {
        columns.put(field.fieldId(), field);
        return this;
    }

    @CanIgnoreReturnValue
    ForeignTrackingFile member(int struct, NestedField field)
    {
        structs.computeIfAbsent(struct, _ -> new LinkedHashMap<>()).put(field.fieldId(), field);
        return this;
    }

    @CanIgnoreReturnValue
    ForeignTrackingFile without(int fieldId)
    {
        columns.remove(fieldId);
        structs.remove(fieldId);
        structs.values().forEach(members -> members.remove(fieldId));
        return this;
    }

    @CanIgnoreReturnValue
    ForeignTrackingFile row(Map<Integer, Object> values)
    {
        rows.add(values);
        return this;
    }

    @CanIgnoreReturnValue
    ForeignTrackingFile set(int row, int fieldId, Object value)
    {
        rows.get(row).put(fieldId, value);
        return this;
    }

    @CanIgnoreReturnValue
    ForeignTrackingFile setNull(int row, int fieldId)
    {
        rows.get(row).remove(fieldId);
        return this;
    }

    @CanIgnoreReturnValue
    ForeignTrackingFile swapRows()
    {
        rows.add(rows.removeFirst());
        return this;
    }

    @CanIgnoreReturnValue
    ForeignTrackingFile withoutRows()
    {
        rows.clear();
        return this;
    }

    /// As Iceberg's generic writer writes it. A struct whose members are all null is null.
    byte[] toAvro()
    {
        Schema schema = schema(true);
        InMemoryOutputFile output = new InMemoryOutputFile();
        try (FileAppender<Record> appender = Avro.write(output).schema(schema).createWriterFunc(DataWriter::create).build()) {
            for (Map<Integer, Object> row : rows) {
                appender.add(record(schema.asStruct(), row).orElseThrow());
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return output.toByteArray();
    }

    byte[] toParquet()
    {
        Schema schema = schema(false);
        ColumnarParquetWriter writer = new ColumnarParquetWriter(schema, ImmutableSet.of(), ImmutableMap.of(), ImmutableMap.of());
        for (Map<Integer, Object> row : rows) {
            writeRow(writer, schema.asStruct(), row);
        }
        return writer.finish();
    }

    private Schema schema(boolean optionalStructs)
    {
        List<NestedField> stats = new ArrayList<>();
        structs.forEach((id, members) -> {
            if (!members.isEmpty()) {
                stats.add(field(id, optionalStructs, "s" + id, Types.StructType.of(ImmutableList.copyOf(members.values()))));
            }
        });
        ImmutableList.Builder<NestedField> fields = ImmutableList.builder();
        if (!stats.isEmpty()) {
            fields.add(field(146, optionalStructs, "numbers", Types.StructType.of(stats)));
        }
        return new Schema(fields.addAll(columns.values()).build());
    }

    private static NestedField field(int fieldId, boolean isOptional, String name, Type type)
    {
        return isOptional ? NestedField.optional(fieldId, name, type) : NestedField.required(fieldId, name, type);
    }

    private static Optional<Record> record(Types.StructType type, Map<Integer, Object> row)
    {
        GenericRecord record = GenericRecord.create(type);
        boolean empty = true;
        for (NestedField field : type.fields()) {
            Object value = value(field.type(), field.fieldId(), row);
            record.setField(field.name(), value);
            empty &= value == null;
        }
        return empty ? Optional.empty() : Optional.of(record);
    }

    private static Object value(Type type, int fieldId, Map<Integer, Object> row)
    {
        if (type.isStructType()) {
            return record(type.asStructType(), row).orElse(null);
        }
        Object value = row.get(fieldId);
        return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
    }

    private static void writeRow(ColumnarParquetWriter writer, Types.StructType type, Map<Integer, Object> row)
    {
        for (NestedField field : type.fields()) {
            if (field.type().isStructType()) {
                writeRow(writer, field.type().asStructType(), row);
            }
            else {
                writer.column(field.fieldId()).append(value(field.type(), field.fieldId(), row));
            }
        }
    }
}
