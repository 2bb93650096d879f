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

import io.trino.filesystem.TrinoOutputFile;
import io.trino.spi.TrinoException;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;

import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;

/// Writes the files of an index that never change once they are there.
public final class NewFile
{
    private NewFile() {}

    /// Writes a whole file at a location that nothing was written to before; the caller takes a name that is unique.
    ///
    /// Fails with [io.sextant.error.SextantErrorCode#INDEX_STORAGE_ERROR]; something may be left at the location then. A
    /// file that is there already is not overwritten, where the file system can tell.
    public static void write(TrinoOutputFile file, byte[] content)
    {
        try (OutputStream output = file.create()) {
            output.write(content);
        }
        catch (FileAlreadyExistsException e) {
            throw new TrinoException(INDEX_STORAGE_ERROR, "Index file %s exists already; index files are never overwritten".formatted(file.location()), e);
        }
        catch (IOException e) {
            throw new TrinoException(INDEX_STORAGE_ERROR, "Index file %s could not be written: %s".formatted(file.location(), e.getMessage()), e);
        }
    }
}
