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
package io.sextant.procedure;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import com.google.inject.multibindings.Multibinder;
import io.trino.spi.connector.TableProcedureMetadata;
import io.trino.spi.procedure.Procedure;

import static com.google.inject.multibindings.Multibinder.newSetBinder;

public class ProcedureModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(ProcedureTables.class).in(Scopes.SINGLETON);
        newSetBinder(binder, TableProcedureMetadata.class).addBinding().toProvider(ValidateConstraintTableProcedure.class).in(Scopes.SINGLETON);
        Multibinder<Procedure> procedures = newSetBinder(binder, Procedure.class);
        procedures.addBinding().toProvider(CreateIndexProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(RefreshIndexProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(DropIndexProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(SetIndexPropertiesProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(ExpireExtractsProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(VerifyIndexProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(AddConstraintProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(AlterConstraintProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(DropConstraintProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(ValidateConstraintProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(ImportIdentifierFieldsProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(SetCollationProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(DropCollationProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(CollectCollationBoundsProcedure.class).in(Scopes.SINGLETON);
    }
}
