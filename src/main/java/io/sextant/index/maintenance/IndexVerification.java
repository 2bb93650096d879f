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
package io.sextant.index.maintenance;

import com.google.inject.Inject;
import io.sextant.index.catalog.IndexCatalog;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.metadata.IndexMetadata;
import io.sextant.index.refresh.ExtractVerifier;
import io.sextant.index.refresh.IndexedTable;
import io.sextant.index.scan.ServingExtract;
import io.trino.spi.TrinoException;

import java.util.Optional;

import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static java.util.Objects.requireNonNull;

/// Verifies the extract with which an index serves the current snapshot.
public class IndexVerification
{
    private final IndexCatalog indexCatalog;
    private final ExtractVerifier extractVerifier;

    @Inject
    public IndexVerification(IndexCatalog indexCatalog, ExtractVerifier extractVerifier)
    {
        this.indexCatalog = requireNonNull(indexCatalog, "indexCatalog is null");
        this.extractVerifier = requireNonNull(extractVerifier, "extractVerifier is null");
    }

    /// Fails with INDEX_UNSUPPORTED if no query uses the index, else as the verifier does.
    public void verify(IndexedTable table, IndexRegistration registration)
    {
        indexCatalog.refresh(registration);
        IndexMetadata metadata = indexCatalog.load(table.fileSystem(), registration).metadata();
        Optional<String> unusable = UsableExtract.unusableReason(table, metadata);
        if (unusable.isPresent()) {
            throw nothingToVerify(table, registration, unusable.orElseThrow());
        }
        ServingExtract serving = UsableExtract.serving(table, metadata)
                .orElseThrow(() -> nothingToVerify(table, registration, "no extract is of the current snapshot or an ancestor of it; run CALL system.refresh_index"));
        extractVerifier.verify(table, registration.name(), metadata, serving.extract());
    }

    private static TrinoException nothingToVerify(IndexedTable table, IndexRegistration registration, String reason)
    {
        return new TrinoException(INDEX_UNSUPPORTED, "Index %s of table %s serves no query, so there is nothing to verify: %s".formatted(registration.name(), table.name(), reason));
    }
}
