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

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.sextant.collation.maintenance.CollatedTable;
import io.sextant.collation.metadata.CollationsProperty;
import io.sextant.constraint.ConstraintsProperty;
import io.sextant.enforcement.ColumnPrivileges;
import io.sextant.enforcement.ConstrainedTable;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.catalog.IndexRegistrations;
import io.sextant.index.refresh.IndexedTable;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.MapType;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Strings.isNullOrEmpty;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.sextant.error.SextantErrorCode.INDEX_NOT_FOUND;
import static io.trino.plugin.base.util.Procedures.checkProcedureArgument;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/// The tables and indexes that procedures name, with the privileges they ask for: those for setting table properties.
public class ProcedureTables
{
    static final String SYSTEM_SCHEMA = "system";

    private final TrinoCatalogFactory catalogFactory;
    private final IcebergFileSystemFactory fileSystemFactory;

    @Inject
    public ProcedureTables(TrinoCatalogFactory catalogFactory, IcebergFileSystemFactory fileSystemFactory)
    {
        this.catalogFactory = requireNonNull(catalogFactory, "catalogFactory is null");
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
    }

    /// @param indexName whose registration is the table property that the caller may change
    IndexedTable loadForChange(ConnectorAccessControl accessControl, ConnectorSession session, SchemaTableName name, String indexName)
    {
        Map<String, Optional<Object>> properties = ImmutableMap.of(IndexRegistrations.propertyName(indexName), Optional.empty());
        accessControl.checkCanSetTableProperties(null, name, properties);
        BaseTable table = catalogFactory.create(session.getIdentity()).loadTable(session, name);
        return new IndexedTable(session, name, table, fileSystemFactory.create(session.getIdentity(), IcebergTableCredentials.forFileIO(table.io())));
    }

    ConstrainedTable loadForConstraints(ConnectorAccessControl accessControl, ConnectorSession session, SchemaTableName name)
    {
        accessControl.checkCanSetTableProperties(null, name, ImmutableMap.of(ConstraintsProperty.NAME, Optional.empty()));
        return new ConstrainedTable(session, name, catalogFactory.create(session.getIdentity()).loadTable(session, name));
    }

    CollatedTable loadForCollations(ConnectorAccessControl accessControl, ConnectorSession session, SchemaTableName name)
    {
        accessControl.checkCanSetTableProperties(null, name, ImmutableMap.of(CollationsProperty.NAME, Optional.empty()));
        return new CollatedTable(session, name, catalogFactory.create(session.getIdentity()).loadTable(session, name));
    }

    /// Checks that the caller may read the columns of one constraint, or of all.
    void checkCanSelectColumns(ConnectorAccessControl accessControl, ConstrainedTable table, Optional<String> constraintName)
    {
        checkCanSelectFields(accessControl, table, table.constraints().select(constraintName).stream()
                .flatMap(constraint -> constraint.condition().referencedFieldIds().stream())
                .collect(toImmutableSet()));
    }

    void checkCanSelectFields(ConnectorAccessControl accessControl, ConstrainedTable table, Set<Integer> fieldIds)
    {
        ColumnPrivileges.checkCanSelect(accessControl, table.name(), table.table().schema(), fieldIds);
    }

    static void checkNotEmpty(String argument, String value)
    {
        checkProcedureArgument(!isNullOrEmpty(value), "%s cannot be null or empty", argument);
    }

    static String constraintName(String constraintName)
    {
        checkNotEmpty("constraint_name", constraintName);
        return constraintName;
    }

    static SchemaTableName tableName(String schemaName, String tableName)
    {
        checkNotEmpty("schema_name", schemaName);
        checkNotEmpty("table_name", tableName);
        return new SchemaTableName(schemaName.toLowerCase(ENGLISH), tableName.toLowerCase(ENGLISH));
    }

    static String indexName(String indexName)
    {
        checkNotEmpty("index_name", indexName);
        IndexRegistration.checkName(indexName);
        return indexName;
    }

    static MapType propertiesType(TypeManager typeManager)
    {
        return new MapType(VARCHAR, VARCHAR, typeManager.getTypeOperators());
    }

    static IndexRegistration registration(IndexedTable table, String indexName)
    {
        IndexRegistrations registrations = IndexRegistrations.fromTableProperties(table.table().properties());
        return registrations.find(indexName)
                .orElseThrow(() -> new TrinoException(INDEX_NOT_FOUND, notFound(table, indexName, registrations)));
    }

    private static String notFound(IndexedTable table, String indexName, IndexRegistrations registrations)
    {
        if (registrations.malformed().containsKey(indexName)) {
            return "Index %s of table %s cannot be read: %s; drop it with CALL system.drop_index".formatted(indexName, table.name(), registrations.malformed().get(indexName));
        }
        return "Table %s has no index %s; its indexes are: %s".formatted(table.name(), indexName, String.join(", ", registrations.indexes().keySet()));
    }
}
