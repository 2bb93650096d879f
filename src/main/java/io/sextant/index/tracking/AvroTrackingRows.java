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

import com.google.common.collect.ImmutableMap;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.iceberg.Accessor;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.avro.AvroSchemaUtil;
import org.apache.iceberg.avro.InternalReader;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.io.CloseableIterable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/// Reads an Avro file by Iceberg's own classes.
final class AvroTrackingRows
        implements TrackingRows
{
    private static final int MAGIC_LENGTH = 4;
    private static final int SYNC_LENGTH = 16;

    private final byte[] content;
    private final Schema schema;

    AvroTrackingRows(byte[] content)
            throws IOException
    {
        this.content = requireNonNull(content, "content is null");
        try (DataFileStream<Object> stream = new DataFileStream<>(new ByteArrayInputStream(content), new GenericDatumReader<>())) {
            schema = AvroSchemaUtil.toIceberg(stream.getSchema());
        }
    }

    @Override
    public Schema schema()
    {
        return schema;
    }

    /// Adds up the blocks. Avro's reader takes a block without records for the end of the file, so damage could hide rows.
    @Override
    public Map<String, String> metadata()
    {
        return ImmutableMap.of();
    }

    @Override
    public long rowCount()
            throws IOException
    {
        BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(content, null);
        decoder.skipFixed(MAGIC_LENGTH);
        for (long entries = decoder.readMapStart(); entries > 0; entries = decoder.mapNext()) {
            for (long i = 0; i < entries; i++) {
                decoder.skipString();
                decoder.skipBytes();
            }
        }
        byte[] headerSync = readSync(decoder);
        long rows = 0;
        while (!decoder.isEnd()) {
            long blockRows = decoder.readLong();
            long blockSize = decoder.readLong();
            if (blockRows <= 0 || blockRows > content.length || blockSize < 0 || blockSize > content.length) {
                throw new IOException("A block has %s records in %s bytes".formatted(blockRows, blockSize));
            }
            decoder.skipFixed((int) blockSize);
            if (!Arrays.equals(readSync(decoder), headerSync)) {
                throw new IOException("A block does not end with the sync marker");
            }
            rows += blockRows;
        }
        return rows;
    }

    private static byte[] readSync(BinaryDecoder decoder)
            throws IOException
    {
        byte[] sync = new byte[SYNC_LENGTH];
        decoder.readFixed(sync);
        return sync;
    }

    @Override
    public void read(Schema columns, Consumer<Row> consumer)
            throws IOException
    {
        ImmutableMap.Builder<Integer, Accessor<StructLike>> builder = ImmutableMap.builder();
        columns.idToName().keySet().forEach(fieldId -> builder.put(fieldId, columns.accessorForField(fieldId)));
        Map<Integer, Accessor<StructLike>> accessors = builder.buildOrThrow();
        try (CloseableIterable<StructLike> records = Avro.read(new InMemoryInputFile(content))
                .project(columns)
                .createResolvingReader(InternalReader::create)
                .build()) {
            for (StructLike record : records) {
                consumer.accept(fieldId -> {
                    Object value = requireNonNull(accessors.get(fieldId), "accessor is null").get(record);
                    return value instanceof CharSequence text ? text.toString() : value;
                });
            }
        }
    }
}
