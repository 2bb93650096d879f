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

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.io.BaseEncoding;
import io.sextant.expression.ValueExpression.Literal;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.TimestampNanoType;
import org.apache.iceberg.types.Types.TimestampType;
import org.apache.iceberg.util.ByteBuffers;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

import static java.lang.Math.floorDiv;
import static java.lang.Math.floorMod;
import static java.util.Locale.ENGLISH;

/// Writes literals in Trino's SQL.
final class SqlLiterals
{
    private static final DateTimeFormatter TIME_MICROS = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", ENGLISH);
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", ENGLISH);
    private static final DateTimeFormatter NANOS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSSSS", ENGLISH);

    private SqlLiterals() {}

    /// @param expected the type of what the literal is compared with, which it has if it states none
    static String format(Literal literal, Optional<Type> expected)
    {
        JsonNode json = literal.value();
        return literal.dataType().or(() -> expected)
                .flatMap(type -> parse(type, json).map(value -> format(type, value)))
                .orElseGet(() -> json.isTextual() ? quote(json.textValue()) : json.isNull() ? "NULL" : json.toString());
    }

    static String format(Type type, Object value)
    {
        return switch (type.typeId()) {
            case LONG -> (long) value == Long.MIN_VALUE ? "BIGINT '%s'".formatted(value) : value.toString();
            case FLOAT -> "REAL '%s'".formatted(value);
            case DOUBLE -> value.toString().contains("E") ? value.toString() : value + "E0";
            case DECIMAL -> "DECIMAL '%s'".formatted(((BigDecimal) value).toPlainString());
            case STRING -> quote(value.toString());
            case BINARY, FIXED -> "X'%s'".formatted(BaseEncoding.base16().encode(ByteBuffers.toByteArray((ByteBuffer) value)));
            case UUID -> "UUID '%s'".formatted(value);
            case DATE -> "DATE '%s'".formatted(LocalDate.ofEpochDay((int) value));
            case TIME -> "TIME '%s'".formatted(TIME_MICROS.format(LocalTime.ofNanoOfDay((long) value * 1000)));
            case TIMESTAMP -> timestamp(MICROS, (long) value, 1_000_000, ((TimestampType) type).shouldAdjustToUTC());
            case TIMESTAMP_NANO -> timestamp(NANOS, (long) value, 1_000_000_000, ((TimestampNanoType) type).shouldAdjustToUTC());
            default -> value.toString();
        };
    }

    static String quote(String text)
    {
        return "'%s'".formatted(text.replace("'", "''"));
    }

    private static Optional<Object> parse(Type type, JsonNode json)
    {
        try {
            return Optional.ofNullable(SingleValueParser.fromJson(type, json));
        }
        catch (RuntimeException _) {
            return Optional.empty();
        }
    }

    private static String timestamp(DateTimeFormatter formatter, long units, long unitsPerSecond, boolean zoned)
    {
        Instant instant = Instant.ofEpochSecond(floorDiv(units, unitsPerSecond), floorMod(units, unitsPerSecond) * (1_000_000_000 / unitsPerSecond));
        return "TIMESTAMP '%s%s'".formatted(formatter.format(instant.atOffset(ZoneOffset.UTC)), zoned ? " UTC" : "");
    }
}
