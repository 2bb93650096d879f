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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.plugin.base.metrics.FileFormatDataSourceStats;
import io.trino.plugin.hive.orc.OrcReaderConfig;
import io.trino.plugin.hive.orc.OrcWriterConfig;
import io.trino.plugin.hive.parquet.ParquetReaderConfig;
import io.trino.plugin.hive.parquet.ParquetWriterConfig;
import io.trino.plugin.iceberg.IcebergConfig;
import io.trino.plugin.iceberg.IcebergSessionProperties;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.encryption.DefaultEncryptionManagerFactory;
import io.trino.plugin.iceberg.encryption.IcebergEncryptionConfig;
import io.trino.plugin.iceberg.fileio.ForwardingFileIoFactory;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SourcePage;
import io.trino.testing.TestingConnectorSession;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static com.google.common.util.concurrent.MoreExecutors.newDirectExecutorService;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;

/// What it takes to read index files without a server.
public final class TestingIndexFiles
{
    public static final ConnectorSession SESSION = TestingConnectorSession.builder()
            .setPropertyMetadata(new IcebergSessionProperties(
                    new IcebergConfig(),
                    new IcebergEncryptionConfig(),
                    new OrcReaderConfig(),
                    new OrcWriterConfig(),
                    new ParquetReaderConfig(),
                    new ParquetWriterConfig())
                    .getSessionProperties())
            .build();
    public static final IcebergTableCredentials CREDENTIALS = new IcebergTableCredentials(ImmutableMap.of(), ImmutableList.of());

    private TestingIndexFiles() {}

    public static IndexFileReader newReader(TrinoFileSystem fileSystem)
    {
        return new IndexFileReader(
                new IndexFileConfig(),
                (_, _) -> fileSystem,
                new ForwardingFileIoFactory(newDirectExecutorService()),
                new FileFormatDataSourceStats(),
                new OrcReaderConfig(),
                new ParquetReaderConfig(),
                TESTING_TYPE_MANAGER,
                new DefaultEncryptionManagerFactory(Optional.empty()));
    }

    public static List<List<Object>> read(TrinoFileSystem fileSystem, IndexFileScan scan)
    {
        return read(newReader(fileSystem), scan);
    }

    /// The rows of a scan as Iceberg values.
    public static List<List<Object>> read(IndexFileReader reader, IndexFileScan scan)
    {
        return rows(reader.open(SESSION, CREDENTIALS, newSimpleAggregatedMemoryContext(), scan), scan.fields());
    }

    public static List<List<Object>> rows(ConnectorPageSource pageSource, List<NestedField> fields)
    {
        List<List<Object>> rows = new ArrayList<>();
        KeyEncoding encoding = KeyEncoding.of(fields.stream().map(NestedField::type).toList());
        KeyBuffer buffer = new KeyBuffer();
        try (pageSource) {
            while (!pageSource.isFinished()) {
                SourcePage page = pageSource.getNextSourcePage();
                if (page == null) {
                    continue;
                }
                Block[] blocks = new Block[fields.size()];
                for (int channel = 0; channel < blocks.length; channel++) {
                    blocks[channel] = page.getBlock(channel);
                }
                for (int position = 0; position < page.getPositionCount(); position++) {
                    List<Object> row = new ArrayList<>();
                    for (int channel = 0; channel < blocks.length; channel++) {
                        buffer.reset();
                        encoding.encode(channel, blocks[channel], position, buffer);
                        row.add(encoding.decodeValue(channel, buffer.toByteArray(), 0));
                    }
                    rows.add(row);
                }
            }
        }
        catch (IOException e) {
            throw new AssertionError(e);
        }
        return rows;
    }

    public static List<Integer> fieldIds(Schema schema)
    {
        return schema.columns().stream().map(NestedField::fieldId).toList();
    }
}
