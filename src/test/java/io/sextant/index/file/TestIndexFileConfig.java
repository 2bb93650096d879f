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
package io.sextant.index.file;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;

final class TestIndexFileConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(IndexFileConfig.class)
                .setFooterCacheSize(DataSize.of(64, MEGABYTE))
                .setFooterReadSize(DataSize.of(16, KILOBYTE)));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.of(
                "sextant.index.footer-cache-size", "0B",
                "sextant.index.footer-read-size", "32kB");
        IndexFileConfig expected = new IndexFileConfig()
                .setFooterCacheSize(DataSize.ofBytes(0))
                .setFooterReadSize(DataSize.of(32, KILOBYTE));
        assertFullMapping(properties, expected);
    }
}
