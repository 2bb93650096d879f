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
import io.airlift.log.Logger;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// The operations of one loaded table, or of one table to be created or replaced, with its guards before each commit.
class GuardedTableOperations
        implements TableOperations
{
    private static final Logger log = Logger.get(GuardedTableOperations.class);

    private final TableOperations delegate;
    private final Optional<TableMetadata> start;
    private final List<TableGuard> guards;

    /// @param start the metadata that a transaction which creates or replaces the table starts with
    GuardedTableOperations(TableOperations delegate, Optional<TableMetadata> start, List<TableGuard> guards)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.start = requireNonNull(start, "start is null");
        this.guards = ImmutableList.copyOf(guards);
    }

    @Override
    public void commit(TableMetadata base, TableMetadata candidate)
    {
        CommitAttempt attempt = new CommitAttempt(delegate, Optional.ofNullable(base), start.orElse(base), candidate);
        CommitAttempt committed = attempt.withCandidate(guarded(attempt));
        delegate.commit(base, committed.candidate());
        for (TableGuard guard : guards) {
            try {
                guard.afterCommit(committed);
            }
            catch (RuntimeException | Error e) {
                // Iceberg would take it for a failed commit, and delete files that the table now refers to
                log.error(e, "A guard failed after a commit to the table at %s", candidate.location());
            }
        }
    }

    private TableMetadata guarded(CommitAttempt attempt)
    {
        try {
            for (TableGuard guard : guards) {
                attempt = attempt.withCandidate(guard.beforeCommit(attempt));
            }
            return attempt.candidate();
        }
        catch (RuntimeException e) {
            if (e instanceof CleanableFailure) {
                throw e;
            }
            throw new CommitRefusedException(e);
        }
    }

    @Override
    public TableMetadata current()
    {
        return delegate.current();
    }

    @Override
    public TableMetadata refresh()
    {
        return delegate.refresh();
    }

    @Override
    public FileIO io()
    {
        return delegate.io();
    }

    @Override
    public EncryptionManager encryption()
    {
        return delegate.encryption();
    }

    @Override
    public String metadataFileLocation(String fileName)
    {
        return delegate.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider()
    {
        return delegate.locationProvider();
    }

    @Override
    public TableOperations temp(TableMetadata uncommittedMetadata)
    {
        // Nothing is committed through temporary operations
        return delegate.temp(uncommittedMetadata);
    }

    @Override
    public long newSnapshotId()
    {
        return delegate.newSnapshotId();
    }

    @Override
    public boolean requireStrictCleanup()
    {
        return delegate.requireStrictCleanup();
    }
}
