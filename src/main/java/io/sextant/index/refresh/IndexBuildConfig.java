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

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.MinDataSize;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import java.nio.file.Path;

import static io.airlift.units.DataSize.Unit.MEGABYTE;

public class IndexBuildConfig
{
    private DataSize maxMemory = DataSize.of(128, MEGABYTE);
    private Path spillPath = Path.of(System.getProperty("java.io.tmpdir"));
    private int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);

    @NotNull
    @MinDataSize("1MB")
    public DataSize getMaxMemory()
    {
        return maxMemory;
    }

    @Config("sextant.index.build.max-memory")
    @ConfigDescription("Memory in which one index build sorts entries; more go to local disk")
    public IndexBuildConfig setMaxMemory(DataSize maxMemory)
    {
        this.maxMemory = maxMemory;
        return this;
    }

    @NotNull
    public Path getSpillPath()
    {
        return spillPath;
    }

    @Config("sextant.index.build.spill-path")
    @ConfigDescription("Local directory for the sorted runs of index builds")
    public IndexBuildConfig setSpillPath(Path spillPath)
    {
        this.spillPath = spillPath;
        return this;
    }

    @Min(1)
    @Max(64)
    public int getThreads()
    {
        return threads;
    }

    @Config("sextant.index.build.threads")
    @ConfigDescription("Threads with which one index build reads data files and sorts")
    public IndexBuildConfig setThreads(int threads)
    {
        this.threads = threads;
        return this;
    }
}
