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

import java.io.Closeable;

/// A sorted sequence of entries that can take part in a merge; the current entry is exposed as fields
/// because the merge compares them once or more per entry.
abstract class EntrySource
        implements Closeable
{
    byte[] array = new byte[0];
    int offset;
    int length;

    /// Moves to the next entry; false when there is none.
    abstract boolean advance();

    /// Bytes that every entry of this source starts with.
    abstract byte[] commonBytes();

    @Override
    public abstract void close();
}
