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
package io.sextant.enforcement;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.sextant.catalog.CommitGuard;
import io.trino.plugin.base.classloader.ForClassLoaderSafe;
import io.trino.plugin.iceberg.IcebergPageSinkProvider;
import io.trino.spi.connector.ConnectorPageSinkProvider;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;

public class EnforcementModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(ConstraintConfig.class);
        binder.bind(IcebergPageSinkProvider.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorPageSinkProvider.class).annotatedWith(ForClassLoaderSafe.class).to(CheckingPageSinkProvider.class).in(Scopes.SINGLETON);
        binder.bind(ConstraintValidator.class).in(Scopes.SINGLETON);
        binder.bind(ConstraintChanges.class).in(Scopes.SINGLETON);
        binder.bind(ViolationFinder.class).in(Scopes.SINGLETON);
        binder.bind(DistributedValidation.class).in(Scopes.SINGLETON);
        binder.bind(AddedRowsVerifier.class).in(Scopes.SINGLETON);
        newSetBinder(binder, CommitGuard.class).addBinding().to(ConstraintGuard.class).in(Scopes.SINGLETON);
    }
}
