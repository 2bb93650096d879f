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
package io.sextant.collation.write;

import com.google.common.collect.ImmutableMap;
import io.sextant.collation.metadata.CollationsProperty;
import io.trino.plugin.iceberg.IcebergWritableTableHandle;

import java.util.Map;

/// Writes of `CREATE OR REPLACE TABLE`, which begin without the properties of the table that is replaced.
public final class ReplacingWrite
{
    private ReplacingWrite() {}

    /// Lets the writers know the collations of the columns that stay.
    public static IcebergWritableTableHandle keepCollations(IcebergWritableTableHandle handle, Map<String, String> replacedProperties)
    {
        String collations = replacedProperties.get(CollationsProperty.NAME);
        if (collations == null) {
            return handle;
        }
        return new IcebergWritableTableHandle(
                handle.name(),
                handle.schemaAsJson(),
                handle.partitionsSpecsAsJson(),
                handle.partitionSpecId(),
                handle.sortFields(),
                handle.sortOrderId(),
                handle.partitionColumns(),
                handle.outputPath(),
                handle.fileFormat(),
                ImmutableMap.<String, String>builder()
                        .putAll(handle.storageProperties())
                        .put(CollationsProperty.NAME, collations)
                        .buildKeepingLast());
    }
}
