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

import java.util.List;
import java.util.Random;

import static java.util.Collections.nCopies;
import static java.util.Locale.ENGLISH;

/// A column type with the literals that random rows and predicates take: few, so that they meet, and the awkward ones.
enum RandomColumn
{
    BOOLEAN("boolean", "true", "false"),
    INTEGER("integer", "0", "1", "-1", "2", "7", "-7", "100", "2147483647", "-2147483648"),
    BIGINT("bigint", "BIGINT '0'", "BIGINT '1'", "BIGINT '-1'", "BIGINT '5'", "BIGINT '3000000000'", "BIGINT '9223372036854775807'", "BIGINT '-9223372036854775808'"),
    REAL("real", "REAL '0'", "REAL '-0.0'", "REAL '1.5'", "REAL '-1.5'", "CAST(nan() AS real)", "CAST(infinity() AS real)", "CAST(-infinity() AS real)"),
    DOUBLE("double", "DOUBLE '0'", "DOUBLE '-0.0'", "DOUBLE '1.5'", "DOUBLE '-2.5'", "nan()", "infinity()", "-infinity()"),
    SHORT_DECIMAL("decimal(9, 2)", "DECIMAL '0.00'", "DECIMAL '1.50'", "DECIMAL '-1.50'", "DECIMAL '1234567.89'", "DECIMAL '-1234567.89'"),
    LONG_DECIMAL("decimal(30, 5)", "DECIMAL '0.00000'", "DECIMAL '1.50000'", "DECIMAL '-1.50000'", "DECIMAL '1234567890123456789012345.12345'", "DECIMAL '-1234567890123456789012345.12345'"),
    DATE("date", "DATE '1970-01-01'", "DATE '1969-12-31'", "DATE '2020-02-29'", "DATE '0001-01-01'"),
    TIME("time(6)", "TIME '00:00:00.000000'", "TIME '12:34:56.123456'", "TIME '23:59:59.999999'"),
    TIMESTAMP("timestamp(6)", "TIMESTAMP '1970-01-01 00:00:00.000000'", "TIMESTAMP '1969-12-31 23:59:59.999999'", "TIMESTAMP '2020-02-29 12:34:56.123456'"),
    TIMESTAMP_TZ("timestamp(6) with time zone", "TIMESTAMP '1970-01-01 00:00:00.000000 UTC'", "TIMESTAMP '1969-12-31 23:59:59.999999 UTC'", "TIMESTAMP '2020-02-29 12:34:56.123456 Asia/Kathmandu'"),
    VARCHAR("varchar", "VARCHAR ''", "VARCHAR 'a'", "VARCHAR 'A'", "VARCHAR 'ab'", "VARCHAR 'ä'", "U&'\\FF5E'", "U&'\\+01F600'", "U&'a\\0000b'", "VARCHAR '" + String.join("", nCopies(30, "long ")) + "1'", "VARCHAR '" + String.join("", nCopies(30, "long ")) + "2'"),
    UUID("uuid", "UUID '00000000-0000-0000-0000-000000000000'", "UUID '7fffffff-ffff-ffff-ffff-ffffffffffff'", "UUID '80000000-0000-0000-0000-000000000000'", "UUID 'ffffffff-ffff-ffff-ffff-ffffffffffff'"),
    VARBINARY("varbinary", "X''", "X'00'", "X'0000'", "X'01'", "X'7F'", "X'80'", "X'FF'", "X'00FF'");

    private final String type;
    private final List<String> literals;

    RandomColumn(String type, String... literals)
    {
        this.type = type;
        this.literals = ImmutableList.copyOf(literals);
    }

    String columnName()
    {
        return "c_" + name().toLowerCase(ENGLISH);
    }

    String type()
    {
        return type;
    }

    /// A value of a row.
    String value(Random random)
    {
        return random.nextInt(8) == 0 ? "CAST(NULL AS %s)".formatted(type) : "CAST(%s AS %s)".formatted(literal(random), type);
    }

    String literal(Random random)
    {
        return literals.get(random.nextInt(literals.size()));
    }

    boolean isFloatingPoint()
    {
        return this == REAL || this == DOUBLE;
    }
}
