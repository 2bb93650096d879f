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
package io.sextant.index.refresh;

import io.sextant.index.refresh.IndexBuilds.IndexName;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.BaseTable;

import static java.util.Objects.requireNonNull;

/// A table whose index is changed, and the file system that holds both.
public record IndexedTable(ConnectorSession session, SchemaTableName name, BaseTable table, TrinoFileSystem fileSystem)
{
    public IndexedTable
    {
        requireNonNull(session, "session is null");
        requireNonNull(name, "name is null");
        requireNonNull(table, "table is null");
        requireNonNull(fileSystem, "fileSystem is null");
    }

    IcebergTableCredentials credentials()
    {
        return IcebergTableCredentials.forFileIO(table.io());
    }

    public String uuid()
    {
        return table.operations().current().uuid();
    }

    IndexName index(String indexName)
    {
        return new IndexName(name, indexName);
    }
}
