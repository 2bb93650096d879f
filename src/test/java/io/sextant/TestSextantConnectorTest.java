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
package io.sextant;

import io.trino.Session;
import io.trino.testing.BaseConnectorTest;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorBehavior;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.OptionalInt;

import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.testing.MaterializedResult.resultBuilder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Trino's contract for every connector, on a metastore in files: the catalog that supports the most statements.
///
/// What differs from the contract differs in Trino's own Iceberg connector, and for the reason given here.
final class TestSextantConnectorTest
        extends BaseConnectorTest
{
    private static final String UNSUPPORTED_TYPE = "Type not supported for Iceberg: |Time(stamp)? precision \\(3\\) not supported for Iceberg\\. ";

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder()
                .withoutPlainCatalog()
                .setInitialTables(REQUIRED_TPCH_TABLES)
                .setWorkerCount(2)
                .build();
    }

    @Override
    protected boolean hasBehavior(TestingConnectorBehavior behavior)
    {
        return switch (behavior) {
            case SUPPORTS_CREATE_OR_REPLACE_TABLE, SUPPORTS_REPORTING_WRITTEN_BYTES -> true;
            case SUPPORTS_ADD_COLUMN_NOT_NULL_CONSTRAINT,
                 SUPPORTS_LIMIT_PUSHDOWN,
                 SUPPORTS_REFRESH_VIEW,
                 SUPPORTS_RENAME_MATERIALIZED_VIEW_ACROSS_SCHEMAS,
                 SUPPORTS_TOPN_PUSHDOWN -> false;
            // Only from format version 3 on, which is not the default
            case SUPPORTS_DEFAULT_COLUMN_VALUE -> false;
            default -> super.hasBehavior(behavior);
        };
    }

    // Iceberg has one string type: varchar(n) and char(n) become varchar

    @Override
    protected MaterializedResult getDescribeOrdersResult()
    {
        return resultBuilder(getSession(), VARCHAR, VARCHAR, VARCHAR, VARCHAR)
                .row("orderkey", "bigint", "", "")
                .row("custkey", "bigint", "", "")
                .row("orderstatus", "varchar", "", "")
                .row("totalprice", "double", "", "")
                .row("orderdate", "date", "", "")
                .row("orderpriority", "varchar", "", "")
                .row("clerk", "varchar", "", "")
                .row("shippriority", "integer", "", "")
                .row("comment", "varchar", "", "")
                .build();
    }

    @Test
    @Override
    public void testShowCreateTable()
    {
        assertThat((String) computeScalar("SHOW CREATE TABLE orders"))
                .matches(
                        """
                        \\QCREATE TABLE sextant.tpch.orders (
                           orderkey bigint,
                           custkey bigint,
                           orderstatus varchar,
                           totalprice double,
                           orderdate date,
                           orderpriority varchar,
                           clerk varchar,
                           shippriority integer,
                           comment varchar
                        )
                        WITH (
                           format = 'PARQUET',
                           format_version = 2,
                           location = 'local:///tpch/orders-\\E[0-9a-f]{32}\\Q'
                        )\\E""");
    }

    @Test
    @Override
    public void testCharVarcharComparison()
    {
        try (TestTable table = newTrinoTable("test_char_varchar", "(k, v) AS VALUES (3, CAST('   ' AS char(3))), (6, CAST('x  ' AS char(3)))")) {
            assertThat(query("SELECT k, v FROM %s WHERE v = CAST('' AS varchar(2))".formatted(table.getName()))).matches("VALUES (3, VARCHAR '')");
            assertThat(query("SELECT k, v FROM %s WHERE v = CAST('x' AS varchar(2))".formatted(table.getName()))).matches("VALUES (6, VARCHAR 'x')");
            assertQueryReturnsEmptyResult("SELECT k, v FROM %s WHERE v = CAST('x ' AS varchar(2))".formatted(table.getName()));
        }
    }

    // A schema has a location

    @Test
    @Override
    public void testShowCreateSchema()
    {
        assertThat(computeScalar("SHOW CREATE SCHEMA tpch"))
                .isEqualTo(
                        """
                        CREATE SCHEMA sextant.tpch
                        AUTHORIZATION USER user
                        WITH (
                           location = 'local:///tpch'
                        )""");
    }

    // Default values

    @Test
    @Override
    public void testCreateTableWithDefaultColumn()
    {
        assertQueryFails("CREATE TABLE test_default_column (x integer DEFAULT 1)", "Default column values are not supported for Iceberg table format version < 3");
    }

    @Override
    protected TestTable createTableWithDefaultColumns()
    {
        return newTrinoTable(
                "test_default_columns",
                """
                (col_required bigint NOT NULL, col_nullable bigint, col_default bigint DEFAULT 43, col_nonnull_default bigint DEFAULT 42 NOT NULL, col_required2 bigint NOT NULL)
                WITH (format_version = 3)
                """);
    }

    // Type changes: Iceberg widens integers, reals and the precision of decimals, also inside of rows, arrays and map values

    @Override
    protected Optional<SetColumnTypeSetup> filterSetColumnTypesDataProvider(SetColumnTypeSetup setup)
    {
        return Optional.of(adaptTypeChange(setup));
    }

    @Override
    protected Optional<SetColumnTypeSetup> filterSetFieldTypesDataProvider(SetColumnTypeSetup setup)
    {
        if (setup.newColumnType().equals("row(\"y\" integer)")) {
            // As below, but here the null is the whole column, which the contract has no words for
            return Optional.empty();
        }
        return Optional.of(adaptTypeChange(setup));
    }

    private static SetColumnTypeSetup adaptTypeChange(SetColumnTypeSetup setup)
    {
        return switch ("%s -> %s".formatted(setup.sourceColumnType(), setup.newColumnType())) {
            // Iceberg has neither 8 nor 16 bit integers, char, nor times of milliseconds
            case "tinyint -> smallint",
                 "bigint -> smallint",
                 "bigint -> tinyint",
                 "char(25) -> char(20)",
                 "varchar -> char(20)",
                 "time(6) -> time(3)",
                 "timestamp(6) -> timestamp(3)" -> setup.asUnsupported();
            // Narrowing, and any change of map keys
            case "bigint -> integer",
                 "decimal(5,3) -> decimal(5,2)",
                 "map(integer, varchar) -> map(bigint, varchar)" -> setup.asUnsupported();
            // Iceberg has one string type
            case "varchar(100) -> varchar(50)" -> setup.withNewColumnType("varchar");
            // Iceberg keeps the instant, not the zone
            case "timestamp(3) with time zone -> timestamp(6) with time zone" -> setup.withNewValueLiteral("TIMESTAMP '2020-02-12 14:03:00.123000 +00:00'");
            // The Parquet reader returns null for a row of which the file has no field
            case "row(x integer) -> row(\"y\" integer)" -> setup.withNewValueLiteral("NULL");
            default -> setup;
        };
    }

    @Override
    protected void verifySetColumnTypeFailurePermissible(Throwable e)
    {
        assertThat(e).hasMessageMatching("(Failed to set column type: Cannot (change (column )?type|update map keys): |" + UNSUPPORTED_TYPE + ").*");
    }

    @Override
    protected void verifySetFieldTypeFailurePermissible(Throwable e)
    {
        assertThat(e).hasMessageMatching("(Failed to set field type: Cannot (change (column )?type|change type from|update map keys):? |" + UNSUPPORTED_TYPE + ").*");
    }

    @Test
    @Override
    public void testSetFieldMapKeyType()
    {
        // Iceberg forbids any change of a map's keys
        assertThatThrownBy(super::testSetFieldMapKeyType)
                .hasMessage("Failed to set field type: Cannot alter map keys: map<struct<4: field: optional int>, int>");
    }

    @Test
    @Override
    public void testSetNestedFieldMapKeyType()
    {
        assertThatThrownBy(super::testSetNestedFieldMapKeyType)
                .hasMessage("Failed to set field type: Cannot alter map keys: map<struct<5: field: optional int>, int>");
    }

    // Field names are unique within a row, whatever their case

    @Test
    @Override
    public void testDropRowFieldWhenDuplicates()
    {
        assertThatThrownBy(super::testDropRowFieldWhenDuplicates)
                .hasMessage("Field name 'a' specified more than once");
    }

    @Test
    @Override
    public void testDropAmbiguousRowFieldCaseSensitivity()
    {
        assertThatThrownBy(super::testDropAmbiguousRowFieldCaseSensitivity)
                .hasMessage("Field name 'some_field' specified more than once");
    }

    // Names: limits of the metastore, and of file names since the name of a table is part of its location

    @Override
    protected OptionalInt maxSchemaNameLength()
    {
        return OptionalInt.of(128);
    }

    @Override
    protected void verifySchemaNameLengthFailurePermissible(Throwable e)
    {
        assertThat(e).hasMessageMatching("Schema name must be shorter than or equal to '128' characters but got '129'");
    }

    @Override
    protected OptionalInt maxTableNameLength()
    {
        return OptionalInt.of(128);
    }

    @Override
    protected void verifyTableNameLengthFailurePermissible(Throwable e)
    {
        assertThat(e).hasMessageMatching("(Failed to create table .*: )?Table name must be shorter than or equal to '128' characters but got '129'");
    }

    // Concurrent changes of one table: the loser is told so

    @Override
    protected void verifyConcurrentUpdateFailurePermissible(Exception e)
    {
        assertThat(e).hasMessageMatching("Failed to commit (the transaction )?during write.*");
    }

    @Override
    protected void verifyConcurrentInsertFailurePermissible(Exception e)
    {
        assertThat(e).hasMessageMatching("Failed to commit (the transaction )?during write.*");
    }

    @Override
    protected void verifyConcurrentAddColumnFailurePermissible(Exception e)
    {
        assertThat(e).hasMessageMatching("Failed to add column: (Failed to replace table due to concurrent updates|Cannot update Iceberg table: supplied previous location does not match current location).*");
    }

    @Override
    protected void verifyVersionedQueryFailurePermissible(Exception e)
    {
        assertThat(e).hasMessageMatching("(Version pointer type is not supported|Unsupported type for temporal table version|Unsupported type for table version|" +
                "No version history table tpch\\.nation at or before|Iceberg snapshot ID does not exists|Cannot find snapshot with reference name).*");
    }

    @Override
    protected String errorMessageForInsertIntoNotNullColumn(String columnName)
    {
        return "NULL value not allowed for NOT NULL column: " + columnName;
    }

    @Override
    protected Session withoutSmallFileThreshold(Session session)
    {
        return Session.builder(session)
                .setCatalogSessionProperty(SextantQueryRunner.CATALOG, "parquet_small_file_threshold", "0B")
                .build();
    }
}
