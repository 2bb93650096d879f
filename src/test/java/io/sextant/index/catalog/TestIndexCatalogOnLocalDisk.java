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

import io.sextant.filesystem.ExclusiveLocalFileSystemFactory;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.security.ConnectorIdentity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

final class TestIndexCatalogOnLocalDisk
        extends AbstractTestIndexCatalog
{
    @TempDir
    private Path root;

    private TrinoFileSystem fileSystem;

    @BeforeEach
    void setUp()
    {
        fileSystem = new ExclusiveLocalFileSystemFactory(root).create(ConnectorIdentity.ofUser("test"));
    }

    @Override
    protected TrinoFileSystem fileSystem()
    {
        return fileSystem;
    }

    @Override
    protected Location directory()
    {
        return Location.of("local:///warehouse/t.indexes");
    }
}
