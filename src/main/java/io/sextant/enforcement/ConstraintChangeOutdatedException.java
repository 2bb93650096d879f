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
package io.sextant.enforcement;

import io.trino.spi.TrinoException;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.exceptions.CleanableFailure;

import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;

/// Somebody else has changed the constraints of the table, or its rows after they were scanned. Scan and try again.
final class ConstraintChangeOutdatedException
        extends TrinoException
        implements CleanableFailure
{
    ConstraintChangeOutdatedException(SchemaTableName table)
    {
        super(TRANSACTION_CONFLICT, "Table %s was changed by somebody else while its constraints were changed; try again".formatted(table));
    }
}
