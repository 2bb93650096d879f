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
package io.sextant.collation.maintenance;

import io.sextant.collation.metadata.CollationsProperty;
import io.sextant.collation.metadata.TableCollations;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.TableMetadata;

import static java.util.Objects.requireNonNull;

/// A table whose collations are looked at or changed.
public record CollatedTable(ConnectorSession session, SchemaTableName name, BaseTable table)
{
    public CollatedTable
    {
        requireNonNull(session, "session is null");
        requireNonNull(name, "name is null");
        requireNonNull(table, "table is null");
    }

    TableMetadata metadata()
    {
        return table.operations().current();
    }

    /// The collations that the table has.
    ///
    /// @throws TrinoException if the property that has them is malformed
    TableCollations collations()
    {
        return CollationsProperty.read(table.properties());
    }
}
