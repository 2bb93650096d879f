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

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;

final class TestIndexCatalogOnMemory
        extends AbstractTestIndexCatalog
{
    private final TrinoFileSystem fileSystem = new MemoryFileSystem();

    @Override
    protected TrinoFileSystem fileSystem()
    {
        return fileSystem;
    }

    @Override
    protected Location directory()
    {
        return Location.of("memory:///warehouse/t.indexes");
    }
}
