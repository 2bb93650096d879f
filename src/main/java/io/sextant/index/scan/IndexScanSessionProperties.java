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

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.doubleProperty;
import static io.trino.spi.session.PropertyMetadata.longProperty;

public final class IndexScanSessionProperties
        implements SessionPropertiesProvider
{
    private static final String INDEX_ENABLED = "index_enabled";
    private static final String INDEX_MAX_ENTRIES = "index_max_entries";
    private static final String INDEX_MAX_FRACTION = "index_max_fraction";

    private final List<PropertyMetadata<?>> sessionProperties;

    @Inject
    public IndexScanSessionProperties(IndexScanConfig config)
    {
        sessionProperties = ImmutableList.of(
                booleanProperty(
                        INDEX_ENABLED,
                        "Use indexes to answer queries",
                        config.isIndexEnabled(),
                        false),
                longProperty(
                        INDEX_MAX_ENTRIES,
                        "The most index entries that one look-up may find; beyond it the table is scanned",
                        config.getMaxEntries(),
                        value -> check(value > 0, INDEX_MAX_ENTRIES, "must be positive"),
                        false),
                doubleProperty(
                        INDEX_MAX_FRACTION,
                        "The greatest fraction of a table's rows that is looked up in an index; beyond it the table is scanned",
                        config.getMaxFraction(),
                        value -> check(value > 0 && value <= 1, INDEX_MAX_FRACTION, "must be above 0 and at most 1"),
                        false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return sessionProperties;
    }

    public static boolean isIndexEnabled(ConnectorSession session)
    {
        return session.getProperty(INDEX_ENABLED, Boolean.class);
    }

    static LookupLimits lookupLimits(ConnectorSession session)
    {
        return new LookupLimits(
                session.getProperty(INDEX_MAX_ENTRIES, Long.class),
                session.getProperty(INDEX_MAX_FRACTION, Double.class));
    }

    private static void check(boolean valid, String property, String requirement)
    {
        if (!valid) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "%s %s".formatted(property, requirement));
        }
    }
}
