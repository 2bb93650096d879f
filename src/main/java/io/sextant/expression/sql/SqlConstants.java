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

import io.trino.spi.TrinoException;
import io.trino.sql.tree.ArithmeticUnaryExpression;
import io.trino.sql.tree.BinaryLiteral;
import io.trino.sql.tree.BooleanLiteral;
import io.trino.sql.tree.Cast;
import io.trino.sql.tree.DecimalLiteral;
import io.trino.sql.tree.DoubleLiteral;
import io.trino.sql.tree.Expression;
import io.trino.sql.tree.GenericLiteral;
import io.trino.sql.tree.LongLiteral;
import io.trino.sql.tree.NullLiteral;
import io.trino.sql.tree.StringLiteral;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.trino.spi.StandardErrorCode.INVALID_LITERAL;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.sql.ExpressionFormatter.formatExpression;
import static java.time.temporal.ChronoField.HOUR_OF_DAY;
import static java.time.temporal.ChronoField.MINUTE_OF_HOUR;
import static java.time.temporal.ChronoField.NANO_OF_SECOND;
import static java.time.temporal.ChronoField.SECOND_OF_MINUTE;
import static java.util.Locale.ENGLISH;

/// Reads the literals of SQL, also those with a sign or with a cast of their text.
final class SqlConstants
{
    private static final Pattern TIMESTAMP = Pattern.compile("(?<date>\\d{4}-\\d{2}-\\d{2})(?:[ T](?<time>\\d{2}:\\d{2}[0-9:.]*))?(?: ?(?<zone>[A-Za-z+-].*))?");
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .appendValue(HOUR_OF_DAY, 2)
            .appendLiteral(':')
            .appendValue(MINUTE_OF_HOUR, 2)
            .optionalStart()
            .appendLiteral(':')
            .appendValue(SECOND_OF_MINUTE, 2)
            .optionalStart()
            .appendFraction(NANO_OF_SECOND, 1, 9, true)
            .toFormatter(ENGLISH);

    private SqlConstants() {}

    /// The literal that an expression is, or nothing if it is none.
    static Optional<SqlConstant> constant(Expression expression)
    {
        return switch (expression) {
            case NullLiteral _ -> Optional.of(new SqlConstant(Optional.empty(), "NULL"));
            case BooleanLiteral literal -> constant(literal.getValue(), literal);
            case LongLiteral literal -> constant(BigDecimal.valueOf(literal.getParsedValue()), literal);
            case DecimalLiteral literal -> constant(new BigDecimal(literal.getValue().replace("_", "")), literal);
            case DoubleLiteral literal -> constant(literal.getValue(), literal);
            case StringLiteral literal -> constant(literal.getValue(), literal);
            case BinaryLiteral literal -> constant(ByteBuffer.wrap(literal.getValue()), literal);
            case GenericLiteral literal -> constant(parse(literal.getType(), literal.getValue(), literal), literal);
            case ArithmeticUnaryExpression unary -> constant(unary.getValue())
                    .map(operand -> new SqlConstant(operand.value().map(number -> sign(unary, number)), formatExpression(unary)));
            case Cast cast when !cast.isSafe() && cast.getExpression() instanceof StringLiteral text -> constant(parse(cast.getType().toString(), text.getValue(), cast), cast);
            case Cast cast when !cast.isSafe() -> constant(cast.getExpression())
                    .map(operand -> new SqlConstant(operand.value().map(number -> cast(cast, number)), formatExpression(cast)));
            default -> Optional.empty();
        };
    }

    private static Optional<SqlConstant> constant(Object value, Expression expression)
    {
        return Optional.of(new SqlConstant(Optional.of(value), formatExpression(expression)));
    }

    private static Object sign(ArithmeticUnaryExpression unary, Object value)
    {
        boolean negative = unary.getSign() == ArithmeticUnaryExpression.Sign.MINUS;
        return switch (value) {
            case BigDecimal number -> negative ? number.negate() : number;
            case Double number -> negative ? -number : number;
            case Float number -> negative ? -number : number;
            default -> throw new TrinoException(INVALID_LITERAL, "Not a number: " + formatExpression(unary));
        };
    }

