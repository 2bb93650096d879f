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
package io.sextant.index.scan;

import com.google.common.collect.ImmutableList;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.expressions.ResidualEvaluator;

/// A data file of which few rows are read: one split, since what is read of it is small.
final class IndexedScanTask
        extends BaseFileScanTask
{
    private static final long serialVersionUID = 1;

    IndexedScanTask(FileScanTask task)
    {
        super(task.file(),
                task.deletes().toArray(DeleteFile[]::new),
                SchemaParser.toJson(task.schema()),
                PartitionSpecParser.toJson(task.spec()),
                ResidualEvaluator.unpartitioned(task.residual()));
    }

    @Override
    public Iterable<FileScanTask> split(long targetSplitSize)
    {
        return ImmutableList.of(this);
    }
}
