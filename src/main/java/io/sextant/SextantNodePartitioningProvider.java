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
import io.sextant.index.scan.IndexedSplit;
import io.trino.plugin.iceberg.IcebergNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.type.TypeManager;

import java.util.function.ToIntFunction;

/// Trino's partitioning of Iceberg tables, which knows only Trino's own splits.
public class SextantNodePartitioningProvider
        extends IcebergNodePartitioningProvider
{
    @Inject
    public SextantNodePartitioningProvider(TypeManager typeManager)
    {
        super(typeManager);
    }

    @Override
    public ToIntFunction<ConnectorSplit> getSplitBucketFunction(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioningHandle,
            int bucketCount)
    {
        ToIntFunction<ConnectorSplit> bucketFunction = super.getSplitBucketFunction(transactionHandle, session, partitioningHandle, bucketCount);
        return split -> bucketFunction.applyAsInt(IndexedSplit.unwrap(split));
    }
}
