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

import io.opentelemetry.api.OpenTelemetry;
import io.sextant.testing.TestingS3;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.s3.S3FileSystemConfig;
import io.trino.filesystem.s3.S3FileSystemFactory;
import io.trino.filesystem.s3.S3FileSystemStats;
import io.trino.spi.security.ConnectorIdentity;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.util.Map;
import java.util.UUID;

import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/// Exclusive creation by a conditional request.
@TestInstance(PER_CLASS)
final class TestIndexCatalogOnS3
        extends AbstractTestIndexCatalog
{
    private TestingS3 s3;
    private S3FileSystemFactory fileSystemFactory;

    @BeforeAll
    void start()
            throws IOException
    {
        s3 = new TestingS3();
        Map<String, String> properties = s3.fileSystemProperties();
        S3FileSystemConfig config = new S3FileSystemConfig()
                .setEndpoint(properties.get("s3.endpoint"))
                .setRegion(properties.get("s3.region"))
                .setPathStyleAccess(true)
                .setAwsAccessKey(properties.get("s3.aws-access-key"))
                .setAwsSecretKey(properties.get("s3.aws-secret-key"));
        fileSystemFactory = new S3FileSystemFactory(OpenTelemetry.noop(), config, new S3FileSystemStats());
    }

    @AfterAll
    void stop()
            throws IOException
    {
        fileSystemFactory.destroy();
        s3.close();
    }

    @Override
    protected TrinoFileSystem fileSystem()
    {
        return fileSystemFactory.create(ConnectorIdentity.ofUser("test"));
    }

    @Override
    protected Location directory()
    {
        return Location.of("%s/%s/t.indexes".formatted(s3.location(), UUID.randomUUID()));
    }
}
