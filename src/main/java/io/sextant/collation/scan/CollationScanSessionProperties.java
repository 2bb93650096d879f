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

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.spi.session.PropertyMetadata.booleanProperty;

public final class CollationScanSessionProperties
        implements SessionPropertiesProvider
{
    private static final String COLLATION_PRUNING_ENABLED = "collation_pruning_enabled";

    private final List<PropertyMetadata<?>> sessionProperties;

    @Inject
    public CollationScanSessionProperties(CollationScanConfig config)
    {
        sessionProperties = ImmutableList.of(booleanProperty(
                COLLATION_PRUNING_ENABLED,
                "Use bounds in the order of collations to leave out files",
                config.isCollationPruningEnabled(),
                false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return sessionProperties;
    }

    static boolean isCollationPruningEnabled(ConnectorSession session)
    {
        return session.getProperty(COLLATION_PRUNING_ENABLED, Boolean.class);
    }
}
