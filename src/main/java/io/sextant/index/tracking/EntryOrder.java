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
package io.sextant.index.tracking;

import io.sextant.index.file.FieldStats;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;

import java.util.Arrays;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// Whether the entries of a tracking file stand in index order and, as far as their statistics show, their key ranges do
/// not overlap. A look-up stops at the first region whose last key is above the one sought, so it would miss entries else.
final class EntryOrder
{
    private final TrackingSchema schema;
    private final KeyEncoding encoding;
    private byte[] previousGroupMax = new byte[0];
    private byte[] previousLeading = new byte[0];

    EntryOrder(TrackingSchema schema)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.encoding = schema.keyEncoding();
    }

    /// Adds the next entry, and says what is wrong with its place, if anything is.
    Optional<String> add(TrackingEntry entry)
    {
        KeyBuffer buffer = new KeyBuffer();
        int leadingEnd = 0;
        for (int i = 0; i < schema.keyFields().size(); i++) {
            encoding.encodeValue(i, stats(entry, i).groupMax().orElse(null), buffer);
            if (i == 0) {
                leadingEnd = buffer.length();
            }
        }
        byte[] groupMax = buffer.toByteArray();
        byte[] leading = Arrays.copyOf(groupMax, leadingEnd);
        Optional<String> reason = Optional.empty();
        if (Arrays.compareUnsigned(groupMax, previousGroupMax) < 0) {
            reason = Optional.of("is out of order: its group_max_value tuple is below that of the entry before");
        }
        else if (overlapsPrevious(stats(entry, 0))) {
            reason = Optional.of("overlaps the entry before: field %s has values below the group_max_value there".formatted(schema.keyFields().getFirst().fieldId()));
        }
        previousGroupMax = groupMax;
        previousLeading = leading;
        return reason;
    }

    private boolean overlapsPrevious(FieldStats leading)
    {
        if (previousLeading.length == 0) {
            return false;
        }
        if (leading.nullValueCount().orElse(0) > 0 && Arrays.compareUnsigned(encode(Optional.empty()), previousLeading) < 0) {
            return true;
        }
        // A bound that is not tight may lie below all values
        return leading.tightBounds() && leading.lower().isPresent() && Arrays.compareUnsigned(encode(leading.lower()), previousLeading) < 0;
    }

    private byte[] encode(Optional<Object> value)
    {
        KeyBuffer buffer = new KeyBuffer();
        encoding.encodeValue(0, value.orElse(null), buffer);
        return buffer.toByteArray();
    }

    private FieldStats stats(TrackingEntry entry, int keyField)
    {
        return requireNonNull(entry.contentStats().get(schema.keyFields().get(keyField).fieldId()), "a key field has no statistics");
    }
}
