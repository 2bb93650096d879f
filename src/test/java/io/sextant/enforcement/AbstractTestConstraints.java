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

import io.sextant.SextantQueryRunner;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;

import java.util.stream.Stream;

import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/// Tables with constraints, made and looked at by SQL.
abstract class AbstractTestConstraints
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder()
                .withoutPlainCatalog()
                .addCatalogProperty("iceberg.add-files-procedure.enabled", "true")
                .build();
    }

    protected String createTable(String columns)
    {
        return createTable(columns, "format_version = 2");
    }

    protected String createTable(String columns, String properties)
    {
        String table = "test_" + randomNameSuffix();
        assertUpdate("CREATE TABLE %s (%s) WITH (%s)".formatted(table, columns, properties));
        return table;
    }

    protected void addCheck(String table, String name, String expression)
    {
        assertUpdate(addCheckSql(table, name, expression, ""));
    }

    protected static String addCheckSql(String table, String name, String expression, String options)
    {
        return "CALL system.add_constraint(schema_name => 'tpch', table_name => '%s', constraint_name => '%s', constraint_type => 'check', expression => '%s'%s)"
                .formatted(table, name, expression.replace("'", "''"), options);
    }

    protected void addUnique(String table, String name, String... columns)
    {
        assertUpdate(addKeySql(table, name, "unique", "", columns));
    }

    protected void addPrimaryKey(String table, String name, String... columns)
    {
        assertUpdate(addKeySql(table, name, "primary-key", "", columns));
    }

    protected static String addKeySql(String table, String name, String type, String options, String... columns)
    {
        return "CALL system.add_constraint(schema_name => 'tpch', table_name => '%s', constraint_name => '%s', constraint_type => '%s', columns => ARRAY[%s]%s)"
                .formatted(table, name, type, Stream.of(columns).map("'%s'"::formatted).collect(joining(", ")), options);
    }

    /// Neither rows nor the history of the table may change.
    protected void assertViolation(String table, String sql, String message)
    {
        long snapshots = snapshots(table);
        assertRefused(sql, CONSTRAINT_VIOLATION, message);
        assertThat(snapshots(table)).isEqualTo(snapshots);
    }

    protected void assertRefused(String sql, ErrorCodeSupplier code, String message)
    {
        assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(sql))
                .as("%s", sql)
                .hasErrorCode(code)
                .hasMessageContaining(message);
    }

    protected long snapshots(String table)
    {
        return (long) computeScalar("SELECT count(*) FROM \"%s$snapshots\"".formatted(table));
    }

    protected String status(String table, String constraint)
    {
        return (String) computeScalar("SELECT status FROM \"%s$constraints\" WHERE name = '%s'".formatted(table, constraint));
    }

    protected String definition(String table, String constraint)
    {
        return (String) computeScalar("SELECT definition FROM \"%s$constraints\" WHERE name = '%s'".formatted(table, constraint));
    }

    protected void validate(String table)
    {
        assertUpdate("CALL system.validate_constraint('tpch', '%s')".formatted(table));
    }
}
