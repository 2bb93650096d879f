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

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.lang.Math.max;

public class ConstraintConfig
{
    // Of a hash set that has just grown
    private static final int BYTES_PER_KEY = 32;

    private DataSize maxMemory = DataSize.of(128, MEGABYTE);
    private int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);

    @NotNull
    @MinDataSize("1MB")
    public DataSize getMaxMemory()
    {
        return maxMemory;
    }

    @CanIgnoreReturnValue
    @Config("sextant.constraint.max-memory")
    @ConfigDescription("Memory in which one statement compares keys; for more of them, rows are read several times")
    public ConstraintConfig setMaxMemory(DataSize maxMemory)
    {
        this.maxMemory = maxMemory;
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

    long maxKeysInMemory()
    {
        return max(1, maxMemory.toBytes() / BYTES_PER_KEY);
    }
}
