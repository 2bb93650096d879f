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
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.sextant.testing.FileAccess;
import io.sextant.testing.FileAccess.FileKind;
import io.sextant.testing.FileAccess.FileOperation;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static com.google.common.collect.ImmutableMultiset.toImmutableMultiset;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// Counts what a look-up reads.
@Execution(SAME_THREAD)
final class TestIndexFileAccess
        extends AbstractTestQueryFramework
{
    // Reads what another server has built, so that it has nothing in memory
    private static final String READER_CATALOG = "reader";
    private static final String CACHING_CATALOG = "caching";
    private static final int FILES = 8;
    private static final Multiset<FileOperation> ONE_DATA_FILE = ImmutableMultiset.of(
            new FileOperation(FileKind.DATA, "InputFile.newInput"),
            new FileOperation(FileKind.DATA, "Input.readTail"));

    private FileAccess fileAccess;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        Path directory = Files.createTempDirectory("lake");
        directory.toFile().deleteOnExit();
        Map<String, String> properties = ImmutableMap.of(
                "iceberg.catalog.type", "TESTING_FILE_METASTORE",
                "hive.metastore.catalog.dir", "local:///",
                "fs.local.enabled", "true",
                "local.location", directory.toString(),
                "sextant.index.metadata-cache-ttl", "0ms");
        QueryRunner queryRunner = SextantQueryRunner.builder()
                .setCatalogProperties(properties)
                .withoutPlainCatalog()
                .build();
        queryRunner.createCatalog(READER_CATALOG, "sextant", ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put("iceberg.metadata-cache.enabled", "false")
                .buildOrThrow());
        queryRunner.createCatalog(CACHING_CATALOG, "sextant", properties);
        return queryRunner;
    }

    @BeforeAll
    void createTable()
    {
        fileAccess = new FileAccess(getQueryRunner());
        assertUpdate("CREATE TABLE visits (id bigint, name varchar)");
        for (int file = 0; file < FILES; file++) {
            assertUpdate("INSERT INTO visits SELECT x * %s + %s, 'name ' || CAST(x AS varchar) FROM UNNEST(sequence(1, 100)) t(x)".formatted(FILES, file), 100);
        }
        assertUpdate("CALL system.create_index(schema_name => CURRENT_SCHEMA, table_name => 'visits', index_name => 'by_id', key => ARRAY['id'])");
    }

    @Test
    void testLookup()
    {
        Session session = session(READER_CATALOG);
        String sql = "SELECT name FROM visits WHERE id = 345";
        Multiset<FileOperation> plain = fileAccess.of(withoutIndex(session), sql);
        assertThat(indexReads(plain)).isEmpty();
        assertThat(FileAccess.on(FileKind.DATA, plain)).isEqualTo(ImmutableMultiset.builder()
                .addCopies(new FileOperation(FileKind.DATA, "InputFile.newInput"), FILES)
                .addCopies(new FileOperation(FileKind.DATA, "Input.readTail"), FILES)
                .build());

        Multiset<FileOperation> cold = fileAccess.of(session, sql);
        assertThat(indexReads(cold)).isEqualTo(ImmutableMultiset.of(
                // The version hint, its metadata file, and whether there is a later one
                new FileOperation(FileKind.INDEX_METADATA, "InputFile.newStream"),
                new FileOperation(FileKind.INDEX_METADATA, "InputFile.newStream"),
                new FileOperation(FileKind.INDEX_METADATA, "InputFile.exists"),
                new FileOperation(FileKind.INDEX_TRACKING, "InputFile.newStream"),
                // The footer, then one row group
                new FileOperation(FileKind.INDEX_REGION, "InputFile.newInput"),
                new FileOperation(FileKind.INDEX_REGION, "Input.readTail"),
                new FileOperation(FileKind.INDEX_REGION, "InputFile.newInput"),
                new FileOperation(FileKind.INDEX_REGION, "Input.readFully")));
        assertThat(FileAccess.on(FileKind.DATA, cold)).isEqualTo(ONE_DATA_FILE);
        assertThat(computeActual(session, sql)).isEqualTo(computeActual(withoutIndex(session), sql));

        Multiset<FileOperation> warm = fileAccess.of(session, "SELECT name FROM visits WHERE id = 346");
        assertThat(indexReads(warm)).isEqualTo(ImmutableMultiset.of(
                new FileOperation(FileKind.INDEX_METADATA, "InputFile.exists"),
                new FileOperation(FileKind.INDEX_REGION, "InputFile.newInput"),
                new FileOperation(FileKind.INDEX_REGION, "Input.readFully")));
        assertThat(FileAccess.on(FileKind.DATA, warm)).isEqualTo(ONE_DATA_FILE);

        // The tracking file, which is in memory, tells that no region has the key
        Multiset<FileOperation> miss = fileAccess.of(session, "SELECT name FROM visits WHERE id = 0");
        assertThat(indexReads(miss)).isEqualTo(ImmutableMultiset.of(new FileOperation(FileKind.INDEX_METADATA, "InputFile.exists")));
        for (FileKind kind : ImmutableList.of(FileKind.MANIFEST_LIST, FileKind.MANIFEST, FileKind.DATA)) {
            assertThat(FileAccess.on(kind, miss)).isEmpty();
        }
    }

    @Test
    void testIndexMadeAgainBehindCache()
    {
        assertUpdate("CREATE TABLE again AS SELECT x id, 'name ' || CAST(x AS varchar) name FROM UNNEST(sequence(1, 100)) t(x)", 100);
        String createIndex = "CALL reader.system.create_index(schema_name => CURRENT_SCHEMA, table_name => 'again', index_name => 'by_name', key => ARRAY['name'], location => 'local:///again.indexes/by_name')";
        Session session = session(CACHING_CATALOG);
        String sql = "SELECT id FROM again WHERE name = 'name 3'";
        assertUpdate(createIndex);
        assertThat(FileAccess.on(FileKind.INDEX_REGION, fileAccess.of(session, sql))).isNotEmpty();
        assertUpdate("CALL reader.system.drop_index(schema_name => CURRENT_SCHEMA, table_name => 'again', index_name => 'by_name')");
        assertUpdate(createIndex);
        assertThat(FileAccess.on(FileKind.INDEX_REGION, fileAccess.of(session, sql))).isNotEmpty();
    }

    private static Multiset<FileOperation> indexReads(Multiset<FileOperation> operations)
    {
        return operations.stream()
                .filter(operation -> operation.kind().name().startsWith("INDEX_"))
                .collect(toImmutableMultiset());
    }

    private Session session(String catalog)
    {
        return Session.builder(getSession()).setCatalog(catalog).build();
    }

    private static Session withoutIndex(Session session)
    {
        return Session.builder(session)
                .setCatalogSessionProperty(session.getCatalog().orElseThrow(), "index_enabled", "false")
                .build();
    }
}
