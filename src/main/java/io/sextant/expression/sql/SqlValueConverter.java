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
package io.sextant.expression.sql;

import com.fasterxml.jackson.databind.node.NullNode;
import com.google.common.collect.ImmutableList;
import io.sextant.expression.ExpressionBinding;
import io.sextant.expression.ValueExpression;
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import io.sextant.expression.sql.SqlValue.Computed;
import io.sextant.expression.sql.SqlValue.Constant;
import io.trino.spi.TrinoException;
import io.trino.sql.tree.AtTimeZone;
import io.trino.sql.tree.Cast;
import io.trino.sql.tree.CoalesceExpression;
import io.trino.sql.tree.DereferenceExpression;
import io.trino.sql.tree.Expression;
import io.trino.sql.tree.FunctionCall;
import io.trino.sql.tree.Identifier;
import io.trino.sql.tree.IfExpression;
import io.trino.sql.tree.SearchedCaseExpression;
import io.trino.sql.tree.StringLiteral;
import io.trino.sql.tree.Trim;
import io.trino.sql.tree.WhenClause;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StructType;
import org.apache.iceberg.types.Types.TimestampNanoType;
import org.apache.iceberg.types.Types.TimestampType;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.expression.FunctionName.icebergFunction;
import static io.sextant.expression.FunctionName.trinoFunction;
import static io.sextant.expression.sql.SqlErrors.notSupported;
import static io.sextant.expression.sql.SqlErrors.unsupported;
import static io.trino.spi.StandardErrorCode.AMBIGUOUS_NAME;
import static io.trino.spi.StandardErrorCode.COLUMN_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.sql.ExpressionFormatter.formatExpression;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/// Converts SQL expressions that have a value for each row.
final class SqlValueConverter
{
    private static final int EPOCH_YEAR = 1970;

    private final Schema schema;
    private final SqlConditionConverter conditions;

