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
package io.sextant.index.file;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.spi.type.TimeZoneKey;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import static io.airlift.units.DataSize.Unit.BYTE;
import static java.util.Objects.requireNonNull;

/// A session whose properties suit index files, whatever the user has set for the files of tables.
final class IndexFileSession
        implements ConnectorSession
{
    private static final Map<String, Object> PROPERTIES = ImmutableMap.<String, Object>builder()
            // The size is in the index metadata, and a file of another size is not the file that was meant
            .put("use_file_size_from_metadata", true)
            // A look-up wants one row group, and regions are about as large as what counts as small
            .put("parquet_small_file_threshold", DataSize.of(0, BYTE))
            .put("parquet_ignore_statistics", false)
            // A bloom filter has the bits of -0.0 or of 0.0, a predicate means both
            .put("parquet_use_bloom_filter", false)
            .put("orc_bloom_filters_enabled", false)
            .buildOrThrow();

    private final ConnectorSession delegate;

    IndexFileSession(ConnectorSession delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
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
        Object value = PROPERTIES.get(name);
        return value == null ? delegate.getProperty(name, type) : type.cast(value);
    }
}
