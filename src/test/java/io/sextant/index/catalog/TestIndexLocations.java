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
package io.sextant.index.catalog;

import io.trino.filesystem.Location;
import org.junit.jupiter.api.Test;

import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

final class TestIndexLocations
{
    private static final String UUID = "9c12d441-03fe-4693-9a96-a0705ddf69c1";

    @Test
    void testFiles()
    {
        IndexLocations locations = new IndexLocations("s3://lake/t.indexes/i/");
        assertThat(locations.root()).isEqualTo("s3://lake/t.indexes/i");
        assertThat(locations.metadataFile(12)).hasToString("s3://lake/t.indexes/i/metadata/v12.metadata.json");
        assertThat(locations.versionHint()).hasToString("s3://lake/t.indexes/i/metadata/version-hint.text");
        assertThat(locations.newTrackingFile()).matches("s3://lake/t\\.indexes/i/metadata/tracking-[0-9a-f-]{36}\\.parquet").isNotEqualTo(locations.newTrackingFile());
        assertThat(locations.newRegionFile()).matches("s3://lake/t\\.indexes/i/data/region-[0-9a-f-]{36}\\.parquet").isNotEqualTo(locations.newRegionFile());
    }

    @Test
    void testVersionOfAFile()
    {
        IndexLocations locations = new IndexLocations("s3://lake/t.indexes/i");
        assertThat(locations.version(Location.of("s3://lake/t.indexes/i/metadata/v12.metadata.json"))).hasValue(12);
        for (String file : new String[] {
                "v0.metadata.json", "v01.metadata.json", "v-1.metadata.json", "v9999999999.metadata.json", "v2147483647.metadata.json",
                "v12.metadata.json.bak", ".v12.metadata.json-x", "version-hint.text", "x/v12.metadata.json",
        }) {
            assertThat(locations.version(Location.of("s3://lake/t.indexes/i/metadata/" + file))).as(file).isEmpty();
        }
        assertThat(locations.version(Location.of("s3://lake/t.indexes/j/metadata/v12.metadata.json"))).isEmpty();
    }

    @Test
    void testDefaultRoot()
    {
        assertDefault("s3://lake/warehouse/t", "s3://lake/warehouse/t.indexes/by_user-" + UUID);
        assertDefault("s3://lake/warehouse/t/", "s3://lake/warehouse/t.indexes/by_user-" + UUID);
        assertDefault("local:///t", "local:///t.indexes/by_user-" + UUID);
        assertDefault("/warehouse/t", "/warehouse/t.indexes/by_user-" + UUID);
        assertTrinoExceptionThrownBy(() -> IndexLocations.defaultLocations("s3://lake/", "by_user", UUID))
                .hasErrorCode(INDEX_INVALID_DEFINITION)
                .hasMessage("Table location s3://lake/ has no place beside it for an index; give the index a location");
    }

    private static void assertDefault(String tableLocation, String root)
    {
        assertThat(IndexLocations.defaultLocations(tableLocation, "by_user", UUID).root()).isEqualTo(root);
    }

    @Test
    void testRootsAround()
    {
        assertThat(new IndexLocations("s3://lake/a/b/c").around()).extracting(IndexLocations::root).containsExactly("s3://lake/a/b", "s3://lake/a");
        assertThat(new IndexLocations("s3://lake/a").around()).isEmpty();
        assertThat(new IndexLocations("local:///a/b").around()).extracting(IndexLocations::root).containsExactly("local:///a");
        assertThat(new IndexLocations("/a/b/c").around()).extracting(IndexLocations::root).containsExactly("/a/b", "/a");
    }

    @Test
    void testRootsThatAreAllowed()
    {
        for (String root : new String[] {"s3://lake/warehouse/t.indexes/i", "s3://lake/warehouse/t2", "s3://lake/warehouse/tt/t", "s3://other/warehouse/t/i", "s3://lake/warehouse/index/t/", "s3://lake/i"}) {
            assertThat(IndexLocations.checkedLocations("s3://lake/warehouse/t", root).root()).isEqualTo(root.replaceFirst("/$", ""));
        }
    }

    @Test
    void testRootsInOrAboveTheTable()
    {
        String inTable = "it lies in the table's location %s, where table maintenance would delete it";
        String aboveTable = "it holds the table's location %s, which dropping the index would delete";
        for (String table : new String[] {"s3://lake/warehouse/t", "s3://lake/warehouse/t/", "s3://lake//warehouse/./t", "s3://lake/warehouse/x/../t"}) {
            for (String root : new String[] {"s3://lake/warehouse/t", "s3://lake/warehouse/t/", "s3://lake/warehouse/t/i", "s3a://lake/warehouse/t/i", "s3://LAKE/warehouse/t/i"}) {
                assertRefused(table, root, inTable.formatted(table));
            }
            assertRefused(table, "s3://lake/warehouse", aboveTable.formatted(table));
            assertRefused(table, "s3://lake/warehouse/", aboveTable.formatted(table));
        }
        assertRefused("/data/t", "file:///data/t/i", inTable.formatted("/data/t"));
        assertRefused("hdfs://namenode/data/t", "/data/t/i", inTable.formatted("hdfs://namenode/data/t"));
    }

    @Test
    void testRootsThatAreNotPlain()
    {
        for (String root : new String[] {"s3://lake/x/../warehouse/t/i", "s3://lake/warehouse/t/../t/i", "s3://lake//i", "s3://lake/i//", "s3://lake/./i", "s3://lake/i/.."}) {
            assertRefused("s3://lake/warehouse/t", root, "it has an empty, '.' or '..' path element");
        }
        assertRefused("s3://lake/warehouse/t", "s3://lake/", "it has no path");
        assertRefused("s3://lake/warehouse/t", "i", "it is not a location (No scheme for file system location: i)");
        assertRefused("s3://lake/warehouse/t", "", "it is not a location (location is empty)");
    }

    private static void assertRefused(String tableLocation, String root, String reason)
    {
        assertTrinoExceptionThrownBy(() -> IndexLocations.checkedLocations(tableLocation, root))
                .hasErrorCode(INDEX_INVALID_DEFINITION)
                .hasMessage("Index location '%s' is not allowed: %s; leave it out, or give an absolute location of its own, outside the table".formatted(root, reason));
    }
}
