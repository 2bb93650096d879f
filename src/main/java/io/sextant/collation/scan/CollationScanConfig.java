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
package io.sextant.collation.scan;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;

public class CollationScanConfig
{
    private boolean collationPruningEnabled = true;

    public boolean isCollationPruningEnabled()
    {
        return collationPruningEnabled;
    }

    @Config("sextant.collation.pruning-enabled")
    @ConfigDescription("Use bounds in the order of collations to leave out files")
    public CollationScanConfig setCollationPruningEnabled(boolean collationPruningEnabled)
    {
        this.collationPruningEnabled = collationPruningEnabled;
        return this;
    }
}
