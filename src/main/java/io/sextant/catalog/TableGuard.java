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

import org.apache.iceberg.TableMetadata;

/// Guards the commits that are made through one loaded table. A commit that lost a race is tried again through the same
/// guard, which can thus remember between attempts.
public interface TableGuard
{
    /// Called once for each attempt of a commit, on the thread of the commit. Nothing is committed yet, and the manifests
    /// of the candidate's new snapshots can be read already.
    ///
    /// An exception stops the commit: the user gets it as it is, and Iceberg deletes the manifests. An
    /// [org.apache.iceberg.exceptions.CommitFailedException] makes Iceberg try again, as after a lost race.
    ///
    /// @return what to commit: the candidate itself, or what [MetadataReplay] has made of it
    TableMetadata beforeCommit(CommitAttempt attempt);

    /// Called on the thread of the commit when an attempt has succeeded, with what was committed. An exception is logged, and
    /// changes nothing.
    default void afterCommit(CommitAttempt attempt) {}
}
