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

import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.parquet.InternalReader;
import org.apache.iceberg.parquet.ParquetValueReader;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// A second reader of Parquet files, which shares no code with Trino's: parquet-java with the records of Iceberg.
public final class ParquetJavaReader
{
    private ParquetJavaReader() {}

    public static <T> List<T> read(byte[] file, Schema schema, Function<StructLike, T> convert)
            throws IOException
    {
        Path path = Files.createTempFile("file", ".parquet");
        try {
            Files.write(path, file);
            // Parquet's own codecs need Hadoop
            ParquetReadOptions options = ParquetReadOptions.builder(new PlainParquetConfiguration())
                    .withCodecFactory(new Codecs())
                    .build();
            List<T> rows = new ArrayList<>();
            try (ParquetFileReader reader = new ParquetFileReader(new LocalInputFile(path), options)) {
                ParquetValueReader<StructLike> records = InternalReader.create(schema, reader.getFileMetaData().getSchema());
                for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
                    records.setPageSource(pages);
                    for (long row = 0; row < pages.getRowCount(); row++) {
                        rows.add(convert.apply(records.read(null)));
                    }
                }
            }
            return rows;
        }
        finally {
            Files.delete(path);
        }
    }

    private static final class Codecs
            implements CompressionCodecFactory
    {
        @Override
        public BytesInputCompressor getCompressor(CompressionCodecName codecName)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public BytesInputDecompressor getDecompressor(CompressionCodecName codecName)
        {
            return switch (codecName) {
                case ZSTD -> new ZstdDecompressor();
                case UNCOMPRESSED -> new NoDecompressor();
                default -> throw new IllegalArgumentException("Region files are not compressed with " + codecName);
            };
        }

        @Override
        public void release() {}
    }

    private static final class ZstdDecompressor
            implements CompressionCodecFactory.BytesInputDecompressor
    {
        @Override
        public BytesInput decompress(BytesInput bytes, int decompressedSize)
                throws IOException
        {
            byte[] input = bytes.toInputStream().readAllBytes();
            byte[] output = new byte[decompressedSize];
            new ZstdJavaDecompressor().decompress(input, 0, input.length, output, 0, output.length);
            return BytesInput.from(output);
        }

        @Override
        public void decompress(ByteBuffer input, int compressedSize, ByteBuffer output, int decompressedSize)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void release() {}
    }

    private static final class NoDecompressor
            implements CompressionCodecFactory.BytesInputDecompressor
    {
        @Override
        public BytesInput decompress(BytesInput bytes, int decompressedSize)
        {
            return bytes;
        }

        @Override
        public void decompress(ByteBuffer input, int compressedSize, ByteBuffer output, int decompressedSize)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void release() {}
    }
}
