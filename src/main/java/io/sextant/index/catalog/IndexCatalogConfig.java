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

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.SECONDS;

public class IndexCatalogConfig
{
    private Duration metadataCacheTtl = new Duration(1, SECONDS);
    private DataSize metadataCacheSize = DataSize.of(64, MEGABYTE);
    private int maxCommitRetries = 20;

    @NotNull
    @MinDuration("0ms")
    public Duration getMetadataCacheTtl()
    {
        return metadataCacheTtl;
    }

    @CanIgnoreReturnValue
    @Config("sextant.index.metadata-cache-ttl")
    @ConfigDescription("How long a look-up of the current version of an index is used again; 0ms looks each time")
    public IndexCatalogConfig setMetadataCacheTtl(Duration metadataCacheTtl)
    {
        this.metadataCacheTtl = metadataCacheTtl;
        return this;
    }

    @NotNull
    public DataSize getMetadataCacheSize()
    {
        return metadataCacheSize;
    }

    @CanIgnoreReturnValue
    @Config("sextant.index.metadata-cache-size")
    @ConfigDescription("Size of the index metadata files whose content is kept in memory")
    public IndexCatalogConfig setMetadataCacheSize(DataSize metadataCacheSize)
    {
        this.metadataCacheSize = metadataCacheSize;
        return this;
    }

    @Min(0)
    @Max(1000)
    public int getMaxCommitRetries()
    {
        return maxCommitRetries;
    }

    @CanIgnoreReturnValue
    @Config("sextant.index.max-commit-retries")
    @ConfigDescription("How often a change of an index is tried again after somebody else changed the index")
    public IndexCatalogConfig setMaxCommitRetries(int maxCommitRetries)
    {
        this.maxCommitRetries = maxCommitRetries;
        return this;
    }
}
