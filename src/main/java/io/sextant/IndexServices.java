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
package io.sextant;

import com.google.inject.Inject;
import io.sextant.index.refresh.IndexBuilds;
import io.sextant.index.refresh.TableIndexes;
import io.sextant.system.IndexStatusReader;

import static java.util.Objects.requireNonNull;

/// What [SextantMetadata] needs of indexes.
record IndexServices(TableIndexes tableIndexes, IndexBuilds builds, IndexStatusReader statusReader)
{
    @Inject
    IndexServices
    {
        requireNonNull(tableIndexes, "tableIndexes is null");
        requireNonNull(builds, "builds is null");
        requireNonNull(statusReader, "statusReader is null");
    }
}
