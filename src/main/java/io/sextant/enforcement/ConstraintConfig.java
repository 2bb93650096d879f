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

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.MinDataSize;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import java.nio.file.Path;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

public class ConstraintConfig
{
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    // No task has more of them, unless it is configured to
    private static final int MAX_SINKS = Math.clamp(4L * PROCESSORS, 1, 64);

    private DataSize maxMemory = DataSize.of(128, MEGABYTE);
    private Path spillPath = Path.of(System.getProperty("java.io.tmpdir"));
    private int threads = Math.clamp(PROCESSORS, 1, 4);

    @NotNull
    @MinDataSize("1MB")
    public DataSize getMaxMemory()
    {
        return maxMemory;
    }

    @CanIgnoreReturnValue
    @Config("sextant.constraint.max-memory")
    @ConfigDescription("Memory in which one statement compares keys; more of them go to local disk")
    public ConstraintConfig setMaxMemory(DataSize maxMemory)
    {
        this.maxMemory = maxMemory;
        return this;
    }

    @NotNull
    public Path getSpillPath()
    {
        return spillPath;
    }

    @CanIgnoreReturnValue
    @Config("sextant.constraint.spill-path")
    @ConfigDescription("Local directory for the hashes of keys that do not fit into memory")
    public ConstraintConfig setSpillPath(Path spillPath)
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

    @CanIgnoreReturnValue
    @Config("sextant.constraint.threads")
    @ConfigDescription("Threads with which one statement reads the rows of a table to compare keys")
    public ConstraintConfig setThreads(int threads)
    {
        this.threads = threads;
        return this;
    }

    HashMemory hashMemory()
    {
        return new HashMemory(max(1, maxMemory.toBytes() / HashMemory.BYTES_PER_HASH), spillPath);
    }

    /// For one of the page sinks in which a node verifies a key.
    HashMemory hashMemoryOfSink()
    {
        return new HashMemory(max(1, hashMemory().maxHashes() / MAX_SINKS), spillPath);
    }

    /// How many hashes of keys may be in memory, and where more of them go.
    record HashMemory(long maxHashes, Path spillPath)
    {
        // Of a hash set that has just grown
        static final int BYTES_PER_HASH = 32;

        HashMemory
        {
            checkArgument(maxHashes > 0, "maxHashes is not positive: %s", maxHashes);
            requireNonNull(spillPath, "spillPath is null");
        }
    }
}
