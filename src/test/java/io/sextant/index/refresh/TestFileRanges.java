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
package io.sextant.index.refresh;

import com.google.common.collect.ImmutableList;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.assertj.core.api.Assertions.assertThat;

final class TestFileRanges
{
    @Test
    void testLargeFilesAreSplitWhereRowGroupsBegin()
    {
        for (FileFormat format : List.of(FileFormat.PARQUET, FileFormat.ORC)) {
            assertThat(starts(format, 1)).containsExactly(0L, 40L, 80L);
            assertThat(starts(format, 50)).containsExactly(0L, 80L);
            assertThat(starts(format, 100)).containsExactly(0L);
        }
    }

    @Test
    void testAvroFilesAreReadWhole()
    {
        // A reader that starts inside the file would count positions from there
        assertThat(starts(FileFormat.AVRO, 1)).containsExactly(0L);
    }

    private static List<Long> starts(FileFormat format, long rangeSize)
    {
        List<FileRange> ranges = FileRanges.split(file(format), rangeSize);
        long end = 0;
        for (FileRange range : ranges) {
            assertThat(range.start()).isEqualTo(end);
            end += range.length();
        }
        assertThat(end).isEqualTo(100);
        return ranges.stream().map(FileRange::start).toList();
    }

    private static FileScanTask file(FileFormat format)
    {
        return new BaseFileScanTask(
                DataFiles.builder(PartitionSpec.unpartitioned())
                        .withPath("memory:///t/data/file")
                        .withFormat(format)
                        .withFileSizeInBytes(100)
                        .withRecordCount(9)
                        .withSplitOffsets(ImmutableList.of(4L, 40L, 80L))
                        .build(),
                new DeleteFile[0],
                SchemaParser.toJson(new Schema(optional(1, "k", Types.LongType.get()))),
                PartitionSpecParser.toJson(PartitionSpec.unpartitioned()),
                ResidualEvaluator.unpartitioned(Expressions.alwaysTrue()));
    }
}
