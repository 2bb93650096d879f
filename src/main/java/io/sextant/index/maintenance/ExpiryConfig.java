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
package io.sextant.index.maintenance;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.DAYS;

public class ExpiryConfig
{
    static final String MIN_RETENTION = "sextant.index.expire-extracts.min-retention";

    private Duration minRetention = new Duration(7, DAYS);

    @NotNull
    public Duration getMinRetention()
    {
        return minRetention;
    }

    @Config(MIN_RETENTION)
    @ConfigDescription("The least age at which the procedure expire_extracts removes extracts and files that nothing refers to")
    public ExpiryConfig setMinRetention(Duration minRetention)
    {
        this.minRetention = minRetention;
        return this;
    }
}
