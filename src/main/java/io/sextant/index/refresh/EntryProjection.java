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

import static java.lang.Math.min;

/// Finds which of the first bits of a set of entries differ at all, and packs just these into a long for each entry.
///
/// Bits that all entries share do not matter to their order, so entries compare as their packed bits do, until these are
/// equal. A key, a file and a position have many constant bits and mostly fit into one long. An entry that ends is taken
/// to go on with zeros.
final class EntryProjection
{
    private static final int WORDS = 8;

    private final long[] first = new long[WORDS];
    private final long[] varying = new long[WORDS];
    private final long[] masks = new long[WORDS];
    private final int[] bits = new int[WORDS];
    private int usedWords;
    private int totalBits;
    private int coveredLength;
    private int maxLength;
    private boolean isEmpty = true;

    void reset()
    {
        isEmpty = true;
    }

    void add(byte[] entry, int offset, int length)
    {
        if (isEmpty) {
            start(entry, offset, length);
            return;
        }
        if (length > maxLength) {
            maxLength = length;
        }
        int end = offset + length;
        int words = min((maxLength + Long.BYTES - 1) / Long.BYTES, WORDS);
        for (int word = 0; word < words; word++) {
            int start = min(offset + word * Long.BYTES, end);
            varying[word] |= first[word] ^ EntryBytes.window(entry, start, end);
        }
    }

    private void start(byte[] entry, int offset, int length)
    {
        isEmpty = false;
        maxLength = length;
        int end = offset + length;
        for (int word = 0; word < WORDS; word++) {
            first[word] = EntryBytes.window(entry, min(offset + word * Long.BYTES, end), end);
            varying[word] = 0;
        }
    }

    /// Decides which bits are packed, the first ones that vary, up to 64; to be called before [#project].
    void choose()
    {
        totalBits = 0;
        usedWords = 0;
        coveredLength = WORDS * Long.BYTES;
        for (int word = 0; word < WORDS; word++) {
            long mask = varying[word];
            int room = Long.SIZE - totalBits;
            while (Long.bitCount(mask) > room) {
                int dropped = Long.numberOfTrailingZeros(mask);
                mask &= mask - 1;
                coveredLength = word * Long.BYTES + (Long.SIZE - 1 - dropped) / Byte.SIZE;
            }
            masks[word] = mask;
            bits[word] = Long.bitCount(mask);
            totalBits += bits[word];
            if (mask != 0) {
                usedWords = word + 1;
            }
            if (coveredLength < WORDS * Long.BYTES) {
                return;
            }
        }
    }

    /// How many first bytes of two entries with equal packed bits are equal, or both zeros after an end.
    int coveredLength()
    {
        return coveredLength;
    }

    /// The packed bits of an entry, from the highest bit down.
    long project(byte[] array, int offset, int end)
    {
        long projection = 0;
        for (int word = 0; word < usedWords; word++) {
            if (masks[word] != 0) {
                long window = EntryBytes.window(array, min(offset + word * Long.BYTES, end), end);
                // The shift is by the whole size only where nothing was packed before
                projection = (bits[word] == Long.SIZE ? 0 : projection << bits[word]) | Long.compress(window, masks[word]);
            }
        }
        return totalBits == 0 ? 0 : projection << (Long.SIZE - totalBits);
    }

    /// A lower bound of the length of what all entries begin with.
    int commonLength(int shortestLength)
    {
        int common = 0;
        for (int word = 0; word < WORDS; word++) {
            int same = Long.numberOfLeadingZeros(varying[word]) / Byte.SIZE;
            common += same;
            if (same < Long.BYTES) {
                break;
            }
        }
        return min(common, shortestLength);
    }
}
