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
package io.sextant.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static java.util.Objects.requireNonNull;

/// Records each attempt of each commit, checks that it can be replayed exactly, and numbers the snapshots along their
/// ancestry. On demand it refuses, adds changes, or lets somebody else commit first.
final class TestingCommitGuard
        implements CommitGuard
{
    /// The number of a snapshot: one more than that of its parent.
    static final String NUMBER = "test.number";

    private final ListMultimap<SchemaTableName, Attempt> attempts = MultimapBuilder.hashKeys().arrayListValues().build();
    private final List<AssertionError> failedReplays = new ArrayList<>();
    private final Map<SchemaTableName, RuntimeException> refusals = new ConcurrentHashMap<>();
    private final Map<SchemaTableName, MetadataUpdate> furtherChanges = new ConcurrentHashMap<>();
    private final Map<SchemaTableName, Runnable> beforeNextAttempt = new ConcurrentHashMap<>();
    private final Map<SchemaTableName, Runnable> afterLoad = new ConcurrentHashMap<>();

    @Override
    public TableGuard guardTable(ConnectorSession session, SchemaTableName table)
    {
        requireNonNull(session, "session is null");
        afterLoad.getOrDefault(table, () -> {}).run();
        return new TableGuard()
        {
            @Override
            public TableMetadata beforeCommit(CommitAttempt attempt)
            {
                return TestingCommitGuard.this.beforeCommit(table, this, attempt);
            }
        };
    }

    private TableMetadata beforeCommit(SchemaTableName table, TableGuard guard, CommitAttempt attempt)
    {
        TableMetadata numbered = MetadataReplay.replay(attempt, TestingCommitGuard::number);
        record(table, new Attempt(guard, attempt), numbered);
        Optional.ofNullable(beforeNextAttempt.remove(table)).ifPresent(Runnable::run);
        if (refusals.containsKey(table)) {
            throw refusals.get(table);
        }
        MetadataUpdate further = furtherChanges.get(table);
        return further == null ? numbered : MetadataReplay.replay(attempt, TestingCommitGuard::number, further);
    }

    private synchronized void record(SchemaTableName table, Attempt recorded, TableMetadata numbered)
    {
        attempts.put(table, recorded);
        try {
            ReplayOracle.assertExact(recorded.attempt());
            ReplayOracle.assertSameWithoutNumbers(numbered, recorded.attempt().candidate());
        }
        catch (AssertionError e) {
            failedReplays.add(e);
        }
    }

    private static Map<String, String> number(Snapshot added, Optional<Snapshot> parent)
    {
        int number = parent.map(snapshot -> snapshot.summary().get(NUMBER)).map(Integer::parseInt).orElse(0) + 1;
        return ImmutableMap.of(NUMBER, Integer.toString(number));
    }

    synchronized List<Attempt> attempts(SchemaTableName table)
    {
        return ImmutableList.copyOf(attempts.get(table));
    }

    synchronized List<AssertionError> failedReplays()
    {
        return ImmutableList.copyOf(failedReplays);
    }

    void refuse(SchemaTableName table)
    {
        refusals.put(table, new TrinoException(CONSTRAINT_VIOLATION, "Refused: " + table));
    }

    void addChange(SchemaTableName table, MetadataUpdate change)
    {
        furtherChanges.put(table, change);
    }

    /// Once.
    void beforeNextAttempt(SchemaTableName table, Runnable action)
    {
        beforeNextAttempt.put(table, action);
    }

    /// Each time that the table is loaded, and when a transaction that creates or replaces it has begun.
    void afterLoad(SchemaTableName table, Runnable action)
    {
        afterLoad.put(table, action);
    }

    /// Records only, from now on.
    void relent(SchemaTableName table)
    {
        refusals.remove(table);
        furtherChanges.remove(table);
        beforeNextAttempt.remove(table);
        afterLoad.remove(table);
    }

    record Attempt(TableGuard guard, CommitAttempt attempt) {}
}
