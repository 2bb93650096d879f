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

import com.google.common.collect.ImmutableMap;
import io.sextant.testing.TestingS3;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;

/// The warehouse behind an S3 API, the catalog in an SQLite file.
final class TestSextantS3ConnectorSmokeTest
        extends BaseSextantConnectorSmokeTest
{
    @Override
    protected Map<String, String> startCatalog()
            throws Exception
    {
        Path directory = Files.createTempDirectory("lake");
        closeAfterClass(() -> deleteRecursively(directory, ALLOW_INSECURE));
        TestingS3 s3 = closeAfterClass(new TestingS3());
        return ImmutableMap.<String, String>builder()
                .putAll(sqliteCatalog(directory))
                .put("iceberg.jdbc-catalog.default-warehouse-dir", s3.location() + "/warehouse")
                .putAll(s3.fileSystemProperties())
                .buildOrThrow();
    }
}
