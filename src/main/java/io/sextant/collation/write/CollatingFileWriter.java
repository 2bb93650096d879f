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

import com.google.common.collect.ImmutableList;
import io.sextant.collation.metadata.FileBounds;
import io.trino.plugin.hive.RollbackAction;
import io.trino.plugin.iceberg.IcebergFileWriter;
import io.trino.spi.Page;
import org.apache.iceberg.Metrics;

import java.util.List;

import static java.util.Objects.requireNonNull;

/// Writes a data file by another writer, and adds bounds in the order of collations to its metrics.
class CollatingFileWriter
        implements IcebergFileWriter
{
    private final IcebergFileWriter delegate;
    private final List<CollatedField> fields;

    CollatingFileWriter(IcebergFileWriter delegate, List<CollatedField> fields)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.fields = ImmutableList.copyOf(fields);
    }

    @Override
    public void appendRows(Page page)
    {
        fields.forEach(field -> field.add(page));
        delegate.appendRows(page);
    }

    @Override
    public FileMetrics getFileMetrics()
    {
        FileMetrics file = delegate.getFileMetrics();
        Metrics metrics = file.metrics();
        for (CollatedField field : fields) {
            metrics = FileBounds.add(metrics, field.metricId(), field.collector().bounds());
        }
        return new FileMetrics(metrics, file.splitOffsets());
    }

    @Override
    public long getWrittenBytes()
    {
        return delegate.getWrittenBytes();
    }

    @Override
    public long getMemoryUsage()
    {
        return delegate.getMemoryUsage();
    }

    @Override
    public RollbackAction commit()
    {
        return delegate.commit();
    }

    @Override
    public void rollback()
    {
        delegate.rollback();
    }

    @Override
    public long getValidationCpuNanos()
    {
        return delegate.getValidationCpuNanos();
    }
}
