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

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.sextant.expression.Predicate;
import io.sextant.expression.Predicate.And;
import io.sextant.expression.Predicate.Comparison;
import io.sextant.expression.Predicate.ComparisonOperator;
import io.sextant.expression.Predicate.Membership;
import io.sextant.expression.Predicate.MembershipOperator;
import io.sextant.expression.Predicate.Or;
import io.sextant.expression.Predicate.Test;
import io.sextant.expression.Predicate.TestOperator;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import io.trino.plugin.iceberg.TypeConverter;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.types.Type.PrimitiveType;
import org.apache.iceberg.types.Type.TypeID;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.iceberg.IcebergTypes.convertIcebergValueToTrino;
import static java.util.Objects.requireNonNull;

/// Reads ranges of fields off a predicate. Wherever the predicate is true, each field that the result names lies in its ranges;
/// what is not understood binds nothing, nor does a comparison with a constant of another type than the field's.
record PredicateRanges(Schema schema, TypeManager typeManager)
{
    PredicateRanges
    {
        requireNonNull(schema, "schema is null");
        requireNonNull(typeManager, "typeManager is null");
    }

    Map<Integer, ColumnRanges> of(Predicate predicate)
    {
        return switch (predicate) {
            case And(Predicate left, Predicate right) -> and(of(left), of(right));
            case Or(Predicate left, Predicate right) -> or(of(left), of(right));
            case Test(TestOperator operator, Reference(int fieldId)) -> result(fieldId, test(operator, fieldId));
            case Comparison(ComparisonOperator operator, Reference(int fieldId), Literal literal) -> result(fieldId, value(fieldId, literal)
                    .flatMap(value -> comparison(operator, trinoType(fieldId), value))
                    .flatMap(values -> ranges(fieldId, Domain.create(values, false))));
            case Membership(MembershipOperator operator, Reference(int fieldId), List<Literal> literals) -> result(fieldId, membership(operator, fieldId, literals));
            default -> ImmutableMap.of();
        };
    }

    private static Map<Integer, ColumnRanges> result(int fieldId, Optional<ColumnRanges> ranges)
    {
        return ranges.<Map<Integer, ColumnRanges>>map(known -> ImmutableMap.of(fieldId, known))
                .orElse(ImmutableMap.of());
    }

    private static Map<Integer, ColumnRanges> and(Map<Integer, ColumnRanges> left, Map<Integer, ColumnRanges> right)
    {
        Map<Integer, ColumnRanges> result = new HashMap<>(left);
        right.forEach((field, ranges) -> result.merge(field, ranges, ColumnRanges::intersect));
        return result;
    }

    private static Map<Integer, ColumnRanges> or(Map<Integer, ColumnRanges> left, Map<Integer, ColumnRanges> right)
    {
        Map<Integer, ColumnRanges> result = new HashMap<>(left);
        // A field that one side leaves free is free
        result.keySet().retainAll(right.keySet());
        result.replaceAll((field, ranges) -> ranges.union(right.get(field)));
        return result;
    }

    private Optional<ColumnRanges> test(TestOperator operator, int fieldId)
    {
        return switch (operator) {
            case IS_NULL -> ranges(fieldId, Domain.onlyNull(trinoType(fieldId)));
            case NOT_NULL -> ranges(fieldId, Domain.notNull(trinoType(fieldId)));
            case IS_NAN -> primitiveType(fieldId)
                    .filter(type -> type.typeId() == TypeID.FLOAT || type.typeId() == TypeID.DOUBLE)
                    .map(ColumnRanges::notANumber);
            case NOT_NAN -> Optional.empty();
        };
    }

    private static Optional<ValueSet> comparison(ComparisonOperator operator, Type type, Object value)
    {
        return switch (operator) {
            case EQ -> Optional.of(ValueSet.of(type, value));
            case LT -> Optional.of(ValueSet.ofRanges(Range.lessThan(type, value)));
            case LT_EQ -> Optional.of(ValueSet.ofRanges(Range.lessThanOrEqual(type, value)));
            case GT -> Optional.of(ValueSet.ofRanges(Range.greaterThan(type, value)));
            case GT_EQ -> Optional.of(ValueSet.ofRanges(Range.greaterThanOrEqual(type, value)));
            case STARTS_WITH -> Optional.of(ValueSet.ofRanges(afterPrefix((Slice) value)
                    .map(end -> Range.range(type, value, true, end, false))
                    .orElseGet(() -> Range.greaterThanOrEqual(type, value))));
            case NOT_EQ -> Optional.of(ValueSet.of(type, value).complement());
            case NOT_STARTS_WITH -> Optional.empty();
        };
    }

    /// The least string greater than all that begin with a prefix, if it is easily told.
    private static Optional<Slice> afterPrefix(Slice prefix)
    {
        if (prefix.length() == 0 || prefix.getByte(prefix.length() - 1) < 0 || prefix.getByte(prefix.length() - 1) == Byte.MAX_VALUE) {
            return Optional.empty();
        }
        Slice end = prefix.copy();
        end.setByte(end.length() - 1, end.getByte(end.length() - 1) + 1);
        return Optional.of(end);
    }

    private Optional<ColumnRanges> membership(MembershipOperator operator, int fieldId, List<Literal> literals)
    {
        List<Object> values = literals.stream()
                .flatMap(literal -> value(fieldId, literal).stream())
                .collect(toImmutableList());
        if (values.size() < literals.size()) {
            return Optional.empty();
        }
        ValueSet members = ValueSet.copyOf(trinoType(fieldId), values);
        return ranges(fieldId, Domain.create(
                switch (operator) {
                    case IN -> members;
                    case NOT_IN -> members.complement();
                },
                false));
    }

    private Optional<ColumnRanges> ranges(int fieldId, Domain domain)
    {
        return primitiveType(fieldId).flatMap(type -> ColumnRanges.of(type, domain));
    }

    /// The value of a constant that ranges of the field can have as a bound.
    private Optional<Object> value(int fieldId, Literal literal)
    {
        return primitiveType(fieldId)
                .filter(type -> !literal.value().isNull() && literal.dataType().equals(Optional.of(type)))
                .map(type -> SingleValueParser.fromJson(type, literal.value()))
                .filter(value -> !value.equals(Double.NaN) && !value.equals(Float.NaN))
                .map(value -> convertIcebergValueToTrino(schema.findType(fieldId), value));
    }

    private Type trinoType(int fieldId)
    {
        return TypeConverter.toTrinoType(schema.findType(fieldId), typeManager);
    }

    private Optional<PrimitiveType> primitiveType(int fieldId)
    {
        return Optional.ofNullable(schema.findType(fieldId))
                .filter(org.apache.iceberg.types.Type::isPrimitiveType)
                .map(org.apache.iceberg.types.Type::asPrimitiveType);
    }
}
