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
package io.sextant.function;

import io.airlift.slice.Slice;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ScalarArgument;

import java.util.Map;

import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static java.util.Locale.ENGLISH;

/// Arguments of table functions, none of which may be null.
final class FunctionArguments
{
    static final String SCHEMA_NAME = "SCHEMA_NAME";
    static final String TABLE_NAME = "TABLE_NAME";

    private FunctionArguments() {}

    static SchemaTableName tableName(Map<String, Argument> arguments)
    {
        return new SchemaTableName(text(arguments, SCHEMA_NAME).toLowerCase(ENGLISH), text(arguments, TABLE_NAME).toLowerCase(ENGLISH));
    }

    static String text(Map<String, Argument> arguments, String name)
    {
        return ((Slice) value(arguments, name)).toStringUtf8();
    }

    static Object value(Map<String, Argument> arguments, String name)
    {
        Object value = ((ScalarArgument) arguments.get(name)).getValue();
        if (value == null) {
            throw new TrinoException(INVALID_FUNCTION_ARGUMENT, "%s cannot be null".formatted(name.toLowerCase(ENGLISH)));
        }
        return value;
    }
}
