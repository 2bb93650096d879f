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
package io.sextant.catalog;

import io.sextant.testing.TestingRestCatalog;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

final class TestCommitGuardOnRest
        extends AbstractTestCommitGuard
{
    private Path directory;

    @Override
    Lake startLake()
            throws Exception
    {
        TestingRestCatalog catalog = closeAfterClass(new TestingRestCatalog());
        directory = catalog.directory();
        return new Lake(catalog.catalogProperties(), directory);
    }

    @Override
    String createSchema()
    {
        return "CREATE SCHEMA %s WITH (location = 'file://%s')".formatted(SCHEMA, directory.resolve(SCHEMA));
    }

    /// Then Trino creates the table before it writes to it.
    @Test
    void testSchemaWithoutLocation()
    {
        String table = randomTable();
        execute("CREATE TABLE tpch." + table + " AS SELECT 1 AS id");
        assertThat(computeScalar("SELECT element_at(summary, '%s') FROM tpch.\"%s$snapshots\"".formatted(TestingCommitGuard.NUMBER, table))).isEqualTo("1");
    }
}
