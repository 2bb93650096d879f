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
package io.sextant.index.refresh;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.catalog.IndexRegistrations;
import io.trino.spi.TrinoException;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitFailedException;

import java.util.Optional;
import java.util.function.Function;

import static io.sextant.error.SextantErrorCode.INDEX_ALREADY_EXISTS;
import static io.sextant.error.SextantErrorCode.INDEX_COMMIT_CONFLICT;
import static io.sextant.error.SextantErrorCode.INDEX_NOT_FOUND;

/// Puts the registration of an index into the properties of its table, or takes it out. Both look at the very metadata
/// that they replace, so that of two indexes of one name created at once one is refused.
final class RegistrationUpdate
{
    private static final int MAX_ATTEMPTS = 10;

    private RegistrationUpdate() {}

    static void checkFree(IndexedTable table, String indexName)
    {
        checkFree(table, indexName, table.table().operations().current());
    }

    private static void checkFree(IndexedTable table, String indexName, TableMetadata metadata)
    {
        if (IndexRegistrations.fromTableProperties(metadata.properties()).contains(indexName)) {
            throw new TrinoException(INDEX_ALREADY_EXISTS, "Table %s has an index %s already; drop it with CALL system.drop_index or choose another name".formatted(table.name(), indexName));
        }
    }

    static void register(IndexedTable table, IndexRegistration registration)
    {
        commit(table, registration.name(), metadata -> {
            checkFree(table, registration.name(), metadata);
            return TableMetadata.buildFrom(metadata)
                    .setProperties(ImmutableMap.of(IndexRegistrations.propertyName(registration.name()), IndexRegistrations.propertyValue(registration)))
                    .build();
        });
        // A REST catalog does not serialize changes of properties: another registration may have come between
        Optional<IndexRegistration> registered = IndexRegistrations.fromTableProperties(table.table().operations().refresh().properties()).find(registration.name());
        if (!registered.equals(Optional.of(registration))) {
            throw new TrinoException(INDEX_ALREADY_EXISTS, "Table %s got another index %s at the same time".formatted(table.name(), registration.name()));
        }
    }

    static void unregister(IndexedTable table, String indexName)
    {
        commit(table, indexName, metadata -> {
            if (!IndexRegistrations.fromTableProperties(metadata.properties()).contains(indexName)) {
                throw new TrinoException(INDEX_NOT_FOUND, "Table %s has no index %s".formatted(table.name(), indexName));
            }
            return TableMetadata.buildFrom(metadata)
                    .removeProperties(ImmutableSet.of(IndexRegistrations.propertyName(indexName)))
                    .build();
        });
    }

    private static void commit(IndexedTable table, String indexName, Function<TableMetadata, TableMetadata> change)
    {
        TableOperations operations = table.table().operations();
        CommitFailedException failure = null;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            TableMetadata base = operations.refresh();
            try {
                operations.commit(base, change.apply(base));
                return;
            }
            catch (CommitFailedException e) {
                failure = e;
            }
        }
        throw new TrinoException(INDEX_COMMIT_CONFLICT, "The properties of table %s were changed by others each time that index %s was to be written there; try again".formatted(table.name(), indexName), failure);
    }
}
