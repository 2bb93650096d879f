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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type.TypeID;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.index.scan.IndexPredicate.primitiveType;
import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IDENTICAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static java.util.Objects.requireNonNull;

/// Reads ranges of columns off an expression. Wherever the expression is true, each column that the result names lies in
/// its ranges; what is not understood binds nothing.
record ExpressionRanges(Map<String, ColumnHandle> assignments, Schema schema)
{
    private static final FunctionName IS_NAN = new FunctionName("is_nan");

    private static final Map<FunctionName, BiFunction<Type, Object, Range>> COMPARISONS = ImmutableMap.of(
            EQUAL_OPERATOR_FUNCTION_NAME, Range::equal,
            IDENTICAL_OPERATOR_FUNCTION_NAME, Range::equal,
            LESS_THAN_OPERATOR_FUNCTION_NAME, Range::lessThan,
            LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, Range::lessThanOrEqual,
            GREATER_THAN_OPERATOR_FUNCTION_NAME, Range::greaterThan,
            GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, Range::greaterThanOrEqual);

    ExpressionRanges
    {
        assignments = ImmutableMap.copyOf(requireNonNull(assignments, "assignments is null"));
        requireNonNull(schema, "schema is null");
    }

    Map<Integer, ColumnRanges> of(ConnectorExpression expression)
    {
        if (!(expression instanceof Call call)) {
            return ImmutableMap.of();
        }
        FunctionName function = call.getFunctionName();
        if (function.equals(AND_FUNCTION_NAME)) {
            return and(call.getArguments());
        }
        if (function.equals(OR_FUNCTION_NAME)) {
            return or(call.getArguments());
        }
        Optional<IcebergColumnHandle> column = call.getArguments().isEmpty() ? Optional.empty() : column(call.getArguments().getFirst());
        if (column.isEmpty()) {
            return ImmutableMap.of();
        }
        return ranges(call, column.orElseThrow())
                .<Map<Integer, ColumnRanges>>map(ranges -> ImmutableMap.of(column.orElseThrow().getId(), ranges))
                .orElse(ImmutableMap.of());
    }

    private Map<Integer, ColumnRanges> and(List<ConnectorExpression> terms)
    {
        Map<Integer, ColumnRanges> result = new HashMap<>();
        for (ConnectorExpression term : terms) {
            of(term).forEach((column, ranges) -> result.merge(column, ranges, ColumnRanges::intersect));
        }
        return result;
    }

    private Map<Integer, ColumnRanges> or(List<ConnectorExpression> terms)
    {
        Map<Integer, ColumnRanges> result = new HashMap<>(of(terms.getFirst()));
        for (ConnectorExpression term : terms.subList(1, terms.size())) {
            Map<Integer, ColumnRanges> other = of(term);
            // A column that one of the terms leaves free is free
            result.keySet().retainAll(other.keySet());
            result.replaceAll((column, ranges) -> ranges.union(other.get(column)));
        }
        return result;
    }

    private Optional<ColumnRanges> ranges(Call call, IcebergColumnHandle column)
    {
        FunctionName function = call.getFunctionName();
        if (function.equals(IS_NAN)) {
            return primitiveType(schema, column)
                    .filter(type -> type.typeId() == TypeID.FLOAT || type.typeId() == TypeID.DOUBLE)
                    .map(ColumnRanges::notANumber);
        }
        if (function.equals(IS_NULL_FUNCTION_NAME)) {
            return ranges(column, Domain.onlyNull(column.getType()));
        }
        List<ConnectorExpression> operands = function.equals(IN_PREDICATE_FUNCTION_NAME)
                ? elements(call.getArguments().get(1))
                : call.getArguments().subList(1, call.getArguments().size());
        List<Object> values = operands.stream()
                .flatMap(operand -> comparableValue(operand, column.getType()).stream())
                .collect(toImmutableList());
        if (values.isEmpty() || values.size() < operands.size()) {
            return Optional.empty();
        }
        Type type = column.getType();
        if (function.equals(IN_PREDICATE_FUNCTION_NAME)) {
            return ranges(column, Domain.create(ValueSet.copyOf(type, values), false));
        }
        if (function.equals(BETWEEN_FUNCTION_NAME)) {
            ValueSet atLeast = ValueSet.ofRanges(Range.greaterThanOrEqual(type, values.getFirst()));
            ValueSet atMost = ValueSet.ofRanges(Range.lessThanOrEqual(type, values.getLast()));
            return ranges(column, Domain.create(atLeast.intersect(atMost), false));
        }
        return Optional.ofNullable(COMPARISONS.get(function))
                .flatMap(comparison -> ranges(column, Domain.create(ValueSet.ofRanges(comparison.apply(type, values.getFirst())), false)));
    }

    private Optional<ColumnRanges> ranges(IcebergColumnHandle column, Domain domain)
    {
        return primitiveType(schema, column).flatMap(type -> ColumnRanges.of(type, domain));
    }

    private static List<ConnectorExpression> elements(ConnectorExpression array)
    {
        return array instanceof Call call && call.getFunctionName().equals(ARRAY_CONSTRUCTOR_FUNCTION_NAME) ? call.getArguments() : ImmutableList.of();
    }

    /// The value of a constant that ranges of the type can have as a bound.
    private static Optional<Object> comparableValue(ConnectorExpression expression, Type type)
    {
        if (!(expression instanceof Constant constant) || constant.getValue() == null || !constant.getType().equals(type) || !type.isOrderable()) {
            return Optional.empty();
        }
        Object value = constant.getValue();
        boolean notANumber = switch (type) {
            case DoubleType _ -> Double.isNaN((double) value);
            case RealType _ -> Float.isNaN(Float.intBitsToFloat((int) (long) value));
            default -> false;
        };
        return notANumber ? Optional.empty() : Optional.of(value);
    }

    private Optional<IcebergColumnHandle> column(ConnectorExpression expression)
    {
        return expression instanceof Variable variable
                ? Optional.of((IcebergColumnHandle) assignments.get(variable.getName()))
                : Optional.empty();
    }
}
