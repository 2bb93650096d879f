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
package io.sextant.index.file;

import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.Util;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

import static java.util.stream.Collectors.joining;

/// Protects what the checksums in the frames of compressed pages do not: what the footer of a file says, by whose
/// statistics row groups are left unread, the headers of pages, and which file it is. The file's key/value metadata have
/// `sextant.file-name`, `sextant.chunks-crc32c`, the checksums of all column chunks in the order of the file, and
/// `sextant.footer-crc32c`, the checksum of the footer without this entry. A checksum is eight hexadecimal digits.
///
/// Files of other writers have no seal, and pass.
public final class FileSeal
{
    private static final String FILE_NAME = "sextant.file-name";
    private static final String CHUNK_CHECKSUMS = "sextant.chunks-crc32c";
    private static final String FOOTER_CHECKSUM = "sextant.footer-crc32c";

    private FileSeal() {}

    /// Seals a footer that is otherwise complete.
    ///
    /// @param chunkChecksums those of the column chunks in the order of the file
    /// @param fileName the last part of the file's location, where that is known
    static void apply(FileMetaData footer, List<Integer> chunkChecksums, Optional<String> fileName)
    {
        List<KeyValue> metadata = new ArrayList<>(footer.getKey_value_metadata());
        fileName.ifPresent(name -> metadata.add(new KeyValue(FILE_NAME).setValue(name)));
        metadata.add(new KeyValue(CHUNK_CHECKSUMS).setValue(chunkChecksums.stream()
                .map("%08x"::formatted)
                .collect(joining())));
        footer.setKey_value_metadata(metadata);
        metadata.add(new KeyValue(FOOTER_CHECKSUM).setValue(checksum(footer)));
    }

    /// What is wrong with a file that [ColumnarParquetWriter] has written.
    ///
    /// @param content the whole file
    /// @param fileName the last part of the location that the file was read from
    public static Optional<String> findProblem(FileMetaData footer, byte[] content, String fileName)
    {
        return findProblem(footer, fileName)
                .or(() -> chunks(footer).findProblem(0, content, 0, content.length));
    }

    /// What is wrong with the footer of a file that [ColumnarParquetWriter] has written.
    ///
    /// @param fileName the last part of the location that the file was read from
    static Optional<String> findProblem(FileMetaData footer, String fileName)
    {
        if (!ColumnarParquetWriter.isWriterOf(footer)) {
            return Optional.empty();
        }
        FileMetaData unsealed = new FileMetaData(footer);
        List<KeyValue> metadata = Optional.ofNullable(footer.getKey_value_metadata()).orElseGet(List::of);
        unsealed.setKey_value_metadata(metadata.stream()
                .filter(entry -> !entry.getKey().equals(FOOTER_CHECKSUM))
                .toList());
        if (!value(metadata, FOOTER_CHECKSUM).equals(Optional.of(checksum(unsealed)))) {
            return Optional.of("its footer does not match its checksum");
        }
        return value(metadata, FILE_NAME)
                .filter(name -> !name.equals(fileName))
                .map("it is file %s, under another name"::formatted);
    }

    /// The column chunks of a file whose footer has no problem; none for the file of another writer.
    static SealedChunks chunks(FileMetaData footer)
    {
        if (!ColumnarParquetWriter.isWriterOf(footer)) {
            return SealedChunks.NONE;
        }
        return SealedChunks.of(footer.getRow_groups(), value(footer.getKey_value_metadata(), CHUNK_CHECKSUMS).orElseThrow());
    }

    private static Optional<String> value(List<KeyValue> metadata, String key)
    {
        return metadata.stream()
                .filter(entry -> entry.getKey().equals(key))
                .findFirst()
                .map(KeyValue::getValue);
    }

    private static String checksum(FileMetaData footer)
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            Util.writeFileMetaData(footer, bytes);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.toByteArray());
        return "%08x".formatted((int) checksum.getValue());
    }
}
