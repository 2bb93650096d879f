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
package io.sextant.collation.write;

import com.google.inject.Inject;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.plugin.base.metrics.FileFormatDataSourceStats;
import io.trino.plugin.hive.orc.OrcWriterConfig;
import io.trino.plugin.hive.parquet.ParquetWriterConfig;
import io.trino.plugin.iceberg.IcebergConfig;
import io.trino.plugin.iceberg.IcebergFileFormat;
import io.trino.plugin.iceberg.IcebergFileWriter;
import io.trino.plugin.iceberg.IcebergFileWriterFactory;
import io.trino.spi.NodeVersion;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.Schema;

import java.util.List;
import java.util.Map;

/// Trino's writers of data files, with bounds for the collations of the table. Every data file of the connector is made
/// here, whichever statement it is for.
public class CollatingFileWriterFactory
        extends IcebergFileWriterFactory
{
    @Inject
    public CollatingFileWriterFactory(
            TypeManager typeManager,
            NodeVersion nodeVersion,
            FileFormatDataSourceStats readStats,
            IcebergConfig icebergConfig,
            OrcWriterConfig orcWriterConfig,
            ParquetWriterConfig parquetWriterConfig)
    {
        super(typeManager, nodeVersion, readStats, icebergConfig, orcWriterConfig, parquetWriterConfig);
    }

    @Override
    public IcebergFileWriter createDataFileWriter(
            TrinoFileSystem fileSystem,
            Location outputPath,
            Schema icebergSchema,
            ConnectorSession session,
            IcebergFileFormat fileFormat,
            MetricsConfig metricsConfig,
            Map<String, String> storageProperties)
    {
        IcebergFileWriter writer = super.createDataFileWriter(fileSystem, outputPath, icebergSchema, session, fileFormat, metricsConfig, storageProperties);
        List<CollatedField> fields = CollatedField.of(icebergSchema, storageProperties);
        return fields.isEmpty() ? writer : new CollatingFileWriter(writer, fields);
    }
}
