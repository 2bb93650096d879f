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

import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.TableFunctionProcessorProvider;
import io.trino.spi.function.table.TableFunctionProcessorState;
import io.trino.spi.function.table.TableFunctionSplitProcessor;

import java.util.Optional;

import static io.trino.spi.function.table.TableFunctionProcessorState.Finished.FINISHED;
import static io.trino.spi.function.table.TableFunctionProcessorState.Processed.produced;
import static java.util.Objects.requireNonNull;

/// Gives the rows of one [FoundRowsSplit].
final class FoundRowsProcessor
        implements TableFunctionSplitProcessor
{
    private Optional<Page> rows;

    private FoundRowsProcessor(Page rows)
    {
        this.rows = Optional.of(requireNonNull(rows, "rows is null"));
    }

    @Override
    public TableFunctionProcessorState process()
    {
        Optional<Page> page = rows;
        rows = Optional.empty();
        return page.<TableFunctionProcessorState>map(found -> produced(found)).orElse(FINISHED);
    }

    static final class Provider
            implements TableFunctionProcessorProvider
    {
        @Override
        public TableFunctionSplitProcessor getSplitProcessor(
                ConnectorSession session,
                ConnectorTableFunctionHandle handle,
                Optional<ConnectorTableCredentials> tableCredentials,
                ConnectorSplit split)
        {
            return new FoundRowsProcessor(((FoundRowsSplit) split).toPage());
        }
    }
}