    SqlValueConverter(Schema schema, SqlConditionConverter conditions)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.conditions = requireNonNull(conditions, "conditions is null");
    }

    SqlValue convert(Expression expression)
    {
        Optional<SqlConstant> constant = SqlConstants.constant(expression);
        return constant.isPresent() ? new Constant(constant.orElseThrow()) : compute(expression);
    }

    /// Converts an expression that must not be a literal.
    Computed compute(Expression expression)
    {
        return switch (expression) {
            case Identifier name -> computed(new Reference(column(name).fieldId()), expression);
            case DereferenceExpression dereference -> computed(new Reference(field(dereference).fieldId()), expression);
            case FunctionCall call -> function(call);
            case Trim trim when trim.getTrimCharacter().isEmpty() -> computed(new Apply(trinoFunction(trim.getSpecification().getFunctionName()), ImmutableList.of(compute(trim.getTrimSource()).expression())), expression);
            case Cast cast when isDate(cast) && !cast.isSafe() -> computed(new Apply(icebergFunction("day"), ImmutableList.of(localDateTime(cast.getExpression()))), expression);
            case IfExpression choice -> ifElse(conditions.convert(choice.getCondition()), choice.getTrueValue(), choice.getFalseValue(), expression);
            case SearchedCaseExpression choice -> searchedCase(choice.getWhenClauses(), choice.getDefaultValue(), expression);
            case CoalesceExpression coalesce -> coalesce(coalesce.getOperands(), expression);
            default -> throw unsupported(expression);
        };
    }

    private Computed function(FunctionCall call)
    {
        if (call.getWindow().isPresent() || call.isDistinct() || call.getFilter().isPresent() || call.getOrderBy().isPresent() ||
                call.getArguments().stream().anyMatch(argument -> argument.getName().isPresent())) {
            throw unsupported(call);
        }
        List<Expression> arguments = call.argumentValues();
        String name = call.getName().toString().toLowerCase(ENGLISH);
        // A function of the connector may be qualified by a catalog
        if (name.equals("bucket") || ("." + name).endsWith(".system.bucket")) {
            checkArgumentCount(call, 2);
            return parameterized("bucket", call, positiveInt(call, 1));
        }
        return switch (name) {
            case "lower", "upper", "reverse", "trim", "ltrim", "rtrim", "length", "cardinality", "abs" -> {
                checkArgumentCount(call, 1);
                yield computed(new Apply(trinoFunction(name), ImmutableList.of(compute(arguments.getFirst()).expression())), call);
            }
            case "year" -> {
                checkArgumentCount(call, 1);
                Computed year = computed(new Apply(icebergFunction("year"), ImmutableList.of(localDateTime(arguments.getFirst()))), call);
                yield new Computed(year.expression(), year.type(), EPOCH_YEAR, year.text());
            }
            case "date" -> {
                checkArgumentCount(call, 1);
                yield computed(new Apply(icebergFunction("day"), ImmutableList.of(localDateTime(arguments.getFirst()))), call);
            }
            case "truncate" -> {
                checkArgumentCount(call, 2);
                yield prefix(parameterized("truncate", call, positiveInt(call, 1)), call);
            }
            case "substr", "substring" -> {
                checkArgumentCount(call, 3);
                if (positiveInt(call, 1) != 1) {
                    throw notSupported("A substring must start at 1", call);
                }
                yield prefix(parameterized("truncate", call, positiveInt(call, 2)), call);
            }
            case "month", "day", "hour" -> throw notSupported("Function %s has no equal in Iceberg, where it counts from 1970".formatted(name), call);
            default -> throw unsupported(call);
        };
    }

    private Computed parameterized(String name, FunctionCall call, int parameter)
    {
        Literal literal = TypedConstant.of(new SqlConstant(Optional.of(BigDecimal.valueOf(parameter)), Integer.toString(parameter))).toLiteral();
        return computed(new Apply(icebergFunction(name), ImmutableList.of(literal, compute(call.argumentValues().getFirst()).expression())), call);
    }

    // Of a number, SQL's truncate cuts off digits after the point, and Iceberg's rounds to a multiple
    private static Computed prefix(Computed computed, FunctionCall call)
    {
        if (computed.type().typeId() != TypeID.STRING && computed.type().typeId() != TypeID.BINARY) {
            throw notSupported("Function takes a string or binary here", call);
        }
        return computed;
    }

    // SQL looks at the local time in the zone of a value, Iceberg at UTC
    private ValueExpression localDateTime(Expression expression)
    {
        boolean utc = expression instanceof AtTimeZone at && at.getTimeZone() instanceof StringLiteral zone && zone.getValue().equalsIgnoreCase("UTC");
        Computed value = compute(utc ? ((AtTimeZone) expression).getValue() : expression);
        boolean zoned = value.type().equals(TimestampType.withZone()) || value.type().equals(TimestampNanoType.withZone());
        if (zoned != utc) {
            throw notSupported(zoned ? "Result depends on a time zone; add AT TIME ZONE 'UTC'" : "A zone can only be applied to a timestamp with time zone", expression);
        }
        return value.expression();
    }

    private Computed ifElse(Condition condition, Expression whenTrue, Optional<Expression> whenFalse, Expression text)
    {
        return ifElse(condition, convert(whenTrue), whenFalse.map(this::convert), text);
    }

    private Computed searchedCase(List<WhenClause> clauses, Optional<Expression> defaultValue, Expression text)
    {
        Optional<SqlValue> value = defaultValue.map(this::convert);
        for (WhenClause clause : clauses.reversed()) {
            if (!(clause.getMatch() instanceof WhenClause.Operand(Expression condition))) {
                throw unsupported(text);
            }
            value = Optional.of(ifElse(conditions.convert(condition), convert(clause.getResult()), value, text));
        }
        return (Computed) value.orElseThrow();
    }

    private Computed coalesce(List<Expression> operands, Expression text)
    {
        SqlValue value = convert(operands.getLast());
        for (Expression operand : operands.subList(0, operands.size() - 1).reversed()) {
            Computed first = compute(operand);
            value = ifElse(SqlConditionConverter.isNull(first).not(), first, Optional.of(value), text);
        }
        return (Computed) value;
    }

    private Computed ifElse(Condition condition, SqlValue whenTrue, Optional<SqlValue> whenFalse, Expression text)
    {
        SqlValue otherwise = whenFalse.orElseGet(() -> new Constant(new SqlConstant(Optional.empty(), "NULL")));
        Optional<Type> type = typeOf(whenTrue).or(() -> typeOf(otherwise));
        if (type.isEmpty()) {
            throw notSupported("A value is always null", text);
        }
        return computed(new Apply(icebergFunction("if_else"), ImmutableList.of(
                condition.isTrue(),
                branch(whenTrue, typeOf(otherwise).filter(_ -> whenTrue instanceof Constant).orElse(type.orElseThrow())),
                branch(otherwise, type.orElseThrow()))), text);
    }

    private static Optional<Type> typeOf(SqlValue value)
    {
        return switch (value) {
            case Computed computed -> Optional.of(computed.type());
            case Constant(SqlConstant constant) -> constant.value().isEmpty() ? Optional.empty() : Optional.of(TypedConstant.of(constant).type());
        };
    }

    private static ValueExpression branch(SqlValue value, Type type)
    {
        return switch (value) {
            case Computed computed when computed.offset() != 0 -> throw new TrinoException(NOT_SUPPORTED, "Function is not supported here: " + computed.text());
            case Computed computed -> computed.expression();
            case Constant(SqlConstant constant) when constant.value().isEmpty() -> new Literal(NullNode.getInstance(), Optional.of(type));
            case Constant(SqlConstant constant) -> TypedConstant.of(constant, type).toLiteral();
        };
    }

    private Computed computed(ValueExpression expression, Expression text)
    {
        return switch (ExpressionBinding.bind(expression, schema)) {
            case ExpressionBinding.Bound(Type type) -> new Computed(expression, type, 0, formatExpression(text));
            case ExpressionBinding.Unbound(String reason) -> throw notSupported("Expression cannot be evaluated, as " + reason, text);
        };
    }

    private NestedField field(DereferenceExpression dereference)
    {
        String name = dereference.getField().orElseThrow(() -> unsupported(dereference)).getValue();
        NestedField parent = switch (dereference.getBase()) {
            case Identifier column -> column(column);
            case DereferenceExpression base -> field(base);
            case Expression _ -> throw unsupported(dereference);
        };
        if (!parent.type().isStructType()) {
            throw new TrinoException(COLUMN_NOT_FOUND, "Column '%s' is not a row, and so has no field: %s".formatted(schema.findColumnName(parent.fieldId()), formatExpression(dereference)));
        }
        return find(parent.type().asStructType(), name, dereference);
    }

    private NestedField column(Identifier name)
    {
        return find(schema.asStruct(), name.getValue(), name);
    }

    private static NestedField find(StructType struct, String name, Expression text)
    {
        List<NestedField> fields = struct.fields().stream()
                .filter(field -> field.name().toLowerCase(ENGLISH).equals(name.toLowerCase(ENGLISH)))
                .collect(toImmutableList());
        if (fields.size() > 1) {
            throw new TrinoException(AMBIGUOUS_NAME, "Column '%s' is ambiguous".formatted(formatExpression(text)));
        }
        if (fields.isEmpty()) {
            throw new TrinoException(COLUMN_NOT_FOUND, "Column '%s' does not exist in the table".formatted(formatExpression(text)));
        }
        return fields.getFirst();
    }

    private static boolean isDate(Cast cast)
    {
        return cast.getType().toString().equalsIgnoreCase("date");
    }

    private static int positiveInt(FunctionCall call, int index)
    {
        return SqlConstants.constant(call.argumentValues().get(index))
                .flatMap(SqlConstant::value)
                .filter(value -> value instanceof BigDecimal number && number.scale() <= 0 && number.signum() > 0 && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0)
                .map(value -> ((BigDecimal) value).intValueExact())
                .orElseThrow(() -> notSupported("Argument must be a positive integer literal", call));
    }

    private static void checkArgumentCount(FunctionCall call, int count)
    {
        if (call.getArguments().size() != count) {
            throw notSupported("Function takes %s argument(s) here".formatted(count), call);
        }
    }
}
