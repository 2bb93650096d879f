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

import com.google.common.collect.ImmutableMap;

import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// The state of an index for one snapshot of its table.
///
/// @param extractId unique among the extracts of the index
/// @param sourceTableSnapshotId the snapshot whose live rows, and no others, are indexed
/// @param extractSchemaId the ID of the extract schema, as in [IndexMetadata#schema(int)]
/// @param timestampMillis when the extract was created, in milliseconds from the epoch
/// @param trackingFile as the metadata file states it, perhaps relative: see [IndexMetadata#resolve(String)]
/// @param trackingFileSizeInBytes above zero, at most [#MAX_TRACKING_FILE_SIZE_IN_BYTES]
/// @param keyId names the encryption key that holds the tracking file's key metadata
public record Extract(
        long extractId,
        long sourceTableSnapshotId,
        int extractSchemaId,
        long timestampMillis,
        String trackingFile,
        long trackingFileSizeInBytes,
        Map<String, String> properties,
        Optional<String> keyId,
        UnknownFields unknownFields)
{
    /// A tracking file beyond this size is taken for a damaged number.
    public static final long MAX_TRACKING_FILE_SIZE_IN_BYTES = 1L << 50;

    public Extract
    {
        requireNonNull(trackingFile, "trackingFile is null");
        properties = ImmutableMap.copyOf(requireNonNull(properties, "properties is null"));
        requireNonNull(keyId, "keyId is null");
        requireNonNull(unknownFields, "unknownFields is null");
        checkArgument(!trackingFile.isEmpty(), "tracking-file of extract %s is empty", extractId);
        checkArgument(
                trackingFileSizeInBytes > 0 && trackingFileSizeInBytes <= MAX_TRACKING_FILE_SIZE_IN_BYTES,
                "tracking-file-size-in-bytes of extract %s is not between 1 and %s: %s",
                extractId,
                MAX_TRACKING_FILE_SIZE_IN_BYTES,
                trackingFileSizeInBytes);
    }

    public Extract(
            long extractId,
            long sourceTableSnapshotId,
            int extractSchemaId,
            long timestampMillis,
            String trackingFile,
            long trackingFileSizeInBytes,
            Map<String, String> properties,
            Optional<String> keyId)
    {
        this(extractId, sourceTableSnapshotId, extractSchemaId, timestampMillis, trackingFile, trackingFileSizeInBytes, properties, keyId, UnknownFields.NONE);
    }
}
