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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;

final class TestConcurrentConstraintsOnFileMetastore
        extends AbstractTestConcurrentConstraints
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

    /// The other cases than those that depend on the catalog.
    @Test
    @Tag("CN-11")
    @Tag("CN-22")
    void testConstraintComesAtAnyMoment()
    {
        for (String statement : ImmutableList.of(
                "MERGE INTO %s t USING (VALUES %s) s(k, x) ON t.k = -s.k WHEN NOT MATCHED THEN INSERT VALUES (s.k, s.x)",
                "UPDATE %s SET k = ROW%s[1], x = ROW%2$s[2] WHERE k = 100")) {
            for (boolean enforce : new boolean[] {false, true}) {
                assertCheckKept(statement, enforce, hooks::onCommit, 1);
                assertKeyKept(statement, enforce, hooks::onCommit, 1);
            }
        }
        for (int load = 1; load <= 3; load++) {
            assertCheckKept(INSERT, false, hooks::onLoad, load);
            assertKeyKept(INSERT, false, hooks::onLoad, load);
        }
    }
}
