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

import static java.util.Objects.requireNonNull;

/// A spilled run: entries in ascending order, each after its size.
final class SortedRun
{
    private final SpillFile file;
    private final long sizeInBytes;
    private final byte[] commonBytes;

    /// @param commonBytes bytes that all its entries start with
    SortedRun(SpillFile file, long sizeInBytes, byte[] commonBytes)
    {
        this.file = requireNonNull(file, "file is null");
        this.sizeInBytes = sizeInBytes;
        this.commonBytes = requireNonNull(commonBytes, "commonBytes is null");
    }

    SpillFile file()
    {
        return file;
    }

    long sizeInBytes()
    {
        return sizeInBytes;
    }

    byte[] commonBytes()
    {
        return commonBytes;
    }
}
