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
package io.sextant.function;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import com.google.inject.multibindings.Multibinder;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunction;

import static com.google.inject.multibindings.Multibinder.newSetBinder;

public class FunctionModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(FunctionProvider.class).to(SextantFunctionProvider.class).in(Scopes.SINGLETON);
        binder.bind(ConstraintViolationsSearch.class).in(Scopes.SINGLETON);
        binder.bind(ExplainIndexSearch.class).in(Scopes.SINGLETON);
        binder.bind(FunctionSearches.class).in(Scopes.SINGLETON);
        Multibinder<ConnectorTableFunction> functions = newSetBinder(binder, ConnectorTableFunction.class);
        functions.addBinding().toProvider(ConstraintViolationsFunctionProvider.class).in(Scopes.SINGLETON);
        functions.addBinding().toProvider(ExplainIndexFunctionProvider.class).in(Scopes.SINGLETON);
    }
}
