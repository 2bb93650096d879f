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

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;

final class TestCommitGuardOnFileMetastore
        extends AbstractTestCommitGuard
{
    @Override
    Lake startLake()
            throws Exception
    {
        Path directory = Files.createTempDirectory("lake");
        closeAfterClass(() -> deleteRecursively(directory, ALLOW_INSECURE));
        return new Lake(
                ImmutableMap.of(
                        "iceberg.catalog.type", "TESTING_FILE_METASTORE",
                        "hive.metastore.catalog.dir", "local:///",
                        "fs.local.enabled", "true",
                        "local.location", directory.toString()),
                directory);
    }

    @Test
    void testMaterializedView()
    {
        String view = randomTable();
        execute("CREATE TABLE " + view + "_source AS SELECT 1 AS id");
        execute("CREATE MATERIALIZED VIEW " + view + " AS SELECT * FROM " + view + "_source");
        assertGuarded(name(view + "$materialized_view_storage"), view + "-", "REFRESH MATERIALIZED VIEW " + view);
        execute("INSERT INTO " + view + "_source VALUES 2");
        assertGuarded(name(view + "$materialized_view_storage"), view + "-", "REFRESH MATERIALIZED VIEW " + view);
    }
}
