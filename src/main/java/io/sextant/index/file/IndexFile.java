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

import org.apache.iceberg.FileFormat;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// One immutable file of an index, as the file that refers to it describes it.
///
/// @param location absolute location
/// @param sizeInBytes exact length of the file; a reader relies on it to find the footer
/// @param recordCount rows in the file
public record IndexFile(String location, FileFormat format, long sizeInBytes, long recordCount)
{
    public IndexFile
    {
        requireNonNull(location, "location is null");
        requireNonNull(format, "format is null");
        checkArgument(!location.isEmpty(), "location is empty");
        checkArgument(sizeInBytes >= 0, "sizeInBytes is negative: %s", sizeInBytes);
        checkArgument(recordCount >= 0, "recordCount is negative: %s", recordCount);
    }
}
