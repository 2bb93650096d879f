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
package io.sextant.index.region;

import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;

import java.util.Arrays;
import java.util.List;

/// Entries of regions from plain values.
final class TestingEntries
{
    private TestingEntries() {}

    static byte[] entry(RegionSchema schema, Object... values)
    {
        KeyEncoding encoding = schema.entryEncoding();
        KeyBuffer buffer = new KeyBuffer();
        for (int i = 0; i < values.length; i++) {
            encoding.encodeValue(i, values[i], buffer);
        }
        return buffer.toByteArray();
    }

    static List<byte[]> sortedEntries(RegionSchema schema, List<List<Object>> rows)
    {
        return rows.stream()
                .map(row -> entry(schema, row.toArray()))
                .sorted(Arrays::compareUnsigned)
                .toList();
    }

    static void add(RegionFileWriter writer, byte[] entry)
    {
        // Entries usually stand somewhere in a larger array
        byte[] array = new byte[entry.length + 7];
        System.arraycopy(entry, 0, array, 3, entry.length);
        writer.add(array, 3, entry.length);
    }
}
