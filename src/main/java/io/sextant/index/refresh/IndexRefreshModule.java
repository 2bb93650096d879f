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
package io.sextant.index.refresh;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.sextant.catalog.CommitGuard;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;

public class IndexRefreshModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(IndexBuildConfig.class);
        binder.bind(ExtractBuilder.class).in(Scopes.SINGLETON);
        binder.bind(ExtractWriter.class).in(Scopes.SINGLETON);
        binder.bind(ExtractVerifier.class).in(Scopes.SINGLETON);
        binder.bind(IndexBuilds.class).in(Scopes.SINGLETON);
        binder.bind(TableIndexes.class).in(Scopes.SINGLETON);
        newSetBinder(binder, CommitGuard.class).addBinding().to(OnCommitRefresh.class).in(Scopes.SINGLETON);
    }
}
