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
package io.sextant.procedure;

import io.trino.spi.TrinoException;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Optional;

import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static java.time.format.DateTimeFormatter.ISO_LOCAL_DATE;
import static java.time.format.DateTimeFormatter.ISO_LOCAL_TIME;

/// A point in time given to a procedure, as text since procedures take no timestamps: what a timestamp, with or without time
/// zone, is when it is cast to varchar, or a date.
final class TimestampArgument
{
    private static final DateTimeFormatter FORMAT = new DateTimeFormatterBuilder()
            .append(ISO_LOCAL_DATE)
            .optionalStart()
            .appendPattern("[' ']['T']")
            .append(ISO_LOCAL_TIME)
            .optionalEnd()
            .appendPattern("[' ']")
            .appendPattern("[VV]")
            .toFormatter()
            .withResolverStyle(ResolverStyle.STRICT);

    private TimestampArgument() {}

    /// Reads a point in time.
    ///
    /// @param zone of a text that names none
    static Instant parse(String argument, String text, ZoneId zone)
    {
        try {
            TemporalAccessor parsed = FORMAT.parse(text.strip());
            return ZonedDateTime.of(
                            LocalDate.from(parsed),
                            Optional.ofNullable(parsed.query(TemporalQueries.localTime())).orElse(LocalTime.MIDNIGHT),
                            Optional.ofNullable(parsed.query(TemporalQueries.zone())).orElse(zone))
                    .toInstant();
        }
        catch (DateTimeException e) {
            throw new TrinoException(INVALID_PROCEDURE_ARGUMENT, "%s must be a timestamp such as '2026-01-31 12:00:00 UTC': '%s'".formatted(argument, text), e);
        }
    }
}
