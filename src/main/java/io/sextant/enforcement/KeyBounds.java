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

import com.google.common.collect.ImmutableMap;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.key.KeyRange;
import io.sextant.index.key.KeyRanges;
import io.sextant.index.scan.ColumnRanges;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/// Which values each field of some keys has: all of them while they are few, the least and the greatest of many.
final class KeyBounds
{
    private static final int MAX_VALUES = 200;

    private final KeyEncoding encoding;
    private final FieldBounds[] fields;

    KeyBounds(KeyEncoding encoding)
    {
        this.encoding = requireNonNull(encoding, "encoding is null");
        this.fields = new FieldBounds[encoding.fieldCount()];
        Arrays.setAll(fields, _ -> new FieldBounds());
    }

    void add(KeyBuffer key)
    {
        int start = 0;
        for (int field = 0; field < fields.length; field++) {
            int end = field + 1 == fields.length ? key.length() : encoding.skip(field, key.array(), start);
            fields[field].add(key.array(), start, end);
            start = end;
        }
    }

    /// A filter for the files of a table that may have one of the keys.
    Expression toExpression(Table table, List<Integer> fieldIds)
    {
        Expression filter = Expressions.alwaysTrue();
        for (int field = 0; field < fields.length; field++) {
            if (isComparable(encoding.type(field))) {
                filter = Expressions.and(filter, toExpression(table, field, fieldIds.get(field)));
            }
        }
        return filter;
    }

    /// Whether Iceberg compares values of the type with the bounds of files as this class does.
    private static boolean isComparable(Type type)
    {
        return switch (type.typeId()) {
            // A long literal stands for microseconds, whatever the type of the column
            case TIMESTAMP_NANO -> false;
            // Iceberg compares the halves as signed numbers, but files are written with the bounds of unsigned ones
            case UUID -> false;
            default -> true;
        };
    }

    private Expression toExpression(Table table, int field, int fieldId)
    {
        String name = table.schema().findColumnName(fieldId);
        // Iceberg fails if it evaluates IN over strings for a partition value that is null
        if (fields[field].values().isPresent() && !isStringInPartitions(table, fieldId)) {
            return Expressions.in(name, fields[field].values().orElseThrow().stream()
                    .map(value -> decode(field, value))
                    .toArray());
        }
        return Expressions.and(
                Expressions.greaterThanOrEqual(name, decode(field, fields[field].least())),
                Expressions.lessThanOrEqual(name, decode(field, fields[field].greatest())));
    }

    private static boolean isStringInPartitions(Table table, int fieldId)
    {
        return table.specs().values().stream()
                .flatMap(spec -> spec.fields().stream())
                .anyMatch(field -> field.sourceId() == fieldId && field.transform().getResultType(table.schema().findType(fieldId)).typeId() == TypeID.STRING);
    }

    /// A predicate for the row groups of files. It leaves out fields within structs, which the reader does not prune by.
    TupleDomain<IcebergColumnHandle> toPredicate(List<IcebergColumnHandle> columns)
    {
        ImmutableMap.Builder<IcebergColumnHandle, Domain> domains = ImmutableMap.builder();
        for (int field = 0; field < fields.length; field++) {
            if (columns.get(field).isBaseColumn()) {
                domains.put(columns.get(field), toDomain(field, columns.get(field).getType()));
            }
        }
        return TupleDomain.withColumnDomains(domains.buildOrThrow());
    }

    /// The same for an index, by field ID in the order in which the fields of a key are encoded.
    Map<Integer, ColumnRanges> toRanges(List<IcebergColumnHandle> columns)
    {
        ImmutableMap.Builder<Integer, ColumnRanges> ranges = ImmutableMap.builder();
        for (int field = 0; field < fields.length; field++) {
            ranges.put(columns.get(field).getId(), toRanges(field, toDomain(field, columns.get(field).getType())));
        }
        return ranges.buildOrThrow();
    }

    private ColumnRanges toRanges(int field, Domain domain)
    {
        FieldBounds bounds = fields[field];
        return bounds.values()
                .map(values -> ColumnRanges.ofPoints(encoding.type(field), values, Optional.of(domain)))
                .orElseGet(() -> new ColumnRanges(
                        encoding.type(field),
                        KeyRanges.of(new KeyRange(bounds.least(), KeyRange.prefixSuccessor(bounds.greatest()))),
                        Optional.empty(),
                        Optional.of(domain)));
    }

    private Domain toDomain(int field, io.trino.spi.type.Type type)
    {
        Optional<Collection<byte[]>> values = fields[field].values();
        if (values.isPresent()) {
            return Domain.multipleValues(type, values.orElseThrow().stream()
                    .map(value -> toTrino(field, value))
                    .collect(toImmutableList()));
        }
        return Domain.create(
                ValueSet.ofRanges(Range.range(type, toTrino(field, fields[field].least()), true, toTrino(field, fields[field].greatest()), true)),
                false);
    }

    private Object toTrino(int field, byte[] value)
    {
        return KeyRows.toTrino(encoding.type(field), decode(field, value));
    }

    private Object decode(int field, byte[] value)
    {
        return requireNonNull(encoding.decodeValue(field, value, 0), "key field is null");
    }

    private static final class FieldBounds
    {
        // Emptied once there are too many
        private final TreeSet<byte[]> values = new TreeSet<>(Arrays::compareUnsigned);
        private boolean few = true;
        private byte[] least;
        private byte[] greatest;

        void add(byte[] bytes, int start, int end)
        {
            if (least == null || Arrays.compareUnsigned(bytes, start, end, least, 0, least.length) < 0) {
                least = Arrays.copyOfRange(bytes, start, end);
            }
            if (greatest == null || Arrays.compareUnsigned(bytes, start, end, greatest, 0, greatest.length) > 0) {
                greatest = Arrays.copyOfRange(bytes, start, end);
            }
            if (few) {
                values.add(Arrays.copyOfRange(bytes, start, end));
                if (values.size() > MAX_VALUES) {
                    few = false;
                    values.clear();
                }
            }
        }

        Optional<Collection<byte[]>> values()
        {
            return few ? Optional.of(values) : Optional.empty();
        }

        byte[] least()
        {
            return requireNonNull(least, "no key was added");
        }

        byte[] greatest()
        {
            return requireNonNull(greatest, "no key was added");
        }
    }
}
