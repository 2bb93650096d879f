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

import io.airlift.concurrent.MoreFutures;
import io.sextant.table.DataFilePages;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.DataFile;

import java.io.IOException;
import java.util.OptionalLong;

import static io.sextant.error.SextantErrorCode.INDEX_BUILD_FAILED;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static java.util.Objects.requireNonNull;

/// Reads the live rows of data files and gives them to a sink as entries. Used by one thread.
final class DataFileReader
{
    private final String tableName;
    private final DataFilePages pages;
    private final EntryEncoder encoder;
    private final DataFilePaths paths;
    private final BuildProgress progress;
    private final AggregatedMemoryContext memory = newSimpleAggregatedMemoryContext();

    DataFileReader(String tableName, DataFilePages pages, EntryEncoder encoder, DataFilePaths paths, BuildProgress progress)
    {
        this.tableName = requireNonNull(tableName, "tableName is null");
        this.pages = requireNonNull(pages, "pages is null");
        this.encoder = requireNonNull(encoder, "encoder is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    long memoryUsage()
    {
        return memory.getBytes();
    }

    void read(FileRange range, EntryEncoder.EntrySink sink)
    {
        DataFile file = range.task().file();
        int ordinal = paths.ordinal(file.location());
        long rows = 0;
        try (ConnectorPageSource pageSource = pages.open(file, range.task().deletes(), range.start(), range.length(), encoder.columns(), TupleDomain.all(), memory)) {
            while (!pageSource.isFinished()) {
                progress.checkpoint();
                SourcePage page = pageSource.getNextSourcePage();
                if (page == null) {
                    MoreFutures.getFutureValue(pageSource.isBlocked());
                    continue;
                }
                encoder.encode(page, file.location(), ordinal, file.specId(), sink);
                rows += page.getPositionCount();
                progress.addReadEntries(page.getPositionCount());
            }
        }
        catch (IOException e) {
            throw new TrinoException(INDEX_BUILD_FAILED, "Data file %s of table %s could not be closed".formatted(file.location(), tableName), e);
        }
        progress.addReadRange(range.length());
        OptionalLong fileRows = range.count().add(rows);
        if (fileRows.isPresent()) {
            checkRowCount(range, fileRows.getAsLong());
            progress.addReadFile();
        }
    }

    /// An index that lacks a row would hide it from queries, so a file must have as many as the table says.
    private void checkRowCount(FileRange range, long rows)
    {
        DataFile file = range.task().file();
        boolean expected = range.task().deletes().isEmpty() ? rows == file.recordCount() : rows <= file.recordCount();
        if (!expected) {
            throw new TrinoException(
                    INDEX_BUILD_FAILED,
                    "Data file %s of table %s has %s live rows, its metadata says %s; the table is damaged and cannot be indexed".formatted(file.location(), tableName, rows, file.recordCount()));
        }
    }
}
