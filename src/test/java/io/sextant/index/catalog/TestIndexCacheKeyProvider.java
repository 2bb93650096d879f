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
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

final class TestIndexCacheKeyProvider
{
    @Test
    void testOnlyIndexMetadataIsNotCached()
            throws IOException
    {
        assertThat(key("t.indexes/i/metadata/version-hint.text")).isEmpty();
        assertThat(key("t.indexes/i/metadata/v12.metadata.json")).isEmpty();
        for (String file : new String[] {"t.indexes/i/metadata/tracking-1.parquet", "t.indexes/i/data/region-1.parquet", "t/metadata/00012-9c12d441.metadata.json", "t/data/v1.parquet"}) {
            assertThat(key(file)).contains(file);
        }
    }

    private static Optional<String> key(String path)
            throws IOException
    {
        return new IndexCacheKeyProvider().getCacheKey(new MemoryFileSystem().newInputFile(Location.of("memory:///" + path)));
    }
}
