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
package io.sextant.collation.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import io.airlift.slice.Slice;
import io.sextant.collation.CollationOrder;
import io.sextant.collation.metadata.CollatedColumn;
import io.sextant.collation.scan.FilePredicate.Comparison;
import io.sextant.collation.scan.FilePredicate.Comparison.Operator;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FieldDereference;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
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
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static java.util.Objects.requireNonNull;

/// Reads off a query what bounds in the order of collations can decide: comparisons of `collation_key(column, collation)`
/// with constants, and equality of columns themselves, since strings of the same bytes are equal under every collation.
final class FilePredicateReader
{
    private static final FunctionName COLLATION_KEY = new FunctionName("collation_key");

    private static final Map<FunctionName, Operator> OPERATORS = ImmutableMap.of(
            EQUAL_OPERATOR_FUNCTION_NAME, Operator.EQUAL,
            NOT_EQUAL_OPERATOR_FUNCTION_NAME, Operator.NOT_EQUAL,
            LESS_THAN_OPERATOR_FUNCTION_NAME, Operator.LESS_THAN,
            LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, Operator.LESS_THAN_OR_EQUAL,
            GREATER_THAN_OPERATOR_FUNCTION_NAME, Operator.GREATER_THAN,
            GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, Operator.GREATER_THAN_OR_EQUAL);

    /// What a comparison becomes when its sides change places.
    private static final Map<FunctionName, FunctionName> SWAPPED = ImmutableMap.of(
            EQUAL_OPERATOR_FUNCTION_NAME, EQUAL_OPERATOR_FUNCTION_NAME,
            NOT_EQUAL_OPERATOR_FUNCTION_NAME, NOT_EQUAL_OPERATOR_FUNCTION_NAME,
            IDENTICAL_OPERATOR_FUNCTION_NAME, IDENTICAL_OPERATOR_FUNCTION_NAME,
            LESS_THAN_OPERATOR_FUNCTION_NAME, GREATER_THAN_OPERATOR_FUNCTION_NAME,
            LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME,
            GREATER_THAN_OPERATOR_FUNCTION_NAME, LESS_THAN_OPERATOR_FUNCTION_NAME,
            GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME);

    private final CollatedColumns columns;
    private final Map<String, ColumnHandle> assignments;

    FilePredicateReader(CollatedColumns columns, Map<String, ColumnHandle> assignments)
    {
        this.columns = requireNonNull(columns, "columns is null");
        this.assignments = ImmutableMap.copyOf(assignments);
    }

    FilePredicate read(ConnectorExpression expression)
    {
        return read(expression, false);
    }

    FilePredicate read(TupleDomain<IcebergColumnHandle> domains)
    {
        return FilePredicate.and(domains.getDomains().orElse(ImmutableMap.of()).entrySet().stream()
                .map(entry -> read(entry.getKey(), entry.getValue()))
                .toList());
    }

    /// @param negated whether the expression must be false instead of true
    private FilePredicate read(ConnectorExpression expression, boolean negated)
    {
        if (!(expression instanceof Call call)) {
            return FilePredicate.anything();
        }
        FunctionName function = call.getFunctionName();
        List<ConnectorExpression> arguments = call.getArguments();
        if (function.equals(NOT_FUNCTION_NAME)) {
            return read(arguments.getFirst(), !negated);
        }
        if (function.equals(AND_FUNCTION_NAME) || function.equals(OR_FUNCTION_NAME)) {
            List<FilePredicate> terms = arguments.stream()
                    .map(argument -> read(argument, negated))
                    .toList();
            return function.equals(AND_FUNCTION_NAME) != negated ? FilePredicate.and(terms) : FilePredicate.or(terms);
        }
        if (arguments.isEmpty()) {
            return FilePredicate.anything();
        }
        FunctionName swapped = SWAPPED.get(function);
        if (swapped != null && arguments.getFirst() instanceof Constant && !(arguments.getLast() instanceof Constant)) {
            // The engine writes "greater than" as "less than" with the constant in front
            return read(new Call(call.getType(), swapped, arguments.reversed()), negated);
        }
        List<Slice> constants = constants(call);
        return collatedColumn(arguments.getFirst())
                .map(column -> readKey(function, column, constants, negated))
                .or(() -> fieldId(arguments.getFirst())
                        .filter(_ -> !negated)
                        .map(fieldId -> readValue(function, fieldId, constants)))
                .orElse(FilePredicate.anything());
    }

