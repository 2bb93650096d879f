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
package io.sextant.catalog;

import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.trino.plugin.iceberg.catalog.TrinoCatalog;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.security.ConnectorIdentity;
import org.weakref.jmx.Flatten;
import org.weakref.jmx.Managed;

import java.util.Set;

import static java.util.Objects.requireNonNull;

/// The one way to the catalog for all of the connector, so that no commit passes by the guards.
public class GuardedCatalogFactory
        implements TrinoCatalogFactory
{
    private final TrinoCatalogFactory delegate;
    private final Set<CommitGuard> guards;

    @Inject
    public GuardedCatalogFactory(@Unguarded TrinoCatalogFactory delegate, Set<CommitGuard> guards)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.guards = ImmutableSet.copyOf(guards);
    }

    @Override
    public TrinoCatalog create(ConnectorIdentity identity)
    {
        return GuardedCatalog.guard(delegate.create(identity), guards);
    }

    /// Some catalogs export their factory to JMX under the key that now stands for this class.
    @Managed
    @Flatten
    public TrinoCatalogFactory getDelegate()
    {
        return delegate;
    }
}
