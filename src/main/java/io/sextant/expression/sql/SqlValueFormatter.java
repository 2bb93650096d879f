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

import com.google.common.collect.ImmutableList;
import io.sextant.expression.Expression;
import io.sextant.expression.ExpressionBinding;
import io.sextant.expression.FunctionName;
import io.sextant.expression.Predicate;
import io.sextant.expression.ValueExpression;
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import io.sextant.expression.ValueExpression.Unrecognized;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.DecimalType;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StructType;
import org.apache.iceberg.types.Types.TimestampNanoType;
import org.apache.iceberg.types.Types.TimestampType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import static io.sextant.expression.FunctionName.icebergFunction;
import static io.trino.sql.ReservedIdentifiers.reserved;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/// Writes value expressions in Trino's SQL.
final class SqlValueFormatter
{
    private static final int EPOCH_YEAR = 1970;
    private static final Pattern PLAIN_NAME = Pattern.compile("[a-z_][a-z0-9_]*");

    private final Schema schema;
    private final SqlPredicateFormatter predicates;

    SqlValueFormatter(Schema schema, SqlPredicateFormatter predicates)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.predicates = requireNonNull(predicates, "predicates is null");
    }

    Optional<Type> type(ValueExpression expression)
    {
        return ExpressionBinding.bind(expression, schema) instanceof ExpressionBinding.Bound(Type type) ? Optional.of(type) : Optional.empty();
    }

    /// Two expressions that are compared with each other.
    List<String> formatPair(ValueExpression left, ValueExpression right)
    {
        if (isYear(left) && right instanceof Literal literal && literal.value().isInt()) {
            return ImmutableList.of(year((Apply) left), Integer.toString(literal.value().intValue() + EPOCH_YEAR));
        }
        return ImmutableList.of(
                left instanceof Literal literal ? SqlLiterals.format(literal, type(right)) : format(left),
                right instanceof Literal literal ? SqlLiterals.format(literal, type(left)) : format(right));
    }

    String format(ValueExpression expression)
    {
        return switch (expression) {
            case Literal literal -> SqlLiterals.format(literal, Optional.empty());
            case Reference(int fieldId) -> name(schema.asStruct(), fieldId).orElseGet(() -> "<field %s>".formatted(fieldId));
            case Apply apply -> format(apply);
            case Unrecognized unrecognized -> unrecognized.json().toString();
        };
    }

    private String format(Apply apply)
    {
        // A function that is not known, or has other arguments, may not be in Trino either
        if (type(apply).isEmpty() || !apply.function().catalog().equals(Optional.of(FunctionName.ICEBERG_FUNCTIONS))) {
            return "%s(%s)".formatted(
                    type(apply).isEmpty() ? apply.function().toString() : apply.function().identifier().getLast(),
                    apply.arguments().stream().map(this::argument).collect(joining(", ")));
        }
        ValueExpression value = (ValueExpression) apply.arguments().getLast();
        return switch (apply.function().identifier().getLast()) {
            case "identity" -> format(value);
            case "year" -> "(%s - %s)".formatted(year(apply), EPOCH_YEAR);
            case "month" -> "date_diff('month', DATE '1970-01-01', date_trunc('month', CAST(%s AS date)))".formatted(localDateTime(value));
            case "day" -> "CAST(%s AS date)".formatted(localDateTime(value));
            case "hour" -> "date_diff('hour', TIMESTAMP '1970-01-01 00:00:00', date_trunc('hour', CAST(%s AS timestamp(9))))".formatted(localDateTime(value));
            case "bucket" -> "bucket(%s, %s)".formatted(format(value), argument(apply.arguments().getFirst()));
            case "truncate" -> truncate(apply, value);
            case "if_else" -> ifElse(apply);
            default -> throw new IllegalArgumentException("Unexpected function: " + apply.function());
        };
    }

    private String truncate(Apply apply, ValueExpression value)
    {
        String width = argument(apply.arguments().getFirst());
        String text = format(value);
        Type type = type(value).orElseThrow();
        return switch (type.typeId()) {
            case STRING, BINARY -> "substr(%s, 1, %s)".formatted(text, width);
            case DECIMAL -> multiple(text, "DECIMAL '%s'".formatted(new BigDecimal(new BigInteger(width), ((DecimalType) type).scale()).toPlainString()));
            default -> multiple(text, width);
        };
    }

    // The remainder of SQL has the sign of the dividend
    private static String multiple(String value, String width)
    {
        return "(%1$s - ((%1$s %% %2$s) + %2$s) %% %2$s)".formatted(value, width);
    }

    private String ifElse(Apply apply)
    {
        List<String> branches = formatPair((ValueExpression) apply.arguments().get(1), (ValueExpression) apply.arguments().get(2));
        return "IF(%s, %s, %s)".formatted(argument(apply.arguments().getFirst()), branches.getFirst(), branches.getLast());
    }

    private String argument(Expression argument)
    {
        return switch (argument) {
            case ValueExpression value -> format(value);
            case Predicate predicate -> predicates.format(predicate);
        };
    }

    private String year(Apply apply)
    {
        return "year(%s)".formatted(localDateTime((ValueExpression) apply.arguments().getFirst()));
    }

    private String localDateTime(ValueExpression value)
    {
        Optional<Type> type = type(value);
        boolean zoned = type.equals(Optional.of(TimestampType.withZone())) || type.equals(Optional.of(TimestampNanoType.withZone()));
        return zoned ? "%s AT TIME ZONE 'UTC'".formatted(format(value)) : format(value);
    }

    private static boolean isYear(ValueExpression expression)
    {
        return expression instanceof Apply apply && apply.function().equals(icebergFunction("year")) && apply.arguments().size() == 1 && apply.arguments().getFirst() instanceof ValueExpression;
    }

    private static Optional<String> name(StructType struct, int fieldId)
    {
        for (NestedField field : struct.fields()) {
            String name = quoteIfNeeded(field.name().toLowerCase(ENGLISH));
            if (field.fieldId() == fieldId) {
                return Optional.of(name);
            }
            Optional<String> nested = field.type().isStructType() ? name(field.type().asStructType(), fieldId) : Optional.empty();
            if (nested.isPresent()) {
                return nested.map(rest -> name + "." + rest);
            }
        }
        return Optional.empty();
    }

    private static String quoteIfNeeded(String name)
    {
        return PLAIN_NAME.matcher(name).matches() && !reserved(name) ? name : "\"%s\"".formatted(name.replace("\"", "\"\""));
    }
}