    // A cast of a number is understood where it only says which type the number has
    private static Object cast(Cast cast, Object value)
    {
        String type = baseName(cast.getType().toString());
        return switch (value) {
            case BigDecimal number when List.of("tinyint", "smallint", "integer", "int", "bigint", "decimal").contains(type) && isExactly(cast, number) -> number;
            case BigDecimal number when type.equals("double") -> number.doubleValue();
            case Double number when type.equals("double") -> number;
            case Float number when type.equals("real") -> number;
            case Float number when type.equals("double") -> (double) number;
            default -> throw new TrinoException(NOT_SUPPORTED, "Cast is not supported; write a literal of the type instead: " + formatExpression(cast));
        };
    }

    private static boolean isExactly(Cast cast, BigDecimal number)
    {
        Matcher parameters = Pattern.compile("\\((\\d+)(?:,\\s*(\\d+))?\\)").matcher(cast.getType().toString());
        boolean found = parameters.find();
        int scale = found && parameters.group(2) != null ? Integer.parseInt(parameters.group(2)) : 0;
        int precision = found ? Integer.parseInt(parameters.group(1)) : 38;
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() <= scale && stripped.precision() - stripped.scale() <= precision - scale;
    }

    private static Object parse(String type, String text, Expression literal)
    {
        try {
            return switch (baseName(type)) {
                case "date" -> LocalDate.parse(text.strip());
                case "time" -> LocalTime.parse(text.strip(), TIME);
                case "timestamp", "timestamp with time zone" -> parseTimestamp(text.strip());
                case "uuid" -> parseUuid(text);
                case "tinyint", "smallint", "integer", "int", "bigint" -> new BigDecimal(new BigDecimal(text).toBigIntegerExact());
                case "decimal" -> new BigDecimal(text);
                case "double" -> finite(Double.parseDouble(text));
                case "real" -> (float) finite(Float.parseFloat(text));
                case "boolean" -> parseBoolean(text);
                case "varchar" -> text;
                default -> throw new TrinoException(NOT_SUPPORTED, "Literal is not supported: " + formatExpression(literal));
            };
        }
        catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
            throw new TrinoException(INVALID_LITERAL, "Not a valid literal: " + formatExpression(literal), e);
        }
    }

    private static String baseName(String type)
    {
        return type.toLowerCase(ENGLISH).replaceFirst("\\(.*?\\)", "");
    }

    private static Object parseTimestamp(String text)
    {
        Matcher matcher = TIMESTAMP.matcher(text);
        if (!matcher.matches()) {
            throw new DateTimeException("not a timestamp");
        }
        LocalTime time = Optional.ofNullable(matcher.group("time")).map(part -> LocalTime.parse(part, TIME)).orElse(LocalTime.MIDNIGHT);
        LocalDateTime timestamp = LocalDate.parse(matcher.group("date")).atTime(time);
        if (matcher.group("zone") == null) {
            return timestamp;
        }
        List<ZoneOffset> offsets = ZoneId.of(matcher.group("zone")).getRules().getValidOffsets(timestamp);
        if (offsets.isEmpty()) {
            throw new DateTimeException("no such time in the zone");
        }
        return timestamp.toInstant(offsets.getFirst());
    }

    private static UUID parseUuid(String text)
    {
        UUID uuid = UUID.fromString(text);
        if (!uuid.toString().equals(text.toLowerCase(ENGLISH))) {
            throw new IllegalArgumentException("not a UUID");
        }
        return uuid;
    }

    private static double finite(double number)
    {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException("not a finite number");
        }
        return number;
    }

    private static boolean parseBoolean(String text)
    {
        return switch (text.toLowerCase(ENGLISH)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("not a boolean");
        };
    }
}
