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
package io.sextant.index.region;

import com.google.inject.Inject;
import io.sextant.index.file.IndexFile;
import io.sextant.index.file.IndexFileReader;
import io.sextant.index.file.IndexFileScan;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.index.region.RegionFileWriter.EXTRACT_SCHEMA_KEY;
import static java.util.Objects.requireNonNull;

/// Reads region files. Errors are those of [IndexFileReader].
public class RegionFileReader
{
    private final IndexFileReader reader;

    @Inject
    public RegionFileReader(IndexFileReader reader)
    {
        this.reader = requireNonNull(reader, "reader is null");
    }

    /// All entries of a region in index order, as pages of the columns that [#storedColumns(RegionSchema)] gives.
    public ConnectorPageSource open(ConnectorSession session, IcebergTableCredentials credentials, AggregatedMemoryContext memoryContext, RegionSchema schema, IndexFile file)
    {
        return open(session, credentials, memoryContext, schema, file, TupleDomain.all());
    }

    /// Chosen columns of all entries of a region in index order.
    public ConnectorPageSource open(
            ConnectorSession session,
            IcebergTableCredentials credentials,
            AggregatedMemoryContext memoryContext,
            RegionSchema schema,
            IndexFile file,
            List<Integer> fieldIds)
    {
        return reader.open(session, credentials, memoryContext, IndexFileScan.of(file, schema.schema(), fieldIds));
    }

    /// The entries of a region in index order, but for row groups that cannot fulfil a predicate. Entries that do not fulfil
    /// it are among them.
    ///
    /// @param predicate by field ID of the identity columns, on Trino values
    public ConnectorPageSource open(
            ConnectorSession session,
            IcebergTableCredentials credentials,
            AggregatedMemoryContext memoryContext,
            RegionSchema schema,
            IndexFile file,
            TupleDomain<Integer> predicate)
    {
        List<Integer> fieldIds = storedColumns(schema).stream()
                .map(NestedField::fieldId)
                .collect(toImmutableList());
        return reader.open(session, credentials, memoryContext, IndexFileScan.of(file, schema.schema(), fieldIds).withPredicate(predicate));
    }

    /// The identity columns in the order in which an entry has them. The data file is a string here.
    public static List<NestedField> storedColumns(RegionSchema schema)
    {
        return schema.entryColumns().stream()
                .filter(field -> schema.isStored(field.fieldId()))
                .collect(toImmutableList());
    }

    /// The extract schema with which a region was written, if the file tells.
    public Optional<Schema> readExtractSchema(ConnectorSession session, IcebergTableCredentials credentials, IndexFile file)
    {
        String json = reader.readMetadata(session, credentials, file).get(EXTRACT_SCHEMA_KEY);
        if (json == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(SchemaParser.fromJson(json));
        }
        catch (RuntimeException e) {
            throw new TrinoException(INDEX_CORRUPT, "Index file %s is damaged: the extract schema in its metadata cannot be parsed; rebuild the index".formatted(file.location()), e);
        }
    }
}
