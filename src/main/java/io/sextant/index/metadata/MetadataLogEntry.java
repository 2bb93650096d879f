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
package io.sextant.index.metadata;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// A metadata file that came before the current one.
///
/// @param metadataFile as the metadata file states it, perhaps relative: see [IndexMetadata#resolve(String)]
/// @param timestampMillis the `last-updated-ms` inside that file
public record MetadataLogEntry(String metadataFile, long timestampMillis, UnknownFields unknownFields)
{
    public MetadataLogEntry
    {
        requireNonNull(metadataFile, "metadataFile is null");
        requireNonNull(unknownFields, "unknownFields is null");
        checkArgument(!metadataFile.isEmpty(), "metadata-file of a metadata-log entry is empty");
    }

    public MetadataLogEntry(String metadataFile, long timestampMillis)
    {
        this(metadataFile, timestampMillis, UnknownFields.NONE);
    }
}