    private static FilePredicate readKey(FunctionName function, CollatedColumn column, List<Slice> keys, boolean negated)
    {
        if (function.equals(IS_NULL_FUNCTION_NAME)) {
            return negated ? new FilePredicate.IsNotNull(column) : new FilePredicate.IsNull(column);
        }
        if (keys.isEmpty()) {
            return FilePredicate.anything();
        }
        if (function.equals(IN_PREDICATE_FUNCTION_NAME)) {
            return negated
                    ? FilePredicate.and(keys.stream().<FilePredicate>map(key -> new Comparison(column, Operator.NOT_EQUAL, key)).toList())
                    : new FilePredicate.OneOf(column, ImmutableSortedSet.copyOf(keys));
        }
        if (function.equals(BETWEEN_FUNCTION_NAME)) {
            FilePredicate atLeast = comparison(column, Operator.GREATER_THAN_OR_EQUAL, keys.getFirst(), negated);
            FilePredicate atMost = comparison(column, Operator.LESS_THAN_OR_EQUAL, keys.getLast(), negated);
            return negated ? FilePredicate.or(ImmutableList.of(atLeast, atMost)) : FilePredicate.and(ImmutableList.of(atLeast, atMost));
        }
        if (function.equals(IDENTICAL_OPERATOR_FUNCTION_NAME)) {
            FilePredicate comparison = comparison(column, Operator.EQUAL, keys.getFirst(), negated);
            return negated ? FilePredicate.or(ImmutableList.of(comparison, new FilePredicate.IsNull(column))) : comparison;
        }
        Operator operator = OPERATORS.get(function);
        return operator == null ? FilePredicate.anything() : comparison(column, operator, keys.getFirst(), negated);
    }

    private static FilePredicate comparison(CollatedColumn column, Operator operator, Slice key, boolean negated)
    {
        return new Comparison(column, negated ? operator.negated() : operator, key);
    }

    private FilePredicate readValue(FunctionName function, int fieldId, List<Slice> values)
    {
        boolean isEquality = function.equals(EQUAL_OPERATOR_FUNCTION_NAME) || function.equals(IDENTICAL_OPERATOR_FUNCTION_NAME) || function.equals(IN_PREDICATE_FUNCTION_NAME);
        return isEquality && !values.isEmpty() ? oneOf(fieldId, values, false) : FilePredicate.anything();
    }

    private FilePredicate read(IcebergColumnHandle column, Domain domain)
    {
        if (!isString(column.getId()) || columns.all(column.getId()).isEmpty()) {
            return FilePredicate.anything();
        }
        return domain.getValues().isDiscreteSet()
                ? oneOf(column.getId(), domain.getValues().getDiscreteSet().stream().map(Slice.class::cast).toList(), domain.isNullAllowed())
                : FilePredicate.anything();
    }

    private FilePredicate oneOf(int fieldId, Collection<Slice> values, boolean orNull)
    {
        return FilePredicate.and(columns.all(fieldId).stream()
                .map(column -> {
                    CollationOrder order = column.collation().order();
                    FilePredicate oneOf = new FilePredicate.OneOf(column, values.stream().map(order::key).collect(ImmutableSortedSet.toImmutableSortedSet(Slice::compareTo)));
                    return orNull ? FilePredicate.or(ImmutableList.of(oneOf, new FilePredicate.IsNull(column))) : oneOf;
                })
                .toList());
    }

    /// The constants that the first argument is compared with; empty if one of them is none, or null.
    private static List<Slice> constants(Call call)
    {
        List<ConnectorExpression> operands = call.getArguments().subList(1, call.getArguments().size());
        if (operands.size() == 1 && operands.getFirst() instanceof Call array && array.getFunctionName().equals(ARRAY_CONSTRUCTOR_FUNCTION_NAME)) {
            operands = array.getArguments();
        }
        List<Slice> constants = operands.stream()
                .flatMap(operand -> operand instanceof Constant constant && constant.getValue() instanceof Slice value ? Optional.of(value).stream() : Optional.<Slice>empty().stream())
                .collect(toImmutableList());
        return constants.size() == operands.size() ? constants : ImmutableList.of();
    }

    private Optional<CollatedColumn> collatedColumn(ConnectorExpression expression)
    {
        if (expression instanceof Call call &&
                call.getFunctionName().equals(COLLATION_KEY) &&
                call.getArguments().size() == 2 &&
                call.getArguments().get(1) instanceof Constant constant &&
                constant.getValue() instanceof Slice collationName) {
            return fieldId(call.getArguments().getFirst()).flatMap(fieldId -> columns.find(fieldId, collationName));
        }
        return Optional.empty();
    }

    /// The field of a column or of a struct in it; empty if it is no string.
    private Optional<Integer> fieldId(ConnectorExpression expression)
    {
        return field(expression).filter(this::isString);
    }

    private Optional<Integer> field(ConnectorExpression expression)
    {
        return switch (expression) {
            case Variable variable -> Optional.of(((IcebergColumnHandle) assignments.get(variable.getName())).getId());
            case FieldDereference dereference -> field(dereference.getTarget())
                    .map(columns.schema()::findType)
                    .filter(Type::isStructType)
                    .map(type -> type.asStructType().fields().get(dereference.getField()).fieldId());
            default -> Optional.empty();
        };
    }

    private boolean isString(int fieldId)
    {
        Type type = columns.schema().findType(fieldId);
        return type != null && type.typeId() == TypeID.STRING;
    }
}
