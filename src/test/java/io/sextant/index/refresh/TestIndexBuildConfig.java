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
package io.sextant.index.refresh;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;

final class TestIndexBuildConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(IndexBuildConfig.class)
                .setMaxMemory(DataSize.of(128, MEGABYTE))
                .setSpillPath(Path.of(System.getProperty("java.io.tmpdir")))
                .setThreads(Math.min(Runtime.getRuntime().availableProcessors(), 4)));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("sextant.index.build.max-memory", "2GB")
                .put("sextant.index.build.spill-path", "/var/spill")
                .put("sextant.index.build.threads", "7")
                .buildOrThrow();

        assertFullMapping(properties, new IndexBuildConfig()
                .setMaxMemory(DataSize.of(2, GIGABYTE))
                .setSpillPath(Path.of("/var/spill"))
                .setThreads(7));
    }
}
