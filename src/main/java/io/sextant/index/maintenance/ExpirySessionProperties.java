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

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.plugin.base.session.PropertyMetadataUtil.durationProperty;

public final class ExpirySessionProperties
        implements SessionPropertiesProvider
{
    static final String EXPIRE_EXTRACTS_MIN_RETENTION = "expire_extracts_min_retention";

    private final List<PropertyMetadata<?>> sessionProperties;

    @Inject
    public ExpirySessionProperties(ExpiryConfig config)
    {
        sessionProperties = ImmutableList.of(
                durationProperty(
                        EXPIRE_EXTRACTS_MIN_RETENTION,
                        "The least age at which the procedure expire_extracts removes extracts and files that nothing refers to",
                        config.getMinRetention(),
                        false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return sessionProperties;
    }

    static java.time.Duration minRetention(ConnectorSession session)
    {
        return session.getProperty(EXPIRE_EXTRACTS_MIN_RETENTION, Duration.class).toJavaTime();
    }
}
