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
package io.sextant.enforcement;

import it.unimi.dsi.fastutil.longs.LongArrayList;

import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/// Passes on hashes many at a time, since whoever takes them needs a lock. Not thread-safe.
final class HashBatch
        implements AutoCloseable
{
    private static final int SIZE = 8192;

    private final Consumer<LongArrayList> sink;
    private final LongArrayList hashes = new LongArrayList(SIZE);

    HashBatch(Consumer<LongArrayList> sink)
    {
        this.sink = requireNonNull(sink, "sink is null");
    }

    void add(long hash)
    {
        hashes.add(hash);
        if (hashes.size() == SIZE) {
            pass();
        }
    }

    /// Passes on the rest.
    @Override
    public void close()
    {
        pass();
    }

    private void pass()
    {
        sink.accept(hashes);
        hashes.clear();
    }
}
