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
package io.sextant.index.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.units.Duration;
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IdentityField;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.tracking.TrackingEntry;
import io.sextant.index.tracking.TrackingFileReader;
import io.sextant.index.tracking.TrackingFileWriter;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.UnaryOperator;

import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;

/// An index on a long column, at a location of its own, with the changes that tests make to it.
record TestingIndex(IndexRegistration registration)
{
    static final Schema EXTRACT_SCHEMA = new Schema(
            optional(1, "user_id", Types.LongType.get()),
            required(105, "file", Types.StringType.get()),
            required(106, "pos", Types.LongType.get()));

    static final String TABLE_UUID = "d20125c8-7284-442c-9aea-15fee620737c";

    private static final String COUNTER = "counter";

    TestingIndex
    {
        requireNonNull(registration, "registration is null");
    }

    static TestingIndex at(Location directory)
    {
        String uuid = UUID.randomUUID().toString();
        return new TestingIndex(new IndexRegistration("by_user", uuid, directory.appendPath("by_user-" + uuid).toString()));
    }

    /// A catalog that remembers nothing of versions, as one in another process does.
    static IndexCatalog catalog()
    {
        return new IndexCatalog(new IndexCatalogConfig().setMetadataCacheTtl(new Duration(0, MILLISECONDS)).setMaxCommitRetries(100), trackingFileReader());
    }

    static TrackingFileReader trackingFileReader()
    {
        return new TrackingFileReader(TESTING_TYPE_MANAGER);
    }

    IndexLocations locations()
    {
        return new IndexLocations(registration.location());
    }

    IndexMetadata metadata(Map<String, String> properties)
    {
        return IndexMetadata.builder()
                .indexUuid(registration.uuid())
                .tableUuid(TABLE_UUID)
                .location(registration.location())
                .identityFields(ImmutableList.of(
                        new IdentityField(1, 1),
                        new IdentityField(MetadataColumns.FILE_PATH.fieldId(), 105),
                        new IdentityField(MetadataColumns.ROW_POSITION.fieldId(), 106)))
                .schemas(ImmutableList.of(EXTRACT_SCHEMA))
                .orderingKey(ImmutableList.of(1))
                .properties(properties)
                .build();
    }

    LoadedIndex create(TrinoFileSystem fileSystem)
    {
        return create(fileSystem, ImmutableMap.of());
    }

    LoadedIndex create(TrinoFileSystem fileSystem, Map<String, String> properties)
    {
        return catalog().create(fileSystem, registration.name(), metadata(properties));
    }

    LoadedIndex load(TrinoFileSystem fileSystem)
    {
        return catalog().load(fileSystem, registration);
    }

    LoadedIndex commit(TrinoFileSystem fileSystem, UnaryOperator<IndexMetadata> change)
    {
        return catalog().commit(fileSystem, registration, change);
    }

    static UnaryOperator<IndexMetadata> set(String property, String value)
    {
        return metadata -> metadata.withProperties(ImmutableMap.of(property, value), ImmutableSet.of());
    }

    /// A change that shows whether it is lost or made twice.
    static UnaryOperator<IndexMetadata> increment()
    {
        return metadata -> metadata.withProperties(ImmutableMap.of(COUNTER, Integer.toString(counter(metadata) + 1)), ImmutableSet.of());
    }

    static int counter(IndexMetadata metadata)
    {
        return Integer.parseInt(metadata.properties().getOrDefault(COUNTER, "0"));
    }

    /// Writes a region file, whose content does not matter, and returns its location.
    String writeRegionFile(TrinoFileSystem fileSystem)
    {
        String location = locations().newRegionFile();
        try (OutputStream output = fileSystem.newOutputFile(Location.of(location)).create()) {
            output.write(new byte[] {1, 2, 3});
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return location;
    }

    /// Writes the tracking file of an extract with some region files.
    Extract writeExtract(TrinoFileSystem fileSystem, long extractId, String... regionFiles)
    {
        ImmutableList.Builder<TrackingEntry> entries = ImmutableList.builder();
        long key = 0;
        for (String regionFile : regionFiles) {
            entries.add(new TrackingEntry(
                    new IndexFile(regionFile, FileFormat.PARQUET, 3, 1),
                    ImmutableMap.of(1, keyStats(key)),
                    Optional.empty()));
            key++;
        }
        String trackingFile = locations().newTrackingFile();
        long size = TrackingFileWriter.of(metadata(ImmutableMap.of()), EXTRACT_SCHEMA, 1000 + extractId).writeFile(fileSystem.newOutputFile(Location.of(trackingFile)), entries.build());
        return new Extract(extractId, 1000 + extractId, EXTRACT_SCHEMA.schemaId(), 1, trackingFile, size, ImmutableMap.of(), Optional.empty());
    }

    /// The paths of all files of the index, relative to its root.
    Set<String> files(TrinoFileSystem fileSystem)
            throws IOException
    {
        String prefix = Location.of(registration.location()).path() + "/";
        Set<String> files = new TreeSet<>();
        FileIterator iterator = fileSystem.listFiles(Location.of(registration.location()));
        while (iterator.hasNext()) {
            files.add(iterator.next().location().path().substring(prefix.length()));
        }
        return files;
    }

    List<String> metadataFiles(TrinoFileSystem fileSystem)
            throws IOException
    {
        return files(fileSystem).stream()
                .filter(file -> file.endsWith(".metadata.json"))
                .toList();
    }

    private static FieldStats keyStats(long key)
    {
        return new FieldStats(Optional.of(key), Optional.of(key), Optional.of(key), true, OptionalLong.of(1), OptionalLong.of(0), OptionalLong.empty(), OptionalInt.empty());
    }
}
