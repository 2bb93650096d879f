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

import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.NestedField;

import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

/// Who learns what breaks a constraint, learns of the values in its columns.
public final class ColumnPrivileges
{
    private ColumnPrivileges() {}

    /// Fails if somebody may not read the columns with some fields.
    public static void checkCanSelect(ConnectorAccessControl accessControl, SchemaTableName table, Schema schema, Set<Integer> fieldIds)
    {
        accessControl.checkCanSelectFromColumns(null, table, Optional.empty(), TypeUtil.select(schema, fieldIds).columns().stream()
                .map(NestedField::name)
                .collect(toImmutableSet()));
    }
}
