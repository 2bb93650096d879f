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
package io.sextant.index.tracking;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.sextant.index.metadata.Extract;
import io.sextant.index.metadata.IndexMetadata;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputStream;
import io.trino.spi.TrinoException;
import io.trino.spi.type.TypeManager;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

/// Reads tracking files, in Parquet and in Avro, told apart by their first bytes, and checks all that a look-up relies on
/// (index format, sections "Tracking File" and "Content Stats"). Thread-safe.
public final class TrackingFileReader
{
    /// A tracking file is held in memory as a whole; one of this size would list about a million region files.
    static final int MAX_SIZE_IN_BYTES = 1 << 30;

    private static final byte[] PARQUET_MAGIC = "PAR1".getBytes(US_ASCII);
    private static final byte[] AVRO_MAGIC = {'O', 'b', 'j', 1};

    private final TypeManager typeManager;

    @Inject
    public TrackingFileReader(TypeManager typeManager)
    {
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    /// Reads the tracking file of an extract, in one read.
    ///
    /// @return one entry per region file, ascending by the tuples of group_max_value, with the types of the extract's schema
    ///         and absolute locations; empty if the table has no rows
    /// @throws TrinoException with `INDEX_CORRUPT` if the file breaks the format or is missing, `INDEX_UNSUPPORTED` if it is
    ///         encrypted or lists files of an unknown format, `INDEX_STORAGE_ERROR` if it cannot be read
    public List<TrackingEntry> read(TrinoFileSystem fileSystem, IndexMetadata metadata, Extract extract)
    {
        String location = metadata.resolve(extract.trackingFile());
        if (extract.keyId().isPresent()) {
            throw new TrinoException(INDEX_UNSUPPORTED, "Tracking file %s is encrypted, and encrypted indexes cannot be read yet".formatted(location));
        }
        if (extract.trackingFileSizeInBytes() > MAX_SIZE_IN_BYTES) {
            throw new TrinoException(INDEX_UNSUPPORTED, "Tracking file %s has more than %s bytes".formatted(location, MAX_SIZE_IN_BYTES));
        }
        byte[] content = load(fileSystem, location, (int) extract.trackingFileSizeInBytes());
        TrackingSchema schema = TrackingSchema.of(metadata, metadata.schemaOf(extract));
        try {
            TrackingRows rows = open(location, content);
            ExtractSeal.findProblem(rows.metadata(), metadata, metadata.schemaOf(extract), extract.sourceTableSnapshotId()).ifPresent(problem -> {
                throw corrupt(location, problem);
            });
            TrackingColumns columns = TrackingColumns.of(location, schema, rows.schema());
            EntryDecoder decoder = new EntryDecoder(location, columns, metadata::resolve);
            ImmutableList.Builder<TrackingEntry> entries = ImmutableList.builder();
            rows.read(columns.projection(), row -> entries.add(decoder.decode(row)));
            return checkComplete(location, rows, entries.build());
        }
        catch (IOException | RuntimeException e) {
            if (e instanceof TrinoException trinoException) {
                throw trinoException;
            }
            // The content is in memory, so nothing but the content can be the cause
            throw new TrinoException(INDEX_CORRUPT, "Tracking file %s is damaged: %s; rebuild the index".formatted(location, e.getMessage()), e);
        }
    }

    private static List<TrackingEntry> checkComplete(String location, TrackingRows rows, List<TrackingEntry> entries)
            throws IOException
    {
        if (entries.size() != rows.rowCount()) {
            throw corrupt(location, "it has %s entries, of which %s can be read".formatted(rows.rowCount(), entries.size()));
        }
        return entries;
    }

    private TrackingRows open(String location, byte[] content)
            throws IOException
    {
        if (startsWith(content, PARQUET_MAGIC)) {
            return new ParquetTrackingRows(location, content, typeManager);
        }
        if (startsWith(content, AVRO_MAGIC)) {
            return new AvroTrackingRows(content);
        }
        throw corrupt(location, "it is neither a Parquet nor an Avro file");
    }

    private static byte[] load(TrinoFileSystem fileSystem, String location, int size)
    {
        byte[] content;
        try (TrinoInputStream stream = fileSystem.newInputFile(Location.of(location)).newStream()) {
            content = stream.readNBytes(size + 1);
        }
        catch (FileNotFoundException | NoSuchFileException e) {
            throw new TrinoException(INDEX_CORRUPT, "Tracking file %s does not exist; rebuild the index".formatted(location), e);
        }
        catch (IOException e) {
            throw new TrinoException(INDEX_STORAGE_ERROR, "Tracking file %s could not be read: %s".formatted(location, e.getMessage()), e);
        }
        if (content.length != size) {
            throw corrupt(location, "it has %s bytes, but tracking-file-size-in-bytes of its extract is %s".formatted(content.length > size ? "more" : content.length, size));
        }
        return content;
    }

    static TrinoException corrupt(String location, String reason)
    {
        return new TrinoException(INDEX_CORRUPT, "Tracking file %s is damaged: %s; rebuild the index".formatted(location, reason));
    }

    private static boolean startsWith(byte[] content, byte[] magic)
    {
        return content.length >= magic.length && Arrays.equals(content, 0, magic.length, magic, 0, magic.length);
    }
}
