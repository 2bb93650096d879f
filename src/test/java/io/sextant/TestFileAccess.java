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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.sextant.testing.FileAccess;
import io.sextant.testing.FileAccess.FileKind;
import io.sextant.testing.FileAccess.FileOperation;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

import static io.sextant.SextantQueryRunner.CATALOG;
import static io.sextant.SextantQueryRunner.PLAIN_CATALOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// A table without indexes costs what it costs in Trino's own connector, file by file.
@Execution(SAME_THREAD)
final class TestFileAccess
        extends AbstractTestQueryFramework
{
    private FileAccess fileAccess;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder()
                // A cache would hide what the second catalog reads
                .addCatalogProperty("iceberg.metadata-cache.enabled", "false")
                .build();
    }

    @BeforeAll
    void createTable()
    {
        fileAccess = new FileAccess(getQueryRunner());
        assertUpdate("CREATE TABLE read (id bigint, name varchar) WITH (partitioning = ARRAY['bucket(id, 4)'])");
        assertUpdate("INSERT INTO read SELECT x, 'name ' || CAST(x AS varchar) FROM UNNEST(sequence(1, 100)) t(x)", 100);
        assertUpdate("INSERT INTO read SELECT x, 'name ' || CAST(x AS varchar) FROM UNNEST(sequence(101, 200)) t(x)", 100);
        assertUpdate("DELETE FROM read WHERE id = 7", 1);
    }

    @Test
    void testSelect()
    {
        assertSameAccess("SELECT * FROM read");
        assertSameAccess("SELECT name FROM read WHERE id = 42");
        assertSameAccess("SELECT name FROM read WHERE id BETWEEN 90 AND 110 AND name LIKE 'name 1%'");
        assertSameAccess("SELECT count(*) FROM read");
        assertSameAccess("SELECT a.name FROM read a JOIN read b ON a.id = b.id WHERE b.name = 'name 12'");
        assertSameAccess("SELECT * FROM \"read$files\"");
    }

    @Test
    void testSelectReadsFiles()
    {
        Multiset<FileOperation> operations = fileAccess.of(session(CATALOG), "SELECT * FROM read");
        assertThat(FileAccess.on(FileKind.DATA, operations)).isNotEmpty();
        assertThat(FileAccess.on(FileKind.MANIFEST, operations)).isNotEmpty();
        assertThat(FileAccess.on(FileKind.TABLE_METADATA, operations)).isNotEmpty();
        assertThat(FileAccess.on(FileKind.INDEX_METADATA, operations)).isEmpty();
    }

    @Test
    void testWrites()
    {
        for (String statement : ImmutableList.of(
                "CREATE TABLE %s (id bigint, name varchar)",
                "INSERT INTO %s VALUES (1, 'a'), (2, 'b')",
                "INSERT INTO %s VALUES (3, 'c')",
                "UPDATE %s SET name = 'x' WHERE id = 1",
                "DELETE FROM %s WHERE id = 3",
                "DROP TABLE %s")) {
            assertThat(fileAccess.of(session(CATALOG), statement.formatted("written_by_sextant"))).as(statement)
                    .isEqualTo(fileAccess.of(session(PLAIN_CATALOG), statement.formatted("written_by_plain")));
        }
    }

    @Test
    void testOptimize()
    {
        for (String table : ImmutableList.of("sextant.tpch.optimized_by_sextant", "plain.tpch.optimized_by_plain")) {
            assertUpdate("CREATE TABLE " + table + " (id bigint)");
            assertUpdate("INSERT INTO " + table + " VALUES 1, 2", 2);
            assertUpdate("INSERT INTO " + table + " VALUES 3", 1);
        }
        // Into how many files the rows go depends on the scheduling of writers
        assertThat(reads(fileAccess.of(session(CATALOG), "ALTER TABLE optimized_by_sextant EXECUTE optimize")))
                .isEqualTo(reads(fileAccess.of(session(PLAIN_CATALOG), "ALTER TABLE optimized_by_plain EXECUTE optimize")));
    }

    private static Multiset<FileOperation> reads(Multiset<FileOperation> operations)
    {
        return Multisets.filter(operations, operation -> operation.operation().startsWith("InputFile"));
    }

    private void assertSameAccess(String sql)
    {
        assertThat(fileAccess.of(session(CATALOG), sql)).as(sql).isEqualTo(fileAccess.of(session(PLAIN_CATALOG), sql));
    }

    private Session session(String catalog)
    {
        return Session.builder(getSession()).setCatalog(catalog).build();
    }
}
