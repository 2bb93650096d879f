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

import io.sextant.constraint.ConstraintsProperty;
import io.sextant.constraint.TableConstraints;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.BaseTable;

import static java.util.Objects.requireNonNull;

/// A table whose constraints are looked at or changed.
public record ConstrainedTable(ConnectorSession session, SchemaTableName name, BaseTable table)
{
    public ConstrainedTable
    {
        requireNonNull(session, "session is null");
        requireNonNull(name, "name is null");
        requireNonNull(table, "table is null");
    }

    /// The constraints that the table has.
    ///
    /// @throws io.trino.spi.TrinoException if the property that has them is malformed
    public TableConstraints constraints()
    {
        return ConstraintsProperty.read(table.properties());
    }
}
