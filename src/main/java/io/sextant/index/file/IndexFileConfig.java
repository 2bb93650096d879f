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

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.MaxDataSize;
import io.airlift.units.MinDataSize;
import jakarta.validation.constraints.NotNull;

import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;

public class IndexFileConfig
{
    private DataSize footerCacheSize = DataSize.of(64, MEGABYTE);
    private DataSize footerReadSize = DataSize.of(16, KILOBYTE);

    @NotNull
    public DataSize getFooterCacheSize()
    {
        return footerCacheSize;
    }

    @Config("sextant.index.footer-cache-size")
    @ConfigDescription("Memory on each node for the footers of index files, which never change; 0B turns the cache off")
    public IndexFileConfig setFooterCacheSize(DataSize footerCacheSize)
    {
        this.footerCacheSize = footerCacheSize;
        return this;
    }

    @NotNull
    @MinDataSize("1kB")
    @MaxDataSize("1MB")
    public DataSize getFooterReadSize()
    {
        return footerReadSize;
    }

    @Config("sextant.index.footer-read-size")
    @ConfigDescription("Bytes to read at the end of an index file in the hope that they hold the whole footer")
    public IndexFileConfig setFooterReadSize(DataSize footerReadSize)
    {
        this.footerReadSize = footerReadSize;
        return this;
    }
}
