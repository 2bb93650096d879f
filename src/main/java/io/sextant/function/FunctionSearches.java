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
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTransactionHandle;

import static java.util.Objects.requireNonNull;

/// Makes the splits of each function whose rows the coordinator finds.
public class FunctionSearches
{
    private final ConstraintViolationsSearch constraintViolationsSearch;
    private final ExplainIndexSearch explainIndexSearch;

    @Inject
    public FunctionSearches(ConstraintViolationsSearch constraintViolationsSearch, ExplainIndexSearch explainIndexSearch)
    {
        this.constraintViolationsSearch = requireNonNull(constraintViolationsSearch, "constraintViolationsSearch is null");
        this.explainIndexSearch = requireNonNull(explainIndexSearch, "explainIndexSearch is null");
    }

    public ConnectorSplitSource splits(ConnectorTransactionHandle transaction, ConnectorSession session, FoundRowsHandle handle)
    {
        return switch (handle) {
            case ConstraintViolationsHandle violations -> constraintViolationsSearch.splits(transaction, session, violations);
            case ExplainIndexHandle explain -> explainIndexSearch.splits(transaction, session, explain);
            default -> throw new IllegalArgumentException("Unsupported function handle: " + handle);
        };
    }
}
