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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.sextant.constraint.ConstraintCondition;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.TableConstraint;
import io.sextant.enforcement.ConstraintConfig.HashMemory;
import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.Schema;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.concurrent.CompletableFuture.completedFuture;

/// Checks rows that are in the table already, and writes nothing. All rows with one key come to the same sink.
final class ValidatingPageSink
        implements ConnectorPageSink
{
    private static final int MAX_SUSPECTS = 1000;

    private final List<RowCheck> checks;
    private final Optional<KeySearch> keySearch;
    private final Map<Integer, Long> failingRows = new HashMap<>();
    private long rows;

    ValidatingPageSink(ValidationHandle handle, TypeManager typeManager, HashMemory memory)
    {
        Schema schema = handle.rowSchema();
        this.checks = handle.constraints().stream()
                .filter(constraint -> constraint.condition() instanceof Check)
                .map(constraint -> RowCheck.toValidate(constraint, schema, typeManager))
                .collect(toImmutableList());
        this.keySearch = handle.distributedKey().map(constraint -> KeySearch.of(constraint, schema, memory));
    }

    private record KeySearch(int constraintId, PageKeys keys, KeyHashes hashes)
    {
        static KeySearch of(TableConstraint constraint, Schema schema, HashMemory memory)
        {
            return new KeySearch(constraint.id(), new PageKeys(schema, ((ConstraintCondition.Key) constraint.condition()).fieldIds()), new KeyHashes(memory));
        }

        void add(Page page)
        {
            try (HashBatch batch = new HashBatch(hashes::add)) {
                keys.hashes(page, 0, page.getPositionCount(), (_, hash) -> batch.add(hash));
            }
        }
    }

    @Override
    public CompletableFuture<?> appendPage(Page page)
    {
        rows += page.getPositionCount();
        for (RowCheck check : checks) {
            failingRows.merge(check.constraint().id(), (long) check.evaluator().failingPositions(page).length, Long::sum);
        }
        keySearch.ifPresent(search -> search.add(page));
        return NOT_BLOCKED;
    }

    @Override
    public long getMemoryUsage()
    {
        return keySearch.map(search -> search.hashes().memoryUsage()).orElse(0L);
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        ImmutableMap.Builder<Integer, Long> violations = ImmutableMap.<Integer, Long>builder().putAll(failingRows);
        List<Long> suspects = ImmutableList.of();
        if (keySearch.isPresent()) {
            try (KeyHashes hashes = keySearch.orElseThrow().hashes()) {
                KeyHashes.Repeated repeated = hashes.repeated(MAX_SUSPECTS);
                violations.put(keySearch.orElseThrow().constraintId(), repeated.count());
                suspects = ImmutableList.copyOf(repeated.examples());
            }
        }
        return completedFuture(ImmutableList.of(new ValidationPart(rows, violations.buildOrThrow(), suspects).toFragment()));
    }

    @Override
    public void abort()
    {
        keySearch.ifPresent(search -> search.hashes().close());
    }
}
