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

import com.google.inject.Inject;
import io.trino.plugin.base.classloader.ClassLoaderSafeTableFunctionProcessorProviderFactory;
import io.trino.plugin.iceberg.functions.IcebergFunctionProvider;
import io.trino.plugin.iceberg.functions.tablechanges.TableChangesFunctionProcessorProviderFactory;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.TableFunctionProcessorProviderFactory;

/// The functions of Trino's Iceberg connector, and ours.
public class SextantFunctionProvider
        extends IcebergFunctionProvider
{
    @Inject
    public SextantFunctionProvider(TableChangesFunctionProcessorProviderFactory tableChanges)
    {
        super(tableChanges);
    }

    @Override
    public TableFunctionProcessorProviderFactory getTableFunctionProcessorProviderFactory(ConnectorTableFunctionHandle functionHandle)
    {
        if (functionHandle instanceof FoundRowsHandle) {
            return new ClassLoaderSafeTableFunctionProcessorProviderFactory(FoundRowsProcessor.Provider::new, getClass().getClassLoader());
        }
        return super.getTableFunctionProcessorProviderFactory(functionHandle);
    }
}
