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

import com.google.inject.Binder;
import com.google.inject.Key;
import com.google.inject.Scopes;
import com.google.inject.spi.Element;
import com.google.inject.spi.Elements;
import com.google.inject.spi.LinkedKeyBinding;
import io.airlift.configuration.ConfigurationAwareModule;
import io.airlift.configuration.ConfigurationFactory;
import io.trino.plugin.iceberg.catalog.IcebergCatalogModule;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;

import static com.google.inject.multibindings.Multibinder.newSetBinder;

/// Binds what Trino binds for the configured type of catalog, with [GuardedCatalogFactory] around its catalog factory.
public class GuardedCatalogModule
        implements ConfigurationAwareModule
{
    private final ConfigurationAwareModule catalogModule = new IcebergCatalogModule();

    @Override
    public void setConfigurationFactory(ConfigurationFactory configurationFactory)
    {
        catalogModule.setConfigurationFactory(configurationFactory);
    }

    @Override
    public void configure(Binder binder)
    {
        newSetBinder(binder, CommitGuard.class);
        binder.bind(TrinoCatalogFactory.class).to(GuardedCatalogFactory.class).in(Scopes.SINGLETON);
        // Which factory it is depends on the type of the catalog, so take the binding itself and move it to another key
        for (Element element : Elements.getElements(catalogModule)) {
            if (element instanceof LinkedKeyBinding<?> binding && binding.getKey().equals(Key.get(TrinoCatalogFactory.class))) {
                Class<?> factory = binding.getLinkedKey().getTypeLiteral().getRawType();
                binder.bind(TrinoCatalogFactory.class).annotatedWith(Unguarded.class).to(factory.asSubclass(TrinoCatalogFactory.class)).in(Scopes.SINGLETON);
            }
            else {
                element.applyTo(binder);
            }
        }
    }
}
