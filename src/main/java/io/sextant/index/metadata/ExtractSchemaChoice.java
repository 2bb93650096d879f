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
package io.sextant.index.metadata;

import org.apache.iceberg.Schema;

import static java.util.Objects.requireNonNull;

/// The extract schema for a new extract of a table snapshot.
public sealed interface ExtractSchemaChoice
{
    /// A schema that the index has already.
    record Existing(Schema schema)
            implements ExtractSchemaChoice
    {
        public Existing
        {
            requireNonNull(schema, "schema is null");
        }
    }

    /// A schema to add with [IndexMetadata#withSchema] first.
    record Evolved(Schema schema)
            implements ExtractSchemaChoice
    {
        public Evolved
        {
            requireNonNull(schema, "schema is null");
        }
    }

    /// The snapshot cannot be indexed by this index. Extracts that exist stay readable.
    ///
    /// @param reason in words for a user
    record Impossible(String reason)
            implements ExtractSchemaChoice
    {
        public Impossible
        {
            requireNonNull(reason, "reason is null");
        }
    }
}
