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
package io.sextant.index.scan;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;

public class IndexScanConfig
{
    private boolean indexEnabled = true;
    private long maxEntries = 1_000_000;
    private double maxFraction = 0.1;

    public boolean isIndexEnabled()
    {
        return indexEnabled;
    }

    @Config("sextant.index.enabled")
    @ConfigDescription("Use indexes to answer queries")
    public IndexScanConfig setIndexEnabled(boolean indexEnabled)
    {
        this.indexEnabled = indexEnabled;
        return this;
    }

    @Min(1)
    public long getMaxEntries()
    {
        return maxEntries;
    }

    @Config("sextant.index.max-entries")
    @ConfigDescription("The most index entries that one look-up may find; beyond it the table is scanned")
    public IndexScanConfig setMaxEntries(long maxEntries)
    {
        this.maxEntries = maxEntries;
        return this;
    }

    @DecimalMin(value = "0", inclusive = false)
    @DecimalMax("1")
    public double getMaxFraction()
    {
        return maxFraction;
    }

    @Config("sextant.index.max-fraction")
    @ConfigDescription("The greatest fraction of a table's rows that is looked up in an index; beyond it the table is scanned")
    public IndexScanConfig setMaxFraction(double maxFraction)
    {
        this.maxFraction = maxFraction;
        return this;
    }
}
