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

import com.google.common.base.Throwables;
import io.sextant.error.SextantErrorCode;
import io.trino.orc.OrcCorruptionException;
import io.trino.parquet.ParquetCorruptionException;
import io.trino.spi.TrinoException;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;
import static io.trino.spi.ErrorType.INSUFFICIENT_RESOURCES;

/// Turns what goes wrong while an index file is read into an error that names the file and tells damage from trouble with
/// the storage.
final class IndexFileErrors
{
    private IndexFileErrors() {}

    static TrinoException corrupt(IndexFile file, String reason)
    {
        return new TrinoException(INDEX_CORRUPT, "Index file %s is damaged: %s; rebuild the index".formatted(file.location(), reason));
    }

    static TrinoException translate(IndexFile file, Exception exception)
    {
        if (exception instanceof TrinoException trinoException && isFinal(trinoException)) {
            return trinoException;
        }
        for (Throwable cause : Throwables.getCausalChain(exception)) {
            switch (cause) {
                case FileNotFoundException _, NoSuchFileException _ -> {
                    return new TrinoException(INDEX_STORAGE_ERROR, "Index file %s does not exist; rebuild the index".formatted(file.location()), exception);
                }
                case ParquetCorruptionException _, OrcCorruptionException _, EOFException _ -> {
                    return damaged(file, exception);
                }
                case IOException _ -> {
                    return new TrinoException(INDEX_STORAGE_ERROR, "Index file %s could not be read: %s".formatted(file.location(), cause.getMessage()), exception);
                }
                default -> {}
            }
        }
        // The reader has no other reason to fail than bytes that it did not expect
        return damaged(file, exception);
    }

    private static boolean isFinal(TrinoException exception)
    {
        if (exception.getErrorCode().getType() == INSUFFICIENT_RESOURCES) {
            return true;
        }
        for (SextantErrorCode code : SextantErrorCode.values()) {
            if (code.toErrorCode().equals(exception.getErrorCode())) {
                return true;
            }
        }
        return false;
    }

    private static TrinoException damaged(IndexFile file, Exception exception)
    {
        return new TrinoException(INDEX_CORRUPT, "Index file %s is damaged: %s; rebuild the index".formatted(file.location(), exception.getMessage()), exception);
    }
}
