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

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.trino.plugin.base.session.SessionPropertiesProvider;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;

public class IndexScanModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(IndexScanConfig.class);
        newSetBinder(binder, SessionPropertiesProvider.class).addBinding().to(IndexScanSessionProperties.class).in(Scopes.SINGLETON);
        binder.bind(IndexedScanPlanner.class).in(Scopes.SINGLETON);
        binder.bind(IndexSelector.class).in(Scopes.SINGLETON);
        binder.bind(EntryLookup.class).in(Scopes.SINGLETON);
        binder.bind(IndexExplainer.class).in(Scopes.SINGLETON);
        binder.bind(KeyFileFinder.class).in(Scopes.SINGLETON);
        binder.bind(TrackedRegionsLoader.class).in(Scopes.SINGLETON);
        binder.bind(DataFileRowGroups.class).in(Scopes.SINGLETON);
        binder.bind(IndexedPageSourceProviderFactory.class).in(Scopes.SINGLETON);
    }
}
