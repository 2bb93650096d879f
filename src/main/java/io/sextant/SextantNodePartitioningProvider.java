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
import io.sextant.enforcement.KeyPartitioning;
import io.sextant.index.scan.IndexedSplit;
import io.trino.plugin.iceberg.IcebergNodePartitioningProvider;
import io.trino.spi.connector.BucketFunction;
import io.trino.spi.connector.ConnectorBucketNodeMap;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeManager;

import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// Trino's partitioning of Iceberg tables, which knows only Trino's own splits, and that of rows by a key.
public class SextantNodePartitioningProvider
        extends IcebergNodePartitioningProvider
{
    @Inject
    public SextantNodePartitioningProvider(TypeManager typeManager)
    {
        super(typeManager);
    }

    @Override
    public Optional<ConnectorBucketNodeMap> getBucketNodeMapping(ConnectorTransactionHandle transactionHandle, ConnectorSession session, ConnectorPartitioningHandle partitioningHandle)
    {
        return partitioningHandle instanceof KeyPartitioning partitioning
                ? Optional.of(partitioning.bucketNodeMap())
                : super.getBucketNodeMapping(transactionHandle, session, partitioningHandle);
    }

    @Override
    public BucketFunction getBucketFunction(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioningHandle,
            List<Type> partitionChannelTypes,
            int bucketCount)
    {
        return partitioningHandle instanceof KeyPartitioning partitioning
                ? partitioning.bucketFunction(bucketCount)
                : super.getBucketFunction(transactionHandle, session, partitioningHandle, partitionChannelTypes, bucketCount);
    }

    @Override
    public ToIntFunction<ConnectorSplit> getSplitBucketFunction(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioningHandle,
            int bucketCount)
    {
        if (partitioningHandle instanceof KeyPartitioning) {
            return _ -> {
                throw new UnsupportedOperationException("a split has rows with many keys");
            };
        }
        ToIntFunction<ConnectorSplit> bucketFunction = super.getSplitBucketFunction(transactionHandle, session, partitioningHandle, bucketCount);
        return split -> bucketFunction.applyAsInt(IndexedSplit.unwrap(split));
    }
}
