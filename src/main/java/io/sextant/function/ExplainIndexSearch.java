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

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.inject.Inject;
import io.sextant.expression.Predicate;
import io.sextant.expression.sql.SqlPredicateParser;
import io.sextant.index.scan.IndexExplainer;
import io.sextant.index.scan.IndexExplanation;
import io.sextant.table.TransactionTables;
import io.trino.plugin.iceberg.ForIcebergSplitSource;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTransactionHandle;
import org.apache.iceberg.BaseTable;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/// Makes the split of [ExplainIndexFunction], which has a row for each index.
public class ExplainIndexSearch
{
    private final TransactionTables tables;
    private final IndexExplainer explainer;
    private final ListeningExecutorService executor;

    @Inject
    public ExplainIndexSearch(TransactionTables tables, IndexExplainer explainer, @ForIcebergSplitSource ListeningExecutorService executor)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.explainer = requireNonNull(explainer, "explainer is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    public ConnectorSplitSource splits(ConnectorTransactionHandle transaction, ConnectorSession session, ExplainIndexHandle handle)
    {
        BaseTable table = tables.loadTable(transaction, session, handle.table());
        Predicate predicate = new SqlPredicateParser(table.schema()).parseFilter(handle.predicate());
        return new FoundRowsSplitSource(executor, () -> explain(session, table, predicate));
    }

    private List<ConnectorSplit> explain(ConnectorSession session, BaseTable table, Predicate predicate)
    {
        PageBuilder page = new PageBuilder(ImmutableList.of(VARCHAR, BOOLEAN, VARCHAR, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT));
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            explainer.explain(session, table, predicate).forEach(explanation -> append(page, explanation));
        }
        return page.isEmpty() ? ImmutableList.of() : ImmutableList.of(FoundRowsSplit.of(page.build()));
    }

    private static void append(PageBuilder page, IndexExplanation explanation)
    {
        page.declarePosition();
        VARCHAR.writeString(page.getBlockBuilder(0), explanation.indexName());
        BOOLEAN.writeBoolean(page.getBlockBuilder(1), explanation.objection().isEmpty());
        BlockBuilder reason = page.getBlockBuilder(2);
        explanation.objection().ifPresentOrElse(text -> VARCHAR.writeString(reason, text), reason::appendNull);
        List<Optional<Long>> numbers = Stream.of(
                        explanation.extract().map(IndexExplanation.ExtractUse::snapshotId),
                        explanation.extract().map(use -> Math.round(use.estimatedEntries())),
                        explanation.found().map(IndexExplanation.Found::entries),
                        explanation.extract().map(use -> (long) use.regions()),
                        explanation.extract().map(use -> (long) use.regionsRead()),
                        explanation.found().map(IndexExplanation.Found::files),
                        explanation.extract().map(IndexExplanation.ExtractUse::coveredFiles),
                        explanation.extract().map(IndexExplanation.ExtractUse::uncoveredFiles))
                .toList();
        for (int i = 0; i < numbers.size(); i++) {
            BlockBuilder column = page.getBlockBuilder(3 + i);
            numbers.get(i).ifPresentOrElse(number -> BIGINT.writeLong(column, number), column::appendNull);
        }
    }
}
