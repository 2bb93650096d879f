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
package io.sextant.index.catalog;

import io.sextant.index.metadata.IndexMetadata;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// The state of an index as one of its metadata files holds it.
///
/// @param version the number in the name of the metadata file, from 1
/// @param metadataLocation the absolute location of the metadata file
public record LoadedIndex(IndexMetadata metadata, int version, String metadataLocation)
{
    public LoadedIndex
    {
        requireNonNull(metadata, "metadata is null");
        requireNonNull(metadataLocation, "metadataLocation is null");
        checkArgument(version >= 1, "version is not positive: %s", version);
    }
}
