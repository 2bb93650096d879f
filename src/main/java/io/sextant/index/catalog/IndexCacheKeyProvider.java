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

import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.cache.CacheKeyProvider;
import io.trino.plugin.iceberg.cache.IcebergCacheKeyProvider;

import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/// Keeps the metadata files of indexes out of the file system cache, which knows a file by its path alone: the hint changes
/// under one path, and [IndexCatalog] caches the rest itself, with more care for paths that are used again.
public class IndexCacheKeyProvider
        implements CacheKeyProvider
{
    private static final Pattern INDEX_METADATA = Pattern.compile(".*/metadata/(version-hint\\.text|v[0-9]+\\.metadata\\.json)");

    private final CacheKeyProvider delegate = new IcebergCacheKeyProvider();

    @Override
    public Optional<String> getCacheKey(TrinoInputFile inputFile)
            throws IOException
    {
        if (INDEX_METADATA.matcher(inputFile.location().path()).matches()) {
            return Optional.empty();
        }
        return delegate.getCacheKey(inputFile);
    }
}
