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

import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;

/// Sees every commit to every table of the catalog before it is made, and may change or refuse it.
///
/// Guards are bound as a set. Each is given what the one before it has made of the commit.
public interface CommitGuard
{
    /// Begins to guard a table that was loaded, or that is about to be created or replaced. A statement loads a table many
    /// times and commits through at most a few of them, so this must be cheap.
    ///
    /// @param table the name it was loaded by; the hidden storage of a materialized view may go by its own name or by the view's
    TableGuard guardTable(ConnectorSession session, SchemaTableName table);
}
