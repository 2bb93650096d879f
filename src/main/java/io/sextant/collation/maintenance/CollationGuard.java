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
package io.sextant.collation.maintenance;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.catalog.CommitAttempt;
import io.sextant.catalog.CommitGuard;
import io.sextant.catalog.MetadataReplay;
import io.sextant.catalog.TableGuard;
import io.sextant.collation.metadata.CollationRules;
import io.sextant.collation.metadata.CollationsProperty;
import io.sextant.collation.metadata.TableCollations;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Type.TypeID;

import java.util.Optional;

import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;

/// Keeps the collations of all tables through all commits: they go with their columns, a table that is replaced keeps those
/// of columns that stay strings, and a collated column does not become what is compared by bytes.
public class CollationGuard
        implements CommitGuard
{
    @Override
    public TableGuard guardTable(ConnectorSession session, SchemaTableName table)
    {
        return attempt -> beforeCommit(table, attempt);
    }

    private static TableMetadata beforeCommit(SchemaTableName table, CommitAttempt attempt)
    {
        Optional<String> before = attempt.base().flatMap(CollationGuard::property);
        Optional<String> after = property(attempt.candidate());
        if (before.isEmpty() && after.isEmpty()) {
            return attempt.candidate();
        }
        // Some catalogs take the properties of a table that is replaced away
        boolean lost = attempt.replacesTable() && after.isEmpty();
        if (!CollationChanges.COMMITTING.isBound() && !before.equals(after) && !lost) {
            throw new TrinoException(NOT_SUPPORTED, "Table property %s cannot be set; set collations by CALL system.set_collation".formatted(CollationsProperty.NAME));
        }
        TableMetadata current = lost ? attempt.base().orElseThrow() : attempt.candidate();
        TableCollations collations = CollationsProperty.readIfWellFormed(current.properties());
        TableCollations kept = collations.retain(fieldId -> isString(attempt.candidate(), fieldId));
        kept.fields().keySet().forEach(fieldId -> checkAllowed(table, attempt, fieldId));
        if (kept.equals(collations) && !lost) {
            return attempt.candidate();
        }
        return MetadataReplay.replay(attempt, (_, _) -> ImmutableMap.of(), update(kept));
    }

    private static Optional<String> property(TableMetadata metadata)
    {
        return Optional.ofNullable(metadata.properties().get(CollationsProperty.NAME));
    }

    private static boolean isString(TableMetadata table, int fieldId)
    {
        return table.schema().findField(fieldId) != null && table.schema().findType(fieldId).typeId() == TypeID.STRING;
    }

    /// What was there before is no reason to refuse other changes.
    private static void checkAllowed(SchemaTableName table, CommitAttempt attempt, int fieldId)
    {
        CollationRules.findProblem(attempt.candidate(), fieldId)
                .filter(problem -> !attempt.base().flatMap(base -> CollationRules.findProblem(base, fieldId)).equals(Optional.of(problem)))
                .ifPresent(problem -> {
                    throw new TrinoException(NOT_SUPPORTED, "Table %s cannot be changed: %s, so it cannot keep its collation; drop that first: CALL system.drop_collation".formatted(table, problem));
                });
    }

    private static MetadataUpdate update(TableCollations collations)
    {
        return collations.fields().isEmpty()
                ? new MetadataUpdate.RemoveProperties(ImmutableSet.of(CollationsProperty.NAME))
                : new MetadataUpdate.SetProperties(ImmutableMap.of(CollationsProperty.NAME, CollationsProperty.toValue(collations)));
    }
}
