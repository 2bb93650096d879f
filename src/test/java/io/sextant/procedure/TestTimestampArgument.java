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

import com.google.common.collect.ImmutableList;
import io.trino.spi.TrinoException;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.time.ZoneId;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestTimestampArgument
{
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Test
    void testZones()
    {
        assertThat(parse("2026-07-01 12:00:00 UTC")).isEqualTo("2026-07-01T12:00:00Z");
        assertThat(parse("2026-07-01 12:00:00.123456 America/Bahia_Banderas")).isEqualTo("2026-07-01T18:00:00.123456Z");
        assertThat(parse("2026-07-01 12:00:00.5 +05:30")).isEqualTo("2026-07-01T06:30:00.5Z");
        assertThat(parse("2026-07-01T12:00:00Z")).isEqualTo("2026-07-01T12:00:00Z");
        assertThat(parse("2026-07-01 12:00:00")).isEqualTo("2026-07-01T10:00:00Z");
        assertThat(parse(" 2026-01-01 12:00 ")).isEqualTo("2026-01-01T11:00:00Z");
        assertThat(parse("2026-01-01")).isEqualTo("2025-12-31T23:00:00Z");
        assertThat(parse("2026-01-01 UTC")).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void testNonsense()
    {
        for (String text : ImmutableList.of("", "7d", "yesterday", "2026-02-30", "2026-01-01 25:00:00", "2026-01-01 12:00:00 Nowhere/Land")) {
            assertThatThrownBy(() -> parse(text))
                    .isInstanceOf(TrinoException.class)
                    .hasMessage("older_than must be a timestamp such as '2026-01-31 12:00:00 UTC': '" + text + "'");
        }
    }

    private static Instant parse(String text)
    {
        return TimestampArgument.parse("older_than", text, BERLIN);
    }
}
