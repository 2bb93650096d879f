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

import com.google.common.collect.ImmutableMap;
import io.sextant.testing.TestingPostgreSql;

import java.nio.file.Files;
import java.nio.file.Path;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;

final class TestConcurrentConstraintsOnPostgreSql
        extends AbstractTestConcurrentConstraints
{
    @Override
    Lake startLake()
            throws Exception
    {
        Path directory = Files.createTempDirectory("lake");
        closeAfterClass(() -> deleteRecursively(directory, ALLOW_INSECURE));
        return new Lake(
                ImmutableMap.<String, String>builder()
                        .putAll(closeAfterClass(new TestingPostgreSql()).catalogProperties())
                        .put("iceberg.jdbc-catalog.default-warehouse-dir", "local:///warehouse")
                        .put("fs.local.enabled", "true")
                        .put("local.location", directory.toString())
                        .buildOrThrow(),
                directory);
    }
}
