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
package io.sextant.table;

import com.google.common.collect.ImmutableMap;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.spi.type.TimeZoneKey;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// A session some of whose properties have other values than those that the user has set.
public final class OverridingSession
        implements ConnectorSession
{
    private final ConnectorSession delegate;
    private final Map<String, Object> properties;

    /// @param properties the other values
    public OverridingSession(ConnectorSession delegate, Map<String, Object> properties)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.properties = ImmutableMap.copyOf(properties);
    }

    @Override
    public String getQueryId()
    {
        return delegate.getQueryId();
    }

    @Override
    public Optional<String> getSource()
    {
        return delegate.getSource();
    }

    @Override
    public ConnectorIdentity getIdentity()
    {
        return delegate.getIdentity();
    }

    @Override
    public TimeZoneKey getTimeZoneKey()
    {
        return delegate.getTimeZoneKey();
    }

    @Override
    public Locale getLocale()
    {
        return delegate.getLocale();
    }

    @Override
    public Optional<String> getTraceToken()
    {
        return delegate.getTraceToken();
    }

    @Override
    public Instant getStart()
    {
        return delegate.getStart();
    }

    @Override
    public <T> T getProperty(String name, Class<T> type)
    {
        Object value = properties.get(name);
        return value == null ? delegate.getProperty(name, type) : type.cast(value);
    }
}
