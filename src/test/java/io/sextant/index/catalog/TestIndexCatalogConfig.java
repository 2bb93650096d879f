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

import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

final class TestIndexCatalogConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(IndexCatalogConfig.class)
                .setMetadataCacheTtl(new Duration(1, SECONDS))
                .setMetadataCacheSize(DataSize.of(64, MEGABYTE))
                .setMaxCommitRetries(20));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.of(
                "sextant.index.metadata-cache-ttl", "0ms",
                "sextant.index.metadata-cache-size", "1MB",
                "sextant.index.max-commit-retries", "3");
        IndexCatalogConfig expected = new IndexCatalogConfig()
                .setMetadataCacheTtl(new Duration(0, MILLISECONDS))
                .setMetadataCacheSize(DataSize.of(1, MEGABYTE))
                .setMaxCommitRetries(3);
        assertFullMapping(properties, expected);
    }
}
